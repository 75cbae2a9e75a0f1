#include "sinew/offline/character/clip.h"

#include <fmt/format.h>

#include "sinew/offline/core/error.h"

namespace sinew {
namespace {

std::string ListSome(const std::vector<std::string>& names) {
  std::string list;
  for (size_t i = 0; i < names.size() && i < 3; ++i) list += fmt::format("{}\"{}\"", i > 0 ? ", " : "", names[i]);
  if (names.size() > 3) list += fmt::format(" and {} more", names.size() - 3);
  return list;
}

}  // namespace

std::vector<std::string> JointNames(const Skeleton& skeleton) {
  std::vector<std::string> names;
  names.reserve(skeleton.joints.size());
  for (const Joint& joint : skeleton.joints) names.push_back(joint.name);
  return names;
}

std::vector<Pose> PosesFor(const Skeleton& skeleton, const Clip& clip, const std::string& file) {
  std::vector<int> to(clip.skeleton.joints.size());
  std::vector<std::string> unknown, missing;
  std::vector<bool> given(skeleton.joints.size(), false);
  for (size_t j = 0; j < to.size(); ++j) {
    to[j] = skeleton.Find(clip.skeleton.joints[j].name);
    if (to[j] >= 0) given[to[j]] = true;
    if (to[j] < 0 && !clip.skeleton.joints[j].helper) unknown.push_back(clip.skeleton.joints[j].name);
  }
  for (size_t j = 0; j < given.size(); ++j) {
    if (!given[j] && !skeleton.joints[j].helper) missing.push_back(skeleton.joints[j].name);
  }
  if (!unknown.empty() || 2 * missing.size() > skeleton.joints.size()) {
    const std::string problem = unknown.empty()
                                    ? fmt::format("lacks the character's joints {}", ListSome(missing))
                                    : fmt::format("poses joints that the character lacks: {}", ListSome(unknown));
    throw InputError(file, "skeleton", problem,
                     "it is for another skeleton: retarget it first with 'sinew poses CHARACTER --from FILE -o OUT'");
  }
  std::vector<Pose> poses(clip.motion.frames.size(), skeleton.RestPose());
  for (size_t f = 0; f < poses.size(); ++f) {
    for (size_t j = 0; j < to.size(); ++j) {
      if (to[j] >= 0) poses[f][to[j]] = clip.motion.frames[f][j];
    }
  }
  return poses;
}

}  // namespace sinew
