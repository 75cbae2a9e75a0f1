// Input of a rigging network: the edges of a body's surface, remeshed evenly, so that a body gets the same rig however
// its file meshes it.
#ifndef SINEW_OFFLINE_AUTORIG_EDGE_INPUT_H_
#define SINEW_OFFLINE_AUTORIG_EDGE_INPUT_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sinew/offline/autorig/body_frame.h"
#include "sinew/offline/learn/layers/mesh_conv.h"
#include "sinew/offline/mesh/surface_map.h"
#include "sinew/offline/remesh/remesh_triangles.h"
#include "sinew/offline/remesh/split_long_edges.h"

namespace sinew::autorig {

using learn::ConstRows;
using learn::RowMatrix;

// Surface of evenly sized triangles, in the space of its source.
struct WorkingSurface {
  TriMesh mesh;
  SurfaceMap map;              // from its vertices to the triangles of the source
  std::vector<bool> left_out;  // per triangle of the source: whether its island was too small to be seen
};

// Number of vertices of working surfaces, which have edges of 30 mm on a naked body of 1.7 m and half of that on its
// fingers; and that of coarse ones, for quick looks.
constexpr int kWorkingVertices = 2500, kCoarseVertices = 1000;

// Remeshes a surface. Islands of less than a hundredth of the area, such as eyes and buttons, are left out unless there
// is nothing else. seed: of the new vertices' places. Throws InputError, naming `file`, for a surface without area.
WorkingSurface MakeWorkingSurface(const TriMesh& source, int vertices, uint64_t seed, const std::string& file);

// Islands of a surface that are too small for that.
struct SmallIslands {
  std::vector<bool> triangles;  // one per triangle of the surface: whether it belongs to one
  double area = 0;              // of all of them, as a share of the surface's
};
SmallIslands FindSmallIslands(const TriMesh& surface);

// Does the same several times for one source: what seeds have in common is found once.
class WorkingSurfaces {
 public:
  WorkingSurfaces(const TriMesh& source, int vertices, const std::string& file);

  // Returns what MakeWorkingSurface() does with this seed. May be called from several threads at once.
  WorkingSurface Make(uint64_t seed) const;

 private:
  double scale_ = 1;            // from the file's unit to lengths near 1
  std::vector<int> seen_;       // triangles of the source that are remeshed
  std::vector<bool> left_out_;  // see WorkingSurface
  SplitMesh split_;             // of these, without long edges
  std::unique_ptr<const IsotropicRemesher> remesher_;
};

// Connectivity of a surface's edges, which all poses of a body share.
struct SurfaceEdges {
  layers::EdgeRings rings;
  std::vector<layers::EdgeRings> wide;   // wide_rings.h, kWideRings of them
  std::vector<std::array<int, 2>> ends;  // vertices of every edge

  int count() const { return static_cast<int>(ends.size()); }
};
std::shared_ptr<const SurfaceEdges> MakeSurfaceEdges(const TriMesh& surface);

// Number of wide rings: edges 4 cm, 11 cm and 27 cm away on a body of 1.7 m.
constexpr int kWideRings = 3;

// Columns of the features of an edge: the mean of its two ends, as in the paper; then its normal; the distance through
// the body behind it; and whether the frame is a refined one (RefinedFrame()).
constexpr int kPositionColumns = 3, kThicknessColumn = 6, kRefinedColumn = 7;
constexpr int kFeatureColumns = 8;
// Columns for a network that also counts edges by their area: the features, then the area in means of all edges.
constexpr int kSurfaceColumns = kFeatureColumns + 1;

struct EdgeInput {
  std::shared_ptr<const SurfaceEdges> edges;
  RowMatrix features;        // edges by kFeatureColumns
  std::vector<float> areas;  // share of the surface that every edge stands for; their sum is 1
};
// Looks at a surface in its own space. Distances through the body that meet no other side are the largest float.
EdgeInput MakeEdgeInput(const TriMesh& surface, std::shared_ptr<const SurfaceEdges> edges);

// Returns what a network sees of an input if the body stands in this frame, in canonical space.
EdgeInput InFrame(const EdgeInput& input, const BodyFrame& frame, bool refined);
// Returns the mirror image of an input in canonical space.
EdgeInput Mirrored(const EdgeInput& input);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_EDGE_INPUT_H_
