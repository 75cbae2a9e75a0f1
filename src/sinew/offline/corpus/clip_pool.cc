#include "sinew/offline/corpus/clip_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <utility>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/poses/sample_poses.h"

namespace sinew::corpus {
namespace {

constexpr float kFramesPerSecond = 30;
// Frames that are looked at: neighbours in time are alike, and thinning is quadratic.
constexpr int kStride = 3;

// Keeps `count` random entries, in their order.
template <typename Entry>
void TakeAtRandom(std::vector<Entry>& entries, size_t count, uint64_t seed) {
  Random random(seed);
  for (size_t i = 0; i < count; ++i) {
    std::swap(entries[i], entries[i + random.Below(static_cast<uint32_t>(entries.size() - i))]);
  }
  entries.resize(count);
  std::sort(entries.begin(), entries.end());
}

}  // namespace

std::vector<int> ThinFrames(const Clip& clip, double radians) {
  const Articulation articulation(clip.skeleton);
  const poses::PoseMetric metric(articulation);
  std::vector<std::vector<Eigen::Quaterniond>> turns;
  for (int f = 0; f < clip.motion.frame_count(); f += kStride) {
    turns.push_back(articulation.Deltas(clip.motion.frames[f]));
  }
  const std::vector<Eigen::Quaterniond> rest = articulation.Deltas(clip.skeleton.RestPose());
  // Distance of every frame from the chosen ones; at first from rest, which is not chosen itself.
  std::vector<double> distance;
  for (const auto& turn : turns) distance.push_back(metric.Distance(turn, rest));
  std::vector<int> chosen;
  while (!turns.empty()) {
    const auto farthest = std::max_element(distance.begin(), distance.end());
    if (!chosen.empty() && *farthest < radians) break;
    const size_t next = static_cast<size_t>(farthest - distance.begin());
    for (size_t i = 0; i < turns.size(); ++i) {
      const double from_next = i == next ? 0 : metric.Distance(turns[i], turns[next]);
      distance[i] = chosen.empty() ? from_next : std::min(distance[i], from_next);
    }
    chosen.push_back(static_cast<int>(next) * kStride);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<PooledClip> ReadClipPool(const PoseRecipe& recipe, const std::vector<CorpusClip>& clips) {
  std::vector<PooledClip> pool(clips.size());
  ParallelFor(static_cast<int>(clips.size()), 1, [&](int c) {
    const std::filesystem::path path = recipe.clips / clips[c].name;
    if (HashHex(ReadFile(path)) != clips[c].hash) {
      throw InputError(path.string(), "", "is not the clip that the corpus was begun with",
                       "put the old one back, or make another corpus");
    }
    const Clip clip = ReadClips(path.string(), kFramesPerSecond).at(0);
    pool[c].clip = Select(clip, ThinFrames(clip, recipe.clip_distance * std::numbers::pi / 180));
    pool[c].side = clips[c].side;
    if (recipe.whole_clips > 0 && clips[c].side == Side::kTest) {
      pool[c].whole = Resample(clip, static_cast<float>(recipe.whole_clip_rate));
    }
  });
  return pool;
}

std::vector<Clip> DrawWholeClips(const std::vector<PooledClip>& pool, int count, uint64_t seed) {
  std::vector<int> test;
  for (size_t c = 0; c < pool.size(); ++c) {
    if (pool[c].whole.motion.frame_count() > 0) test.push_back(static_cast<int>(c));
  }
  const size_t taken = std::min(test.size(), static_cast<size_t>(count));
  TakeAtRandom(test, taken, seed);
  std::vector<Clip> drawn;
  for (const int c : test) drawn.push_back(pool[c].whole);
  return drawn;
}

std::vector<Clip> DrawFrames(const std::vector<PooledClip>& pool, Side side, int count, uint64_t seed) {
  std::vector<std::pair<int, int>> frames;  // (clip, frame)
  for (size_t c = 0; c < pool.size(); ++c) {
    if (pool[c].side != side) continue;
    for (int f = 0; f < pool[c].clip.motion.frame_count(); ++f) frames.emplace_back(c, f);
  }
  const size_t taken = std::min(frames.size(), static_cast<size_t>(count));
  TakeAtRandom(frames, taken, seed);
  std::vector<Clip> drawn;
  for (size_t begin = 0, end = 0; begin < taken; begin = end) {
    std::vector<int> of_clip;
    for (; end < taken && frames[end].first == frames[begin].first; ++end) of_clip.push_back(frames[end].second);
    drawn.push_back(Select(pool[frames[begin].first].clip, of_clip));
  }
  return drawn;
}

}  // namespace sinew::corpus
