#include "sinew/offline/teach/teach_frames.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"

namespace sinew::teach {
namespace {

constexpr int kLooks = 64;  // poses that are looked at before networks are asked, at most

}  // namespace

void RefuseStranger(const std::string& file, int beyond, int frames, double limit) {
  throw InputError(file, "",
                   fmt::format("is too different from what the networks have learned: {} of {} frames are {}farther "
                               "from it than 95% of the frames that they were validated with",
                               beyond, frames, limit == 1 ? "" : fmt::format("more than {:g} times ", limit)),
                   "simulate instead ('sinew simulate'), or keep what they answer all the same with --keep-all");
}

void RequireKnown(const TaughtBody& body, const std::string& file, std::span<const Pose> poses, double limit) {
  const int frames = static_cast<int>(poses.size()), looks = std::min(frames, kLooks);
  std::vector<int> beyond(looks, 0);
  ParallelFor(looks, 1, [&](int k) {
    const auto i = static_cast<size_t>(static_cast<int64_t>(k) * frames / looks);
    beyond[k] = body.Judge(poses[i]).value > limit ? 1 : 0;
  });
  const int count = static_cast<int>(std::count(beyond.begin(), beyond.end(), 1));
  if (2 * count > looks) RefuseStranger(file, count, looks, limit);
}

double MedianScore(std::vector<double> scores) {
  if (scores.empty()) return 0;
  const auto middle = scores.begin() + static_cast<std::ptrdiff_t>(scores.size() / 2);
  std::nth_element(scores.begin(), middle, scores.end());
  return *middle;
}

TaughtFrames TeachFrames(const TaughtBody& body, const std::string& file, std::span<const Pose> poses, bool keep_all,
                         double limit) {
  if (!keep_all) RequireKnown(body, file, poses, limit);
  const int count = static_cast<int>(poses.size());
  std::vector<Lesson> lessons(count);
  {
    Progress progress("teaching", count, "frames");
    ParallelFor(count, 1, [&](int i) {
      lessons[i] = body.Teach(poses[i]);
      progress.Advance();
    });
  }
  TaughtFrames frames;
  frames.asked = count;
  std::vector<double> scores;
  for (int i = 0; i < count; ++i) {
    const Score& score = lessons[i].score;
    scores.push_back(score.value);
    const bool beyond = score.value > limit;
    frames.beyond += beyond ? 1 : 0;
    if (!lessons[i].shape.allFinite() || (beyond && !keep_all)) continue;
    frames.poses.push_back(i);
    frames.shapes.push_back(std::move(lessons[i].shape));
    frames.weights.push_back(static_cast<float>(score.weight()));
  }
  frames.score = MedianScore(std::move(scores));
  if (!keep_all && 2 * frames.beyond > count) RefuseStranger(file, frames.beyond, count, limit);
  return frames;
}

}  // namespace sinew::teach
