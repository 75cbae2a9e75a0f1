// How fast a bundle is on this machine, and how large: the paper's tables 1 and 2 for one character.
#ifndef SINEW_OFFLINE_MEASURE_BUNDLE_TIMING_H_
#define SINEW_OFFLINE_MEASURE_BUNDLE_TIMING_H_

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/offline/character/skeleton.h"
#include "sinew/runtime/asset/bundle.h"

namespace sinew::measure {

struct Microseconds {
  double median = 0, p99 = 0, fastest = 0;
};

// One thing that was timed. Hot: run just before; cold: after reading twice what the last-level cache holds.
struct Timing {
  // "networks", "upsampling", "bases", "skinning", "normals", "frame", "floor", "skinning only"; "dual quaternions":
  // the same positions and normals by that method instead, from matrices that are given
  std::string stage;
  int level = 0;  // 0: all levels together
  int threads = 1;
  Microseconds hot, cold;
};

// Bytes of a bundle, by level (0: of the whole character) and what they are for.
struct BundleMemory {
  int level = 0;
  size_t networks = 0, bases = 0, upsampling = 0, skin = 0, rest = 0, normals = 0, others = 0;
  size_t own_bases = 0;  // of the bases, those that finer levels do not need
};

struct TimingOptions {
  std::vector<int> threads = {1, 2};
  int rounds = 31;
};

struct BundleTimings {
  std::vector<Timing> timings;
  std::vector<BundleMemory> memory;
  size_t read_bytes = 0, written_bytes = 0;  // of the frame with all levels: what the floor moves

  // Null if it was not timed.
  const Timing* Find(const std::string& stage, int level, int threads) const;
};

// poses: of which every round takes the next. "frame" of level i: everything that its finished positions and skinned
// normals take; of level 0: all levels in one call. Stages are timed one by one, unfused; "bases" without upsampling.
BundleTimings TimeBundle(const runtime::Bundle& bundle, const std::vector<Pose>& poses, const TimingOptions& options);

// From the name of a file that is in the system's memory to a bundle that can be evaluated: mapped, every byte and
// index checked; and closed again. Throws FailedError if it cannot be opened.
Microseconds TimeOpening(const std::string& file, int rounds);

// Frames with all levels of several bundles of one character, a round of each in turn, so that whatever disturbs the
// machine disturbs all; and with skinning alone, of the first. options.threads: the first number counts.
struct FrameTimings {
  std::vector<Timing> frames;  // one per bundle
  Timing skinning_only;
};
FrameTimings TimeFrames(const std::vector<const runtime::Bundle*>& bundles, const std::vector<Pose>& poses,
                        const TimingOptions& options);

// The same for every number of threads, and with each bundle's floor and skinning alone: of all levels, "frame",
// "floor" and "skinning only" of every bundle, all in turn.
std::vector<BundleTimings> TimeInTurn(const std::vector<const runtime::Bundle*>& bundles,
                                      const std::vector<Pose>& poses, const TimingOptions& options);

std::vector<BundleMemory> MemoryOf(const runtime::Bundle& bundle);

}  // namespace sinew::measure

#endif  // SINEW_OFFLINE_MEASURE_BUNDLE_TIMING_H_
