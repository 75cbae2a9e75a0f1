#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/dataset/copy_frames.h"
#include "sinew/offline/dataset/subsets.h"

namespace sinew::dataset {
namespace {

namespace fs = std::filesystem;

// Frames that go to one side together.
using Unit = std::vector<int>;

std::vector<int> SortedFrames(const Dataset& dataset, int motion) {
  std::vector<int> frames;
  for (const int i : dataset.OkFrames()) {
    if (dataset.frame(i).motion == motion) frames.push_back(i);
  }
  std::stable_sort(frames.begin(), frames.end(),
                   [&](int a, int b) { return dataset.frame(a).motion_frame < dataset.frame(b).motion_frame; });
  return frames;
}

// Blocks begin at multiples of `size` of the motion's own frame numbers.
std::vector<Unit> CutIntoBlocks(const Dataset& dataset, const std::vector<int>& frames, int size) {
  std::vector<Unit> blocks;
  int last = -1;
  for (const int i : frames) {
    const int block = dataset.frame(i).motion_frame / size;
    if (block != last) blocks.emplace_back();
    blocks.back().push_back(i);
    last = block;
  }
  return blocks;
}

// Short motions have shorter blocks: ten of them, for the sides to share.
int BlockSize(const SplitOptions& options, const std::vector<int>& frames) {
  return std::min(options.block, std::max(3, static_cast<int>(frames.size()) / 10));
}

void Shuffle(std::vector<Unit>& units, Random& random) {
  for (size_t k = units.size(); k > 1; --k) std::swap(units[k - 1], units[random.Below(static_cast<uint32_t>(k))]);
}

// Gives each unit to the side that lacks most of its share, so that every prefix is as balanced as it can be.
void Deal(std::vector<Unit> units, const std::array<double, kSides>& shares, Random& random,
          std::vector<int>& side_of) {
  Shuffle(units, random);
  std::array<double, kSides> given = {};
  double all = 0;
  for (const Unit& unit : units) {
    all += static_cast<double>(unit.size());
    int most = 0;
    for (int s = 1; s < kSides; ++s) {
      if (shares[s] * all - given[s] > shares[most] * all - given[most]) most = s;
    }
    given[most] += static_cast<double>(unit.size());
    for (const int i : unit) side_of[i] = most;
  }
}

// Leaves out what is too near to the frame before it that is on another side.
int LeaveOutNeighbours(const Dataset& dataset, const std::vector<int>& frames, int gap, std::vector<int>& side_of) {
  int left_out = 0;
  std::optional<int> before;
  for (const int i : frames) {
    const bool near = before && side_of[*before] != side_of[i] &&
                      dataset.frame(i).motion_frame - dataset.frame(*before).motion_frame <= gap;
    if (near) {
      side_of[i] = -1, ++left_out;
    } else {
      before = i;
    }
  }
  return left_out;
}

std::vector<bool> FindTestMotions(const Dataset& dataset, const std::vector<std::string>& names) {
  const std::vector<DatasetMotion>& motions = dataset.manifest().motions;
  std::vector<bool> found(motions.size(), false);
  for (const std::string& name : names) {
    bool any = false;
    for (size_t m = 0; m < motions.size(); ++m) {
      if (motions[m].name == name) found[m] = any = true;
    }
    if (any) continue;
    std::string known;
    for (const DatasetMotion& motion : motions) known += (known.empty() ? "" : ", ") + motion.name;
    throw UsageError(fmt::format("{} has no motion \"{}\"; it has {}", dataset.path().string(), name, known));
  }
  return found;
}

}  // namespace

const char* Name(Side side) {
  constexpr std::array<const char*, kSides> kNames = {"train", "validation", "test"};
  return kNames[static_cast<size_t>(side)];
}

Split SplitFrames(const Dataset& dataset, const SplitOptions& options) {
  const int motions = static_cast<int>(dataset.manifest().motions.size());
  const std::vector<bool> test_motion = FindTestMotions(dataset, options.test_motions);
  std::vector<int> side_of(dataset.frame_count(), -1);
  std::vector<Unit> whole_motions;
  Random random(options.seed);
  Split split;
  for (int m = 0; m < motions; ++m) {
    const std::vector<int> frames = SortedFrames(dataset, m);
    const bool timed = dataset.manifest().motions[m].timed;
    if (test_motion[m]) {
      for (const int i : frames) side_of[i] = static_cast<int>(Side::kTest);
    } else if (timed && options.by_motion) {
      if (!frames.empty()) whole_motions.push_back(frames);
    } else {
      const int block = timed ? BlockSize(options, frames) : 1;
      Deal(CutIntoBlocks(dataset, frames, block), options.shares, random, side_of);
      if (timed) split.between += LeaveOutNeighbours(dataset, frames, options.gap, side_of);
    }
  }
  Deal(std::move(whole_motions), options.shares, random, side_of);
  for (int i = 0; i < dataset.frame_count(); ++i) {
    if (side_of[i] >= 0) split.frames[side_of[i]].push_back(i);
    if (!dataset.frame(i).ok()) ++split.failed;
  }
  for (int s = 0; s < kSides; ++s) {
    if (options.shares[s] == 0 || !split.frames[s].empty()) continue;
    throw UsageError(fmt::format("{} has too few {} to leave any for {}; give it the share 0, or split by {}",
                                 dataset.path().string(), options.by_motion ? "motions" : "frames",
                                 Name(static_cast<Side>(s)), options.by_motion ? "frame" : "smaller blocks"));
  }
  return split;
}

void WriteSplit(const fs::path& folder, const Dataset& dataset, const Split& split) {
  DatasetManifest start = dataset.manifest();
  start.frames.clear(), start.chunks.clear();
  const auto path_of = [](const fs::path& in, int s) {
    return in / fmt::format("{}.dataset", Name(static_cast<Side>(s)));
  };
  const auto is_split = [&](const fs::path& there) {
    return IsDataset(path_of(there, 0)) || IsDataset(path_of(there, 2));
  };
  WriteFolderAtomic(folder, is_split, [&](const fs::path& temporary) {
    for (int s = 0; s < kSides; ++s) {
      if (split.frames[s].empty()) continue;
      std::vector<FrameSource> sources;
      for (const int i : split.frames[s]) sources.push_back({&dataset, i, dataset.frame(i)});
      CopyFrames(path_of(temporary, s), start, dataset, sources);
    }
  });
}

}  // namespace sinew::dataset
