#include "sinew/offline/dataset/training_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "sinew/offline/character/clip.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/dataset/split_frames.h"

namespace sinew::dataset {
namespace {

void CheckCharacter(const Dataset& dataset, int c, const lod::Hierarchy& hierarchy) {
  const DatasetCharacter& character = dataset.manifest().characters[c];
  const lod::Level& finest = hierarchy.levels.back();
  const int joints = finest.character.skeleton.joint_count();
  if (character.vertices == finest.vertex_count() && character.joints == joints) {
    return RequireJoints(dataset, c, finest.character.skeleton);
  }
  throw InputError(dataset.path().string(), fmt::format("character {}", character.name),
                   fmt::format("has {} vertices and {} joints, and the finest level of the hierarchy {} and {}",
                               character.vertices, character.joints, finest.vertex_count(), joints),
                   "use a dataset and a hierarchy of one character");
}

// Roles of parts that the user gave when the dataset was made.
std::vector<GivenRole> GivenRoles(const Json& settings) {
  if (!settings.contains("parts") || !settings.at("parts").is_string()) return {};
  return ParseRoles(settings.at("parts").get<std::string>());
}

// Returns how much the frames count in training, where their dataset says so by an array "weight" (docs/teach.md):
// frames without one count 1. Empty if none has one.
std::vector<float> WeightsOf(const Dataset& dataset, const std::vector<int>& frames) {
  std::vector<float> weights;
  bool any = false;
  for (const int i : frames) {
    const std::vector<std::string> names = dataset.ArrayNames(i);
    if (std::find(names.begin(), names.end(), "weight") == names.end()) {
      weights.push_back(1);
      continue;
    }
    any = true;
    const std::vector<float> weight = dataset.Array(i, "weight").ToFloats();
    if (weight.size() != 1 || !(weight[0] > 0) || weight[0] > 1) {
      throw InputError(dataset.path().string(), fmt::format("frame {}", i),
                       "has a \"weight\" that is not one number above 0 and at most 1", "make the dataset again");
    }
    weights.push_back(weight[0]);
  }
  return any ? weights : std::vector<float>();
}

// Numbers of frames within their motions, evenly spaced in time. Frames of a motion at a higher rate than its file's
// have the number of the nearest frame there, several the same: their places among the poses are counted instead.
class EvenNumbers {
 public:
  // Calls are in the order of the dataset's frames.
  int Of(const DatasetFrame& frame, const DatasetMotion& motion) {
    const bool goes_on = last_ && motion.rate > 0 && Follows(*last_, frame);
    number_ = goes_on ? number_ + frame.index - last_->index : frame.motion_frame;
    last_ = frame;
    return number_;
  }

 private:
  static bool Follows(const DatasetFrame& before, const DatasetFrame& after) {
    const int step = after.index - before.index, told = after.motion_frame - before.motion_frame;
    return after.character == before.character && after.poses == before.poses && after.motion == before.motion &&
           0 <= told && told <= step;
  }

  std::optional<DatasetFrame> last_;
  int number_ = 0;
};

}  // namespace

void RequireJoints(const Dataset& dataset, int c, const Skeleton& wanted) {
  const std::vector<std::string> ours = JointNames(dataset.ReadCharacter(c).skeleton), theirs = JointNames(wanted);
  const auto [a, b] = std::mismatch(ours.begin(), ours.end(), theirs.begin(), theirs.end());
  if (a == ours.end() && b == theirs.end()) return;
  const auto name = [](bool there, const auto& joint) { return there ? fmt::format("'{}'", *joint) : "none"; };
  throw InputError(dataset.path().string(), fmt::format("character {}", dataset.manifest().characters[c].name),
                   fmt::format("its joint {} is {}, and that of the character that it is used for is {}",
                               a - ours.begin(), name(a != ours.end(), a), name(b != theirs.end(), b)),
                   "use a dataset of the same character");
}

std::vector<Role> RolesOfVertices(const Character& character, const std::vector<GivenRole>& given) {
  const RestSurface surface = CollectRestSurface(character);
  const Roles roles = FindRoles(character, surface, given);
  std::vector<Role> of_vertices;
  of_vertices.reserve(surface.welding.welded_of.size());
  for (const int point : surface.welding.welded_of) of_vertices.push_back(roles.OfPoint(point));
  return of_vertices;
}

TrainingFrames FramesOf(const Dataset& dataset, const lod::Hierarchy& hierarchy) {
  const std::vector<int> ok = dataset.OkFrames();
  if (ok.empty()) {
    throw InputError(dataset.path().string(), "frames", "none of them has a shape", "see `sinew dataset info`");
  }
  TrainingFrames frames;
  frames.name = dataset.path().string();
  std::set<int> checked;  // characters
  EvenNumbers numbers;
  for (const int i : ok) {
    const DatasetFrame& frame = dataset.frame(i);
    if (checked.insert(frame.character).second) CheckCharacter(dataset, frame.character, hierarchy);
    frames.poses.push_back(dataset.pose(i));
    frames.motions.push_back(dataset.manifest().motions[frame.motion].timed ? frame.motion : -1);
    frames.motion_frames.push_back(numbers.Of(frame, dataset.manifest().motions[frame.motion]));
    frames.hashes.push_back(frame.hash);
  }
  frames.weights = WeightsOf(dataset, ok);
  frames.roles =
      RolesOfVertices(dataset.ReadCharacter(dataset.frame(ok[0]).character), GivenRoles(dataset.manifest().settings));
  frames.truth = [&dataset, ok](int j) { return dataset.Shape(ok[j]); };
  return frames;
}

FrameSplit SplitFrames(const TrainingFrames& frames, double validation, uint64_t seed) {
  std::vector<FramePlace> places;
  const int count = frames.count() - frames.images;
  for (int j = 0; j < count; ++j) {
    const int motion = frames.motions.empty() ? -1 : frames.motions[j];
    places.push_back({motion, frames.motion_frames.empty() ? j : frames.motion_frames[j], motion >= 0});
  }
  const Deal deal = DealFrames(places, {.shares = {1 - validation, validation, 0}, .seed = seed});
  FrameSplit split;
  for (int j = 0; j < count; ++j) {
    if (deal.sides[j] == static_cast<int>(Side::kTrain)) split.training.push_back(j);
    if (deal.sides[j] == static_cast<int>(Side::kValidation)) split.validation.push_back(j);
  }
  // Few frames or an unlucky deal can leave one side empty: move a frame to it.
  if (split.validation.empty() && split.training.size() > 1) {
    split.validation.push_back(split.training.back());
    split.training.pop_back();
  }
  if (split.training.empty()) std::swap(split.training, split.validation);
  for (int i = 0, trained = static_cast<int>(split.training.size()); i < trained; ++i) {
    if (split.training[i] < frames.images) split.training.push_back(count + split.training[i]);
  }
  return split;
}

}  // namespace sinew::dataset
