#include "sinew/offline/multires/blend_shapes.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/multires/predict.h"
#include "sinew/offline/multires/region_basis.h"

namespace sinew::multires {
namespace {

using learn::RowMatrix;

// Number of monomials of degree 1 to 4 in three variables; there are no more shapes than terms.
constexpr int kTerms = kMostShapes;
// Share of the columns' mean square that is added to the normal equations: few frames have many terms.
constexpr float kRidge = 0.01F;
// Share of the threshold of equation 9 below which a summand does not show at a point.
constexpr double kUnseen = 0.5;
// Sweeps of the fit over all joints; more changed nothing that is seen.
constexpr int kSweeps = 12;

// Returns the nearest joint above that is no helper; -1 if there is none.
int CarrierOf(const Skeleton& skeleton, int joint) {
  int parent = skeleton.joints[joint].parent;
  while (parent >= 0 && skeleton.joints[parent].helper) parent = skeleton.joints[parent].parent;
  return parent;
}

// Skinning weights of every point of a level, by joint.
std::vector<std::map<int, double>> PointWeights(const lod::Level& level) {
  std::vector<std::map<int, double>> weights(level.point_count);
  int vertex = 0;
  for (const Part& part : level.character.parts) {
    for (int v = 0; v < part.mesh.vertex_count(); ++v, ++vertex) {
      std::map<int, double>& of_point = weights[level.point_of_vertex[vertex]];
      for (int k = 0; k < part.weights.influences; ++k) {
        const size_t slot = static_cast<size_t>(v) * part.weights.influences + k;
        double& largest = of_point[part.weights.joints[slot]];
        largest = std::max(largest, static_cast<double>(part.weights.weights[slot]));
      }
    }
  }
  return weights;
}

// Polynomials in a joint's rotation, all of which are zero at rest: one row per frame.
RowMatrix PolynomialsOf(const RowMatrix& features, int joint) {
  RowMatrix terms(features.cols(), kTerms);
  for (Eigen::Index f = 0; f < features.cols(); ++f) {
    const Eigen::Vector3f x = features.block<3, 1>(3 * static_cast<Eigen::Index>(joint), f);
    int at = 0;
    for (int a = 0; a <= 4; ++a) {
      for (int b = 0; a + b <= 4; ++b) {
        for (int c = a + b == 0 ? 1 : 0; a + b + c <= 4; ++c) {
          terms(f, at++) = static_cast<float>(std::pow(x[0], a) * std::pow(x[1], b) * std::pow(x[2], c));
        }
      }
    }
  }
  return terms;
}

// Least-squares fit by the polynomials of one joint's rotation.
struct JointFit {
  RowMatrix terms;   // of all frames
  RowMatrix solve;   // from the residuals of the training frames to coefficients: kTerms rows
  RowMatrix repeat;  // solve times terms: what the fit makes of its own result
  RowMatrix root;    // its transpose times itself is the mean over training frames of the products of terms
  RowMatrix A;       // coefficients: 3 columns per point of the mask
};

JointFit MakeFit(const RowMatrix& features, int joint, int training_count) {
  JointFit fit;
  fit.terms = PolynomialsOf(features, joint);
  const Eigen::MatrixXd T = fit.terms.topRows(training_count).cast<double>();
  // Terms of a joint that hardly moves stay zero.
  const Eigen::VectorXd size = (T.colwise().squaredNorm() / training_count).cwiseSqrt().transpose();
  constexpr double kMoves = 1e-9;
  for (int t = 0; t < kTerms; ++t) {
    const float scale = size[t] > kMoves ? static_cast<float>(1 / size[t]) : 0.0F;
    fit.terms.col(t) *= scale;
  }
  const Eigen::MatrixXd S = fit.terms.topRows(training_count).cast<double>();
  const Eigen::MatrixXd gram = S.transpose() * S / training_count;
  const Eigen::MatrixXd regular = gram + kRidge * Eigen::MatrixXd::Identity(kTerms, kTerms);
  const Eigen::MatrixXd solve = regular.llt().solve(S.transpose() / training_count);
  fit.solve = solve.cast<float>();
  fit.repeat = (solve * S).cast<float>();
  constexpr double kRounding = 1e-9;
  const Eigen::MatrixXd L = (gram + kRounding * Eigen::MatrixXd::Identity(kTerms, kTerms)).llt().matrixL();
  fit.root = L.transpose().cast<float>();
  return fit;
}

// Part of a mask in a chunk of points.
struct MaskInChunk {
  int joint = 0, first = 0;  // first: index of the chunk's first point among those of the mask
  std::vector<int> columns;  // points of the mask, counted from the chunk's first point
};

// Fits the displacements of points [begin, end) by all joints whose masks reach them, by block coordinate descent: the
// sum over frames of |X - sum f_j|^2 + sum (1 / m_j - 1) |f_j|^2. The second sum brings the summands to zero at the
// borders of their masks.
void FitChunk(const RowMatrix& X, int training_count, const std::vector<Support>& masks, int begin, int end,
              std::vector<JointFit>& fits) {
  RowMatrix residual =
      X.block(0, 3 * static_cast<Eigen::Index>(begin), training_count, 3 * static_cast<Eigen::Index>(end - begin));
  std::vector<MaskInChunk> reaching;
  for (int j = 0; j < static_cast<int>(masks.size()); ++j) {
    const std::vector<int>& points = masks[j].points;
    const auto first = std::lower_bound(points.begin(), points.end(), begin);
    const auto last = std::lower_bound(first, points.end(), end);
    if (first == last) continue;
    MaskInChunk mask{j, static_cast<int>(first - points.begin()), {}};
    for (auto p = first; p != last; ++p) mask.columns.push_back(*p - begin);
    reaching.push_back(std::move(mask));
  }
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (const MaskInChunk& mask : reaching) {
      JointFit& fit = fits[mask.joint];
      const auto count = 3 * static_cast<Eigen::Index>(mask.columns.size());
      RowMatrix local(training_count, count);
      for (size_t p = 0; p < mask.columns.size(); ++p) {
        local.middleCols<3>(3 * static_cast<Eigen::Index>(p)) = residual.middleCols<3>(3 * mask.columns[p]);
      }
      auto A = fit.A.middleCols(3 * static_cast<Eigen::Index>(mask.first), count);
      RowMatrix next(kTerms, count), before = A;
      learn::Product(fit.solve, local, next);
      RowMatrix repeated(kTerms, count);
      learn::Product(fit.repeat, before, repeated);
      next += repeated;
      for (Eigen::Index c = 0; c < count; ++c) next.col(c) *= masks[mask.joint].values[mask.first + c / 3];
      A = next;
      next -= before;
      learn::Product(fit.terms.topRows(training_count), next, local);
      for (size_t p = 0; p < mask.columns.size(); ++p) {
        residual.middleCols<3>(3 * mask.columns[p]) -= local.middleCols<3>(3 * static_cast<Eigen::Index>(p));
      }
    }
  }
}

void FitAll(const RowMatrix& X, int training_count, const std::vector<Support>& masks, int points,
            std::vector<JointFit>& fits) {
  constexpr int kChunk = 32;
  ParallelFor((points + kChunk - 1) / kChunk, 1, [&](int chunk) {
    FitChunk(X, training_count, masks, chunk * kChunk, std::min(points, (chunk + 1) * kChunk), fits);
  });
}

// Leaves out points of a mask at which the joint's summand is below a length in the root mean square over frames, such
// as those of a face that follows its bone: they would cost as much as others in every frame, and show nothing.
// summand: its rows stand for the frames.
void LeaveOutStillPoints(double length, RowMatrix& summand, JointFit& fit, Support& mask) {
  size_t kept = 0;
  for (size_t p = 0; p < mask.points.size(); ++p) {
    const auto from = 3 * static_cast<Eigen::Index>(p), to = 3 * static_cast<Eigen::Index>(kept);
    if (summand.middleCols<3>(from).cast<double>().squaredNorm() < length * length) continue;
    mask.points[kept] = mask.points[p];
    mask.values[kept] = mask.values[p];
    summand.middleCols<3>(to) = summand.middleCols<3>(from).eval();
    fit.A.middleCols<3>(to) = fit.A.middleCols<3>(from).eval();
    ++kept;
  }
  mask.points.resize(kept);
  mask.values.resize(kept);
  summand.conservativeResize(Eigen::NoChange, 3 * static_cast<Eigen::Index>(kept));
  fit.A.conservativeResize(Eigen::NoChange, 3 * static_cast<Eigen::Index>(kept));
}

// Finds the shapes of a joint as the principal components of its summand, and their coefficients by the fit.
void FindShapes(const Scene& scene, JointFit& fit, uint64_t stream, JointShapes& joint) {
  if (joint.mask.points.empty()) return;
  RowMatrix summand(kTerms, fit.A.cols());
  learn::Product(fit.root, fit.A, summand);
  LeaveOutStillPoints(kUnseen * scene.epsilon * scene.height, summand, fit, joint.mask);
  if (joint.mask.points.empty()) return;
  // As many rows as terms stand for the mean over frames.
  summand *= std::sqrt(static_cast<float>(kTerms));
  const RegionBasis basis =
      FindRegionBasis(summand, scene.epsilon * scene.height, scene.options.blend_shapes, scene.options.seed + stream);
  if (basis.V.rows() == 0) return;
  joint.V = basis.V;
  RowMatrix onto(kTerms, joint.V.rows());
  learn::ProductTransposed(fit.A, joint.V, onto);
  joint.z.resize(fit.terms.rows(), joint.V.rows());
  learn::Product(fit.terms, onto, joint.z);
}

// Adds sign times the joint's shapes to the displacements of a frame.
void AddShapes(const JointShapes& joint, Eigen::Index frame, float sign, float* displacements) {
  const Eigen::RowVectorXf sum = joint.z.row(frame) * joint.V;
  for (size_t p = 0; p < joint.mask.points.size(); ++p) {
    for (int axis = 0; axis < 3; ++axis) {
      displacements[3 * static_cast<size_t>(joint.mask.points[p]) + axis] += sign * sum[3 * p + axis];
    }
  }
}

// Projects what all joints together leave onto the shapes of each: what its network should give, too.
void AddWhatIsLeft(const RowMatrix& left, JointShapes& joint) {
  if (joint.V.rows() == 0) return;
  RowMatrix local(left.rows(), joint.V.cols());
  for (size_t p = 0; p < joint.mask.points.size(); ++p) {
    local.middleCols<3>(3 * static_cast<Eigen::Index>(p)) =
        left.middleCols<3>(3 * static_cast<Eigen::Index>(joint.mask.points[p]));
  }
  RowMatrix more(left.rows(), joint.V.rows());
  learn::ProductTransposed(local, joint.V, more);
  joint.z += more;
}

}  // namespace

float SmoothMask(double weight) {
  const double t = std::clamp((weight - kMaskBegins) / (kMaskFull - kMaskBegins), 0.0, 1.0);
  return static_cast<float>(t * t * (3 - 2 * t));
}

std::vector<Support> JointMasks(const lod::Level& level) {
  const Skeleton& skeleton = level.character.skeleton;
  const JointView view(skeleton);
  const std::vector<std::map<int, double>> weights = PointWeights(level);
  std::vector<Support> masks(skeleton.joint_count());
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (view.IsRoot(j)) continue;
    const int carrier = CarrierOf(skeleton, j);
    for (int p = 0; p < level.point_count; ++p) {
      double weight = 0;
      for (const auto& [joint, of_point] : weights[p]) {
        if (joint == j || joint == carrier) weight = std::max(weight, of_point);
      }
      const float value = SmoothMask(weight);
      if (value <= 0) continue;
      masks[j].points.push_back(p);
      masks[j].values.push_back(value);
    }
  }
  return masks;
}

BlendShapes FindBlendShapes(const Scene& scene, const RowMatrix& X, int i) {
  const lod::Level& level = scene.hierarchy.level(i);
  const std::vector<Support> masks = JointMasks(level);
  const int joints = static_cast<int>(masks.size());
  const RowMatrix features = FeaturesOfPoses(runtime::PoseFeatures::kQuaternion, level.character.skeleton, scene.poses);
  // Fit the sum over joints.
  std::vector<JointFit> fits(joints);
  ParallelFor(joints, 1, [&](int j) {
    if (masks[j].points.empty()) return;
    fits[j] = MakeFit(features, j, scene.training_count);
    fits[j].A = RowMatrix::Zero(kTerms, 3 * static_cast<Eigen::Index>(masks[j].points.size()));
  });
  FitAll(X, scene.training_count, masks, level.point_count, fits);
  // Reduce every summand to its shapes.
  BlendShapes shapes;
  shapes.joints.resize(joints);
  ParallelFor(joints, 1, [&](int j) {
    shapes.joints[j].mask = masks[j];
    FindShapes(scene, fits[j], static_cast<uint64_t>(i) * 1'000'000 + j, shapes.joints[j]);
  });
  // See what is left, and let every network learn its part of that.
  RowMatrix left = X;
  ParallelFor(static_cast<int>(left.rows()), 4, [&](int f) {
    for (const JointShapes& joint : shapes.joints) {
      if (joint.V.rows() > 0) AddShapes(joint, f, -1, left.row(f).data());
    }
  });
  shapes.left = left.topRows(scene.training_count).cast<double>().squaredNorm() / scene.training_count;
  ParallelFor(joints, 1, [&](int j) { AddWhatIsLeft(left, shapes.joints[j]); });
  return shapes;
}

PreparedRegion PrepareJoint(const Scene& scene, const BlendShapes& shapes, int i, int joint) {
  const JointShapes& of_joint = shapes.joints[joint];
  PreparedRegion result;
  deformer::RegionCorrective& corrective = result.region.corrective;
  corrective.region = joint;
  // All joints share what is left.
  result.region.left = shapes.left / static_cast<double>(shapes.joints.size());
  if (of_joint.V.rows() == 0) return result;
  corrective.joints = {joint};
  corrective.points = of_joint.mask.points;
  corrective.V = of_joint.V.transpose();
  corrective.own.resize(corrective.V.rows(), 0);
  SetUpFit(scene, of_joint.z, static_cast<uint64_t>(i) * 1'000'000 + joint, result);
  return result;
}

}  // namespace sinew::multires
