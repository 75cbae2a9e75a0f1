#include "sinew/offline/multires/region.h"

#include <algorithm>
#include <utility>

#include "sinew/offline/multires/region_basis.h"

namespace sinew::multires {
namespace {

// psi_i^k Y_i^j restricted to the support: one row per frame, 3 columns per point of the support.
learn::RowMatrix Localised(const learn::RowMatrix& Y, const Support& support) {
  learn::RowMatrix local(Y.rows(), 3 * static_cast<Eigen::Index>(support.points.size()));
  for (Eigen::Index j = 0; j < Y.rows(); ++j) {
    const float* from = Y.row(j).data();
    float* to = local.row(j).data();
    for (size_t p = 0; p < support.points.size(); ++p) {
      for (int axis = 0; axis < 3; ++axis) {
        to[3 * p + axis] = support.values[p] * from[3 * static_cast<size_t>(support.points[p]) + axis];
      }
    }
  }
  return local;
}

// Returns the features of some joints in the columns [begin, end).
learn::RowMatrix FeaturesOf(const learn::RowMatrix& features, const std::vector<int>& joints, int per_joint, int begin,
                            int end) {
  learn::RowMatrix some(per_joint * static_cast<Eigen::Index>(joints.size()), end - begin);
  for (size_t i = 0; i < joints.size(); ++i) {
    some.middleRows(per_joint * static_cast<Eigen::Index>(i), per_joint) =
        features.block(per_joint * static_cast<Eigen::Index>(joints[i]), begin, per_joint, end - begin);
  }
  return some;
}

learn::Samples SamplesOf(const Scene& scene, const std::vector<int>& joints, const learn::RowMatrix& z, int begin,
                         int end) {
  learn::Samples samples;
  samples.inputs = FeaturesOf(scene.features, joints, runtime::FeatureCount(scene.options.features), begin, end);
  samples.targets = z.middleRows(begin, end - begin).transpose();
  return samples;
}

// Modes of a region's targets (one row each), and their coefficients in all frames.
struct Modes {
  learn::RowMatrix V, z;
  double left = 0;  // TrainedRegion::left
};

Modes FindModes(const Scene& scene, const learn::RowMatrix& local, uint64_t stream) {
  Modes modes;
  modes.V.resize(0, local.cols());
  const TrainOptions& options = scene.options;
  RegionBasis basis = FindRegionBasis(local.topRows(scene.training_count), scene.epsilon * scene.height,
                                      options.max_modes, options.seed + stream);
  modes.left = basis.left * static_cast<double>(local.cols()) / 3;
  if (basis.V.rows() == 0) return modes;
  modes.V = std::move(basis.V);
  modes.z.resize(local.rows(), modes.V.rows());
  learn::ProductTransposed(local, modes.V, modes.z);
  return modes;
}

// Finds the modes of the level alone: those of the level's displayed targets after subtracting the best approximation
// by the modes that finer levels start from.
Modes FindOwnModes(const Scene& scene, const Targets& targets, const Support& support, const Modes& handed_on,
                   uint64_t stream) {
  if (targets.whole.rows() == 0) return {learn::RowMatrix(0, handed_on.V.cols()), {}, 0};
  learn::RowMatrix local = Localised(targets.whole, support);
  if (handed_on.V.rows() > 0) {
    learn::RowMatrix done(local.rows(), local.cols());
    learn::Product(handed_on.z, handed_on.V, done);
    local -= done;
  }
  return FindModes(scene, local, stream);
}

// Joints that affect a region according to the probe: moving one of them alone changes the region by a significant
// share of epsilon. An empty list allows all joints; it is returned if there is no probe, or if its poses do not move
// the region.
std::vector<int> AllowedJoints(const Scene& scene, const Support& support, int i) {
  if (scene.probe == nullptr) return {};
  constexpr double kCounts = 0.5;  // share of epsilon; the whole of it made levels worse
  return scene.probe->JointsOf(scene.probed[i - 1], support.points, support.values,
                               kCounts * scene.epsilon * scene.height);
}

bool IsFinite(const learn::Network& n) {
  return n.W1.allFinite() && n.W2.allFinite() && n.W3.allFinite() && n.b1.allFinite() && n.b2.allFinite() &&
         n.b3.allFinite();
}

}  // namespace

std::vector<Support> FindSupports(const lod::Hierarchy& hierarchy, int i) {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> psi = lod::BasisFunctions(hierarchy, i);
  std::vector<Support> supports(hierarchy.region_count());
  for (int p = 0; p < psi.rows(); ++p) {
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator at(psi, p); at; ++at) {
      if (at.value() <= 0) continue;
      supports[at.col()].points.push_back(p);
      supports[at.col()].values.push_back(static_cast<float>(at.value()));
    }
  }
  return supports;
}

PreparedRegion PrepareRegion(const Scene& scene, const Targets& targets, const Support& support, int i, int k) {
  // Find the modes; without any, the region is culled.
  const int count = static_cast<int>(targets.Y.rows());
  const uint64_t stream = static_cast<uint64_t>(i) * 1'000'000 + k;
  const Modes handed_on = FindModes(scene, Localised(targets.Y, support), stream);
  const Modes own = FindOwnModes(scene, targets, support, handed_on, stream + 500'000);
  PreparedRegion result;
  deformer::RegionCorrective& corrective = result.region.corrective;
  result.region.left = targets.whole.rows() > 0 ? own.left : handed_on.left;
  corrective.region = k;
  corrective.V = handed_on.V.transpose();
  corrective.own = own.V.transpose();
  if (corrective.modes() == 0) return result;

  // Choose the joints that can predict the coefficients.
  learn::RowMatrix z(count, corrective.modes());
  if (corrective.V.cols() > 0) z.leftCols(corrective.V.cols()) = handed_on.z;
  if (corrective.own.cols() > 0) z.rightCols(corrective.own.cols()) = own.z;
  corrective.points = support.points;
  corrective.joints = scene.culling.Choose(z, AllowedJoints(scene, support, i));
  SetUpFit(scene, z, stream, result);
  return result;
}

void SetUpFit(const Scene& scene, const learn::RowMatrix& z, uint64_t stream, PreparedRegion& prepared) {
  const TrainOptions& options = scene.options;
  deformer::RegionCorrective& corrective = prepared.region.corrective;
  const auto trained = z.topRows(scene.training_count);
  corrective.spread = (trained.colwise().squaredNorm() / static_cast<float>(trained.rows())).cwiseSqrt().transpose();
  // Set up the fit of the network.
  learn::FitOptions& fit = prepared.problem.options;
  fit = options.fit;
  const int inputs = 3 * static_cast<int>(corrective.joints.size());
  fit.width = std::min(options.max_width, 5 * std::max(inputs, static_cast<int>(corrective.modes())));
  fit.seed = options.seed;
  fit.stream = stream;
  // At rest the truth is skinning only where that is how the mesh was bound.
  fit.free = !FeaturesOf(scene.bind, corrective.joints, runtime::FeatureCount(options.features), 0, 1).isZero(0);
  prepared.problem.training = SamplesOf(scene, corrective.joints, z, 0, scene.training_count);
  prepared.problem.training.weights = scene.weights;
  prepared.problem.validation =
      SamplesOf(scene, corrective.joints, z, scene.training_count, static_cast<int>(z.rows()));
}

TrainedRegion WithNetwork(TrainedRegion region, learn::Fit fit) {
  if (!IsFinite(fit.network)) {
    TrainedRegion without{.corrective = {}, .fit = {}, .left = region.left, .failed = true};
    without.corrective.region = region.corrective.region;
    return without;
  }
  region.corrective.network = std::move(fit.network);
  region.fit = std::move(fit);
  return region;
}

TrainedRegion FitRegion(PreparedRegion prepared) {
  if (prepared.region.corrective.modes() == 0) return std::move(prepared.region);
  const learn::FitProblem& problem = prepared.problem;
  return WithNetwork(std::move(prepared.region),
                     learn::FitNetwork(problem.training, problem.validation, problem.options));
}

}  // namespace sinew::multires
