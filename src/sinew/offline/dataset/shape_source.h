// Shapes from other programs, frame by frame.
#ifndef SINEW_OFFLINE_DATASET_SHAPE_SOURCE_H_
#define SINEW_OFFLINE_DATASET_SHAPE_SOURCE_H_

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew::dataset {

struct ShapeSource {
  std::string name;  // what errors call it
  int frames = 0;
  int vertices = 0;
  // Positions of one frame, in the order that the source has them; throws InputError where they cannot be read. From
  // one thread at a time.
  std::function<Points(int frame)> shape;
};

// paths: one of
//   a .pc2 or .mdd point cache; an .npy array [frames][vertices][3];
//   a .glb or .gltf whose morph targets' weights are animated: a frame a key, skinned by poses[key] if it is skinned;
//   .obj, .glb or .gltf files, a frame each, or a folder of them, taken in the order of their names, numbers by value.
// poses: of the frames, for the skeleton that a skinned file has; joint_names: that skeleton's. Throws InputError for a
// type that is not known, files of several types, and frames with different numbers of vertices.
ShapeSource OpenShapes(const std::vector<std::filesystem::path>& paths, const std::vector<Pose>& poses,
                       const std::vector<std::string>& joint_names);

// "frame_9" before "frame_10".
bool NaturallyBefore(const std::string& a, const std::string& b);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_SHAPE_SOURCE_H_
