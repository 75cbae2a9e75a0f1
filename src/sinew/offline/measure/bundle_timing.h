// Timing of a bundle on this machine, and its size in memory: the paper's tables 1 and 2 for one character.
#ifndef SINEW_OFFLINE_MEASURE_BUNDLE_TIMING_H_
#define SINEW_OFFLINE_MEASURE_BUNDLE_TIMING_H_

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/offline/character/skeleton.h"
#include "sinew/runtime/asset/bundle.h"

namespace sinew::measure {

// Statistics of repeated timings, in microseconds; p99 is the 99th percentile.
struct Microseconds {
  double median = 0, p99 = 0, fastest = 0;
};

// Times of one stage. Hot: run again immediately after; cold: run after reading twice as many bytes as the
// last-level cache holds, or zero if only hot runs were timed.
struct Timing {
  // One of "networks", "upsampling", "bases", "skinning", "normals" (from triangles), "frame", "skinned normals" (the
  // frame with those instead), "floor" (memory_floor.h), "skinning only" and "dual quaternions": positions and normals
  // by dual quaternion skinning instead, from given matrices.
  std::string stage;
  int level = 0;  // 0: all levels together
  int threads = 1;
  Microseconds hot, cold;
};

// Bytes of a bundle by purpose, of one level or (level 0) of the parts that belong to the whole character.
struct BundleMemory {
  int level = 0;
  size_t networks = 0, bases = 0, upsampling = 0, skin = 0, rest = 0, normals = 0, others = 0;
  size_t own_bases = 0;  // part of `bases`: the level's own modes, which finer levels do not need
};

struct TimingOptions {
  std::vector<int> threads = {1, 2};  // numbers of threads to time with
  int rounds = 31;                    // number of cold samples per stage, and a third of the hot ones
  // About how long to time, seconds: fewer rounds are done if they would take longer, at least one. 0: no bound. A
  // round of a bundle takes seconds where the last-level cache is large, since it is read over for every cold sample.
  double seconds = 0;
  // False: hot runs alone, which take milliseconds a round.
  bool cold = true;
};

struct BundleTimings {
  std::vector<Timing> timings;
  std::vector<BundleMemory> memory;
  size_t read_bytes = 0, written_bytes = 0;  // memory traffic of a frame with all levels, which "floor" moves

  // Returns null if the stage was not timed.
  const Timing* Find(const std::string& stage, int level, int threads) const;
};

// Times all stages of a bundle. poses: every round uses the next one, cyclically. "frame" of level i is all the work up
// to its final positions and normals, those of runtime::NormalSource::kAuto; of "skinning only" they are skinned.
// "frame" of level 0 is all levels in one call. Other stages are timed one by one, not fused; "bases" does not include
// upsampling.
BundleTimings TimeBundle(const runtime::Bundle& bundle, const std::vector<Pose>& poses, const TimingOptions& options);

// Times opening and closing a bundle whose file is in the system's page cache: the file is mapped, and every byte and
// index is checked. Throws FailedError if it cannot be opened.
Microseconds TimeOpening(const std::string& file, int rounds);

// Times of frames with all levels of several bundles of one character, and of skinning alone with the first bundle, all
// with skinned normals: what a frame takes more than skinning is then what correctives take.
// Bundles take turns, one round of each, so that any disturbance of the machine affects all of them equally. Only the
// first entry of options.threads is used.
struct FrameTimings {
  std::vector<Timing> frames;  // one per bundle
  Timing skinning_only;
};
FrameTimings TimeFrames(const std::vector<const runtime::Bundle*>& bundles, const std::vector<Pose>& poses,
                        const TimingOptions& options);

// Times "frame", "floor" and "skinning only" with all levels, for every bundle and every number of threads, all taking
// turns as in TimeFrames(). Returns one entry per bundle.
std::vector<BundleTimings> TimeInTurn(const std::vector<const runtime::Bundle*>& bundles,
                                      const std::vector<Pose>& poses, const TimingOptions& options);

// Returns the memory of a bundle: [0] for the whole character, [i] for level i.
std::vector<BundleMemory> MemoryOf(const runtime::Bundle& bundle);

}  // namespace sinew::measure

#endif  // SINEW_OFFLINE_MEASURE_BUNDLE_TIMING_H_
