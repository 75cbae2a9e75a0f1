// Reader of shapes from other programs, frame by frame: point caches, arrays, morph animations and mesh sequences.
#ifndef SINEW_OFFLINE_DATASET_SHAPE_SOURCE_H_
#define SINEW_OFFLINE_DATASET_SHAPE_SOURCE_H_

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew::dataset {

struct ShapeSource {
  std::string name;  // name of the source in error messages
  int frames = 0;
  int vertices = 0;
  // Returns the positions of one frame, vertices in the order of the source; throws InputError if they cannot be read.
  // Must not be called from two threads at once.
  std::function<Points(int frame)> shape;
};

// Opens a source of shapes. paths: one of
//   a .pc2 or .mdd point cache; an .npy array [frames][vertices][3];
//   a .glb or .gltf file with animated morph target weights (the first such animation): one frame per key, skinned by
//   poses[key] if the mesh has a skin;
//   .obj, .glb or .gltf files, all of one type, one frame each, or a folder of them. They are sorted by
//   NaturallyBefore(), whatever order they are listed in; skinned meshes are taken in their own rest pose.
// poses, joint_names: poses of the frames and joint names of their skeleton, used only for skinned morph animations;
// poses must outlive the source. Throws InputError for an unknown type, files of several types and a skinned morph
// animation with another skeleton. A later file of a sequence with another number of vertices than the first makes
// ShapeSource::shape throw.
ShapeSource OpenShapes(const std::vector<std::filesystem::path>& paths, const std::vector<Pose>& poses,
                       const std::vector<std::string>& joint_names);

// Compares file names for sorting, with numbers by value: "frame_9" before "frame_10".
bool NaturallyBefore(const std::string& a, const std::string& b);

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_SHAPE_SOURCE_H_
