#include "sinew/offline/dataset/carry_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/progress.h"

namespace sinew::dataset {
namespace {

void CheckFit(const Dataset& source, int character, const StoredCharacter& made, const SurfaceFollower& follower) {
  const DatasetManifest& manifest = source.manifest();
  if (character < 0 || character >= static_cast<int>(manifest.characters.size())) {
    throw UsageError(fmt::format("{} has no character {}; it has {}", source.path().string(), character,
                                 manifest.characters.size()));
  }
  const Skeleton ours = source.ReadCharacter(character).skeleton;
  const Skeleton& theirs = made.character.skeleton;
  const bool same = std::equal(ours.joints.begin(), ours.joints.end(), theirs.joints.begin(), theirs.joints.end(),
                               [](const Joint& a, const Joint& b) { return a.name == b.name && a.parent == b.parent; });
  if (!same) {
    throw UsageError(fmt::format("the truths of {} cannot be carried over to '{}', which has other joints",
                                 source.path().string(), made.character.name));
  }
  if (follower.source_vertices() != manifest.characters[character].vertices ||
      follower.vertex_count() != made.character.vertex_count()) {
    throw UsageError(fmt::format("the map leads from {} to {} vertices, the characters have {} and {}",
                                 follower.vertex_count(), follower.source_vertices(), made.character.vertex_count(),
                                 manifest.characters[character].vertices));
  }
}

ChunkData CarryChunk(const Dataset& source, const DatasetChunk& chunk, const SurfaceFollower& follower) {
  const int vertices = follower.vertex_count();
  ChunkData carried;
  std::vector<NpyArray> shapes;
  for (int i = chunk.first_frame; i < chunk.first_frame + chunk.frame_count; ++i) {
    DatasetFrame frame = source.frame(i);
    frame.character = 0;
    frame.hash.clear();
    Points shape = Points::Constant(vertices, 3, std::numeric_limits<float>::quiet_NaN());
    if (frame.ok()) shape = follower.Follow(source.Shape(i));
    carried.frames.push_back(frame);
    carried.poses.push_back(source.pose(i));
    shapes.push_back(MakeNpy(std::span<const float>(shape.data(), shape.size()), {vertices, 3}));
  }
  carried.arrays["shape"] = StackRows(shapes);
  return carried;
}

}  // namespace

void CarryFrames(const std::filesystem::path& folder, const Dataset& source, int character, const StoredCharacter& made,
                 const SurfaceFollower& follower) {
  CheckFit(source, character, made, follower);
  const DatasetManifest& manifest = source.manifest();
  DatasetManifest start = manifest;
  start.characters = {made.entry};
  start.frames.clear();
  start.chunks.clear();
  start.settings["carried_from"] = manifest.characters[character].hash;
  DatasetWriter writer(folder, start, {{made.entry.file, made.file}});
  const auto own = [&](const DatasetChunk& chunk) { return source.frame(chunk.first_frame).character == character; };
  Progress progress("carrying over", std::count_if(manifest.chunks.begin(), manifest.chunks.end(), own), "chunks");
  for (const DatasetChunk& chunk : manifest.chunks) {
    if (!own(chunk)) continue;
    writer.Write(CarryChunk(source, chunk, follower));
    progress.Advance(1);
  }
}

}  // namespace sinew::dataset
