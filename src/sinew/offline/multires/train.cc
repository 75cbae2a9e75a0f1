#include "sinew/offline/multires/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>

#include "sinew/offline/bake/bundle_evaluator.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/multires/blend_shapes.h"
#include "sinew/offline/multires/find_ranges.h"
#include "sinew/offline/multires/image_misfit.h"
#include "sinew/offline/multires/predict.h"

namespace sinew::multires {
namespace {

// Regions of a level, and how each is prepared.
struct LevelRegions {
  int count = 0;
  std::function<PreparedRegion(int k)> prepare;
};

// Trains regions `missing` of level i: prepares them in parallel on the CPU, then fits all networks at once on the
// device.
void TrainOnCuda(const Scene& scene, const LevelRegions& regions, int i, const std::vector<int>& missing,
                 LevelKeeper& keeper) {
  std::vector<PreparedRegion> prepared(missing.size());
  {
    Progress progress(fmt::format("preparing level {}", i), static_cast<int64_t>(missing.size()), "regions");
    ParallelFor(static_cast<int>(missing.size()), 1, [&](int m) {
      prepared[m] = regions.prepare(missing[m]);
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
    keeper.Keep(missing[m], has_network ? WithNetwork(std::move(region), std::move(fits[next++])) : std::move(region));
  }
}

// Trains regions `missing` of level i on the CPU, one per thread.
void TrainOnCpu(const Scene&, const LevelRegions& regions, int i, const std::vector<int>& missing,
                LevelKeeper& keeper) {
  Progress progress(fmt::format("training level {}", i), static_cast<int64_t>(missing.size()), "regions");
  ParallelFor(static_cast<int>(missing.size()), 1, [&](int m) {
    keeper.Keep(missing[m], FitRegion(regions.prepare(missing[m])));
    progress.Advance();
  });
}

// Returns the regions of level i: those of the hierarchy, or one per joint with blend shapes.
LevelRegions RegionsOf(const Scene& scene, const Targets& targets, int i) {
  if (scene.options.blend_shapes > 0) {
    auto shapes = std::make_shared<const BlendShapes>(FindBlendShapes(scene, targets.Y, i));
    return {static_cast<int>(shapes->joints.size()),
            [&scene, shapes, i](int k) { return PrepareJoint(scene, *shapes, i, k); }};
  }
  auto supports = std::make_shared<const std::vector<Support>>(FindSupports(scene.hierarchy, i));
  return {static_cast<int>(supports->size()),
          [&scene, &targets, supports, i](int k) { return PrepareRegion(scene, targets, (*supports)[k], i, k); }};
}

// Appends a trained level to the deformer and completes its summary. points: number of points of the level.
void AddLevel(std::vector<TrainedRegion> regions, LevelSummary summary, double points, Checkpoint& finished,
              Training& training) {
  deformer::LevelCorrectives level;
  std::vector<RegionRecord> records;
  std::vector<learn::Fit> fits;
  double left = 0;
  for (TrainedRegion& region : regions) {
    left += region.left;
    summary.failed += region.failed ? 1 : 0;
    if (region.corrective.modes() == 0) continue;
    records.push_back(RecordOf(region));
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
  summary.after_basis = std::sqrt(left / points);
  finished.deformer.levels.push_back(std::move(level));
  finished.records.push_back(std::move(records));
  training.levels.push_back(summary);
  training.fits.push_back(std::move(fits));
}

// Trains the regions of level i that the checkpoint to resume from does not have, and adds the level to `finished`.
void TrainLevel(const Scene& scene, const Targets& targets, int i, const TrainHooks& hooks, CheckpointClock& clock,
                Checkpoint& finished, Training& training) {
  const LevelRegions regions = RegionsOf(scene, targets, i);
  LevelKeeper keeper(finished, regions.count, hooks.checkpoint, clock);
  std::vector<int> missing;
  for (int k = 0; k < regions.count; ++k) {
    TrainedRegion region;
    if (hooks.resume != nullptr && hooks.resume->Find(i, k, region)) {
      keeper.Keep(k, std::move(region));
    } else {
      missing.push_back(k);
    }
  }
  const auto train = scene.cuda != nullptr ? TrainOnCuda : TrainOnCpu;
  train(scene, regions, i, missing, keeper);
  LevelSummary summary;
  const learn::RowMatrix& residual = targets.whole.rows() > 0 ? targets.whole : targets.Y;
  summary.residual = RootMeanSquare(residual.topRows(scene.training_count));
  AddLevel(keeper.Take(), summary, scene.hierarchy.level(i).point_count, finished, training);
}

using Evaluator = std::unique_ptr<const bake::DeformerEvaluator>;

// Returns the runtime's evaluator of everything that is finished. If that cannot be stored because of the last level,
// the correctives of this level are left out.
Evaluator MakeEvaluator(const lod::Hierarchy& hierarchy, runtime::Precision precision, Checkpoint& finished,
                        Training& training) {
  try {
    return std::make_unique<bake::DeformerEvaluator>(hierarchy, finished.deformer, precision);
  } catch (const InputError& error) {
    LevelSummary& summary = training.levels.back();
    summary = {.failed = summary.failed, .residual = summary.residual, .left_out = error.what()};
    summary.after_basis = summary.residual;
    finished.deformer.levels.back().regions.clear();
    finished.records.back().clear();
    training.fits.back().clear();
  }
  return std::make_unique<bake::DeformerEvaluator>(hierarchy, finished.deformer, precision);
}

// F_i: displacements of level i before skinning in every frame, as the runtime evaluates them. One row per frame.
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
  return FindDisplacements(hierarchy, probe, all);
}

double HeightOf(const lod::Hierarchy& hierarchy) {
  Box box;
  for (const Part& part : hierarchy.levels.back().character.parts) box.extend(BoundingBox(part.mesh.positions));
  return box.sizes().maxCoeff();
}

// Frames in the order training, validation, without the outliers.
struct OrderedFrames {
  std::vector<int> frames;  // indices into the TrainingFrames
  int training_count = 0;   // how many of them, from the first on, are for training
  int outliers = 0;         // number of frames left out
};

// Removes the outliers, and their rows from all matrices X. order: frame of each row of X, training frames first.
OrderedFrames OrderFrames(const dataset::TrainingFrames& frames, const dataset::FrameSplit& split,
                          const std::vector<int>& order, double height, double outliers,
                          std::vector<learn::RowMatrix>& X) {
  const std::vector<int> usable = FindUsable(X.back(), outliers * height);
  OrderedFrames ordered;
  ordered.training_count = static_cast<int>(
      std::lower_bound(usable.begin(), usable.end(), static_cast<int>(split.training.size())) - usable.begin());
  constexpr int kFewest = 2;
  if (ordered.training_count < kFewest) {
    throw InputError(frames.name, "frames",
                     fmt::format("differ from skinning by more than {:g} of the height somewhere, all but {}", outliers,
                                 ordered.training_count),
                     "see `sinew dataset info --picture`, or raise --outliers");
  }
  for (learn::RowMatrix& rows : X) KeepRows(usable, rows);
  for (const int row : usable) ordered.frames.push_back(order[row]);
  ordered.outliers = static_cast<int>(order.size() - usable.size());
  return ordered;
}

// Returns how much each training frame counts, in their order.
std::vector<float> WeightsOf(const dataset::TrainingFrames& frames, const OrderedFrames& ordered) {
  std::vector<float> weights;
  if (frames.weights.empty()) return weights;
  for (int k = 0; k < ordered.training_count; ++k) weights.push_back(frames.weights[ordered.frames[k]]);
  return weights;
}

// Leaves out all mirror images if they do not fit the frames. order: training frames, their images, validation frames;
// X has a row for each.
void DropImagesThatDoNotFit(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& frames,
                            runtime::PoseFeatures features, dataset::FrameSplit& split, std::vector<int>& order,
                            std::vector<learn::RowMatrix>& X, Training& training) {
  std::vector<Pose> poses;
  for (const int j : order) poses.push_back(frames.poses[j]);
  const int images = static_cast<int>(split.training.size()) / 2;
  training.image_misfit =
      ImageMisfit(FeaturesOfPoses(features, hierarchy.levels.back().character.skeleton, poses), X.front(), images);
  if (training.image_misfit <= kLargestMisfit) {
    training.images = images;
    return;
  }
  split.training.resize(images);
  std::vector<int> kept(order.size());
  std::iota(kept.begin(), kept.end(), 0);
  kept.erase(kept.begin() + images, kept.begin() + 2 * images);
  for (learn::RowMatrix& rows : X) KeepRows(kept, rows);
  order.erase(order.begin() + images, order.begin() + 2 * images);
}

}  // namespace

bool Training::nothing_to_correct() const {
  return std::all_of(levels.begin(), levels.end(), [](const LevelSummary& level) { return level.networks == 0; });
}

Training Train(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& frames, const TrainOptions& options,
               const TrainHooks& hooks) {
  CheckFrames(hierarchy, frames);
  if (options.probe != nullptr) CheckFrames(hierarchy, *options.probe);
  std::unique_ptr<learn::CudaFitter> cuda;
  if (options.device == TrainDevice::kCuda) cuda = std::make_unique<learn::CudaFitter>();

  // Split the frames, compute X_i of every level, and leave out outliers.
  dataset::FrameSplit split = dataset::SplitFrames(frames, options.validation, options.seed);
  std::vector<int> order = split.training;
  order.insert(order.end(), split.validation.begin(), split.validation.end());
  std::vector<learn::RowMatrix> X = FindDisplacements(hierarchy, frames, order);
  Training training;
  if (frames.images > 0) DropImagesThatDoNotFit(hierarchy, frames, options.features, split, order, X, training);
  const double height = HeightOf(hierarchy);
  const OrderedFrames ordered = OrderFrames(frames, split, order, height, options.outliers, X);
  const int training_count = ordered.training_count;

  // Fill in everything that is known before training, and what all regions share.
  training.training_frames = training_count;
  training.validation_frames = static_cast<int>(ordered.frames.size()) - training_count;
  training.outliers = ordered.outliers;
  const double share = kShareLeft * RootMeanSquare(X.back().topRows(training_count)) / height;
  training.epsilon = options.epsilon > 0 ? options.epsilon : std::max(share, kSmallestEpsilon);
  Checkpoint finished;
  finished.deformer.features = options.features;
  finished.deformer.incremental = !options.single_level && options.blend_shapes == 0;
  finished.deformer.height = height;
  std::vector<Pose> poses;
  for (const int j : ordered.frames) {
    poses.push_back(frames.poses[j]);
    if (!frames.hashes.empty() && !frames.hashes[j].empty())
      finished.deformer.trained_frames.push_back(frames.hashes[j]);
  }
  const Skeleton& skeleton = hierarchy.levels.back().character.skeleton;
  const Pose bind = MainBindPose(hierarchy.levels.back().character);
  const Scene scene{hierarchy,
                    options,
                    poses,
                    training_count,
                    FeaturesOfPoses(options.features, skeleton, poses),
                    FeaturesOfPoses(options.features, skeleton, {bind}),
                    JointCulling(skeleton, bind, poses, training_count),
                    MakeProbe(skeleton, options.probe),
                    ProbeDisplacements(hierarchy, options.probe),
                    height,
                    training.epsilon,
                    cuda.get(),
                    WeightsOf(frames, ordered)};

  // Algorithm of section 4.3: from coarse to fine, every level learns the residual that the coarser ones leave.
  std::vector<Targets> targets = MakeTargets(hierarchy, X, finished.deformer.incremental);
  learn::RowMatrix upsampled;  // U_{i-1} F_{i-1}
  CheckpointClock clock(hooks.checkpoint_seconds);
  for (int i = 1; i <= hierarchy.level_count(); ++i) {
    SubtractUpsampled(upsampled, targets[i - 1]);  // equation 1
    TrainLevel(scene, targets[i - 1], i, hooks, clock, finished, training);
    targets[i - 1] = {};
    const Evaluator evaluator = MakeEvaluator(hierarchy, options.precision, finished, training);
    const learn::RowMatrix left = X[i - 1] - RuntimePrediction(scene, *evaluator, i);
    X[i - 1].resize(0, 0);
    training.levels.back().training = RootMeanSquare(left.topRows(training_count));
    training.levels.back().validation = RootMeanSquare(left.bottomRows(left.rows() - training_count));
    // The next level has no modes yet, so the runtime's displacements of it are the upsampled ones alone.
    if (finished.deformer.incremental && i < hierarchy.level_count()) {
      upsampled = RuntimePrediction(scene, *evaluator, i + 1);
    }
  }
  // Set up the out-of-distribution tests.
  training.deformer = std::move(finished.deformer);
  FindRanges(scene.features, training.deformer);
  return training;
}

}  // namespace sinew::multires
