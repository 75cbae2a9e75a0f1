#include "sinew/offline/remesh/outer_surface.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "sinew/offline/mesh/disjoint_sets.h"
#include "sinew/offline/mesh/extract_surface.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/mesh/winding_number.h"

namespace sinew {
namespace {

using Eigen::Vector3d;

// Cells from the surface up to which distances are exact: extraction leaves blocks of four cells out that are farther.
constexpr double kReach = 8;

// Of vertices with triangles.
Eigen::AlignedBox3d BoxOf(const TriMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const int v : mesh.triangles.reshaped()) box.extend(mesh.positions.row(v).transpose().cast<double>());
  return box;
}

// All points within a distance of a surface. reach: farther points count as being so far away, which is found faster.
class Thickened : public ImplicitSurface {
 public:
  Thickened(const TriMesh& mesh, double distance, double reach)
      : query_(mesh), box_(BoxOf(mesh)), distance_(distance), reach_(reach) {}

  double Evaluate(const Vector3d& point, Vector3d* /*gradient*/) const override {
    const auto closest = query_.Closest(point.cast<float>(), static_cast<float>(reach_));
    return (closest ? closest->distance : reach_) - distance_;
  }
  Eigen::AlignedBox3d Bounds() const override {
    return {box_.min() - Vector3d::Constant(distance_), box_.max() + Vector3d::Constant(distance_)};
  }

 private:
  SurfaceQuery query_;
  Eigen::AlignedBox3d box_;
  double distance_, reach_;
};

// All points inside closed surfaces and farther than a distance from them. reach: as above; on which side points beyond
// it are does not matter, since no surface is near.
class Thinned : public ImplicitSurface {
 public:
  Thinned(const TriMesh& mesh, double distance, double reach)
      : mesh_(mesh), normals_(VertexNormals(mesh)), query_(mesh), distance_(distance), reach_(reach) {}

  double Evaluate(const Vector3d& point, Vector3d* /*gradient*/) const override {
    const auto closest = query_.Closest(point.cast<float>(), static_cast<float>(reach_));
    if (!closest) return reach_ - distance_;
    return distance_ + SideOf(mesh_, normals_, *closest, point).distance;
  }
  Eigen::AlignedBox3d Bounds() const override { return BoxOf(mesh_); }

 private:
  const TriMesh& mesh_;
  Points normals_;
  SurfaceQuery query_;
  double distance_, reach_;
};

// Cuts a surface into its connected parts, in the order of their first triangles.
std::vector<TriMesh> PartsOf(const FineMesh& mesh) {
  DisjointSets sets(static_cast<int>(mesh.positions.size()));
  for (const Eigen::Vector3i& t : mesh.triangles) sets.Join(t[0], t[1]), sets.Join(t[1], t[2]);
  std::map<int, int> part_of;
  std::vector<FineMesh> parts;
  std::vector<int> number(mesh.positions.size(), -1);
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const auto [found, is_new] = part_of.try_emplace(sets.Find(t[0]), static_cast<int>(parts.size()));
    if (is_new) parts.emplace_back();
    FineMesh& part = parts[found->second];
    for (int k = 0; k < 3; ++k) {
      if (number[t[k]] >= 0) continue;
      number[t[k]] = static_cast<int>(part.positions.size());
      part.positions.push_back(mesh.positions[t[k]]);
    }
    part.triangles.emplace_back(number[t[0]], number[t[1]], number[t[2]]);
  }
  std::vector<TriMesh> surfaces;
  surfaces.reserve(parts.size());
  for (const FineMesh& part : parts) surfaces.push_back(ToTriMesh(part));
  return surfaces;
}

TriMesh Join(const std::vector<TriMesh>& parts) {
  Eigen::Index vertices = 0, triangles = 0;
  for (const TriMesh& part : parts) vertices += part.positions.rows(), triangles += part.triangles.rows();
  TriMesh whole;
  whole.positions.resize(vertices, 3);
  whole.triangles.resize(triangles, 3);
  vertices = triangles = 0;
  for (const TriMesh& part : parts) {
    whole.positions.middleRows(vertices, part.positions.rows()) = part.positions;
    whole.triangles.middleRows(triangles, part.triangles.rows()) = part.triangles.array() + static_cast<int>(vertices);
    vertices += part.positions.rows();
    triangles += part.triangles.rows();
  }
  return whole;
}

// Keeps what is seen from outside: no cavities, which face inwards, and nothing inside of another part.
// Parts thinner than that in the mean are left over from sheets.
TriMesh Outermost(const FineMesh& mesh, double thinnest) {
  std::vector<std::pair<double, TriMesh>> parts;
  for (TriMesh& part : PartsOf(mesh)) {
    const double volume = SignedVolume(part);
    if (volume > thinnest / 2 * SurfaceArea(part)) parts.emplace_back(volume, std::move(part));
  }
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<TriMesh> kept;
  for (auto& [volume, part] : parts) {
    const Eigen::Vector3f point = part.positions.row(0).transpose();
    const bool hidden = std::any_of(kept.begin(), kept.end(), [&](const TriMesh& larger) {
      return BoxOf(larger).contains(point.cast<double>()) && WindingNumber(larger).Inside(point);
    });
    if (!hidden) kept.push_back(std::move(part));
  }
  return Join(kept);
}

}  // namespace

TriMesh OuterSurface(const TriMesh& mesh, const OuterOptions& options) {
  if (mesh.triangle_count() == 0) return {};
  const double diagonal = BoxOf(mesh).diagonal().norm();
  if (!(diagonal > 0) || !std::isfinite(diagonal)) return {};
  const double half = options.gap / 2 * diagonal, spacing = options.spacing * diagonal;
  const double thinnest = spacing / 2;
  const double reach = half + kReach * spacing;
  const TriMesh around = Outermost(ExtractSurface(Thickened(mesh, half, reach), spacing), thinnest);
  if (around.triangle_count() == 0) return {};
  return Outermost(ExtractSurface(Thinned(around, half, reach), spacing), thinnest);
}

}  // namespace sinew
