// Writing a dataset, a chunk at a time.
#ifndef SINEW_OFFLINE_DATASET_WRITER_H_
#define SINEW_OFFLINE_DATASET_WRITER_H_

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/io/gltf/gltf.h"

namespace sinew::dataset {

// Consecutive frames (Before()) of one character and one list of poses.
struct ChunkData {
  std::vector<DatasetFrame> frames;  // their hashes are filled in by the writer
  std::vector<Pose> poses;           // one per frame
  // "shape": float32 [frames][vertices][3], NaN where the frame failed. Others: any type, the first size is frames.
  std::map<std::string, NpyArray> arrays;
};

class DatasetWriter {
 public:
  // Begins a dataset without frames in an empty folder. start: everything but frames and chunks; the characters' files
  // are given in `files`, by DatasetCharacter::file. Throws FailedError if it cannot be written.
  DatasetWriter(const std::filesystem::path& folder, DatasetManifest start, const std::map<std::string, Bytes>& files);
  // Goes on with one that is there. Throws FailedError if another program or writer does so already.
  explicit DatasetWriter(const std::filesystem::path& folder);
  ~DatasetWriter();

  // After this returns the chunk is in the dataset; before, it is not: the arrays are written first, then the manifest,
  // each whole or not at all. From any thread, chunks in any order. Throws UsageError for frames that are there already
  // or arrays that do not fit, FailedError if it cannot be written.
  void Write(const ChunkData& chunk);

  // Not while another thread writes.
  const DatasetManifest& manifest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A character's file as a dataset keeps it: a .glb as it is, anything else encoded as one.
struct StoredCharacter {
  Character character;
  DatasetCharacter entry;
  Bytes file;
};
// Throws InputError, naming the file, for a character without a skeleton, vertices or weights.
StoredCharacter ReadStoredCharacter(const std::filesystem::path& path, const gltf::GltfOptions& options = {});

// Stacks rows of one shape and type: one frame's arrays to a chunk's.
NpyArray StackRows(const std::vector<NpyArray>& rows);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_WRITER_H_
