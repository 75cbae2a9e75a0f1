#include "sinew/offline/evaluate/evaluate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/offline/character/posing.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/evaluate/dataset_measures.h"
#include "sinew/offline/evaluate/limbs_touch.h"
#include "sinew/offline/multires/training_shapes.h"

namespace sinew::evaluate {
namespace {

// Shapes of one frame: the ground truth's, then every method's; [i - 1] is level i.
using FrameShapes = std::vector<std::vector<Points>>;

// Tallies of all methods and levels, apart for the frames without and with limbs that touch.
class Tallies {
 public:
  Tallies(size_t methods, int levels) : levels_(levels), tallies_(2 * methods * levels) {}

  ShapeTally& at(bool touching, size_t method, int i) {
    return tallies_[(2 * method + (touching ? 1 : 0)) * levels_ + i];
  }
  void Add(const Tallies& other) {
    for (size_t n = 0; n < tallies_.size(); ++n) tallies_[n].Add(other.tallies_[n]);
  }

 private:
  size_t levels_;
  std::vector<ShapeTally> tallies_;
};

class Evaluator {
 public:
  Evaluator(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& frames, std::vector<Method> methods,
            const EvaluateOptions& options)
      : hierarchy_(hierarchy),
        frames_(frames),
        methods_(std::move(methods)),
        truths_(hierarchy),
        roles_(RolesOnLevels(hierarchy, truths_, frames.roles)) {
    methods_.insert(methods_.begin(), SkinningMethod(hierarchy, false));
    lengths_ = {SizeAtRest(hierarchy), LevelError::kFartherMm / (1e3 * options.metres_per_unit)};
    const std::vector<Points> rest = methods_[0].shapes(hierarchy.levels.back().character.skeleton.RestPose());
    for (int i = 0; i < levels(); ++i) surfaces_.push_back(SurfaceOf(hierarchy.levels[i], rest[i], roles_[i]));
    if (options.body_regions) FindBodyRegions(hierarchy.levels.back(), surfaces_.back());
    frame_rms_.assign(methods_.size(), std::vector<std::vector<double>>(levels(), std::vector<double>(count(), 0)));
    touches_.assign(count(), 0);
    if (options.crossings) crossing_frames_ = CrossingFrames(count());
    crossings_.resize(crossing_frames_.size());
    if (!crossing_frames_.empty()) counter_.emplace(surfaces_.back().triangles, rest.back());
  }

  Evaluation Run() {
    // Frames of one chunk are measured in order, chunks in parallel and added in order; of long datasets only a few
    // chunks at a time, which keeps the memory for their tallies small.
    constexpr int kFramesAtOnce = 24, kBatch = 16 * kFramesAtOnce;
    const Tallies none(methods_.size(), levels());
    Tallies total = none;
    Progress progress("evaluating", count(), "frames");
    for (int first = 0; first < count(); first += kBatch) {
      total.Add(ParallelReduce(
          std::min(kBatch, count() - first), kFramesAtOnce, none,
          [&](int begin, int end) { return MeasureChunk(first + begin, first + end, progress); },
          [](Tallies& sum, const Tallies& chunk) { sum.Add(chunk); }));
    }
    return Sum(total);
  }

 private:
  int levels() const { return hierarchy_.level_count(); }
  int count() const { return frames_.count(); }

  FrameShapes ShapesOf(int j) const {
    FrameShapes shapes;
    std::vector<Points> coarsened = truths_.Coarsened(truths_.ToPoints(frames_.truth(j)));
    for (int i = 1; i <= levels(); ++i) coarsened[i - 1] = truths_.Truth(i, frames_.poses[j], coarsened[i - 1]);
    shapes.push_back(std::move(coarsened));
    for (const Method& method : methods_) shapes.push_back(method.Shapes(frames_.poses[j], j));
    return shapes;
  }

  // For flicker, a chunk also evaluates the two frames before it if they are needed.
  Tallies MeasureChunk(int begin, int end, Progress& progress) {
    Tallies tallies(methods_.size(), levels());
    std::vector<FrameShapes> last(3);  // shapes of frames j - 2, j - 1 and j
    for (int j = std::max(0, begin - 2); j < end; ++j) {
      std::rotate(last.begin(), last.begin() + 1, last.end());
      if (j < begin && !FollowEachOther(frames_, begin) && !FollowEachOther(frames_, begin + 1)) continue;
      last[2] = ShapesOf(j);
      if (j < begin) continue;
      MeasureFrame(j, last, tallies);
      CountCrossings(j, last[2]);
      progress.Advance();
    }
    return tallies;
  }

  void MeasureFrame(int j, const std::vector<FrameShapes>& last, Tallies& tallies) {
    const FrameShapes& now = last[2];
    const int coarse = std::min(2, levels());  // fine enough to detect contact, and fast
    touches_[j] = LimbsTouch(hierarchy_.level(coarse), now[1][coarse - 1]) ? 1 : 0;
    for (int i = 0; i < levels(); ++i) {
      const LevelSurface& surface = surfaces_[i];
      const Points& truth = now[0][i];
      const SurfaceView true_view = View(surface, truth);
      const Eigen::VectorXd linear = Distances(now[1][i], truth);
      for (size_t m = 0; m < methods_.size(); ++m) {
        const Points& shape = now[m + 1][i];
        const Eigen::VectorXd distances = Distances(shape, truth);
        ShapeTally& tally = tallies.at(touches_[j] != 0, m, i);
        tally.AddFrame(surface, lengths_, View(surface, shape), true_view, distances, linear);
        frame_rms_[m][i][j] = std::sqrt(surface.areas.dot(distances.cwiseAbs2()));
        if (!FollowEachOther(frames_, j)) continue;
        tally.AddFlicker(FlickerSquare(surface, {&last[0][m + 1][i], &last[1][m + 1][i], &shape},
                                       {&last[0][0][i], &last[1][0][i], &truth}));
      }
    }
  }

  void CountCrossings(int j, const FrameShapes& shapes) {
    const auto found = std::lower_bound(crossing_frames_.begin(), crossing_frames_.end(), j);
    if (found == crossing_frames_.end() || *found != j) return;
    std::vector<size_t>& counts = crossings_[found - crossing_frames_.begin()];
    for (const std::vector<Points>& of_method : shapes) counts.push_back(counter_->Count(of_method.back()));
  }

  // Sums up the frames: all of them, and those without and with limbs that touch.
  Evaluation Sum(Tallies& tallies) {
    Evaluation evaluation;
    evaluation.touches.assign(touches_.begin(), touches_.end());
    for (const std::vector<Role>& of_level : roles_) evaluation.role_shares.push_back(SharesOf(of_level));
    for (const LevelSurface& surface : surfaces_) evaluation.closed_shares.push_back(surface.closed_share);
    evaluation.size = lengths_.size;
    std::vector<std::vector<ShapeTally>> all(methods_.size());
    for (size_t m = 0; m < methods_.size(); ++m) {
      evaluation.methods.push_back(methods_[m].name);
      for (auto* errors : {&evaluation.errors, &evaluation.free, &evaluation.touching}) errors->emplace_back();
      for (int i = 0; i < levels(); ++i) {
        all[m].push_back(tallies.at(false, m, i));
        all[m][i].Add(tallies.at(true, m, i));
        const auto total = [&](const ShapeTally& tally, const auto& counts) {
          LevelError error = tally.Total(surfaces_[i], lengths_);
          for (int j = 0; j < count(); ++j) {
            if (counts(touches_[j] != 0)) error.frame_rms.push_back(frame_rms_[m][i][j]);
          }
          return error;
        };
        evaluation.errors[m].push_back(total(all[m][i], [](bool) { return true; }));
        evaluation.free[m].push_back(total(tallies.at(false, m, i), [](bool touches) { return !touches; }));
        evaluation.touching[m].push_back(total(tallies.at(true, m, i), [](bool touches) { return touches; }));
        for (auto* errors : {&evaluation.errors, &evaluation.free, &evaluation.touching}) {
          CompareFrames((*errors)[0][i], evaluation.exact(), (*errors)[m][i]);
        }
      }
    }
    for (int i = 0; i < levels(); ++i) {
      std::vector<const ShapeTally*> of_level;
      of_level.reserve(all.size());
      for (const std::vector<ShapeTally>& of_method : all) of_level.push_back(&of_method[i]);
      evaluation.regions.push_back(RegionsOf(hierarchy_.levels[i].character.skeleton, surfaces_[i], of_level));
    }
    for (const std::vector<ShapeTally>& of_method : all) {
      if (!surfaces_.back().body_regions.empty()) {
        evaluation.body_regions.push_back(of_method.back().body_regions());
        evaluation.body_regions.back().resize(kBodyRegions);
      }
    }
    SumCrossings(evaluation.crossings);
    return evaluation;
  }

  void SumCrossings(Crossings& sum) const {
    sum.frames = static_cast<int>(crossings_.size());
    if (sum.frames == 0) return;
    sum.at_rest = counter_->at_rest();
    sum.methods.assign(methods_.size(), 0);
    for (const std::vector<size_t>& counts : crossings_) {
      sum.truth += static_cast<double>(counts[0]) / sum.frames;
      for (size_t m = 0; m < methods_.size(); ++m) {
        sum.methods[m] += static_cast<double>(counts[m + 1]) / sum.frames;
      }
    }
  }

  const lod::Hierarchy& hierarchy_;
  const dataset::TrainingFrames& frames_;
  std::vector<Method> methods_;
  multires::TruthLevels truths_;
  std::vector<std::vector<Role>> roles_;
  MeasureLengths lengths_;
  std::vector<LevelSurface> surfaces_;                       // [level - 1]
  std::vector<std::vector<std::vector<double>>> frame_rms_;  // [method][level - 1][frame]
  std::vector<char> touches_;
  std::vector<int> crossing_frames_;            // increasing
  std::optional<CrossingCounter> counter_;      // if there are such frames
  std::vector<std::vector<size_t>> crossings_;  // per such frame: of the truth and every method
};

}  // namespace

size_t Evaluation::judged() const {
  const auto found = std::find(methods.begin(), methods.end(), kSinew);
  return found == methods.end() ? errors.size() - 1 : static_cast<size_t>(found - methods.begin());
}

double Evaluation::SoftShare(int level) const {
  return role_shares.empty() ? 1 : 1 - role_shares[level - 1][static_cast<size_t>(Role::kRigid)];
}

bool Evaluation::AllSoft() const {
  return std::all_of(role_shares.begin(), role_shares.end(),
                     [](const RoleShares& shares) { return shares[static_cast<size_t>(Role::kRigid)] == 0; });
}

Evaluation EvaluateMethods(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& frames,
                           std::vector<Method> methods, const EvaluateOptions& options) {
  return Evaluator(hierarchy, frames, std::move(methods), options).Run();
}

void CompareFrames(const LevelError& linear, double exact, LevelError& error) {
  error.worse_frames = 0, error.worst_excess = 0;
  for (size_t j = 0; j < error.frame_rms.size(); ++j) {
    const double excess = error.frame_rms[j] - linear.frame_rms[j];
    if (excess <= exact) continue;
    ++error.worse_frames;
    error.worst_excess = std::max(error.worst_excess, excess);
  }
}

std::vector<int> CrossingFrames(int frames) {
  constexpr int kOneIn = 16, kLeast = 3, kMost = 20;
  std::vector<int> all(frames);
  std::iota(all.begin(), all.end(), 0);
  return Spread(all, std::clamp(frames / kOneIn, kLeast, kMost));
}

bool FollowEachOther(const dataset::TrainingFrames& frames, int j) {
  if (j < 2 || j >= frames.count() || frames.motions.empty() || frames.motions[j] < 0) return false;
  const auto number = [&](int k) { return frames.motion_frames.empty() ? k : frames.motion_frames[k]; };
  const int step = number(j) - number(j - 1);
  return frames.motions[j - 1] == frames.motions[j] && frames.motions[j - 2] == frames.motions[j] && step > 0 &&
         number(j - 1) - number(j - 2) == step;
}

double SizeAtRest(const lod::Hierarchy& hierarchy) {
  const Character& finest = hierarchy.levels.back().character;
  Box box;
  for (const PosedPart& part : PoseCharacter(finest, finest.skeleton.RestPose()).parts) {
    box.extend(BoundingBox(part.positions));
  }
  return box.isEmpty() ? 0 : box.sizes().maxCoeff();
}

}  // namespace sinew::evaluate
