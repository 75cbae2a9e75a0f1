#include "sinew/offline/dataset/split_frames.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "sinew/offline/core/random.h"

namespace sinew::dataset {
namespace {

// Indices of frames that go to one side together.
using Unit = std::vector<int>;

// Cuts a motion into blocks, which begin at multiples of `size` in the motion's own frame numbers.
std::vector<Unit> CutIntoBlocks(const std::vector<FramePlace>& places, const Unit& frames, int size) {
  std::vector<Unit> blocks;
  int last = -1;
  for (const int i : frames) {
    const int block = places[i].number / size;
    if (block != last) blocks.emplace_back();
    blocks.back().push_back(i);
    last = block;
  }
  return blocks;
}

// Frames per block. Short motions have shorter blocks, about ten, so that every side gets some.
int BlockSize(const DealOptions& options, const std::vector<int>& frames) {
  return std::min(options.block, std::max(3, static_cast<int>(frames.size()) / 10));
}

void Shuffle(std::vector<Unit>& units, Random& random) {
  for (size_t k = units.size(); k > 1; --k) std::swap(units[k - 1], units[random.Below(static_cast<uint32_t>(k))]);
}

// Gives each unit to the side that lacks most of its share, so that every prefix is as balanced as it can be.
void DealUnits(std::vector<Unit> units, const std::array<double, kSides>& shares, Random& random,
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

// Leaves out frames that are too near to the last kept frame before them if that is on another side; returns their
// number.
int LeaveOutNeighbours(const std::vector<FramePlace>& places, const Unit& frames, int gap, std::vector<int>& side_of) {
  int left_out = 0;
  std::optional<int> before;
  for (const int i : frames) {
    const bool near = before && side_of[*before] != side_of[i] && places[i].number - places[*before].number <= gap;
    if (near) {
      side_of[i] = -1, ++left_out;
    } else {
      before = i;
    }
  }
  return left_out;
}

}  // namespace

const char* Name(Side side) {
  constexpr std::array<const char*, kSides> kNames = {"train", "validation", "test"};
  return kNames[static_cast<size_t>(side)];
}

Deal DealFrames(const std::vector<FramePlace>& frames, const DealOptions& options, const std::vector<int>& fixed) {
  std::map<int, Unit> motions;
  for (size_t i = 0; i < frames.size(); ++i) motions[frames[i].motion].push_back(static_cast<int>(i));
  Deal deal;
  deal.sides.assign(frames.size(), -1);
  std::vector<Unit> whole_motions;
  Random random(options.seed);
  for (auto& [motion, members] : motions) {
    std::stable_sort(members.begin(), members.end(), [&](int a, int b) { return frames[a].number < frames[b].number; });
    const bool timed = frames[members[0]].timed;
    const int side = motion < static_cast<int>(fixed.size()) && motion >= 0 ? fixed[motion] : -1;
    if (side >= 0) {
      for (const int i : members) deal.sides[i] = side;
    } else if (timed && options.by_motion) {
      whole_motions.push_back(members);
    } else {
      const int block = timed ? BlockSize(options, members) : 1;
      DealUnits(CutIntoBlocks(frames, members, block), options.shares, random, deal.sides);
      if (timed) deal.between += LeaveOutNeighbours(frames, members, options.gap, deal.sides);
    }
  }
  DealUnits(std::move(whole_motions), options.shares, random, deal.sides);
  return deal;
}

}  // namespace sinew::dataset
