// One topology of a rig pack: what the training of a rigging network needs of all bodies with the same triangles.
// Format: docs/formats/rig-pack.md.
//
// Shapes and joints of its bodies mix linearly. Other connectivities of the same surface are maps: sparse matrices that
// give the points of another mesh from the points of the topology, for every body and every mix of bodies.
#ifndef SINEW_OFFLINE_CORPUS_RIG_TOPOLOGY_H_
#define SINEW_OFFLINE_CORPUS_RIG_TOPOLOGY_H_

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/dataset/split_frames.h"

namespace sinew::corpus {

struct RigShape {
  std::string body;     // CorpusBody::name
  Points rest;          // in model space, one row per point, on the grid of the topology
  Points joints;        // rest positions in model space, one row per joint
  SkinWeights weights;  // of at most kPackedInfluences joints; empty: those of the topology
};

// Another connectivity of the surface.
struct RigMap {
  dataset::Side side = dataset::Side::kTrain;  // kTrain or kTest
  uint64_t seed = 0;                           // that it was drawn with
  std::string base;                            // bodies::NameOf() the way that it was meshed
  // Point i is the sum over k of weights[i][k] times point sources[i][k] of the topology. A point that was kept has the
  // weights 1, 0, 0.
  std::vector<std::array<int, 3>> sources;
  std::vector<std::array<float, 3>> weights;
  Triangles triangles;  // of its own points

  int point_count() const { return static_cast<int>(sources.size()); }
  // Returns values at its points. values: one row per point of the topology.
  Points Apply(const Points& values) const;
};

struct RigTopology {
  std::string name;  // CorpusBody::topology
  std::vector<std::string> joints;
  std::vector<int> parents;  // of the joints; -1 or an earlier one
  Triangles triangles;
  SkinWeights weights;  // of all bodies; empty: each has its own
  // Grid of all rest shapes.
  Eigen::Vector3f grid_corner = Eigen::Vector3f::Zero();
  float grid_step = 1;
  std::vector<RigShape> shapes;  // at least one
  std::vector<RigMap> maps;

  int point_count() const { return static_cast<int>(shapes[0].rest.rows()); }
};

// Rounds a topology to what its files can hold: rest shapes, weights and the weights of maps.
void RoundToRigPack(RigTopology& topology);

// Encode a topology that was rounded: all but the maps, and the maps.
Bytes FormatRigShapes(const RigTopology& topology);
Bytes FormatRigMaps(const RigTopology& topology);

// Parse the files. Throw InputError for anything that docs/formats/rig-pack.md does not allow, and allocate no more
// than the files' sizes allow for.
RigTopology ParseRigShapes(std::span<const std::byte> bytes, const std::string& file);
// points: of the topology that the maps are of.
std::vector<RigMap> ParseRigMaps(std::span<const std::byte> bytes, int points, const std::string& file);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_RIG_TOPOLOGY_H_
