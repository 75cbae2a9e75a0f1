// dataset.json: what a dataset's folder holds. docs/formats/dataset.md.
#ifndef SINEW_OFFLINE_DATASET_MANIFEST_H_
#define SINEW_OFFLINE_DATASET_MANIFEST_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/core/json.h"

namespace sinew::dataset {

// A character whose shapes are in the dataset; its file is in the dataset's folder.
struct DatasetCharacter {
  std::string name;
  std::string file;  // relative to the folder
  std::string hash;  // HashHex() of the file
  int vertices = 0;  // all parts in order
  int joints = 0;

  bool operator==(const DatasetCharacter&) const = default;
};

// Where poses came from: a motion, whose frames are neighbours in time, or samples, which have no order.
struct DatasetMotion {
  std::string name;
  std::string file;  // without folders; may be empty
  bool timed = false;
  uint64_t seed = 0;  // of samples
  double rate = 0;    // of a motion: frames a second; 0: not known

  bool operator==(const DatasetMotion&) const = default;
};

// A list of poses that frames were made from, one by one.
struct DatasetPoses {
  std::string name;
  std::string hash;  // HashPoses()
  int frames = 0;

  bool operator==(const DatasetPoses&) const = default;
};

struct DatasetFrame {
  int character = 0;     // index into DatasetManifest::characters
  int poses = 0;         // index into DatasetManifest::poses
  int index = 0;         // which of those
  int motion = 0;        // index into DatasetManifest::motions
  int motion_frame = 0;  // the frame's number there
  std::string failure;   // why there is no shape; empty: there is one
  std::string hash;      // of pose and shape: the same frame has the same hash in every dataset

  bool ok() const { return failure.empty(); }
};

struct DatasetArray {
  std::string file;  // relative to the folder
  std::string hash;  // HashHex() of the file
};

// Consecutive frames of one character, whose arrays are in files together.
struct DatasetChunk {
  int first_frame = 0;  // index into DatasetManifest::frames
  int frame_count = 0;
  // "shape" and "pose" always; others are kept.
  std::map<std::string, DatasetArray> arrays;
};

struct DatasetManifest {
  double metres_per_unit = 1;  // of shapes and translations
  Json settings = Json::object();
  int chunk_frames = kDefaultChunkFrames;  // the most that a chunk holds
  std::vector<DatasetCharacter> characters;
  std::vector<DatasetMotion> motions;
  std::vector<DatasetPoses> poses;
  std::vector<DatasetFrame> frames;  // sorted by (character, poses, index), no two alike
  std::vector<DatasetChunk> chunks;  // in the order of their frames

  // At 75,000 vertices 14 MB.
  static constexpr int kDefaultChunkFrames = 16;
};

// What frames are sorted by.
bool Before(const DatasetFrame& a, const DatasetFrame& b);

// Throws InputError for anything that docs/formats/dataset.md does not allow.
DatasetManifest ParseDatasetManifest(std::string_view text, const std::string& file);
std::string FormatDatasetManifest(const DatasetManifest& manifest);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_MANIFEST_H_
