// What training has finished, so that a run that was stopped can go on to the same bits.
#ifndef SINEW_OFFLINE_MULTIRES_CHECKPOINT_H_
#define SINEW_OFFLINE_MULTIRES_CHECKPOINT_H_

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/multires/region.h"

namespace sinew::multires {

// How well one region was learned: what of a trained region the deformer does not hold.
struct RegionRecord {
  int region = 0;
  double left = 0;  // as in TrainedRegion
  std::vector<learn::FitCurve> curve;
};

struct Checkpoint {
  deformer::Deformer deformer;                     // with the finished regions alone
  std::vector<std::vector<RegionRecord>> records;  // [i - 1]: of the regions of level i that have a network

  // Whether region k of level i is finished; if so, `region` becomes what it was.
  bool Find(int i, int k, TrainedRegion& region) const;
};

RegionRecord RecordOf(const TrainedRegion& region);

// A checkpoint's file is that of a deformer (docs/formats/deformer.md) whose settings hold the records and `call`: the
// settings of the training that it is of.
Bytes FormatCheckpoint(const Checkpoint& checkpoint, const Json& call);
// Throws InputError, naming `file`, for a damaged file and for one of another call.
Checkpoint ParseCheckpoint(std::span<const std::byte> bytes, const Json& call, const std::string& file);

// Collects the finished regions of one level from several threads, and hands out a checkpoint from time to time.
class LevelKeeper {
 public:
  using Save = std::function<void(const Checkpoint&)>;

  // finished: all levels before this one. save: may be empty. All must outlive this.
  LevelKeeper(const Checkpoint& finished, int region_count, const Save& save, double seconds);

  void Keep(int k, TrainedRegion region);
  // One per region, those without modes included.
  std::vector<TrainedRegion> Take() { return std::move(regions_); }

 private:
  const Checkpoint& finished_;
  std::vector<TrainedRegion> regions_;
  std::vector<bool> done_;
  const Save& save_;
  const double seconds_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_CHECKPOINT_H_
