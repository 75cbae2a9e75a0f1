#include "sinew/offline/flesh/flesh_lattice.h"

#include <Eigen/SparseCore>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/flesh/contact_surface.h"
#include "sinew/offline/flesh/node_weights.h"
#include "sinew/offline/mesh/bcc_lattice.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/queries.h"

namespace sinew::flesh {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4d;

// Smallest share of flesh that a tetrahedron counts with: one with hardly any flesh still has to keep its shape.
constexpr double kLeastShare = 0.1;
// Largest thickness of the fat over thin parts, as a share of the distance from skin to bone.
constexpr double kThickestFat = 0.55;
// Firmness (factor on the attachment stiffness) of core points right at a bone.
constexpr double kFirmest = 8;

// Firmness of a core point at a depth below the skin; falls with the fourth power from the middle to the skin. Bone is
// hard, and what lies between it and the fat is muscle, which gives way: in a far bend, such as a groin with the thigh
// raised, flesh would crumple between two cores that are hard up to their surfaces.
double Firmness(double depth, double to_middle) {
  const double share = depth > 0 ? std::min(1.0, depth / to_middle) : 0, square = share * share;
  return kFirmest * square * square;
}

// Distance from the skin through a point to the bone, or to the middle of a thin part. Toes, ears and lips have no bone
// of their own, or one far beside them, and of flesh alone they crumple. So a part no thicker than the fat is held as
// if it had a bone in its middle; a part twice as thick is not.
double WayToMiddle(double depth, double to_bone, double thickness, double fat) {
  const double to_middle = depth + to_bone;
  if (thickness >= 2 * fat) return to_middle;
  const double thick = std::max(0.0, thickness / fat - 1);
  return std::min(to_middle, thick * to_middle + (1 - thick) * 0.5 * thickness);
}

// Shares of a sample point among the corners that it is nearest to: all four, two or one, in equal shares.
Vector4d NearestCorners(const Vector4d& barycentric) {
  const Vector4d nearest = (barycentric.array() > barycentric.maxCoeff() - 1e-6).cast<double>();
  return nearest / nearest.sum();
}

// Cell size for a number of tetrahedra, as a first guess that counts cells along the skin as half outside.
double CellSizeFor(const TriMesh& surface, int tets) {
  const double volume = std::abs(SignedVolume(surface)), area = SurfaceArea(surface);
  const auto count = [&](double h) { return 12 * (volume + 0.5 * area * h) / (h * h * h); };
  double h = BoundingBox(surface.positions).diagonal().norm();
  while (count(h) < tets) h *= 0.98;
  return h;
}

// Covers the surface with about `tets` tetrahedra. Corrects the cell size, at most three times, by the number that the
// last lattice had. h: out, the cell size.
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
  // Tetrahedra around the surface, split into separate pieces of flesh, with the weights of their nodes.
  lattice.tets = SplitSheets(CoverWith(surface, options.tets, lattice.cell_size), surface);
  lattice.influences =
      FitNodeWeights(lattice.mesh(), surface, lattice.skin(), influences, skeleton.joint_count(), lattice.cell_size);

  // Share of flesh and core points of each tetrahedron, from its sample points.
  const SurfaceQuery query(surface);
  const std::vector<double> thickness = MeasureThickness(surface);
  lattice.bones = FindCoreBones(skeleton, joints, surface.positions, influences);
  const int tets = lattice.mesh().tet_count();
  lattice.shares.resize(tets);
  std::vector<std::vector<CorePoint>> core(tets);
  ParallelFor(tets, 64, [&](int t) {
    const TetCorners corners = CornersOf(lattice.mesh(), t);
    const double volume = SignedVolume(corners) / kFleshSamples;
    lattice.shares[t].setZero();
    for (int s = 0; s < kFleshSamples; ++s) {
      if (!lattice.tets.flesh[t][s]) continue;
      const Vector4d& barycentric = FleshSamples()[s];
      lattice.shares[t] += NearestCorners(barycentric) / kFleshSamples;
      Vector3d x = Vector3d::Zero();
      for (int k = 0; k < 4; ++k) x += barycentric[k] * corners[k];
      // Depth below the skin and distance from there to the bone decide whether the sample belongs to the core.
      const auto skin = query.Closest(x.cast<float>());
      const double depth = skin->distance;
      double thick = 0;
      for (int k = 0; k < 3; ++k) thick = std::max(thick, thickness[surface.triangles(skin->triangle, k)]);
      const double to_middle = WayToMiddle(depth, DistanceToBones(lattice.bones, x), thick, options.fat);
      if (depth < std::min(options.fat, kThickestFat * to_middle)) continue;
      std::array<Influences, 4> of_corners;
      for (int k = 0; k < 4; ++k) of_corners[k] = lattice.influences[lattice.mesh().tets(t, k)];
      core[t].push_back({.tet = t,
                         .barycentric = barycentric,
                         .rest = x,
                         .influences = CoreInfluences(of_corners, barycentric),
                         .volume = volume,
                         .firmness = Firmness(depth, to_middle)});
    }
    const double share = lattice.shares[t].sum();
    if (share < kLeastShare) lattice.shares[t].array() += (kLeastShare - share) / 4;
  });
  // Core points of all tetrahedra in order, independent of the number of threads.
  for (const std::vector<CorePoint>& points : core) {
    lattice.core.insert(lattice.core.end(), points.begin(), points.end());
  }
  return lattice;
}

}  // namespace sinew::flesh
