#include "sinew/offline/mesh/edit_mesh.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "sinew/offline/core/error.h"

namespace sinew {

EditMesh::EditMesh(const FineMesh& mesh) : positions(mesh.positions) {
  out_.assign(positions.size(), kNone);
  struct Directed {
    uint64_t key;
    int half_edge;
  };
  std::vector<Directed> edges;
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const int first = AddTriangle(t[0], t[1], t[2]);
    for (int h = first; h < first + 3; ++h) {
      edges.push_back({(static_cast<uint64_t>(From(h)) << 32) | static_cast<uint32_t>(To(h)), h});
    }
  }
  const auto before = [](const Directed& a, const Directed& b) { return a.key < b.key; };
  std::sort(edges.begin(), edges.end(), before);
  for (size_t i = 1; i < edges.size(); ++i) {
    if (edges[i].key == edges[i - 1].key) throw FailedError("the mesh to edit is not an oriented manifold");
  }
  for (const Directed& edge : edges) {
    const Directed twin{(edge.key << 32) | (edge.key >> 32), 0};
    const auto found = std::lower_bound(edges.begin(), edges.end(), twin, before);
    if (found != edges.end() && found->key == twin.key) opposite_[edge.half_edge] = found->half_edge;
  }
  std::vector<int> corners(positions.size(), 0);
  for (const int v : origin_) ++corners[v];
  for (int h = 0; h < half_edge_slots(); ++h) {
    if (out_[From(h)] == kNone) SetOut(From(h), h);
  }
  for (int v = 0; v < vertex_slots(); ++v) {
    if (out_[v] == kNone) continue;
    ++vertex_count_;
    int seen = 0;
    VisitOut(v, [&](int) { ++seen; });
    if (seen != corners[v]) throw FailedError("the mesh to edit has triangles that touch at a vertex only");
  }
}

FineMesh EditMesh::ToMesh(std::vector<int>* kept) const {
  FineMesh mesh;
  std::vector<int> index(out_.size(), kNone);
  if (kept != nullptr) kept->clear();
  for (int v = 0; v < vertex_slots(); ++v) {
    if (!HasVertex(v)) continue;
    index[v] = static_cast<int>(mesh.positions.size());
    mesh.positions.push_back(positions[v]);
    if (kept != nullptr) kept->push_back(v);
  }
  for (int h = 0; h < half_edge_slots(); h += 3) {
    if (HasHalfEdge(h)) mesh.triangles.emplace_back(index[origin_[h]], index[origin_[h + 1]], index[origin_[h + 2]]);
  }
  return mesh;
}

int EditMesh::AddTriangle(int a, int b, int c) {
  const int h = half_edge_slots();
  origin_.insert(origin_.end(), {a, b, c});
  opposite_.insert(opposite_.end(), 3, kNone);
  return h;
}

void EditMesh::Join(int h, int g) {
  if (h != kNone) opposite_[h] = g;
  if (g != kNone) opposite_[g] = h;
}

void EditMesh::SetOut(int v, int h) {
  out_[v] = h;
  while (opposite_[h] != kNone) {
    h = Next(opposite_[h]);
    if (h == out_[v]) return;
  }
  out_[v] = h;
}

int EditMesh::Valence(int v) const {
  int valence = 0;
  VisitNeighbors(v, [&](int) { ++valence; });
  return valence;
}

bool EditMesh::Adjacent(int v, int w) const {
  bool adjacent = false;
  VisitNeighbors(v, [&](int x) { adjacent |= x == w; });
  return adjacent;
}

int EditMesh::Split(int h, const Eigen::Vector3d& position) {
  const int g = opposite_[h];
  const int m = vertex_slots();
  positions.push_back(position);
  out_.push_back(kNone);
  ++vertex_count_;
  // a -> b with apex c becomes a -> m (in place) and m -> b (new); likewise on the other side.
  const int b = To(h), n = Next(h);
  const int h2 = AddTriangle(m, b, Apex(h));
  Join(h2 + 1, opposite_[n]);
  origin_[n] = m;
  Join(n, h2 + 2);
  int g2 = kNone;
  if (g != kNone) {
    const int gp = Previous(g);
    g2 = AddTriangle(b, m, Apex(g));
    Join(g2 + 2, opposite_[gp]);
    origin_[g] = m;
    Join(gp, g2 + 1);
  }
  Join(h2, g2);
  if (g != kNone) SetOut(From(Previous(g)), Previous(g));
  SetOut(b, h2 + 1);
  SetOut(m, h2);
  return m;
}

bool EditMesh::CanFlip(int h) const {
  const int g = opposite_[h];
  return g != kNone && Apex(h) != Apex(g) && !Adjacent(Apex(h), Apex(g));
}

void EditMesh::Flip(int h) {
  const int g = opposite_[h];
  const int n = Next(h), p = Previous(h), gn = Next(g), gp = Previous(g);
  const int a = From(h), b = To(h), c = From(p), d = From(gp);
  const int outer_n = opposite_[n], outer_p = opposite_[p], outer_gn = opposite_[gn], outer_gp = opposite_[gp];
  origin_[h] = d, origin_[n] = c, origin_[p] = a;
  origin_[g] = c, origin_[gn] = d, origin_[gp] = b;
  Join(n, outer_p), Join(p, outer_gn), Join(gn, outer_gp), Join(gp, outer_n);
  SetOut(a, p), SetOut(b, gp), SetOut(c, n), SetOut(d, gn);
}

bool EditMesh::CanCollapse(int h) const {
  const int g = opposite_[h];
  const int a = From(h), b = To(h);
  if (g != kNone && OnBoundary(a)) return false;
  const auto dangles = [&](int e) { return opposite_[Next(e)] == kNone && opposite_[Previous(e)] == kNone; };
  if (dangles(h) || (g != kNone && dangles(g))) return false;
  int common = 0;
  VisitNeighbors(a, [&](int x) { common += Adjacent(x, b) ? 1 : 0; });
  if (common != (g == kNone ? 1 : 2)) return false;
  const auto flat = [&](int e) { return !OnBoundary(Apex(e)) && Valence(Apex(e)) <= 3; };
  return !flat(h) && (g == kNone || !flat(g));
}

void EditMesh::Collapse(int h) {
  const int a = From(h), b = To(h), g = opposite_[h];
  std::vector<int> leaving;
  VisitOut(a, [&](int e) { leaving.push_back(e); });
  for (const int e : leaving) origin_[e] = b;
  struct Side {
    int apex, in, out;  // in arrives at the apex, out leaves it, once the triangle is gone
  };
  std::array<Side, 2> sides{};
  int count = 0;
  for (const int e : {h, g}) {
    if (e == kNone) continue;
    // For h (a -> b, apex c): outside b -> c is X = c -> b, outside c -> a is Y = a -> c, now b -> c.
    sides[count++] = {Apex(e), opposite_[Previous(e)], opposite_[Next(e)]};
    Join(opposite_[Previous(e)], opposite_[Next(e)]);
    const int first = e - e % 3;
    for (int k = first; k < first + 3; ++k) origin_[k] = kNone, opposite_[k] = kNone;
  }
  for (int k = 0; k < count; ++k) {
    const Side& side = sides[k];
    for (const int e : {side.in, side.out}) {
      if (e == kNone) continue;
      SetOut(From(e), e);
      SetOut(To(e), Next(e));
    }
  }
  out_[a] = kNone;
  --vertex_count_;
  SetOut(b, out_[b]);
}

}  // namespace sinew
