#include "sinew/offline/multires/checkpoint.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/deformer/deformer_file.h"

namespace sinew::multires {
namespace {

Json ToJson(const RegionRecord& record) {
  Json curve = Json::array();
  for (const learn::FitCurve& at : record.curve) curve.push_back({at.step, at.training, at.validation});
  return {{"region", record.region}, {"left", record.left}, {"curve", std::move(curve)}};
}

RegionRecord FromJson(const Json& json) {
  RegionRecord record{.region = json.at("region"), .left = json.at("left"), .curve = {}};
  // A loss that is not finite is null in JSON.
  const auto loss = [](const Json& number) {
    return number.is_null() ? std::numeric_limits<double>::quiet_NaN() : number.get<double>();
  };
  for (const Json& at : json.at("curve")) record.curve.push_back({at.at(0), loss(at.at(1)), loss(at.at(2))});
  return record;
}

}  // namespace

RegionRecord RecordOf(const TrainedRegion& region) {
  return {.region = region.corrective.region, .left = region.left, .curve = region.fit.curve};
}

bool Checkpoint::Find(int i, int k, TrainedRegion& region) const {
  if (static_cast<int>(deformer.levels.size()) < i) return false;
  const std::vector<deformer::RegionCorrective>& regions = deformer.levels[i - 1].regions;
  const auto found = std::find_if(regions.begin(), regions.end(), [&](const auto& r) { return r.region == k; });
  if (found == regions.end()) return false;
  region.corrective = *found;
  if (static_cast<int>(records.size()) < i) return true;
  for (const RegionRecord& record : records[i - 1]) {
    if (record.region != k) continue;
    region.left = record.left;
    region.fit.curve = record.curve;
  }
  return true;
}

Bytes FormatCheckpoint(const Checkpoint& checkpoint, const Json& call) {
  deformer::Deformer whole = checkpoint.deformer;
  Json kept = Json::array();
  for (const std::vector<RegionRecord>& level : checkpoint.records) {
    kept.push_back(Json::array());
    for (const RegionRecord& record : level) kept.back().push_back(ToJson(record));
  }
  whole.settings = {{"kept", std::move(kept)}, {"call", call}};
  return deformer::FormatDeformer(whole);
}

Checkpoint ParseCheckpoint(std::span<const std::byte> bytes, const Json& call, const std::string& file) {
  Checkpoint checkpoint{.deformer = deformer::ParseDeformer(bytes, file), .records = {}};
  const Json settings = std::exchange(checkpoint.deformer.settings, nullptr);
  if (!settings.is_object() || settings.value("call", Json()) != call) {
    throw InputError(file, "settings", "are not those of this call, so that it cannot be gone on from",
                     "give the same options and files, or leave --resume out");
  }
  try {
    for (const Json& level : settings.value("kept", Json::array())) {
      checkpoint.records.emplace_back();
      for (const Json& record : level) checkpoint.records.back().push_back(FromJson(record));
    }
  } catch (const Json::exception&) {
    throw InputError(file, "kept", "is not what training writes there", "leave --resume out");
  }
  return checkpoint;
}

LevelKeeper::LevelKeeper(const Checkpoint& finished, int region_count, const Save& save, CheckpointClock& clock)
    : finished_(finished), regions_(region_count), done_(region_count, false), save_(save), clock_(clock) {}

void LevelKeeper::Keep(int k, TrainedRegion region) {
  const std::lock_guard lock(mutex_);
  regions_[k] = std::move(region);
  done_[k] = true;
  if (!save_ || !clock_.due()) return;
  Checkpoint so_far = finished_;
  deformer::LevelCorrectives& level = so_far.deformer.levels.emplace_back();
  std::vector<RegionRecord>& records = so_far.records.emplace_back();
  for (size_t r = 0; r < regions_.size(); ++r) {
    if (!done_[r] || regions_[r].corrective.modes() == 0) continue;
    level.regions.push_back(regions_[r].corrective);
    records.push_back(RecordOf(regions_[r]));
  }
  save_(so_far);
  clock_.Saved();
}

}  // namespace sinew::multires
