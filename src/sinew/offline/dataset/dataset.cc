#include "sinew/offline/dataset/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/dataset/pose_array.h"
#include "sinew/offline/io/gltf/gltf.h"

namespace sinew::dataset {
namespace {

namespace fs = std::filesystem;
constexpr const char* kManifest = "dataset.json";
constexpr const char* kRemedy = "copy the dataset again, or make these frames again";

[[noreturn]] void Fail(const fs::path& file, const std::string& place, const std::string& problem) {
  throw InputError(file.string(), place, problem, kRemedy);
}

// Array file that has been checked against the manifest.
struct CheckedArray {
  fs::path path;
  NpyHeader header;

  size_t row_bytes() const {
    size_t bytes = SizeOf(header.type);
    for (size_t d = 1; d < header.shape.size(); ++d) bytes *= static_cast<size_t>(header.shape[d]);
    return bytes;
  }
};

// shape: what it must be, -1 any size; a shorter one leaves the rest open.
void CheckShape(const CheckedArray& array, const std::vector<int64_t>& shape, bool floats) {
  const NpyHeader& header = array.header;
  bool fits = !header.shape.empty() && header.shape[0] == shape[0];
  if (floats) fits = header.type == NpyType::kFloat && header.shape == shape;
  if (!fits) {
    std::string wanted = fmt::format("{}", shape[0]);
    for (size_t d = 1; d < shape.size(); ++d) wanted += fmt::format(" x {}", shape[d]);
    Fail(array.path, "", fmt::format("is not {} of {}", floats ? "a float32 array" : "an array", wanted));
  }
  if (header.swapped || header.fortran) Fail(array.path, "", "is not little-endian with the last index fastest");
}

}  // namespace

bool IsDataset(const fs::path& path) { return fs::is_directory(path) && fs::is_regular_file(path / kManifest); }

struct Dataset::State {
  fs::path path;
  DatasetManifest manifest;
  std::vector<int> chunk_of;  // one per frame
  std::vector<Pose> poses;    // one per frame
  // Arrays of one chunk that have been checked already, by name.
  struct CheckedOnce {
    std::mutex mutex;
    std::map<std::string, CheckedArray> arrays;
  };
  std::vector<std::unique_ptr<CheckedOnce>> checked;  // one per chunk

  std::vector<int64_t> ExpectedShape(const DatasetChunk& chunk, const std::string& name) const {
    const DatasetCharacter& character = manifest.characters[manifest.frames[chunk.first_frame].character];
    if (name == "shape") return {chunk.frame_count, character.vertices, 3};
    if (name == "pose") return {chunk.frame_count, character.joints, kPoseWidth};
    return {chunk.frame_count};
  }

  CheckedArray ReadAndCheck(const DatasetChunk& chunk, const std::string& name, Bytes& bytes) const {
    const DatasetArray& array = chunk.arrays.at(name);
    CheckedArray checked_array{path / array.file, {}};
    bytes = ReadFile(checked_array.path);
    if (HashHex(bytes) != array.hash) {
      Fail(checked_array.path, "", fmt::format("is not the array that {} describes: the checksum differs", kManifest));
    }
    checked_array.header = ParseNpyHeader(bytes, checked_array.path.string());
    CheckNpySize(checked_array.header, bytes.size(), checked_array.path.string());
    CheckShape(checked_array, ExpectedShape(chunk, name), name == "shape" || name == "pose");
    return checked_array;
  }

  CheckedArray Find(int c, const std::string& name) const {
    const std::lock_guard lock(checked[c]->mutex);
    auto& arrays = checked[c]->arrays;
    const auto found = arrays.find(name);
    if (found != arrays.end()) return found->second;
    Bytes bytes;
    return arrays.emplace(name, ReadAndCheck(manifest.chunks[c], name, bytes)).first->second;
  }

  // Reads the bytes of frame i alone.
  Bytes ReadRow(const CheckedArray& array, int i) const {
    const int row = i - manifest.chunks[chunk_of[i]].first_frame;
    return ReadFilePart(array.path, array.header.data_start + row * array.row_bytes(), array.row_bytes());
  }

  void ReadPoses(const DatasetChunk& chunk) {
    Bytes bytes;
    const CheckedArray array = ReadAndCheck(chunk, "pose", bytes);
    const size_t width = array.row_bytes() / sizeof(float);
    std::vector<float> values(width);
    for (int f = 0; f < chunk.frame_count; ++f) {
      std::memcpy(values.data(), &bytes[array.header.data_start + f * array.row_bytes()], array.row_bytes());
      const int bad = FindBadJoint(values);
      if (bad >= 0) Fail(array.path, fmt::format("row {}, joint {}", f, bad), "is no pose: not finite or no rotation");
      poses.push_back(PoseFromValues(values));
    }
  }
};

Dataset::Dataset(const fs::path& path) : state_(std::make_unique<State>()) {
  state_->path = path;
  const fs::path manifest_path = path / kManifest;
  if (fs::is_directory(path) && !fs::exists(manifest_path)) {
    throw InputError(path.string(), "", fmt::format("is a folder without {}", kManifest), "name a dataset");
  }
  state_->manifest = ParseDatasetManifest(ReadTextFile(manifest_path), manifest_path.string());
  const std::vector<DatasetChunk>& chunks = state_->manifest.chunks;
  for (size_t c = 0; c < chunks.size(); ++c) {
    state_->chunk_of.insert(state_->chunk_of.end(), chunks[c].frame_count, static_cast<int>(c));
    state_->checked.push_back(std::make_unique<State::CheckedOnce>());
    state_->ReadPoses(chunks[c]);
  }
}

Dataset::~Dataset() = default;
Dataset::Dataset(Dataset&&) noexcept = default;
Dataset& Dataset::operator=(Dataset&&) noexcept = default;

const fs::path& Dataset::path() const { return state_->path; }
const DatasetManifest& Dataset::manifest() const { return state_->manifest; }
const Pose& Dataset::pose(int i) const { return state_->poses[i]; }

std::vector<int> Dataset::OkFrames() const {
  std::vector<int> frames;
  for (int i = 0; i < frame_count(); ++i) {
    if (frame(i).ok()) frames.push_back(i);
  }
  return frames;
}

Points Dataset::Shape(int i) const {
  const CheckedArray array = state_->Find(state_->chunk_of[i], "shape");
  const Bytes bytes = state_->ReadRow(array, i);
  Points shape(array.header.shape[1], 3);
  std::memcpy(shape.data(), bytes.data(), bytes.size());
  if (frame(i).ok() && !shape.allFinite()) {
    Fail(array.path, fmt::format("frame {}", i), "holds a number that is not finite, and is not marked as failed");
  }
  return shape;
}

NpyArray Dataset::Array(int i, const std::string& name) const {
  const DatasetChunk& chunk = manifest().chunks[state_->chunk_of[i]];
  if (!chunk.arrays.contains(name)) {
    throw UsageError(fmt::format("{}: frame {} has no array \"{}\"", path().string(), i, name));
  }
  const CheckedArray array = state_->Find(state_->chunk_of[i], name);
  const std::vector<int64_t>& shape = array.header.shape;
  return {array.header.type, {shape.begin() + 1, shape.end()}, state_->ReadRow(array, i)};
}

std::vector<std::string> Dataset::ArrayNames(int i) const {
  std::vector<std::string> names;
  for (const auto& [name, array] : manifest().chunks[state_->chunk_of[i]].arrays) names.push_back(name);
  return names;
}

fs::path Dataset::CharacterFile(int c) const { return path() / manifest().characters[c].file; }

Character Dataset::ReadCharacter(int c) const {
  const DatasetCharacter& expected = manifest().characters[c];
  const fs::path file = CharacterFile(c);
  const Bytes bytes = ReadFile(file);
  if (HashHex(bytes) != expected.hash) {
    Fail(file, "", fmt::format("is not the character that {} describes: the checksum differs", kManifest));
  }
  Character character = gltf::ReadGltf(bytes, file.string(), "", {.skin = "", .quiet = true});
  if (character.vertex_count() != expected.vertices || character.skeleton.joint_count() != expected.joints) {
    Fail(file, "",
         fmt::format("has {} vertices and {} joints where {} says {} and {}", character.vertex_count(),
                     character.skeleton.joint_count(), kManifest, expected.vertices, expected.joints));
  }
  return character;
}

std::vector<Points> SplitIntoParts(const Character& character, const Points& shape) {
  std::vector<Points> parts;
  Eigen::Index at = 0;
  for (const Part& part : character.parts) {
    parts.emplace_back(shape.middleRows(at, part.mesh.vertex_count()));
    at += part.mesh.vertex_count();
  }
  return parts;
}

std::string HashFrame(const Pose& pose, const Points& shape) {
  std::vector<float> values;
  values.reserve(pose.size() * kPoseWidth + shape.size());
  AppendPose(pose, values);
  values.insert(values.end(), shape.data(), shape.data() + shape.size());
  return HashHex(std::as_bytes(std::span(values)));
}

std::string HashPoses(const std::vector<Pose>& poses) {
  std::vector<float> values;
  for (const Pose& pose : poses) AppendPose(pose, values);
  return HashHex(std::as_bytes(std::span(values)));
}

std::vector<std::string> FindDamage(const Dataset& dataset) {
  std::vector<std::string> damage;
  const auto attempt = [&](const auto& read) {
    try {
      read();
    } catch (const Error& error) {
      damage.emplace_back(error.what());
    }
  };
  const DatasetManifest& manifest = dataset.manifest();
  for (size_t c = 0; c < manifest.characters.size(); ++c) {
    attempt([&] { dataset.ReadCharacter(static_cast<int>(c)); });
  }
  Progress progress("checking", dataset.frame_count(), "frames");
  for (const DatasetChunk& chunk : manifest.chunks) {
    for (const auto& entry : chunk.arrays) attempt([&] { dataset.Array(chunk.first_frame, entry.first); });
    for (int i = chunk.first_frame; i < chunk.first_frame + chunk.frame_count; ++i) {
      attempt([&] {
        if (HashFrame(dataset.pose(i), dataset.Shape(i)) == dataset.frame(i).hash) return;
        throw InputError(dataset.path().string(), fmt::format("frame {}", i),
                         "has another hash than its pose and shape", kRemedy);
      });
      progress.Advance();
    }
  }
  // A damaged chunk gives the same sentence for each of its frames; keep one.
  damage.erase(std::unique(damage.begin(), damage.end()), damage.end());
  return damage;
}

}  // namespace sinew::dataset
