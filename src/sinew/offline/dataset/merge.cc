#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/dataset/copy_frames.h"
#include "sinew/offline/dataset/subsets.h"

namespace sinew::dataset {
namespace {

namespace fs = std::filesystem;

template <typename Entry>
int FindOrAdd(std::vector<Entry>& table, const Entry& entry) {
  const auto found = std::find(table.begin(), table.end(), entry);
  const int index = static_cast<int>(found - table.begin());
  if (found == table.end()) table.push_back(entry);
  return index;
}

// Throws InputError unless the two datasets can be merged.
void CheckFits(const Dataset& first, const Dataset& other) {
  const auto refuse = [&](const std::string& problem) {
    throw InputError(other.path().string(), "", fmt::format("{} than {}", problem, first.path().string()),
                     "only parts that were made alike can be joined");
  };
  const DatasetManifest &a = first.manifest(), &b = other.manifest();
  if (a.characters != b.characters) refuse("has another character");
  if (a.metres_per_unit != b.metres_per_unit) refuse("has another unit");
  if (a.settings != b.settings) refuse("was made with other settings");
}

// Drops duplicates of identical frames; throws InputError if two entries of one frame differ.
std::vector<FrameSource> WithoutRepetitions(const std::vector<FrameSource>& sorted) {
  std::vector<FrameSource> once;
  for (const FrameSource& source : sorted) {
    if (once.empty() || Before(once.back().entry, source.entry)) {
      once.push_back(source);
      continue;
    }
    const FrameSource& other = once.back();
    if (other.entry.hash == source.entry.hash && other.entry.failure == source.entry.failure) continue;
    throw InputError(source.dataset->path().string(), fmt::format("frame {}", source.frame),
                     fmt::format("is another one than frame {} of {}, though both were made from the same pose",
                                 other.frame, other.dataset->path().string()),
                     "make one of the two again with what the other was made with");
  }
  return once;
}

}  // namespace

MergeSummary MergeDatasets(const fs::path& path, const std::vector<fs::path>& parts) {
  std::vector<Dataset> datasets;
  datasets.reserve(parts.size());
  for (const fs::path& part : parts) datasets.emplace_back(part);
  DatasetManifest start = datasets.at(0).manifest();
  start.frames.clear(), start.chunks.clear();
  std::vector<FrameSource> sources;
  for (const Dataset& dataset : datasets) {
    CheckFits(datasets[0], dataset);
    const DatasetManifest& manifest = dataset.manifest();
    std::vector<int> motions, poses;
    for (const DatasetMotion& motion : manifest.motions) motions.push_back(FindOrAdd(start.motions, motion));
    for (const DatasetPoses& list : manifest.poses) poses.push_back(FindOrAdd(start.poses, list));
    for (int i = 0; i < dataset.frame_count(); ++i) {
      FrameSource& source = sources.emplace_back(FrameSource{&dataset, i, dataset.frame(i)});
      source.entry.motion = motions[source.entry.motion];
      source.entry.poses = poses[source.entry.poses];
    }
  }
  std::stable_sort(sources.begin(), sources.end(),
                   [](const FrameSource& a, const FrameSource& b) { return Before(a.entry, b.entry); });
  const std::vector<FrameSource> once = WithoutRepetitions(sources);
  WriteFolderAtomic(path, IsDataset, [&](const fs::path& folder) { CopyFrames(folder, start, datasets[0], once); });
  return {static_cast<int>(once.size()), static_cast<int>(sources.size() - once.size())};
}

}  // namespace sinew::dataset
