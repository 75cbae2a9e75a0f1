// State that the simplifier keeps between collapses. Private to simplify.cc, simplifier_state.cc and collapse.cc.
//
// A collapse merges vertices I and J of an edge into V; see mesh/flatten.h.
#ifndef SINEW_OFFLINE_LOD_SIMPLIFIER_STATE_H_
#define SINEW_OFFLINE_LOD_SIMPLIFIER_STATE_H_

#include <algorithm>
#include <cstdint>
#include <queue>
#include <vector>

#include "sinew/offline/lod/quadric.h"
#include "sinew/offline/lod/simplify.h"
#include "sinew/offline/mesh/edit_mesh.h"
#include "sinew/offline/mesh/flatten.h"
#include "sinew/offline/mesh/sheets.h"
#include "sinew/offline/mesh/tracker.h"

namespace sinew::lod {

// Freedom of a vertex to move. An interior one may go anywhere; one on a line (a boundary, a seam) only along it; a
// corner, where lines end or meet, stays, and others may join it; a pinned one lies on a cut between sheets, and stays
// in place, too.
enum class VertexKind : uint8_t { kInterior, kLine, kCorner, kPinned };

struct Candidate {
  double cost;
  int half_edge;
  unsigned stamp;  // only the newest candidate of an edge counts

  bool operator<(const Candidate& other) const {  // the queue gives the largest first
    return cost != other.cost ? cost > other.cost : half_edge > other.half_edge;
  }
};

// Candidate position of V.
struct Placement {
  Eigen::Vector3d position;
  int v_is = Patch::kV;  // see Patch::v_is
  double along = 1;      // on a line: fraction of the way from I to J
};

struct Simplifier::State {
  SimplifyOptions options;
  Sheets sheets;
  EditMesh mesh;
  std::vector<int> wedge;           // per half edge: wedge of the corner where it starts
  std::vector<int> part_of;         // per triangle slot
  std::vector<int> triangles_left;  // per part
  Eigen::MatrixXd attributes;       // one row per wedge
  std::vector<VertexKind> kinds;    // per vertex
  std::vector<Quadric> quadrics;    // per vertex
  std::vector<unsigned> stamps;     // per half edge: number of times that it was put into the queue
  Tracker tracker;
  int wedge_slots = 0;
  int points = 0;                      // number of points left
  int input_points = 0;                // number of points of the last snapshot
  std::vector<int> point_at_snapshot;  // per sheet vertex: its point in the last snapshot; -1 if it was gone
  std::vector<Eigen::Vector3d> snapshot_positions;
  std::vector<int> loose;     // points of the last snapshot that lie on no triangle
  std::vector<bool> dropped;  // per vertex: whether its island was dropped
  std::priority_queue<Candidate> queue;
  std::vector<int> refused;  // half edges whose collapse was not allowed, to be tried again
  // Members only to keep their memory from call to call.
  Patch patch;
  std::vector<int> patch_triangles_before, patch_triangles_after, local_vertices, scratch;

  State(const Surface& surface, SimplifyOptions given);

  // Whether the edge is on a boundary or a seam.
  bool OnFeature(int h) const;
  void FindKinds();
  void FindQuadrics(const Surface& surface);
  // The half edge that stands for its edge in the queue.
  int Canonical(int h) const {
    const int g = mesh.Opposite(h);
    return g == EditMesh::kNone ? h : std::min(h, g);
  }

  int Directed(int h) const;
  std::vector<Placement> Placements(int h) const;
  void Push(int h);
  bool TryCollapse(int h);
  bool TryPlacement(int h, const Placement& placement);
  void MakePatch(int h);
  bool ShapesAllow() const;
  bool JoinsCopies() const;
  bool EndsPart(int h) const;
  void MoveAttributes(int h, const Placement& placement, const Plane& uv);
  void Commit(int h, const Placement& placement);
  void StartTracking();

  bool Shown(int h) const { return mesh.HasHalfEdge(h) && !dropped[mesh.From(h)]; }
  void AddTriangles(const std::vector<int>& point_of, Surface& surface) const;
  Upsampling Operators(const std::vector<int>& point_of, const Surface& surface) const;
};

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_SIMPLIFIER_STATE_H_
