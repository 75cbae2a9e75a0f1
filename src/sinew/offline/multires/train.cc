#include "sinew/offline/multires/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>

#include "sinew/offline/bake/bundle_evaluator.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/multires/cull_joints.h"
#include "sinew/offline/multires/find_ranges.h"
#include "sinew/offline/multires/predict.h"
#include "sinew/offline/multires/region_basis.h"
#include "sinew/offline/multires/training_shapes.h"

namespace sinew {
namespace {

using Clock = std::chrono::steady_clock;

// What all levels share. Frames are in the order training, validation.
struct Scene {
  const Hierarchy& hierarchy;
  const TrainOptions& options;
  std::vector<Pose> poses;
  int training_count = 0;
  RowMatrix features;
  JointCulling culling;
  double height = 0;
};

double RootMeanSquare(const RowMatrix& rows) {
  if (rows.size() == 0) return 0;
  return std::sqrt(rows.cast<double>().squaredNorm() * 3 / static_cast<double>(rows.size()));
}

// Points of a level where a basis function is not zero, and its values there.
struct Support {
  std::vector<int> points;
  std::vector<float> values;
};

std::vector<Support> SupportsOf(const Hierarchy& hierarchy, int i) {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> psi = BasisFunctions(hierarchy, i);
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
RowMatrix Localised(const RowMatrix& Y, const Support& support) {
  RowMatrix local(Y.rows(), 3 * static_cast<Eigen::Index>(support.points.size()));
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

Samples SamplesOf(const Scene& scene, const std::vector<int>& joints, const RowMatrix& z, int begin, int end) {
  const int per_joint = runtime::FeatureCount(scene.options.features);
  Samples samples;
  samples.inputs.resize(per_joint * static_cast<Eigen::Index>(joints.size()), end - begin);
  for (size_t i = 0; i < joints.size(); ++i) {
    samples.inputs.middleRows(per_joint * static_cast<Eigen::Index>(i), per_joint) =
        scene.features.block(per_joint * static_cast<Eigen::Index>(joints[i]), begin, per_joint, end - begin);
  }
  samples.targets = z.middleRows(begin, end - begin).transpose();
  return samples;
}

struct TrainedRegion {
  RegionCorrective corrective;
  Fit fit;
  double left = 0;  // squared, summed over the region's frames and points: what the basis leaves out
};

// One region of one level, whole: basis, joints, network.
TrainedRegion TrainRegion(const Scene& scene, const RowMatrix& Y, const Support& support, int i, int k) {
  const TrainOptions& options = scene.options;
  const int count = static_cast<int>(Y.rows());
  const RowMatrix local = Localised(Y, support);
  const uint64_t stream = static_cast<uint64_t>(i) * 1'000'000 + k;
  RegionBasis basis = FindRegionBasis(local.topRows(scene.training_count), options.epsilon * scene.height,
                                      options.most_modes, options.seed + stream);
  TrainedRegion result;
  result.left = basis.left * static_cast<double>(support.points.size());
  result.corrective.region = k;
  if (basis.V.rows() == 0) return result;
  RowMatrix z(count, basis.V.rows());
  ProductTransposed(local, basis.V, z);

  RegionCorrective& corrective = result.corrective;
  corrective.points = support.points;
  corrective.V = basis.V.transpose();
  corrective.joints = scene.culling.Choose(z);
  corrective.spread = (basis.z.colwise().squaredNorm() / static_cast<float>(basis.z.rows())).cwiseSqrt().transpose();
  FitOptions fit = options.fit;
  const int inputs = 3 * static_cast<int>(corrective.joints.size());
  fit.width = std::min(options.most_width, 5 * std::max(inputs, static_cast<int>(basis.V.rows())));
  fit.seed = options.seed;
  fit.stream = stream;
  result.fit = FitNetwork(SamplesOf(scene, corrective.joints, z, 0, scene.training_count),
                          SamplesOf(scene, corrective.joints, z, scene.training_count, count), fit);
  corrective.network = std::move(result.fit.network);
  return result;
}

// What of a finished region the deformer does not hold, so that a run that goes on can sum up all of it.
Json KeptOf(const TrainedRegion& region) {
  Json curve = Json::array();
  for (const FitCurve& at : region.fit.curve) curve.push_back({at.step, at.training, at.validation});
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

const RegionCorrective* FindFinished(const Deformer* resume, int i, int k) {
  if (resume == nullptr || static_cast<int>(resume->levels.size()) < i) return nullptr;
  for (const RegionCorrective& region : resume->levels[i - 1].regions) {
    if (region.region == k) return &region;
  }
  return nullptr;
}

// Keeps what is finished of the level at hand, and hands it out from time to time.
class Keeper {
 public:
  Keeper(const Deformer& finished, int region_count, const TrainHooks& hooks)
      : finished_(finished), regions_(region_count), done_(region_count, false), hooks_(hooks), last_(Clock::now()) {}

  void Keep(int k, TrainedRegion region) {
    const std::lock_guard lock(mutex_);
    regions_[k] = std::move(region);
    done_[k] = true;
    if (!hooks_.checkpoint || std::chrono::duration<double>(Clock::now() - last_).count() < hooks_.checkpoint_seconds) {
      return;
    }
    Deformer so_far = finished_;
    so_far.levels.emplace_back();
    Json& kept = so_far.settings["kept"];
    kept.push_back(Json::array());
    for (size_t r = 0; r < regions_.size(); ++r) {
      if (!done_[r] || regions_[r].corrective.V.cols() == 0) continue;
      so_far.levels.back().regions.push_back(regions_[r].corrective);
      kept.back().push_back(KeptOf(regions_[r]));
    }
    hooks_.checkpoint(so_far);
    last_ = Clock::now();
  }
  std::vector<TrainedRegion> Take() { return std::move(regions_); }

 private:
  const Deformer& finished_;
  std::vector<TrainedRegion> regions_;
  std::vector<bool> done_;
  const TrainHooks& hooks_;
  std::mutex mutex_;
  Clock::time_point last_;
};

// Level i from its residuals, added to the deformer.
void TrainLevel(const Scene& scene, const RowMatrix& Y, int i, const TrainHooks& hooks, Training& training) {
  const std::vector<Support> supports = SupportsOf(scene.hierarchy, i);
  const int region_count = static_cast<int>(supports.size());
  Keeper keeper(training.deformer, region_count, hooks);
  {
    Progress progress(fmt::format("training level {}", i), region_count, "regions");
    ParallelFor(region_count, 1, [&](int k) {
      TrainedRegion region;
      if (const RegionCorrective* finished = FindFinished(hooks.resume, i, k)) {
        region.corrective = *finished;
        TakeKept(hooks.resume->settings, i, region);
      } else {
        region = TrainRegion(scene, Y, supports[k], i, k);
      }
      keeper.Keep(k, std::move(region));
      progress.Advance();
    });
  }
  LevelCorrectives level;
  LevelSummary summary;
  std::vector<Fit> fits;
  double left = 0;
  Json kept = Json::array();
  for (TrainedRegion& region : keeper.Take()) {
    left += region.left;
    if (region.corrective.V.cols() == 0) continue;
    kept.push_back(KeptOf(region));
    const Network& network = region.corrective.network;
    ++summary.networks;
    summary.dimensions += static_cast<int>(region.corrective.V.cols());
    summary.basis_values += region.corrective.V.size();
    summary.network_values += network.W1.size() + network.W2.size() + network.W3.size() + network.b1.size() +
                              network.b2.size() + network.b3.size();
    level.regions.push_back(std::move(region.corrective));
    fits.push_back(std::move(region.fit));
  }
  summary.residual = RootMeanSquare(Y.topRows(scene.training_count));
  summary.after_basis = std::sqrt(left / scene.hierarchy.level(i).point_count);
  training.deformer.levels.push_back(std::move(level));
  training.deformer.settings["kept"].push_back(std::move(kept));
  training.levels.push_back(summary);
  training.fits.push_back(std::move(fits));
}

// F_i of every frame, by the runtime.
RowMatrix RuntimePrediction(const Scene& scene, const Deformer& deformer, int i) {
  const DeformerEvaluator evaluator(scene.hierarchy, deformer, scene.options.precision);
  RowMatrix F(static_cast<Eigen::Index>(scene.poses.size()),
              3 * static_cast<Eigen::Index>(scene.hierarchy.level(i).point_count));
  ParallelFor(static_cast<int>(scene.poses.size()), 4, [&](int j) {
    const Points displacements = evaluator.Displacements(scene.poses[j], i);
    F.row(j) = Eigen::Map<const Eigen::RowVectorXf>(displacements.data(), displacements.size());
  });
  return F;
}

void CheckFrames(const Hierarchy& hierarchy, const TrainingFrames& frames) {
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
std::vector<RowMatrix> AllDisplacements(const Hierarchy& hierarchy, const TrainingFrames& frames,
                                        const std::vector<int>& order) {
  const TruthLevels truths(hierarchy);
  std::vector<RowMatrix> X(hierarchy.level_count());
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

// Which rows are no outliers, as TrainOptions says.
std::vector<int> FindUsable(const RowMatrix& finest, double most) {
  std::vector<int> usable;
  for (Eigen::Index j = 0; j < finest.rows(); ++j) {
    const Eigen::Map<const Points> displacements(finest.row(j).data(), finest.cols() / 3, 3);
    if (displacements.rowwise().squaredNorm().maxCoeff() <= most * most) usable.push_back(static_cast<int>(j));
  }
  return usable;
}

// Keeps these rows, in place: they may be gigabytes.
void KeepRows(const std::vector<int>& kept, RowMatrix& rows) {
  for (size_t j = 0; j < kept.size(); ++j) {
    if (static_cast<int>(j) != kept[j]) rows.row(static_cast<Eigen::Index>(j)) = rows.row(kept[j]);
  }
  rows.conservativeResize(static_cast<Eigen::Index>(kept.size()), Eigen::NoChange);
}

double HeightOf(const Hierarchy& hierarchy) {
  Box box;
  for (const Part& part : hierarchy.levels.back().character.parts) box.extend(BoundingBox(part.mesh.positions));
  return box.sizes().maxCoeff();
}

}  // namespace

FrameSplit SplitFrames(const TrainingFrames& frames, double validation, uint64_t seed) {
  constexpr int kRun = 24;  // frames of a motion that are kept together
  FrameSplit split;
  Random random(seed, 77);
  for (int j = 0; j < frames.count();) {
    const int motion = frames.motions.empty() ? -1 : frames.motions[j];
    int end = j + 1;
    while (motion >= 0 && end < frames.count() && end - j < kRun && frames.motions[end] == motion) ++end;
    const bool held = random.Uniform() < validation;
    // The ends of a held run touch trained frames.
    const int margin = end - j > 4 ? 1 : 0;
    for (int f = j; f < end; ++f) {
      if (!held) {
        split.training.push_back(f);
      } else if (f >= j + margin && f < end - margin) {
        split.validation.push_back(f);
      }
    }
    j = end;
  }
  // Few frames, or bad luck: one of each kind at least.
  if (split.validation.empty() && split.training.size() > 1) {
    split.validation.push_back(split.training.back());
    split.training.pop_back();
  }
  if (split.training.empty()) std::swap(split.training, split.validation);
  return split;
}

Training Train(const Hierarchy& hierarchy, const TrainingFrames& frames, const TrainOptions& options,
               const TrainHooks& hooks) {
  CheckFrames(hierarchy, frames);
  const FrameSplit split = SplitFrames(frames, options.validation, options.seed);
  std::vector<int> order = split.training;
  order.insert(order.end(), split.validation.begin(), split.validation.end());
  std::vector<RowMatrix> X = AllDisplacements(hierarchy, frames, order);
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
  for (RowMatrix& rows : X) KeepRows(usable, rows);

  Training training;
  training.training_frames = training_count;
  training.validation_frames = static_cast<int>(usable.size()) - training_count;
  training.outliers = static_cast<int>(order.size() - usable.size());
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
                    height};
  RowMatrix F;  // of the level before
  for (int i = 1; i <= hierarchy.level_count(); ++i) {
    RowMatrix& Y = X[i - 1];
    const bool adds = i > 1 && training.deformer.incremental;
    if (adds) Y -= UpsampleRows(hierarchy.U[i - 1], F);  // equation 1
    TrainLevel(scene, Y, i, hooks, training);
    if (adds) Y += UpsampleRows(hierarchy.U[i - 1], F);
    F = RuntimePrediction(scene, training.deformer, i);
    Y -= F;
    training.levels.back().training = RootMeanSquare(Y.topRows(training_count));
    training.levels.back().validation = RootMeanSquare(Y.bottomRows(Y.rows() - training_count));
    Y.resize(0, 0);
  }
  FindRanges(scene.features, training.deformer);
  training.deformer.settings = nullptr;  // what they held was for checkpoints
  return training;
}

}  // namespace sinew
