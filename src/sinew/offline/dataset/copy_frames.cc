#include "sinew/offline/dataset/copy_frames.h"

#include <map>

#include "sinew/offline/core/file.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/dataset/writer.h"

namespace sinew::dataset {
namespace {

// Whether two frames may share a chunk: same character, same list of poses, same arrays.
bool Together(const FrameSource& a, const FrameSource& b) {
  return a.entry.character == b.entry.character && a.entry.poses == b.entry.poses &&
         a.dataset->ArrayNames(a.frame) == b.dataset->ArrayNames(b.frame);
}

ChunkData ReadChunk(const std::vector<FrameSource>& sources, size_t begin, size_t end) {
  ChunkData chunk;
  std::map<std::string, std::vector<NpyArray>> rows;
  for (size_t k = begin; k < end; ++k) {
    const auto& [dataset, frame, entry] = sources[k];
    chunk.frames.push_back(entry);
    chunk.poses.push_back(dataset->pose(frame));
    for (const std::string& name : dataset->ArrayNames(frame)) {
      if (name != "pose") rows[name].push_back(dataset->Array(frame, name));
    }
  }
  for (const auto& [name, list] : rows) chunk.arrays[name] = StackRows(list);
  return chunk;
}

}  // namespace

void CopyFrames(const std::filesystem::path& folder, const DatasetManifest& start, const Dataset& characters,
                const std::vector<FrameSource>& sources) {
  std::map<std::string, Bytes> files;
  for (size_t c = 0; c < start.characters.size(); ++c) {
    characters.ReadCharacter(static_cast<int>(c));
    files[start.characters[c].file] = ReadFile(characters.CharacterFile(static_cast<int>(c)));
  }
  DatasetWriter writer(folder, start, files);
  Progress progress("copying", static_cast<int64_t>(sources.size()), "frames");
  for (size_t begin = 0; begin < sources.size();) {
    size_t end = begin + 1;
    while (end < sources.size() && end - begin < static_cast<size_t>(start.chunk_frames) &&
           Together(sources[begin], sources[end])) {
      ++end;
    }
    writer.Write(ReadChunk(sources, begin, end));
    progress.Advance(static_cast<int64_t>(end - begin));
    begin = end;
  }
}

}  // namespace sinew::dataset
