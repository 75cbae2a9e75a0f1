#include "sinew/offline/dataset/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/folder_lock.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/write_error.h"
#include "sinew/offline/dataset/pose_array.h"
#include "sinew/offline/io/character_file.h"

namespace sinew::dataset {
namespace {

namespace fs = std::filesystem;
constexpr const char* kManifest = "dataset.json";
constexpr const char* kChunks = "chunks";

void MakeFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw WriteError(folder.string(), error.value());
}

NpyArray PoseArray(const std::vector<Pose>& poses) {
  std::vector<float> values;
  for (const Pose& pose : poses) AppendPose(pose, values);
  return MakeNpy(values, {static_cast<int64_t>(poses.size()), static_cast<int64_t>(poses[0].size()), kPoseWidth});
}

Points ShapeOfRow(const NpyArray& shapes, size_t row) {
  Points shape(shapes.shape[1], 3);
  const size_t bytes = shape.size() * sizeof(float);
  std::memcpy(shape.data(), shapes.data.data() + row * bytes, bytes);
  return shape;
}

// Throws UsageError unless the chunk is valid by itself and fits the dataset's characters.
void CheckChunk(const DatasetManifest& manifest, const ChunkData& chunk) {
  const auto require = [](bool condition, const char* problem) {
    if (!condition) throw UsageError(fmt::format("a dataset's chunk {}", problem));
  };
  const auto count = static_cast<int64_t>(chunk.frames.size());
  require(count > 0 && count <= manifest.chunk_frames, "has no frames, or more than the dataset's chunks have");
  require(chunk.poses.size() == chunk.frames.size(), "has not as many poses as frames");
  require(chunk.arrays.contains("shape") && !chunk.arrays.contains("pose"), "has no shapes, or poses as an array");
  for (const auto& [name, array] : chunk.arrays) {
    require(!array.shape.empty() && array.shape[0] == count, "has an array with not as many rows as frames");
  }
  const DatasetCharacter& character = manifest.characters.at(chunk.frames[0].character);
  const NpyArray& shapes = chunk.arrays.at("shape");
  require(shapes.type == NpyType::kFloat && shapes.shape == std::vector<int64_t>{count, character.vertices, 3},
          "has shapes with not as many vertices as the character");
  for (size_t f = 0; f < chunk.frames.size(); ++f) {
    const DatasetFrame& frame = chunk.frames[f];
    require(f == 0 || Before(chunk.frames[f - 1], frame), "has frames that are not in order");
    require(frame.character == chunk.frames[0].character && frame.poses == chunk.frames[0].poses,
            "mixes characters or lists of poses");
    require(static_cast<int>(chunk.poses[f].size()) == character.joints, "has poses of another skeleton");
    require(!frame.ok() || ShapeOfRow(shapes, f).allFinite(),
            "has a shape that is not finite and not marked as failed");
  }
}

// Inserts a chunk and its frames into the manifest at their place in the order. Throws UsageError if they overlap
// others.
void Insert(DatasetManifest& manifest, const std::vector<DatasetFrame>& frames, DatasetChunk chunk) {
  const auto later = std::find_if(manifest.chunks.begin(), manifest.chunks.end(), [&](const DatasetChunk& other) {
    return !Before(manifest.frames[other.first_frame], frames[0]);
  });
  const int at = later == manifest.chunks.end() ? static_cast<int>(manifest.frames.size()) : later->first_frame;
  const bool after_last = at == 0 || Before(manifest.frames[at - 1], frames.front());
  const bool before_next = at == static_cast<int>(manifest.frames.size()) || Before(frames.back(), manifest.frames[at]);
  if (!after_last || !before_next) throw UsageError("a dataset's chunk overlaps another one");
  chunk.first_frame = at;
  chunk.frame_count = static_cast<int>(frames.size());
  for (auto it = later; it != manifest.chunks.end(); ++it) it->first_frame += chunk.frame_count;
  manifest.chunks.insert(later, std::move(chunk));
  manifest.frames.insert(manifest.frames.begin() + at, frames.begin(), frames.end());
}

}  // namespace

struct DatasetWriter::State {
  fs::path folder;
  DatasetManifest manifest;
  std::mutex mutex;
  FolderLock lock;  // excludes other programs: two that write one manifest would lose each other's chunks

  void WriteManifest(const DatasetManifest& changed) const {
    WriteFileAtomic(folder / kManifest, FormatDatasetManifest(changed));
  }
};

DatasetWriter::DatasetWriter(const fs::path& folder, DatasetManifest start, const std::map<std::string, Bytes>& files)
    : state_(std::make_unique<State>()) {
  state_->folder = folder;
  state_->manifest = std::move(start);
  MakeFolder(folder / kChunks);
  for (const auto& [name, bytes] : files) {
    MakeFolder((folder / name).parent_path());
    WriteFileAtomic(folder / name, bytes);
  }
  state_->WriteManifest(state_->manifest);
}

DatasetWriter::DatasetWriter(const fs::path& folder) : state_(std::make_unique<State>()) {
  state_->folder = folder;
  state_->lock = FolderLock(folder);
  state_->manifest = Dataset(folder).manifest();
  MakeFolder(folder / kChunks);
}

DatasetWriter::~DatasetWriter() = default;
const DatasetManifest& DatasetWriter::manifest() const { return state_->manifest; }

void DatasetWriter::Write(const ChunkData& data) {
  const std::lock_guard lock(state_->mutex);
  CheckChunk(state_->manifest, data);
  const DatasetFrame& first = data.frames[0];
  const std::string name = fmt::format("{}/{}_{}_{:06}", kChunks, first.character, first.poses, first.index);
  std::vector<DatasetFrame> frames = data.frames;
  const NpyArray& shapes = data.arrays.at("shape");
  for (size_t f = 0; f < frames.size(); ++f) frames[f].hash = HashFrame(data.poses[f], ShapeOfRow(shapes, f));
  DatasetChunk chunk;
  const auto add = [&](const std::string& array_name, const NpyArray& array) {
    const Bytes bytes = FormatNpy(array);
    const std::string file = fmt::format("{}.{}.npy", name, array_name);
    WriteFileAtomic(state_->folder / file, bytes);
    chunk.arrays[array_name] = {file, HashHex(bytes)};
  };
  add("pose", PoseArray(data.poses));
  for (const auto& [array_name, array] : data.arrays) add(array_name, array);
  DatasetManifest changed = state_->manifest;
  Insert(changed, frames, std::move(chunk));
  state_->WriteManifest(changed);
  state_->manifest = std::move(changed);
}

namespace {

// Completes a stored character whose file is in place.
StoredCharacter Described(StoredCharacter stored, const fs::path& path) {
  const Character& character = stored.character;
  const bool weighted = std::any_of(character.parts.begin(), character.parts.end(),
                                    [](const Part& part) { return part.skin >= 0 && !part.weights.empty(); });
  if (character.skeleton.joints.empty() || character.vertex_count() == 0 || !weighted) {
    throw InputError(path.string(), "", "has no skeleton, or no vertex with skinning weights",
                     "give it weights with 'sinew skin CHARACTER -o OUT', or name a rigged character");
  }
  if (stored.file.empty()) stored.file = gltf::EncodeGlb(character);
  const std::string hash = HashHex(stored.file);
  stored.entry = {.name = character.name,
                  .file = fmt::format("characters/{}.glb", hash),
                  .hash = hash,
                  .vertices = character.vertex_count(),
                  .joints = character.skeleton.joint_count()};
  return stored;
}

}  // namespace

StoredCharacter StoreCharacter(Character character, const fs::path& path) {
  return Described({.character = std::move(character), .entry = {}, .file = {}}, path);
}

StoredCharacter ReadStoredCharacter(const fs::path& path, const gltf::GltfOptions& options) {
  StoredCharacter stored{.character = ReadCharacter(path, options), .entry = {}, .file = {}};
  if (LowerExtension(path) == ".glb") stored.file = ReadFile(path);
  return Described(std::move(stored), path);
}

NpyArray StackRows(const std::vector<NpyArray>& rows) {
  NpyArray stacked{rows[0].type, rows[0].shape, {}};
  stacked.shape.insert(stacked.shape.begin(), static_cast<int64_t>(rows.size()));
  for (const NpyArray& row : rows) {
    if (row.type != rows[0].type || row.shape != rows[0].shape) throw UsageError("rows of an array differ in shape");
    stacked.data.insert(stacked.data.end(), row.data.begin(), row.data.end());
  }
  return stacked;
}

}  // namespace sinew::dataset
