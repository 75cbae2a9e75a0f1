#include "sinew/offline/multires/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>

#include "sinew/offline/bake/bundle_evaluator.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/learn/cuda_fitter.h"
#include "sinew/offline/multires/cull_joints.h"
#include "sinew/offline/multires/find_ranges.h"
#include "sinew/offline/multires/predict.h"
#include "sinew/offline/multires/region_basis.h"
#include "sinew/offline/multires/training_shapes.h"

namespace sinew::multires {
namespace {

using Clock = std::chrono::steady_clock;

// What all levels share. Frames are in the order training, validation.
struct Scene {
  const lod::Hierarchy& hierarchy;
  const TrainOptions& options;
  std::vector<Pose> poses;
  int training_count = 0;
  learn::RowMatrix features;
  JointCulling culling;
  std::unique_ptr<JointProbe> probe;     // null: the rig was not asked
  std::vector<learn::RowMatrix> probed;  // displacements in its poses, [i - 1] on level i
  double height = 0, epsilon = 0;
  const learn::CudaFitter* cuda = nullptr;  // null: on the CPU
};

double RootMeanSquare(const learn::RowMatrix& rows) {
  if (rows.size() == 0) return 0;
  return std::sqrt(rows.cast<double>().squaredNorm() * 3 / static_cast<double>(rows.size()));
}

// Points of a level where a basis function is not zero, and its values there.
struct Support {
  std::vector<int> points;
  std::vector<float> values;
};

std::vector<Support> SupportsOf(const lod::Hierarchy& hierarchy, int i) {
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

// psi_i^k Y_i^j on the support: a row per frame.
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

learn::Samples SamplesOf(const Scene& scene, const std::vector<int>& joints, const learn::RowMatrix& z, int begin,
                         int end) {
  const int per_joint = runtime::FeatureCount(scene.options.features);
  learn::Samples samples;
  samples.inputs.resize(per_joint * static_cast<Eigen::Index>(joints.size()), end - begin);
  for (size_t i = 0; i < joints.size(); ++i) {
    samples.inputs.middleRows(per_joint * static_cast<Eigen::Index>(i), per_joint) =
        scene.features.block(per_joint * static_cast<Eigen::Index>(joints[i]), begin, per_joint, end - begin);
  }
  samples.targets = z.middleRows(begin, end - begin).transpose();
  return samples;
}

struct TrainedRegion {
  deformer::RegionCorrective corrective;
  learn::Fit fit;
  double left = 0;  // squared, summed over the region's frames and points: what the basis leaves out
};

// What a level is to learn, a row per frame: residuals that the finer levels start from too, and those of the level
// itself. Where both are the same, as on the finest level, `whole` is empty.
struct Targets {
  learn::RowMatrix Y, whole;
};

// The modes of a region's targets, and their coefficients in all frames.
struct Modes {
  learn::RowMatrix V, z;
  double left = 0;  // as in TrainedRegion
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

// What of the level's own targets is left when the modes that are handed on have done what they can.
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

// A region of a level with its bases and joints, and what its network is to learn. No modes: nothing.
struct PreparedRegion {
  TrainedRegion region;
  learn::FitProblem problem;
};

// Joints that the rig itself says matter to a region: moving one by itself changes what counts beside epsilon. None,
// which allows all, where it was not asked, or not in poses that move the region.
std::vector<int> AllowedJoints(const Scene& scene, const Support& support, int i) {
  if (scene.probe == nullptr) return {};
  constexpr double kCounts = 0.5;  // of epsilon; all of it made levels worse
  return scene.probe->JointsOf(scene.probed[i - 1], support.points, support.values,
                               kCounts * scene.epsilon * scene.height);
}

PreparedRegion PrepareRegion(const Scene& scene, const Targets& targets, const Support& support, int i, int k) {
  const TrainOptions& options = scene.options;
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

  learn::RowMatrix z(count, corrective.modes());
  if (corrective.V.cols() > 0) z.leftCols(corrective.V.cols()) = handed_on.z;
  if (corrective.own.cols() > 0) z.rightCols(corrective.own.cols()) = own.z;
  corrective.points = support.points;
  corrective.joints = scene.culling.Choose(z, AllowedJoints(scene, support, i));
  const auto trained = z.topRows(scene.training_count);
  corrective.spread = (trained.colwise().squaredNorm() / static_cast<float>(trained.rows())).cwiseSqrt().transpose();
  learn::FitOptions& fit = result.problem.options;
  fit = options.fit;
  const int inputs = 3 * static_cast<int>(corrective.joints.size());
  fit.width = std::min(options.max_width, 5 * std::max(inputs, static_cast<int>(corrective.modes())));
  fit.seed = options.seed;
  fit.stream = stream;
  result.problem.training = SamplesOf(scene, corrective.joints, z, 0, scene.training_count);
  result.problem.validation = SamplesOf(scene, corrective.joints, z, scene.training_count, count);
  return result;
}

TrainedRegion Trained(TrainedRegion region, learn::Fit fit) {
  region.corrective.network = std::move(fit.network);
  region.fit = std::move(fit);
  return region;
}

// One region of one level, whole.
TrainedRegion TrainRegion(const Scene& scene, const Targets& targets, const Support& support, int i, int k) {
  PreparedRegion prepared = PrepareRegion(scene, targets, support, i, k);
  if (prepared.region.corrective.modes() == 0) return std::move(prepared.region);
  const learn::FitProblem& problem = prepared.problem;
  return Trained(std::move(prepared.region), learn::FitNetwork(problem.training, problem.validation, problem.options));
}

// What of a finished region the deformer does not hold, so that a run that goes on can sum up all of it.
Json KeptOf(const TrainedRegion& region) {
  Json curve = Json::array();
  for (const learn::FitCurve& at : region.fit.curve) curve.push_back({at.step, at.training, at.validation});
  return {{"region", region.corrective.region}, {"left", region.left}, {"curve", std::move(curve)}};
}

void TakeKept(const Json& settings, int i, TrainedRegion& region) {
  const Json levels = settings.is_object() ? settings.value("kept", Json::array()) : Json::array();
  if (levels.size() < static_cast<size_t>(i)) return;
  for (const Json& kept : levels[i - 1]) {
    if (kept.at("region") != region.corrective.region) continue;
    region.left = kept.at("left");
    for (const Json& at : kept.at("curve")) region.fit.curve.push_back({at.at(0), at.at(1), at.at(2)});
  }
}

const deformer::RegionCorrective* FindFinished(const deformer::Deformer* resume, int i, int k) {
  if (resume == nullptr || static_cast<int>(resume->levels.size()) < i) return nullptr;
  for (const deformer::RegionCorrective& region : resume->levels[i - 1].regions) {
    if (region.region == k) return &region;
  }
  return nullptr;
}

// Keeps what is finished of the level at hand, and hands it out from time to time.
class Keeper {
 public:
  Keeper(const deformer::Deformer& finished, int region_count, const TrainHooks& hooks)
      : finished_(finished), regions_(region_count), done_(region_count, false), hooks_(hooks), last_(Clock::now()) {}

  void Keep(int k, TrainedRegion region) {
    const std::lock_guard lock(mutex_);
    regions_[k] = std::move(region);
    done_[k] = true;
    if (!hooks_.checkpoint || std::chrono::duration<double>(Clock::now() - last_).count() < hooks_.checkpoint_seconds) {
      return;
    }
    deformer::Deformer so_far = finished_;
    so_far.levels.emplace_back();
    Json& kept = so_far.settings["kept"];
    kept.push_back(Json::array());
    for (size_t r = 0; r < regions_.size(); ++r) {
      if (!done_[r] || regions_[r].corrective.modes() == 0) continue;
      so_far.levels.back().regions.push_back(regions_[r].corrective);
      kept.back().push_back(KeptOf(regions_[r]));
    }
    hooks_.checkpoint(so_far);
    last_ = Clock::now();
  }
  std::vector<TrainedRegion> Take() { return std::move(regions_); }

 private:
  const deformer::Deformer& finished_;
  std::vector<TrainedRegion> regions_;
  std::vector<bool> done_;
  const TrainHooks& hooks_;
  std::mutex mutex_;
  Clock::time_point last_;
};

// Regions `missing` of a level, prepared side by side on the CPU, and their networks trained side by side on the
// device.
void TrainOnCuda(const Scene& scene, const Targets& targets, const std::vector<Support>& supports, int i,
                 const std::vector<int>& missing, Keeper& keeper) {
  std::vector<PreparedRegion> prepared(missing.size());
  {
    Progress progress(fmt::format("preparing level {}", i), static_cast<int64_t>(missing.size()), "regions");
    ParallelFor(static_cast<int>(missing.size()), 1, [&](int m) {
      prepared[m] = PrepareRegion(scene, targets, supports[missing[m]], i, missing[m]);
      progress.Advance();
    });
  }
  std::vector<learn::FitProblem> problems;
  for (PreparedRegion& region : prepared) {
    if (region.region.corrective.modes() > 0) problems.push_back(std::move(region.problem));
  }
  std::vector<learn::Fit> fits = problems.empty() ? std::vector<learn::Fit>() : scene.cuda->FitNetworks(problems);
  size_t next = 0;
  for (size_t m = 0; m < missing.size(); ++m) {
    TrainedRegion& region = prepared[m].region;
    const bool has_network = region.corrective.modes() > 0;
    keeper.Keep(missing[m], has_network ? Trained(std::move(region), std::move(fits[next++])) : std::move(region));
  }
}

// Those on the CPU, one a thread.
void TrainOnCpu(const Scene& scene, const Targets& targets, const std::vector<Support>& supports, int i,
                const std::vector<int>& missing, Keeper& keeper) {
  Progress progress(fmt::format("training level {}", i), static_cast<int64_t>(missing.size()), "regions");
  ParallelFor(static_cast<int>(missing.size()), 1, [&](int m) {
    keeper.Keep(missing[m], TrainRegion(scene, targets, supports[missing[m]], i, missing[m]));
    progress.Advance();
  });
}

// Level i from its targets, added to the deformer.
void TrainLevel(const Scene& scene, const Targets& targets, int i, const TrainHooks& hooks, Training& training) {
  const std::vector<Support> supports = SupportsOf(scene.hierarchy, i);
  const int region_count = static_cast<int>(supports.size());
  Keeper keeper(training.deformer, region_count, hooks);
  std::vector<int> missing;
  for (int k = 0; k < region_count; ++k) {
    const deformer::RegionCorrective* finished = FindFinished(hooks.resume, i, k);
    if (finished == nullptr) {
      missing.push_back(k);
      continue;
    }
    TrainedRegion region;
    region.corrective = *finished;
    TakeKept(hooks.resume->settings, i, region);
    keeper.Keep(k, std::move(region));
  }
  const auto train = scene.cuda != nullptr ? TrainOnCuda : TrainOnCpu;
  train(scene, targets, supports, i, missing, keeper);
  deformer::LevelCorrectives level;
  LevelSummary summary;
  std::vector<learn::Fit> fits;
  double left = 0;
  Json kept = Json::array();
  for (TrainedRegion& region : keeper.Take()) {
    left += region.left;
    if (region.corrective.modes() == 0) continue;
    kept.push_back(KeptOf(region));
    const learn::Network& network = region.corrective.network;
    ++summary.networks;
    summary.dimensions += static_cast<int>(region.corrective.V.cols());
    summary.own_dimensions += static_cast<int>(region.corrective.own.cols());
    summary.basis_values += region.corrective.V.size() + region.corrective.own.size();
    summary.network_values += network.W1.size() + network.W2.size() + network.W3.size() + network.b1.size() +
                              network.b2.size() + network.b3.size();
    level.regions.push_back(std::move(region.corrective));
    fits.push_back(std::move(region.fit));
  }
  const learn::RowMatrix& residual = targets.whole.rows() > 0 ? targets.whole : targets.Y;
  summary.residual = RootMeanSquare(residual.topRows(scene.training_count));
  summary.after_basis = std::sqrt(left / scene.hierarchy.level(i).point_count);
  training.deformer.levels.push_back(std::move(level));
  training.deformer.settings["kept"].push_back(std::move(kept));
  training.levels.push_back(summary);
  training.fits.push_back(std::move(fits));
}

// The displacements of level i in every frame, by the runtime.
learn::RowMatrix RuntimePrediction(const Scene& scene, const bake::DeformerEvaluator& evaluator, int i) {
  learn::RowMatrix F(static_cast<Eigen::Index>(scene.poses.size()),
                     3 * static_cast<Eigen::Index>(scene.hierarchy.level(i).point_count));
  ParallelFor(static_cast<int>(scene.poses.size()), 4, [&](int j) {
    const Points displacements = evaluator.Displacements(scene.poses[j], i);
    F.row(j) = Eigen::Map<const Eigen::RowVectorXf>(displacements.data(), displacements.size());
  });
  return F;
}

void CheckFrames(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& frames) {
  const int joints = hierarchy.levels.back().character.skeleton.joint_count();
  for (int j = 0; j < frames.count(); ++j) {
    if (static_cast<int>(frames.poses[j].size()) != joints) {
      throw InputError(
          frames.name, fmt::format("frame {}", j),
          fmt::format("has {} joints, and the character of the hierarchy {}", frames.poses[j].size(), joints),
          "use a dataset of that character");
    }
  }
  constexpr int kFewest = 4;
  if (frames.count() < kFewest) {
    throw InputError(frames.name, "frames",
                     fmt::format("are {}, too few to split into training and validation", frames.count()),
                     fmt::format("make {} at least", kFewest));
  }
}

// X_i of every level: [i - 1], a row per frame.
std::vector<learn::RowMatrix> AllDisplacements(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& frames,
                                               const std::vector<int>& order) {
  const TruthLevels truths(hierarchy);
  std::vector<learn::RowMatrix> X(hierarchy.level_count());
  for (int i = 1; i <= hierarchy.level_count(); ++i) {
    X[i - 1].resize(static_cast<Eigen::Index>(order.size()),
                    3 * static_cast<Eigen::Index>(truths.skin(i).point_count()));
  }
  const int vertices = hierarchy.levels.back().vertex_count();
  Progress progress("unskinning truths", static_cast<int64_t>(order.size()), "frames");
  ParallelFor(static_cast<int>(order.size()), 1, [&](int j) {
    const Points truth = frames.truth(order[j]);
    if (truth.rows() != vertices || !truth.allFinite()) {
      throw InputError(frames.name, fmt::format("frame {}", order[j]),
                       fmt::format("has {} vertices, and the finest level of the hierarchy {}, all of which must be "
                                   "finite",
                                   truth.rows(), vertices),
                       "use a dataset of that character");
    }
    const std::vector<Points> coarsened = truths.Coarsened(truths.ToPoints(truth));
    for (int i = 1; i <= hierarchy.level_count(); ++i) {
      const Points displacements = truths.Displacements(i, frames.poses[order[j]], coarsened[i - 1]);
      X[i - 1].row(j) = Eigen::Map<const Eigen::RowVectorXf>(displacements.data(), displacements.size());
    }
    progress.Advance();
  });
  return X;
}

std::unique_ptr<JointProbe> MakeProbe(const Skeleton& skeleton, const dataset::TrainingFrames* frames) {
  if (frames == nullptr) return nullptr;
  auto probe = std::make_unique<JointProbe>(skeleton, frames->poses);
  if (probe->empty()) {
    throw InputError(frames->name, "poses",
                     "have no two that differ in one joint alone, so that they say nothing of joints",
                     "make them with `sinew poses --probe`");
  }
  return probe;
}

std::vector<learn::RowMatrix> ProbeDisplacements(const lod::Hierarchy& hierarchy,
                                                 const dataset::TrainingFrames* frames) {
  if (frames == nullptr) return {};
  const dataset::TrainingFrames& probe = *frames;
  std::vector<int> all(probe.count());
  std::iota(all.begin(), all.end(), 0);
  return AllDisplacements(hierarchy, probe, all);
}

// What the levels are to learn, before anything is learned. Levels that add to each other share the finest level's
// displacements, coarsened, as in the paper.
std::vector<Targets> TargetsOf(const lod::Hierarchy& hierarchy, const std::vector<learn::RowMatrix>& X,
                               bool incremental) {
  std::vector<Targets> targets(X.size());
  if (!incremental) {
    for (size_t i = 0; i < X.size(); ++i) targets[i].Y = X[i];
    return targets;
  }
  targets.back().Y = X.back();
  for (int i = hierarchy.level_count() - 1; i >= 1; --i) {
    const lod::Coarsening C(hierarchy.U[i]);
    const learn::RowMatrix& finer = targets[i].Y;
    targets[i - 1].Y.resize(X[i - 1].rows(), X[i - 1].cols());
    ParallelFor(static_cast<int>(finer.rows()), 1, [&](int j) {
      const Eigen::Map<const Points> from(finer.row(j).data(), finer.cols() / 3, 3);
      const Points to = C.Apply(from.cast<double>()).cast<float>();
      targets[i - 1].Y.row(j) = Eigen::Map<const Eigen::RowVectorXf>(to.data(), to.size());
    });
    targets[i - 1].whole = X[i - 1];
  }
  return targets;
}

// Which rows are no outliers, as TrainOptions says.
std::vector<int> FindUsable(const learn::RowMatrix& finest, double most) {
  std::vector<int> usable;
  for (Eigen::Index j = 0; j < finest.rows(); ++j) {
    const Eigen::Map<const Points> displacements(finest.row(j).data(), finest.cols() / 3, 3);
    if (displacements.rowwise().squaredNorm().maxCoeff() <= most * most) usable.push_back(static_cast<int>(j));
  }
  return usable;
}

// Keeps these rows, in place: they may be gigabytes.
void KeepRows(const std::vector<int>& kept, learn::RowMatrix& rows) {
  for (size_t j = 0; j < kept.size(); ++j) {
    if (static_cast<int>(j) != kept[j]) rows.row(static_cast<Eigen::Index>(j)) = rows.row(kept[j]);
  }
  rows.conservativeResize(static_cast<Eigen::Index>(kept.size()), Eigen::NoChange);
}

double HeightOf(const lod::Hierarchy& hierarchy) {
  Box box;
  for (const Part& part : hierarchy.levels.back().character.parts) box.extend(BoundingBox(part.mesh.positions));
  return box.sizes().maxCoeff();
}

}  // namespace

Training Train(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& frames, const TrainOptions& options,
               const TrainHooks& hooks) {
  CheckFrames(hierarchy, frames);
  if (options.probe != nullptr) CheckFrames(hierarchy, *options.probe);
  std::unique_ptr<learn::CudaFitter> cuda;
  if (options.device == TrainDevice::kCuda) cuda = std::make_unique<learn::CudaFitter>();
  const dataset::FrameSplit split = dataset::SplitFrames(frames, options.validation, options.seed);
  std::vector<int> order = split.training;
  order.insert(order.end(), split.validation.begin(), split.validation.end());
  std::vector<learn::RowMatrix> X = AllDisplacements(hierarchy, frames, order);
  const double height = HeightOf(hierarchy);
  const std::vector<int> usable = FindUsable(X.back(), options.outliers * height);
  const auto training_count = static_cast<int>(
      std::lower_bound(usable.begin(), usable.end(), static_cast<int>(split.training.size())) - usable.begin());
  constexpr int kFewest = 2;
  if (training_count < kFewest) {
    throw InputError(frames.name, "frames",
                     fmt::format("differ from skinning by more than {:g} of the height somewhere, all but {}",
                                 options.outliers, training_count),
                     "see `sinew dataset info --picture`, or raise --outliers");
  }
  for (learn::RowMatrix& rows : X) KeepRows(usable, rows);

  Training training;
  training.training_frames = training_count;
  training.validation_frames = static_cast<int>(usable.size()) - training_count;
  training.outliers = static_cast<int>(order.size() - usable.size());
  training.epsilon =
      options.epsilon > 0 ? options.epsilon : kShareLeft * RootMeanSquare(X.back().topRows(training_count)) / height;
  training.deformer.features = options.features;
  training.deformer.incremental = !options.single_level;
  training.deformer.height = height;
  std::vector<Pose> poses;
  for (const int row : usable) {
    poses.push_back(frames.poses[order[row]]);
    if (!frames.hashes.empty()) training.deformer.trained_frames.push_back(frames.hashes[order[row]]);
  }
  const Skeleton& skeleton = hierarchy.levels.back().character.skeleton;
  const Scene scene{hierarchy,
                    options,
                    poses,
                    training_count,
                    FeaturesOfPoses(options.features, skeleton, poses),
                    JointCulling(skeleton, poses, training_count),
                    MakeProbe(skeleton, options.probe),
                    ProbeDisplacements(hierarchy, options.probe),
                    height,
                    training.epsilon,
                    cuda.get()};
  std::vector<Targets> targets = TargetsOf(hierarchy, X, training.deformer.incremental);
  learn::RowMatrix upsampled;  // U_{i-1} F_{i-1}
  for (int i = 1; i <= hierarchy.level_count(); ++i) {
    if (upsampled.rows() > 0) {
      targets[i - 1].Y -= upsampled;  // equation 1
      if (targets[i - 1].whole.rows() > 0) targets[i - 1].whole -= upsampled;
    }
    TrainLevel(scene, targets[i - 1], i, hooks, training);
    targets[i - 1] = {};
    const bake::DeformerEvaluator evaluator(hierarchy, training.deformer, options.precision);
    const learn::RowMatrix left = X[i - 1] - RuntimePrediction(scene, evaluator, i);
    X[i - 1].resize(0, 0);
    training.levels.back().training = RootMeanSquare(left.topRows(training_count));
    training.levels.back().validation = RootMeanSquare(left.bottomRows(left.rows() - training_count));
    // The next level has no modes yet, so that the runtime shows of it what it starts from.
    if (training.deformer.incremental && i < hierarchy.level_count()) {
      upsampled = RuntimePrediction(scene, evaluator, i + 1);
    }
  }
  FindRanges(scene.features, training.deformer);
  training.deformer.settings = nullptr;  // what they held was for checkpoints
  return training;
}

}  // namespace sinew::multires
