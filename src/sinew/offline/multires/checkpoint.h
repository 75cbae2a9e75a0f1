// Checkpoints of training: the finished regions, from which a run that was stopped resumes to the same bits.
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

// Training statistics of one region: the part of TrainedRegion that the deformer does not hold.
struct RegionRecord {
  int region = 0;
  double left = 0;  // TrainedRegion::left
  std::vector<learn::FitCurve> curve;
};

struct Checkpoint {
  deformer::Deformer deformer;                     // contains the finished regions only
  std::vector<std::vector<RegionRecord>> records;  // [i - 1]: records of the regions of level i that have a network

  // Returns whether region k of level i is finished, and restores it into `region` if so.
  bool Find(int i, int k, TrainedRegion& region) const;
};

RegionRecord RecordOf(const TrainedRegion& region);

// Encodes a checkpoint as the file of a deformer (docs/formats/deformer.md) whose settings hold the records and `call`.
// call: settings of the training run.
Bytes FormatCheckpoint(const Checkpoint& checkpoint, const Json& call);
// Decodes a checkpoint. Throws InputError, naming `file`, for a damaged file and for one with other settings than
// `call`.
Checkpoint ParseCheckpoint(std::span<const std::byte> bytes, const Json& call, const std::string& file);

// Decides when a checkpoint is due. All levels of a training share one: levels that each take less than the time
// between two checkpoints would otherwise never be saved.
class CheckpointClock {
 public:
  explicit CheckpointClock(double seconds) : seconds_(seconds) {}
  bool due() const { return std::chrono::duration<double>(Clock::now() - last_).count() >= seconds_; }
  void Saved() { last_ = Clock::now(); }

 private:
  using Clock = std::chrono::steady_clock;
  double seconds_;
  Clock::time_point last_ = Clock::now();
};

// Collects the finished regions of one level from several threads, and saves a checkpoint from time to time.
class LevelKeeper {
 public:
  using Save = std::function<void(const Checkpoint&)>;

  // finished: all levels before this one. save: may be empty. All of them must outlive this object.
  LevelKeeper(const Checkpoint& finished, int region_count, const Save& save, CheckpointClock& clock);

  // Stores region k, and saves a checkpoint if the last one is old enough. May be called from several threads.
  void Keep(int k, TrainedRegion region);
  // Returns all regions, one per region of the hierarchy, those without modes included.
  std::vector<TrainedRegion> Take() { return std::move(regions_); }

 private:
  const Checkpoint& finished_;
  std::vector<TrainedRegion> regions_;
  std::vector<bool> done_;
  const Save& save_;
  CheckpointClock& clock_;
  std::mutex mutex_;
};

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_CHECKPOINT_H_
