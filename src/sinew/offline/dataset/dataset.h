// A dataset: characters, poses, and the true shapes of their skins in those poses. Reading one.
//
//   const Dataset dataset("body.dataset");
//   const Character character = dataset.ReadCharacter(0);
//   for (const int i : dataset.OkFrames()) Use(dataset.pose(i), dataset.Shape(i));
//
// Shapes stay on disk until they are asked for, one frame at a time: 3,600 frames of 75,000 vertices are 3.2 GB.
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

// Whether a path is a folder with a dataset's manifest in it.
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
  // Those that have a shape, in order.
  std::vector<int> OkFrames() const;

  // One transform per joint of the skeleton of the frame's character, in its order.
  const Pose& pose(int i) const;

  // Model space, in the dataset's unit, one row per vertex of the frame's character, all parts in order. Finite for
  // frames that are ok(), NaN for others. From any thread. The first call for a chunk reads all of its file and checks
  // it; every call throws InputError if the file is not what the manifest says.
  Points Shape(int i) const;

  // One frame of any array, without its first dimension; by name, as in DatasetChunk::arrays.
  NpyArray Array(int i, const std::string& name) const;
  // The names of the arrays that this frame has, "pose" and "shape" included.
  std::vector<std::string> ArrayNames(int i) const;

  // Throws InputError if the file in the dataset is not the one that it was made with.
  Character ReadCharacter(int c) const;
  std::filesystem::path CharacterFile(int c) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Cuts a shape into the character's parts: consecutive rows, in order.
std::vector<Points> SplitIntoParts(const Character& character, const Points& shape);

// Of pose and shape, 128 bits as 32 hexadecimal digits. Two frames of one skeleton and mesh are the same frame if and
// only if they have the same hash; training remembers by it what it has seen.
std::string HashFrame(const Pose& pose, const Points& shape);

// Of a whole list of poses, in order.
std::string HashPoses(const std::vector<Pose>& poses);

// Everything that checksums and hashes can tell: reads all files. One sentence per thing that is wrong.
std::vector<std::string> FindDamage(const Dataset& dataset);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_DATASET_H_
