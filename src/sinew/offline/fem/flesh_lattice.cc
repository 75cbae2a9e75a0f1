#include "sinew/offline/fem/flesh_lattice.h"

#include <Eigen/SparseCore>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/fem/core_bones.h"
#include "sinew/offline/fem/node_weights.h"
#include "sinew/offline/mesh/bcc_lattice.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/mesh/winding_number.h"

namespace sinew::fem {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4d;

// A tetrahedron with hardly any flesh still has to keep its shape.
constexpr double kLeastShare = 0.1;
// Over thin parts fat is at most this share of the way from skin to bone.
constexpr double kThickestFat = 0.55;

// Points spread over a tetrahedron: its centre, one near each corner and one near the middle of each edge.
constexpr int kSamples = 11;
std::array<Vector4d, kSamples> SamplePoints() {
  std::array<Vector4d, kSamples> samples;
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

// The first guess counts cells along the skin as half outside; then as the last lattice was.
double CellSizeFor(const TriMesh& surface, int tets) {
  const double volume = std::abs(SignedVolume(surface)), area = SurfaceArea(surface);
  const auto count = [&](double h) { return 12 * (volume + 0.5 * area * h) / (h * h * h); };
  double h = BoundingBox(surface.positions).diagonal().norm();
  while (count(h) < tets) h *= 0.98;
  return h;
}

TetMesh CoverWith(const TriMesh& surface, int tets, double& h) {
  h = CellSizeFor(surface, tets);
  TetMesh mesh;
  for (int attempt = 0; attempt < 4; ++attempt) {
    mesh = CoverByLattice(surface, h);
    const double ratio = static_cast<double>(mesh.tet_count()) / tets;
    if (ratio > 0.9 && ratio < 1.1) break;
    h *= std::pow(ratio, 1 / 2.6);
  }
  return mesh;
}

}  // namespace

FleshLattice BuildFleshLattice(const TriMesh& surface, const std::vector<Influences>& influences,
                               const Skeleton& skeleton, const std::vector<Vector3d>& joints,
                               const FleshLatticeOptions& options) {
  FleshLattice lattice;
  lattice.mesh = CoverWith(surface, options.tets, lattice.cell_size);
  lattice.skin = Embed(surface.positions, lattice.mesh);
  lattice.influences =
      FitNodeWeights(lattice.mesh, surface, lattice.skin, influences, skeleton.joint_count(), lattice.cell_size);

  const WindingNumber winding(surface);
  const SurfaceQuery query(surface);
  const std::vector<CoreBone> bones = FindCoreBones(skeleton, joints, surface.positions, influences);
  const auto samples = SamplePoints();
  const int tets = lattice.mesh.tet_count();
  lattice.shares.resize(tets);
  std::vector<std::vector<CorePoint>> core(tets);
  ParallelFor(tets, 64, [&](int t) {
    const TetCorners corners = CornersOf(lattice.mesh, t);
    const double volume = SignedVolume(corners) / kSamples;
    int inside = 0;
    for (const Vector4d& barycentric : samples) {
      Vector3d x = Vector3d::Zero();
      for (int k = 0; k < 4; ++k) x += barycentric[k] * corners[k];
      if (!winding.Inside(x.cast<float>())) continue;
      ++inside;
      const double depth = query.Closest(x.cast<float>())->distance;
      const double to_bone = DistanceToBones(bones, x);
      if (depth < std::min(options.fat, kThickestFat * (depth + to_bone))) continue;
      std::array<Influences, 4> of_corners;
      for (int k = 0; k < 4; ++k) of_corners[k] = lattice.influences[lattice.mesh.tets(t, k)];
      core[t].push_back({.tet = t,
                         .barycentric = barycentric,
                         .rest = x,
                         .influences = CoreInfluences(of_corners, barycentric),
                         .volume = volume});
    }
    lattice.shares[t] = std::max(kLeastShare, static_cast<double>(inside) / kSamples);
  });
  for (const std::vector<CorePoint>& points : core) {
    lattice.core.insert(lattice.core.end(), points.begin(), points.end());
  }
  return lattice;
}

}  // namespace sinew::fem
