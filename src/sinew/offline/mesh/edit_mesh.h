// A manifold triangle mesh, open or closed, that can be split, collapsed and flipped edge by edge.
//
// A half edge is a corner: half edge h = 3 t + k of triangle t starts at the triangle's corner k and runs to the next
// one. Removed triangles and vertices leave holes in the numbering until ToMesh() closes them.
#ifndef SINEW_OFFLINE_MESH_EDIT_MESH_H_
#define SINEW_OFFLINE_MESH_EDIT_MESH_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/mesh/extract_surface.h"

namespace sinew {

class EditMesh {
 public:
  static constexpr int kNone = -1;

  // Throws FailedError if the mesh is not an oriented manifold.
  explicit EditMesh(const FineMesh& mesh);

  // Vertices keep their order. `kept`: if not null, the old index of every vertex that remains.
  FineMesh ToMesh(std::vector<int>* kept = nullptr) const;

  int vertex_slots() const { return static_cast<int>(out_.size()); }
  int half_edge_slots() const { return static_cast<int>(origin_.size()); }
  int vertex_count() const { return vertex_count_; }
  bool HasVertex(int v) const { return out_[v] != kNone; }
  bool HasHalfEdge(int h) const { return origin_[h] != kNone; }

  static int Next(int h) { return h % 3 == 2 ? h - 2 : h + 1; }
  static int Previous(int h) { return h % 3 == 0 ? h + 2 : h - 1; }
  int From(int h) const { return origin_[h]; }
  int To(int h) const { return origin_[Next(h)]; }
  int Apex(int h) const { return origin_[Previous(h)]; }  // the third corner of h's triangle
  int Opposite(int h) const { return opposite_[h]; }      // kNone on the boundary
  bool OnBoundary(int v) const { return opposite_[out_[v]] == kNone; }

  // Calls visit(h) for the half edges that leave v, counter-clockwise; on the boundary all triangles of v are seen, but
  // the last boundary edge (which only arrives at v) is not: it is Previous(h) of the last h.
  template <typename Visit>
  void VisitOut(int v, const Visit& visit) const {
    int h = out_[v];
    do {
      visit(h);
      h = opposite_[Previous(h)];
    } while (h != kNone && h != out_[v]);
  }
  // Calls visit(w) once for every neighbour of v.
  template <typename Visit>
  void VisitNeighbors(int v, const Visit& visit) const {
    int last = kNone;
    VisitOut(v, [&](int h) { visit(To(h)), last = h; });
    if (opposite_[Previous(last)] == kNone) visit(Apex(last));
  }
  int Valence(int v) const;
  bool Adjacent(int v, int w) const;

  // Puts a vertex on h's edge; returns it.
  int Split(int h, const Eigen::Vector3d& position);
  // True if the edge's two triangles can be exchanged for the other two of their quadrilateral.
  bool CanFlip(int h) const;
  void Flip(int h);
  // True if moving From(h) into To(h) leaves a manifold of the same kind.
  bool CanCollapse(int h) const;
  // Moves From(h) into To(h): From(h) disappears, To(h) stays where it is.
  void Collapse(int h);

  std::vector<Eigen::Vector3d> positions;  // one per vertex slot

 private:
  void Join(int h, int g);
  // Makes out_[v] the half edge from which VisitOut sees everything.
  void SetOut(int v, int h);
  int AddTriangle(int a, int b, int c);

  std::vector<int> origin_;    // per half edge; kNone: removed
  std::vector<int> opposite_;  // per half edge
  std::vector<int> out_;       // per vertex; kNone: removed
  int vertex_count_ = 0;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_EDIT_MESH_H_
