// Pieces of a mesh that no joint reaches: a hat that floats, a prop that stands aside.
#ifndef SINEW_OFFLINE_SKINCELLS_ISLANDS_H_
#define SINEW_OFFLINE_SKINCELLS_ISLANDS_H_

#include <span>
#include <string>
#include <vector>

#include "sinew/offline/skincells/bones.h"

namespace sinew::skincells {

// How far from every bone an island must be not to be reached; of the longest side of the box around the bones. It must
// also be farther away than anything of the islands that are reached.
constexpr double kReach = 0.25;

struct UnreachedIsland {
  std::vector<int> vertices;  // of the subject's surface, increasing
  Eigen::Vector3d center;     // bind space
  int joint = -1;             // of the skeleton: the one whose bone is nearest
  double distance = 0;        // to that bone
};

// Islands are what triangles connect; a vertex in no triangle is one by itself. By their lowest vertices.
std::vector<UnreachedIsland> FindUnreachedIslands(const Subject& subject, std::span<const Bone> bones);

// Binds each to its joint, and says so: one sentence an island, a few at most.
std::vector<std::string> BindIslands(const Subject& subject, std::span<const UnreachedIsland> islands,
                                     const std::string& file, SkinWeights& weights);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_ISLANDS_H_
