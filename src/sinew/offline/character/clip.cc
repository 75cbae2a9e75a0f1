#include "sinew/offline/character/clip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/character/mix.h"
#include "sinew/offline/core/error.h"

namespace sinew {
namespace {

// Lists the first three names and the number of the others.
std::string ListSome(const std::vector<std::string>& names) {
  std::string list;
  for (size_t i = 0; i < names.size() && i < 3; ++i) list += fmt::format("{}\"{}\"", i > 0 ? ", " : "", names[i]);
  if (names.size() > 3) list += fmt::format(" and {} more", names.size() - 3);
  return list;
}

}  // namespace

void Append(Clip& clip, const Clip& more) {
  const int sources = static_cast<int>(clip.sources.size());
  clip.motion.frames.insert(clip.motion.frames.end(), more.motion.frames.begin(), more.motion.frames.end());
  clip.sources.insert(clip.sources.end(), more.sources.begin(), more.sources.end());
  for (const FrameOrigin& origin : more.origins) clip.origins.push_back({origin.source + sources, origin.frame});
}

Clip Resample(const Clip& clip, float frames_per_second) {
  const float rate = clip.motion.frames_per_second;
  if (rate == 0 || rate == frames_per_second || clip.motion.frames.empty()) return clip;
  Clip out = clip;
  out.motion.frames_per_second = frames_per_second;
  out.motion.frames.clear(), out.origins.clear();
  const int last = clip.motion.frame_count() - 1;
  const int count = static_cast<int>(std::floor(static_cast<float>(last) * frames_per_second / rate + 1e-3f)) + 1;
  for (int f = 0; f < count; ++f) {
    const float at = std::min(static_cast<float>(f) * rate / frames_per_second, static_cast<float>(last));
    const int before = static_cast<int>(at), after = std::min(before + 1, last);
    Pose pose = clip.motion.frames[before];
    const float u = at - static_cast<float>(before);
    for (size_t j = 0; u > 0 && j < pose.size(); ++j) pose[j] = Mix(pose[j], clip.motion.frames[after][j], u);
    out.motion.frames.push_back(std::move(pose));
    if (!clip.origins.empty()) out.origins.push_back(clip.origins[u < 0.5f ? before : after]);
  }
  return out;
}

Clip Select(const Clip& clip, const std::vector<int>& frames) {
  Clip out = clip;
  out.motion.frames_per_second = 0;
  out.motion.frames.clear(), out.origins.clear();
  for (const int f : frames) {
    out.motion.frames.push_back(clip.motion.frames[f]);
    if (!clip.origins.empty()) out.origins.push_back(clip.origins[f]);
  }
  return out;
}

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
