#include "sinew/offline/pipeline/own_motions.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "sinew/offline/io/clips.h"
#include "sinew/offline/pipeline/layout.h"

namespace sinew::pipeline {
namespace {

// Returns the frames [begin, end) of a motion, at its rate.
Clip Between(const Clip& clip, int begin, int end) {
  std::vector<int> frames(end - begin);
  std::iota(frames.begin(), frames.end(), begin);
  Clip part = Select(clip, frames);
  part.motion.frames_per_second = clip.motion.frames_per_second;
  return part;
}

}  // namespace

bool LearnsOwnAnimations(const Config& config) { return config.Strings("poses", "learn_from").empty(); }

OwnMotions::OwnMotions(const Config& config, const Character& character)
    : judged(ClipsOf(character, kCharacter, kFramesPerSecond)) {
  if (judged.empty() || !LearnsOwnAnimations(config)) return;
  const auto shorter = [](const Clip& a, const Clip& b) { return a.motion.frame_count() < b.motion.frame_count(); };
  const auto longest = std::max_element(judged.begin(), judged.end(), shorter);
  std::swap(*longest, judged.front());
  learned.assign(std::make_move_iterator(judged.begin() + 1), std::make_move_iterator(judged.end()));
  judged.resize(1);
  constexpr int kShort = 4;  // frames of the longest for one of all the others
  int others = 0;
  for (const Clip& clip : learned) others += clip.motion.frame_count();
  const int frames = judged[0].motion.frame_count();
  if (frames < 2 || kShort * others >= frames) return;
  learned.insert(learned.begin(), Between(judged[0], 0, frames / 2));
  judged[0] = Between(judged[0], frames / 2, frames);
}

std::vector<Pose> SpreadPoses(const std::vector<Clip>& motions, int of_each, int of_all) {
  std::vector<Pose> poses;
  if (motions.empty()) return poses;
  const int most = std::clamp(of_all / static_cast<int>(motions.size()), 1, of_each);
  for (const Clip& clip : motions) {
    const int frames = clip.motion.frame_count(), count = std::min(most, frames);
    for (int i = 0; i < count && static_cast<int>(poses.size()) < of_all; ++i) {
      poses.push_back(clip.motion.frames[static_cast<int64_t>(i) * frames / count]);
    }
  }
  return poses;
}

}  // namespace sinew::pipeline
