// Writer of datasets, one chunk of frames at a time.
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

// Chunk to be written: frames of one character and one list of poses, sorted by Before().
struct ChunkData {
  std::vector<DatasetFrame> frames;  // manifest entries; the writer fills in the hashes
  std::vector<Pose> poses;           // one per frame
  // Arrays by name. "shape" is required: float32 [frames][vertices][3], NaN for failed frames. Others may have any
  // type; their first dimension is the frame.
  std::map<std::string, NpyArray> arrays;
};

class DatasetWriter {
 public:
  // Creates a dataset without frames in an empty folder. start: manifest without frames and chunks. files: content of
  // the characters' files, by DatasetCharacter::file. Throws FailedError if it cannot be written.
  DatasetWriter(const std::filesystem::path& folder, DatasetManifest start, const std::map<std::string, Bytes>& files);
  // Continues an existing dataset. Throws FailedError if another program or writer is writing to it.
  explicit DatasetWriter(const std::filesystem::path& folder);
  ~DatasetWriter();

  // Adds a chunk. The arrays are written first, then the manifest, each atomically: the chunk is part of the dataset if
  // and only if this call has returned. May be called from any thread, with chunks in any order. Throws UsageError for
  // frames that the dataset already has and for arrays that do not fit, FailedError if it cannot be written.
  void Write(const ChunkData& chunk);

  // Manifest as written so far. Must not be called while another thread writes.
  const DatasetManifest& manifest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Character together with the file that a dataset stores for it: a .glb unchanged, any other format encoded as .glb.
struct StoredCharacter {
  Character character;
  DatasetCharacter entry;
  Bytes file;
};
// Encodes a character as the file that a dataset stores. path: for messages, as below.
StoredCharacter StoreCharacter(Character character, const std::filesystem::path& path);
// Reads a character to be stored in a dataset. Throws InputError, naming the file, for a character without a skeleton,
// vertices or weights.
StoredCharacter ReadStoredCharacter(const std::filesystem::path& path, const gltf::GltfOptions& options = {});

// Stacks the arrays of single frames into the array of a chunk. Throws UsageError if they differ in shape or type.
// rows: at least one.
NpyArray StackRows(const std::vector<NpyArray>& rows);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_WRITER_H_
