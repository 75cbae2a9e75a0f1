#include <fmt/format.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/dataset/copy_frames.h"
#include "sinew/offline/dataset/subsets.h"

namespace sinew::dataset {
namespace {

namespace fs = std::filesystem;

// Returns, per motion, Side::kTest for those that are named and -1 for the others.
std::vector<int> FindTestMotions(const Dataset& dataset, const std::vector<std::string>& names) {
  const std::vector<DatasetMotion>& motions = dataset.manifest().motions;
  std::vector<int> found(motions.size(), -1);
  for (const std::string& name : names) {
    bool any = false;
    for (size_t m = 0; m < motions.size(); ++m) {
      if (motions[m].name != name) continue;
      found[m] = static_cast<int>(Side::kTest);
      any = true;
    }
    if (any) continue;
    std::string known;
    for (const DatasetMotion& motion : motions) known += (known.empty() ? "" : ", ") + motion.name;
    throw UsageError(fmt::format("{} has no motion \"{}\"; it has {}", dataset.path().string(), name, known));
  }
  return found;
}

}  // namespace

Split SplitFrames(const Dataset& dataset, const SplitOptions& options) {
  const std::vector<int> fixed = FindTestMotions(dataset, options.test_motions);
  const std::vector<int> ok = dataset.OkFrames();
  std::vector<FramePlace> places;
  for (const int i : ok) {
    const DatasetFrame& frame = dataset.frame(i);
    places.push_back({frame.motion, frame.motion_frame, dataset.manifest().motions[frame.motion].timed});
  }
  const Deal deal = DealFrames(places, options.deal, fixed);
  Split split;
  split.between = deal.between;
  split.failed = dataset.frame_count() - static_cast<int>(ok.size());
  for (size_t k = 0; k < ok.size(); ++k) {
    if (deal.sides[k] >= 0) split.frames[deal.sides[k]].push_back(ok[k]);
  }
  for (int s = 0; s < kSides; ++s) {
    if (options.deal.shares[s] == 0 || !split.frames[s].empty()) continue;
    throw UsageError(fmt::format("{} has too few {} to leave any for {}; give it the share 0, or split by {}",
                                 dataset.path().string(), options.deal.by_motion ? "motions" : "frames",
                                 Name(static_cast<Side>(s)), options.deal.by_motion ? "frame" : "smaller blocks"));
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
