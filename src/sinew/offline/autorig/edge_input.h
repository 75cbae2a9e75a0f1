// What a rigging network sees of a body: the edges of its surface, remeshed evenly, in canonical space. The mesh of the
// file is never seen, so that a body gets the same rig however it was meshed.
#ifndef SINEW_OFFLINE_AUTORIG_EDGE_INPUT_H_
#define SINEW_OFFLINE_AUTORIG_EDGE_INPUT_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/autorig/body_frame.h"
#include "sinew/offline/learn/layers/mesh_conv.h"
#include "sinew/offline/mesh/surface_map.h"

namespace sinew::autorig {

using learn::ConstRows;
using learn::RowMatrix;

// Surface of evenly sized triangles, in the space of its source.
struct WorkingSurface {
  TriMesh mesh;
  SurfaceMap map;              // from its vertices to the triangles of the source
  std::vector<bool> left_out;  // per triangle of the source: whether its island was too small to be seen
};

// Vertices of working surfaces: edges of 20 mm on a naked body of 1.7 m, less than the width of a wrist; and those of
// coarse ones, for quick looks.
constexpr int kWorkingVertices = 5000, kCoarseVertices = 1500;

// Remeshes a surface. Islands of less than a hundredth of the area, such as eyes and buttons, are left out unless there
// is nothing else. seed: of the new vertices' places. Throws InputError, naming `file`, for a surface without area.
WorkingSurface MakeWorkingSurface(const TriMesh& source, int vertices, uint64_t seed, const std::string& file);

// Columns of the features of an edge: the mean of its two ends, as in the paper; then its normal, and the distance
// through the body behind it.
constexpr int kPositionColumns = 3;
constexpr int kFeatureColumns = 7;

struct EdgeInput {
  layers::EdgeRings rings;
  std::vector<std::array<int, 2>> ends;  // vertices of every edge
  RowMatrix features;                    // edges by kFeatureColumns
  std::vector<float> areas;              // share of the surface that every edge stands for; their sum is 1
};
// canonical: the surface to look at.
EdgeInput MakeEdgeInput(const TriMesh& canonical);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_EDGE_INPUT_H_
