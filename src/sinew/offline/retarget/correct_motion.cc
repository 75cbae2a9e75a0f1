#include "sinew/offline/retarget/correct_motion.h"

#include <algorithm>
#include <numbers>

#include "sinew/offline/retarget/bend_hinges.h"

namespace sinew::retarget {
namespace {

// Angle outside a limit at which a recorded joint is lost: no foot is turned backwards, but that of a recording whose
// markers were hidden or taken for each other is.
constexpr double kLost = std::numbers::pi / 2;

bool IsRecorded(const Clip& clip, const std::vector<Pose>& bent) {
  const auto is_bvh = [](const ClipSource& source) {
    return source.file.ends_with(".bvh") || source.file.ends_with(".BVH");
  };
  if (!std::all_of(clip.sources.begin(), clip.sources.end(), is_bvh)) return false;
  constexpr float kTurn = 10 * std::numbers::pi_v<float> / 180;
  const std::vector<Pose>& frames = clip.motion.frames;
  size_t turned = 0;
  for (size_t f = 0; f < frames.size(); ++f) {
    for (size_t j = 0; j < frames[f].size(); ++j) {
      if (ToEigen(frames[f][j].rotation).angularDistance(ToEigen(bent[f][j].rotation)) <= kTurn) continue;
      ++turned;
      break;
    }
  }
  return 10 * turned > frames.size();
}

}  // namespace

bool CorrectMotion(const Articulation& articulation, const JointLimits& limits, bool retargeted, Clip& clip) {
  std::vector<Pose> bent = clip.motion.frames;
  for (Pose& pose : bent) pose = BendHinges(articulation, limits, pose);
  const bool recorded = !retargeted && IsRecorded(clip, bent);
  if (!retargeted && !recorded) return false;
  for (size_t f = 0; f < bent.size(); ++f) {
    clip.motion.frames[f] = articulation.BringBackLost(limits, bent[f], kLost);
  }
  return recorded;
}

}  // namespace sinew::retarget
