// Finds and binds pieces of a mesh that no joint reaches: a hat that floats, a prop that stands aside.
#ifndef SINEW_OFFLINE_SKINCELLS_ISLANDS_H_
#define SINEW_OFFLINE_SKINCELLS_ISLANDS_H_

#include <span>
#include <string>
#include <vector>

#include "sinew/offline/skincells/bones.h"

namespace sinew::skincells {

// Distance from every bone beyond which an island counts as unreached, as a fraction of the longest side of the bones'
// bounding box. It must also be farther away than any vertex of the islands that are reached.
constexpr double kReach = 0.25;

struct UnreachedIsland {
  std::vector<int> vertices;  // vertices of the subject's surface, increasing
  Eigen::Vector3d center;     // mean of its vertices, bind space
  int joint = -1;             // index into the skeleton, of the joint whose bone is nearest
  double distance = 0;        // distance from that bone, in the unit of bind space
};

// Returns the islands that no joint reaches, ordered by their lowest vertices. An island is a set of vertices that
// triangles connect; a vertex in no triangle is one by itself.
std::vector<UnreachedIsland> FindUnreachedIslands(const Subject& subject, std::span<const Bone> bones);

// Binds each island to its joint with weight 1. Returns messages to the user: one sentence per island, a few at most.
std::vector<std::string> BindIslands(const Subject& subject, std::span<const UnreachedIsland> islands,
                                     const std::string& file, SkinWeights& weights);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_ISLANDS_H_
