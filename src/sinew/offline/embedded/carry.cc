#include "sinew/offline/embedded/carry.h"

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/remesh/remesh.h"

namespace sinew::embedded {
namespace {

// Distance over which differences between the maps of neighbouring solids are smoothed, metres.
constexpr double kEvenOut = 0.015;
constexpr int kRounds = 12;

std::vector<std::vector<int>> Neighbors(const FineMesh& mesh) {
  std::vector<std::vector<int>> neighbors(mesh.positions.size());
  for (const Eigen::Vector3i& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      neighbors[t[k]].push_back(t[(k + 1) % 3]);
      neighbors[t[k]].push_back(t[(k + 2) % 3]);
    }
  }
  return neighbors;
}

std::vector<double> MeanEdges(const FineMesh& mesh, const std::vector<std::vector<int>>& neighbors) {
  std::vector<double> lengths(mesh.positions.size(), 0);
  for (size_t v = 0; v < lengths.size(); ++v) {
    for (const int w : neighbors[v]) lengths[v] += (mesh.positions[v] - mesh.positions[w]).norm();
    lengths[v] /= static_cast<double>(neighbors[v].size());
  }
  return lengths;
}

// Smooths displacements by averaging over neighbours, with more passes where edges are short relative to kEvenOut.
void EvenOut(const std::vector<std::vector<int>>& neighbors, const std::vector<double>& lengths,
             std::vector<Vector3d>& displacements) {
  constexpr int kMax = 30;
  const int count = static_cast<int>(displacements.size());
  for (int pass = 0; pass < kMax; ++pass) {
    const std::vector<Vector3d> before = displacements;
    ParallelFor(count, 1024, [&](int v) {
      const double edges = kEvenOut / lengths[v];
      if (pass >= edges * edges) return;
      Vector3d sum = Vector3d::Zero();
      for (const int w : neighbors[v]) sum += before[w];
      displacements[v] = (before[v] + sum / static_cast<double>(neighbors[v].size())) / 2;
    });
  }
}

// Moves a point onto the faces of the domain given by `faces`, bits as DomainFaces() returns.
void PutOnFaces(int faces, const Eigen::AlignedBox3d& domain, Vector3d& point) {
  for (int k = 0; k < 3; ++k) {
    if (faces & (1 << (2 * k))) point[k] = domain.min()[k];
    if (faces & (2 << (2 * k))) point[k] = domain.max()[k];
  }
}

}  // namespace

FineMesh CarryMesh(const CarryEnd& from, const FineMesh& mesh, const CarryEnd& to, int& folded) {
  const int count = static_cast<int>(mesh.positions.size());
  const auto neighbors = Neighbors(mesh);
  const std::vector<double> lengths = MeanEdges(mesh, neighbors);
  // Displacements by the solids that own each vertex, smoothed where solids meet.
  std::vector<Vector3d> displacements(count);
  ParallelFor(count, 64,
              [&](int v) { displacements[v] = from.surface.Carry(to.surface, mesh.positions[v]) - mesh.positions[v]; });
  EvenOut(neighbors, lengths, displacements);
  FineMesh carried = mesh;
  for (int v = 0; v < count; ++v) {
    carried.positions[v] += displacements[v];
    PutOnFaces(DomainFaces(from.domain, mesh.positions[v]), to.domain, carried.positions[v]);
  }
  // Projection onto the new surface and tangential relaxation; only triangles that newly turned over count as folded.
  folded = RelaxOnSurface(to.surface, to.domain, mesh, lengths, kRounds, carried);
  if (folded > 0) folded = std::max(0, folded - CountTurned(from.surface, mesh));
  return carried;
}

}  // namespace sinew::embedded
