// Random edits of a mesh, which give bodies of one shape meshes of all kinds.
#include <array>
#include <cstdint>

#include "sinew/offline/remesh/remesher.h"

namespace sinew {
namespace {

// Number of draws per edit before it is given up; largest and smallest length of an edge, relative to those around it,
// that a collapse may leave and that a split may cut.
constexpr int kAttempts = 30;
constexpr double kRandomLength = 2.5, kRandomShort = 0.5;
// Stricter than kFacing, since no smoothing follows.
constexpr double kRandomFacing = 0.6;

}  // namespace

Remesher::Edits Remesher::EditAtRandom(const Edits& wanted, Random& random) {
  NormalsFromMesh();
  facing_ = kRandomFacing;
  lengths_.resize(normals_.size());
  for (int v = 0; v < mesh_.vertex_slots(); ++v) {
    lengths_[v] = mesh_.HasVertex(v) ? EdgeSum(v) / mesh_.Valence(v) : 1;
  }
  const int total = wanted.flips + wanted.splits + wanted.collapses;
  Edits done;
  for (int64_t attempt = 0; attempt < int64_t{kAttempts} * total; ++attempt) {
    const std::array<int, 3> left = {wanted.flips - done.flips, wanted.splits - done.splits,
                                     wanted.collapses - done.collapses};
    const int sum = left[0] + left[1] + left[2];
    if (sum == 0) break;
    const int draw = static_cast<int>(random.Below(sum));
    const int h = static_cast<int>(random.Below(mesh_.half_edge_slots()));
    if (!mesh_.HasHalfEdge(h)) continue;
    if (draw < left[0]) {
      done.flips += TryFlip(h) ? 1 : 0;
    } else if (draw < left[0] + left[1]) {
      done.splits += TrySplit(h, random.Uniform(0.35, 0.65)) ? 1 : 0;
    } else {
      done.collapses += TryCollapse(h, kRandomLength) ? 1 : 0;
    }
  }
  return done;
}

bool Remesher::TrySplit(int h, double share) {
  if (Relative(h) < kRandomShort) return false;
  Split(h, share);
  normals_.back() = ground_.Project(faces_.back(), normals_.back(), mesh_.positions.back());
  return true;
}

}  // namespace sinew
