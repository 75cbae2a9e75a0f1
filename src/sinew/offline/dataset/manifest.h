// Manifest of a dataset (dataset.json): the content of the dataset's folder. Format: docs/formats/dataset.md.
#ifndef SINEW_OFFLINE_DATASET_MANIFEST_H_
#define SINEW_OFFLINE_DATASET_MANIFEST_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/core/json.h"

namespace sinew::dataset {

// Character of the dataset, whose file is in the dataset's folder.
struct DatasetCharacter {
  std::string name;
  std::string file;  // path relative to the dataset's folder
  std::string hash;  // HashHex() of the file
  int vertices = 0;  // number of vertices of all parts
  int joints = 0;

  bool operator==(const DatasetCharacter&) const = default;
};

// Source of poses: either a motion, whose frames are neighbours in time, or random samples, which have no order.
struct DatasetMotion {
  std::string name;
  std::string file;    // file name without folders; may be empty
  bool timed = false;  // true: motion; false: samples
  uint64_t seed = 0;   // seed of the samples
  double rate = 0;     // frames per second of a motion; 0: unknown

  bool operator==(const DatasetMotion&) const = default;
};

// List of poses from which frames were made, one frame per pose.
struct DatasetPoses {
  std::string name;
  std::string hash;  // HashPoses() of the list
  int frames = 0;    // number of poses

  bool operator==(const DatasetPoses&) const = default;
};

struct DatasetFrame {
  int character = 0;     // index into DatasetManifest::characters
  int poses = 0;         // index into DatasetManifest::poses
  int index = 0;         // index of the pose in that list
  int motion = 0;        // index into DatasetManifest::motions
  int motion_frame = 0;  // number of the frame within that motion
  std::string failure;   // reason why the frame has no shape; empty: it has one
  std::string hash;      // HashFrame() of pose and shape: the same frame has the same hash in every dataset

  bool ok() const { return failure.empty(); }
};

struct DatasetArray {
  std::string file;  // path relative to the dataset's folder
  std::string hash;  // HashHex() of the file
};

// Consecutive frames of one character and one list of poses, stored together in one file per array.
struct DatasetChunk {
  int first_frame = 0;  // index into DatasetManifest::frames
  int frame_count = 0;
  // Arrays by name: "shape" and "pose" always; any others are kept unchanged.
  std::map<std::string, DatasetArray> arrays;
};

struct DatasetManifest {
  double metres_per_unit = 1;              // length of the unit of shapes and translations
  Json settings = Json::object();          // how the shapes were made; only datasets of equal settings can be merged
  int chunk_frames = kDefaultChunkFrames;  // maximum number of frames per chunk
  std::vector<DatasetCharacter> characters;
  std::vector<DatasetMotion> motions;
  std::vector<DatasetPoses> poses;
  std::vector<DatasetFrame> frames;  // sorted by (character, poses, index), without duplicates
  std::vector<DatasetChunk> chunks;  // in the order of their frames

  // 14 MB per chunk at 75,000 vertices.
  static constexpr int kDefaultChunkFrames = 16;
};

// Order of frames in a dataset: by (character, poses, index).
bool Before(const DatasetFrame& a, const DatasetFrame& b);

// Parses dataset.json. file: its name in error messages. Throws InputError for anything that docs/formats/dataset.md
// does not allow.
DatasetManifest ParseDatasetManifest(std::string_view text, const std::string& file);
std::string FormatDatasetManifest(const DatasetManifest& manifest);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_MANIFEST_H_
