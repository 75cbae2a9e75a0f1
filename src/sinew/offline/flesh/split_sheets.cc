#include "sinew/offline/flesh/split_sheets.h"

#include <algorithm>
#include <limits>
#include <map>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/disjoint_sets.h"
#include "sinew/offline/mesh/edges.h"
#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/mesh/winding_number.h"

namespace sinew::flesh {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;
using Eigen::Vector4d;

std::array<Vector4d, kFleshSamples> MakeSamples() {
  std::array<Vector4d, kFleshSamples> samples;
  samples[0].setConstant(0.25);
  int next = 1;
  for (int a = 0; a < 4; ++a) {
    samples[next].setConstant(0.14);
    samples[next++][a] = 0.58;
    for (int b = a + 1; b < 4; ++b) {
      samples[next].setConstant(0.12);
      samples[next][a] = samples[next][b] = 0.38;
      ++next;
    }
  }
  return samples;
}

// Splits one cover. Each tetrahedron of the cover has pieces of flesh; two pieces share nodes only if they are glued.
class Splitter {
 public:
  Splitter(const TetMesh& cover, const TriMesh& surface)
      : cover_(cover),
        surface_(surface),
        query_(surface),
        embedding_(Embed(surface.positions, cover)),
        normals_(VertexNormals(surface)),
        vertices_(BuildCsr(cover.tet_count(),
                           [&](const auto& put) {
                             for (int v = 0; v < surface.vertex_count(); ++v) put(embedding_.tets[v], v);
                           })),
        inside_(cover.tet_count()),
        first_piece_(cover.tet_count() + 1, 0),
        piece_of_sample_(cover.tet_count()),
        piece_of_vertex_(surface.vertex_count(), 0) {
    const Vector3f size = BoundingBox(surface.positions).sizes();
    step_inside_ = 1e-4f * size.norm();
  }

  SplitTets Split() {
    FindInside();
    ParallelFor(cover_.tet_count(), 16, [&](int t) { first_piece_[t + 1] = FindPieces(t); });
    for (int t = 0; t < cover_.tet_count(); ++t) first_piece_[t + 1] += first_piece_[t];
    return Build();
  }

 private:
  Vector3d SamplePoint(int t, int s) const {
    Vector3d x = Vector3d::Zero();
    for (int k = 0; k < 4; ++k) x += FleshSamples()[s][k] * cover_.positions.row(cover_.tets(t, k)).transpose();
    return x;
  }
  // Whether the tetrahedron is all flesh, with no vertex of the surface in it.
  bool IsFull(int t) const {
    return vertices_[t].empty() && std::all_of(inside_[t].begin(), inside_[t].end(), [](bool b) { return b; });
  }
  // Whether no surface lies between a and b. Either end may lie on the surface, as it does where a lattice and a box
  // have planes in common.
  bool Sees(const Vector3f& a, const Vector3f& b) const { return !query_.Shoot(a, b - a, 1e-3f, 0.999f).has_value(); }

  void FindInside() {
    const WindingNumber winding(surface_);
    ParallelFor(cover_.tet_count(), 64, [&](int t) {
      for (int s = 0; s < kFleshSamples; ++s) inside_[t][s] = winding.Inside(SamplePoint(t, s).cast<float>());
    });
  }

  // Finds the pieces of one tetrahedron and numbers them from 0. A piece consists of samples that see each other,
  // vertices that see one of them, and vertices that an edge connects. Returns the number of pieces.
  int FindPieces(int t) {
    // Points to be joined: the samples, then the vertices in the tetrahedron, moved slightly inside.
    const auto vertices = vertices_[t];
    const int count = static_cast<int>(vertices.size());
    DisjointSets sets(kFleshSamples + count);
    std::vector<Vector3f> points(kFleshSamples + count);
    for (int s = 0; s < kFleshSamples; ++s) points[s] = SamplePoint(t, s).cast<float>();
    for (int i = 0; i < count; ++i) {
      const int v = vertices[i];
      points[kFleshSamples + i] = (surface_.positions.row(v) - step_inside_ * normals_.row(v)).transpose();
    }
    const auto exists = [&](int i) { return i >= kFleshSamples || inside_[t][i]; };
    const auto join = [&](int i, int k) {
      if (exists(i) && exists(k) && sets.Find(i) != sets.Find(k) && Sees(points[i], points[k])) sets.Join(i, k);
    };
    // Samples that see each other.
    const bool is_full = IsFull(t);
    for (int i = 0; i < kFleshSamples; ++i) {
      for (int k = i + 1; k < kFleshSamples; ++k) {
        if (is_full) {
          sets.Join(i, k);
        } else {
          join(i, k);
        }
      }
    }
    // Vertices that an edge connects.
    for (int i = 0; i < count; ++i) {
      for (const int other : neighbours_[vertices[i]]) {
        if (embedding_.tets[other] != t) continue;
        const auto at = std::lower_bound(vertices.begin(), vertices.end(), other) - vertices.begin();
        sets.Join(kFleshSamples + i, kFleshSamples + static_cast<int>(at));
      }
    }
    // Vertices that see a sample.
    for (int i = 0; i < count; ++i) {
      for (int s = 0; s < kFleshSamples; ++s) join(s, kFleshSamples + i);
    }
    // Numbers of the pieces, in order of first appearance.
    std::map<int, int> numbers;
    for (int i = 0; i < kFleshSamples + count; ++i) {
      if (!exists(i)) continue;
      const int number = numbers.try_emplace(sets.Find(i), static_cast<int>(numbers.size())).first->second;
      if (i < kFleshSamples) {
        piece_of_sample_[t][i] = number;
      } else {
        piece_of_vertex_[vertices[i - kFleshSamples]] = number;
      }
    }
    return static_cast<int>(numbers.size());
  }

  // Whether a piece has any sample, or only vertices.
  bool HasSamples(int t, int piece) const {
    for (int s = 0; s < kFleshSamples; ++s) {
      if (inside_[t][s] && piece_of_sample_[t][s] == piece) return true;
    }
    return false;
  }

  // Joins the nodes that two pieces of different tetrahedra have in common in the cover. corners: four per piece.
  void Glue(int t, int piece, int other, int other_piece, DisjointSets& corners) const {
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) {
        if (cover_.tets(t, a) != cover_.tets(other, b)) continue;
        corners.Join(4 * (first_piece_[t] + piece) + a, 4 * (first_piece_[other] + other_piece) + b);
      }
    }
  }

  // Glues the pieces of two tetrahedra with a common face whose samples see each other.
  void GlueAcrossFace(int t, int other, DisjointSets& corners) const {
    if (IsFull(t) && IsFull(other)) {
      Glue(t, 0, other, 0, corners);
      return;
    }
    std::vector<std::array<int, 2>> done;
    for (int i = 0; i < kFleshSamples; ++i) {
      for (int k = 0; k < kFleshSamples; ++k) {
        if (!inside_[t][i] || !inside_[other][k]) continue;
        const std::array<int, 2> pieces = {piece_of_sample_[t][i], piece_of_sample_[other][k]};
        if (std::find(done.begin(), done.end(), pieces) != done.end()) continue;
        if (!Sees(SamplePoint(t, i).cast<float>(), SamplePoint(other, k).cast<float>())) continue;
        Glue(t, pieces[0], other, pieces[1], corners);
        done.push_back(pieces);
      }
    }
  }

  // Glues pieces across faces, along edges of the surface, and those without samples.
  void GlueAll(DisjointSets& corners) const {
    std::map<std::array<int, 3>, std::vector<int>> faces;
    for (int t = 0; t < cover_.tet_count(); ++t) {
      for (int k = 0; k < 4; ++k) {
        std::vector<int>& sides = faces[FaceOf(t, k)];
        for (const int other : sides) GlueAcrossFace(other, t, corners);
        sides.push_back(t);
      }
    }
    for (int v = 0; v < surface_.vertex_count(); ++v) {
      for (const int other : neighbours_[v]) {
        const int t = embedding_.tets[v], o = embedding_.tets[other];
        if (t != o) Glue(t, piece_of_vertex_[v], o, piece_of_vertex_[other], corners);
      }
    }
    GlueLonely(faces, corners);
  }

  // Glues pieces without samples, which would otherwise be connected only by edges of the surface. Such a piece is
  // joined to the flesh across its faces that its vertices see or, if they see none, to the nearest flesh around.
  void GlueLonely(const std::map<std::array<int, 3>, std::vector<int>>& faces, DisjointSets& corners) const {
    const Csr around = BuildCsr(cover_.node_count(), [&](const auto& put) {
      for (int i = 0; i < 4 * cover_.tet_count(); ++i) put(cover_.tets.data()[i], i / 4);
    });
    for (int v = 0; v < surface_.vertex_count(); ++v) {
      const int t = embedding_.tets[v];
      if (HasSamples(t, piece_of_vertex_[v])) continue;
      const Vector3f p = (surface_.positions.row(v) - step_inside_ * normals_.row(v)).transpose();
      bool is_joined = false;
      for (int k = 0; k < 4; ++k) {
        for (const int other : faces.at(FaceOf(t, k))) {
          const int sample = other == t ? -1 : NearestSample(p, other, true);
          if (sample < 0) continue;
          Glue(t, piece_of_vertex_[v], other, piece_of_sample_[other][sample], corners);
          is_joined = true;
        }
      }
      if (is_joined) continue;
      double nearest = std::numeric_limits<double>::infinity();
      int best = -1, best_sample = -1;
      for (int k = 0; k < 4; ++k) {
        for (const int other : around[cover_.tets(t, k)]) {
          const int sample = other == t ? -1 : NearestSample(p, other, false);
          if (sample < 0) continue;
          const double distance = (SamplePoint(other, sample) - p.cast<double>()).norm();
          if (!(distance < nearest)) continue;
          nearest = distance;
          best = other;
          best_sample = sample;
        }
      }
      if (best >= 0) Glue(t, piece_of_vertex_[v], best, piece_of_sample_[best][best_sample], corners);
    }
  }

  // Index of the flesh sample of tetrahedron t nearest to p; -1 if there is none. must_see: only samples that p sees.
  int NearestSample(const Vector3f& p, int t, bool must_see) const {
    float nearest = std::numeric_limits<float>::infinity();
    int best = -1;
    for (int s = 0; s < kFleshSamples; ++s) {
      if (!inside_[t][s]) continue;
      const Vector3f q = SamplePoint(t, s).cast<float>();
      if (!((p - q).norm() < nearest) || (must_see && !Sees(p, q))) continue;
      nearest = (p - q).norm();
      best = s;
    }
    return best;
  }

  // Nodes of the face opposite to a corner, ascending.
  std::array<int, 3> FaceOf(int t, int opposite) const {
    std::array<int, 3> face;
    for (int k = 0; k < 3; ++k) face[k] = cover_.tets(t, (opposite + 1 + k) % 4);
    std::sort(face.begin(), face.end());
    return face;
  }

  SplitTets Build() const {
    // Pieces that share nodes.
    const int pieces = first_piece_.back();
    DisjointSets corners(4 * pieces);
    GlueAll(corners);
    // One tetrahedron per piece.
    SplitTets result;
    std::vector<std::array<int, 2>> nodes;
    std::vector<int> number_of_piece(pieces, -1), corner_of;
    for (int t = 0; t < cover_.tet_count(); ++t) {
      for (int p = first_piece_[t]; p < first_piece_[t + 1]; ++p) {
        number_of_piece[p] = static_cast<int>(result.cover_of.size());
        result.cover_of.push_back(t);
        auto& flesh = result.flesh.emplace_back();
        auto& other = result.other.emplace_back();
        for (int s = 0; s < kFleshSamples; ++s) {
          const bool is_own = inside_[t][s] && piece_of_sample_[t][s] == p - first_piece_[t];
          flesh[s] = is_own;
          other[s] = inside_[t][s] && !is_own;
        }
        for (int k = 0; k < 4; ++k) {
          corner_of.push_back(corners.Find(4 * p + k));
          nodes.push_back({cover_.tets(t, k), corner_of.back()});
        }
      }
    }
    // Nodes in the order of the cover's, with copies of one node beside each other.
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    std::vector<int> number(4 * pieces, -1);
    result.mesh.positions.resize(static_cast<Eigen::Index>(nodes.size()), 3);
    for (size_t n = 0; n < nodes.size(); ++n) {
      number[nodes[n][1]] = static_cast<int>(n);
      result.mesh.positions.row(static_cast<Eigen::Index>(n)) = cover_.positions.row(nodes[n][0]);
    }
    result.mesh.tets.resize(static_cast<Eigen::Index>(result.cover_of.size()), 4);
    for (size_t i = 0; i < corner_of.size(); ++i) result.mesh.tets.data()[i] = number[corner_of[i]];
    // Embedding of the surface in the new tetrahedra.
    result.surface = embedding_;
    for (int v = 0; v < surface_.vertex_count(); ++v) {
      result.surface.tets[v] = number_of_piece[first_piece_[embedding_.tets[v]] + piece_of_vertex_[v]];
    }
    return result;
  }

  const TetMesh& cover_;
  const TriMesh& surface_;
  SurfaceQuery query_;
  Embedding embedding_;
  Points normals_;
  Csr vertices_;  // row per tetrahedron of the cover: vertices of the surface in it, ascending
  Csr neighbours_ = VertexVertices(BuildEdges(surface_.triangles, surface_.vertex_count()), surface_.vertex_count());
  float step_inside_ = 0;  // how far vertices are moved inside, so that they see the samples
  std::vector<std::array<bool, kFleshSamples>> inside_;
  std::vector<int> first_piece_;  // one per tetrahedron, and the end
  std::vector<std::array<int, kFleshSamples>> piece_of_sample_;
  std::vector<int> piece_of_vertex_;
};

}  // namespace

const std::array<Vector4d, kFleshSamples>& FleshSamples() {
  static const std::array<Vector4d, kFleshSamples> samples = MakeSamples();
  return samples;
}

SplitTets SplitSheets(const TetMesh& cover, const TriMesh& surface) { return Splitter(cover, surface).Split(); }

}  // namespace sinew::flesh
