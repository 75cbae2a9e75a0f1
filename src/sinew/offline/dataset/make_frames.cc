#include "sinew/offline/dataset/make_frames.h"

#include <atomic>
#include <limits>
#include <optional>
#include <set>

#include "sinew/offline/core/json.h"
#include "sinew/offline/core/parallel.h"

namespace sinew::dataset {
namespace {

// Frames that form one chunk.
struct Group {
  std::vector<int> frames;  // indices into the sequence
  std::vector<FrameTruth> truths;
  std::atomic<int> missing = 0;
};

struct Task {
  Group* group;
  int slot;
};

// Groups the tasks into units of work; the tasks of one unit are done in order on one thread.
std::vector<std::vector<int>> Units(const std::vector<Task>& tasks, const std::vector<FrameRange>& clips) {
  std::vector<std::vector<int>> units;
  size_t clip = 0;
  for (int t = 0; t < static_cast<int>(tasks.size()); ++t) {
    const int frame = tasks[t].group->frames[tasks[t].slot];
    const size_t before = clip;
    while (clip < clips.size() && frame >= clips[clip].end) ++clip;
    if (clip >= clips.size() || clip != before || units.empty()) units.emplace_back();
    units.back().push_back(t);
  }
  return units;
}

ChunkData ToChunk(const PoseSequence& sequence, const Group& group, int vertices) {
  ChunkData chunk;
  std::vector<float> shapes;
  std::map<std::string, std::vector<NpyArray>> rows;
  for (size_t k = 0; k < group.frames.size(); ++k) {
    const FrameTruth& truth = group.truths[k];
    DatasetFrame& frame = chunk.frames.emplace_back(sequence.frames[group.frames[k]]);
    frame.failure = truth.failure;
    chunk.poses.push_back(sequence.poses[frame.index]);
    if (frame.ok()) {
      shapes.insert(shapes.end(), truth.shape.data(), truth.shape.data() + truth.shape.size());
    } else {
      shapes.insert(shapes.end(), 3 * static_cast<size_t>(vertices), std::numeric_limits<float>::quiet_NaN());
    }
    for (const auto& [name, row] : truth.arrays) rows[name].push_back(row);
  }
  chunk.arrays["shape"] = MakeNpy(shapes, {static_cast<int64_t>(group.frames.size()), vertices, 3});
  for (const auto& [name, list] : rows) chunk.arrays[name] = StackRows(list);
  return chunk;
}

// Groups the frames of the range that the dataset lacks into chunks.
std::vector<std::unique_ptr<Group>> MakeGroups(const DatasetManifest& manifest, const FrameRange& range) {
  std::set<int> there;
  for (const DatasetFrame& frame : manifest.frames) there.insert(frame.index);
  std::vector<std::unique_ptr<Group>> groups;
  for (int begin = range.begin; begin < range.end; begin += manifest.chunk_frames) {
    auto group = std::make_unique<Group>();
    for (int i = begin; i < std::min(begin + manifest.chunk_frames, range.end); ++i) {
      if (!there.contains(i)) group->frames.push_back(i);
    }
    group->truths.resize(group->frames.size());
    group->missing = static_cast<int>(group->frames.size());
    if (!group->frames.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

DatasetManifest StartManifest(const StoredCharacter& character, const PoseSequence& sequence, Json settings) {
  DatasetManifest manifest;
  manifest.settings = std::move(settings);
  manifest.characters = {character.entry};
  manifest.motions = sequence.motions;
  manifest.poses = {sequence.entry};
  return manifest;
}

void MakeFrames(DatasetWriter& writer, const PoseSequence& sequence, const FrameRange& range,
                const MakeFramesOptions& options, const std::function<FrameTruth(int)>& make) {
  // One task per missing frame.
  const int vertices = writer.manifest().characters[0].vertices;
  const std::vector<std::unique_ptr<Group>> groups = MakeGroups(writer.manifest(), range);
  std::vector<Task> tasks;
  for (const auto& group : groups) {
    for (size_t k = 0; k < group->frames.size(); ++k) tasks.push_back({group.get(), static_cast<int>(k)});
  }
  // A task makes its frame, and writes the chunk if it was the last one missing.
  std::optional<Progress> own;
  if (options.progress == nullptr) own.emplace(options.label, static_cast<int64_t>(tasks.size()), "frames");
  Progress& progress = own ? *own : *options.progress;
  std::atomic<bool> stopped = false;
  const auto work = [&](int t) {
    if (stopped || (options.stop && options.stop())) return;
    Group& group = *tasks[t].group;
    try {
      group.truths[tasks[t].slot] = make(group.frames[tasks[t].slot]);
      if (--group.missing == 0) {
        writer.Write(ToChunk(sequence, group, vertices));
        group.truths.clear();
      }
    } catch (...) {
      stopped = true;
      throw;
    }
    progress.Advance();
  };
  // Run all units of work.
  const std::vector<std::vector<int>> units = Units(tasks, options.clips);
  const int count = static_cast<int>(units.size());
  const auto work_through = [&](int u) {
    for (const int t : units[u]) work(t);
  };
  if (options.parallel) return ParallelFor(count, 1, work_through);
  for (int u = 0; u < count; ++u) work_through(u);
}

}  // namespace sinew::dataset
