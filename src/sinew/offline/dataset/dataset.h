// Reader of datasets: characters, poses, and the ground-truth shapes of their skins in those poses.
//
//   const Dataset dataset("body.dataset");
//   const Character character = dataset.ReadCharacter(0);
//   for (const int i : dataset.OkFrames()) Use(dataset.pose(i), dataset.Shape(i));
//
// Shapes are read from disk one frame at a time, on request: 3,600 frames of 75,000 vertices are 3.2 GB.
#ifndef SINEW_OFFLINE_DATASET_DATASET_H_
#define SINEW_OFFLINE_DATASET_DATASET_H_

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/dataset/manifest.h"
#include "sinew/offline/io/npy.h"

namespace sinew::dataset {

// Whether the path is a folder that contains a dataset's manifest.
bool IsDataset(const std::filesystem::path& path);

class Dataset {
 public:
  // Reads the manifest and all poses; throws InputError for anything that docs/formats/dataset.md does not allow.
  explicit Dataset(const std::filesystem::path& path);
  ~Dataset();
  Dataset(Dataset&&) noexcept;
  Dataset& operator=(Dataset&&) noexcept;

  const std::filesystem::path& path() const;
  const DatasetManifest& manifest() const;

  int frame_count() const { return static_cast<int>(manifest().frames.size()); }
  const DatasetFrame& frame(int i) const { return manifest().frames[i]; }
  // Indices of the frames that have a shape (DatasetFrame::ok()), increasing.
  std::vector<int> OkFrames() const;

  // Pose of frame i: one local transform per joint of the skeleton of the frame's character, in its order.
  const Pose& pose(int i) const;

  // Ground-truth positions of frame i in model space, in the dataset's unit, one row per vertex of the frame's
  // character, all parts in order. Finite for frames that are ok(), NaN for others. May be called from any thread. The
  // first call for a chunk reads the chunk's whole file and throws InputError if it is not what the manifest says; once
  // a file has passed, later calls read only their frame.
  Points Shape(int i) const;

  // Row of frame i in an array, that is without the array's first dimension. name: a key of DatasetChunk::arrays;
  // throws UsageError if the frame has no such array. Files are checked as by Shape(), and it may be called from any
  // thread.
  NpyArray Array(int i, const std::string& name) const;
  // Returns the names of the arrays that frame i has, "pose" and "shape" included.
  std::vector<std::string> ArrayNames(int i) const;

  // Reads character c from the dataset's folder. Throws InputError if its file is not the one that the dataset was made
  // with (checksum, number of vertices and joints).
  Character ReadCharacter(int c) const;
  std::filesystem::path CharacterFile(int c) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Splits a shape into the character's parts, which are consecutive rows in the order of the parts.
std::vector<Points> SplitIntoParts(const Character& character, const Points& shape);

// Hash of pose and shape, 128 bits as 32 hexadecimal digits. Two frames of one skeleton and mesh are the same frame if
// and only if they have the same hash; deformers record by these hashes which frames they were trained on.
std::string HashFrame(const Pose& pose, const Points& shape);

// Hash of a whole list of poses, in order.
std::string HashPoses(const std::vector<Pose>& poses);

// Reads all files of the dataset and checks all checksums and hashes. Returns one sentence per error found; empty if
// the dataset is intact.
std::vector<std::string> FindDamage(const Dataset& dataset);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_DATASET_H_
