#include "sinew/offline/autorig/edge_input.h"

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/disjoint_sets.h"
#include "sinew/offline/mesh/edges.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/remesh_triangles.h"

namespace sinew::autorig {
namespace {

constexpr double kSmallIsland = 0.01;  // share of the whole area
// Of RemeshIsotropic: fingers and toes get shorter edges than the trunk, or they would melt away.
constexpr double kExponent = 0.5;
constexpr float kThickest = 0.3F;    // distances through the body above it count as this; share of the height
constexpr float kSkinDepth = 1e-4F;  // where rays into the body start, so that they do not meet their own edge
constexpr int kEdgesAtOnce = 256;

// Area of every island, as one number per triangle: that of the island that it belongs to.
std::vector<double> IslandAreas(const TriMesh& mesh) {
  DisjointSets islands(mesh.vertex_count());
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    islands.Join(mesh.triangles(t, 0), mesh.triangles(t, 1));
    islands.Join(mesh.triangles(t, 0), mesh.triangles(t, 2));
  }
  std::vector<double> of_island(mesh.vertex_count(), 0), areas(mesh.triangle_count());
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const auto corner = [&](int k) -> Eigen::Vector3d {
      return mesh.positions.row(mesh.triangles(t, k)).cast<double>();
    };
    of_island[islands.Find(mesh.triangles(t, 0))] += (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm() / 2;
  }
  for (int t = 0; t < mesh.triangle_count(); ++t) areas[t] = of_island[islands.Find(mesh.triangles(t, 0))];
  return areas;
}

// Triangles of islands that are large enough to be seen.
std::vector<int> SeenTriangles(const TriMesh& mesh, double total) {
  const std::vector<double> areas = IslandAreas(mesh);
  std::vector<int> seen;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    if (areas[t] >= kSmallIsland * total) seen.push_back(t);
  }
  if (!seen.empty()) return seen;
  for (int t = 0; t < mesh.triangle_count(); ++t) seen.push_back(t);
  return seen;
}

// Distance from an edge to the other side of the body.
float Thickness(const SurfaceQuery& query, const Eigen::Vector3f& middle, const Eigen::Vector3f& normal) {
  if (normal.isZero()) return 0;
  const auto hit = query.Shoot(middle, -normal, kSkinDepth, kThickest);
  return hit ? static_cast<float>(hit->distance) : kThickest;
}

}  // namespace

WorkingSurface MakeWorkingSurface(const TriMesh& source, int vertices, uint64_t seed, const std::string& file) {
  const double total = SurfaceArea(source);
  if (!(total > 0)) throw InputError(file, "", "has no triangle with an area", "give a mesh of a body");
  const double scale = 1 / std::sqrt(total);  // lengths are near 1 whatever the file's unit
  const std::vector<int> seen = SeenTriangles(source, total);
  WorkingSurface working;
  working.left_out.assign(source.triangle_count(), true);
  LabelledMesh labelled;
  std::vector<int> kept(source.vertex_count(), -1);
  for (const int t : seen) {
    working.left_out[t] = false;
    Eigen::Vector3i corners;
    for (int k = 0; k < 3; ++k) {
      int& vertex = kept[source.triangles(t, k)];
      if (vertex < 0) {
        vertex = static_cast<int>(labelled.mesh.positions.size());
        labelled.mesh.positions.emplace_back(source.positions.row(source.triangles(t, k)).cast<double>() * scale);
      }
      corners[k] = vertex;
    }
    labelled.mesh.triangles.push_back(corners);
  }
  RemeshedTriangles remeshed =
      RemeshIsotropic(labelled, {.vertex_count = vertices, .exponent = kExponent, .seed = seed});
  for (int& t : remeshed.map.triangles) t = seen[t];
  for (Eigen::Vector3f& offset : remeshed.map.offsets) offset /= static_cast<float>(scale);
  working.map = std::move(remeshed.map);
  for (Eigen::Vector3d& position : remeshed.result.mesh.positions) position /= scale;
  working.mesh = ToTriMesh(remeshed.result.mesh);
  return working;
}

EdgeInput MakeEdgeInput(const TriMesh& canonical) {
  const EdgeTable table = BuildEdges(canonical.triangles, canonical.vertex_count());
  const Points normals = VertexNormals(canonical);
  const SurfaceQuery query(canonical);
  EdgeInput input;
  input.rings = layers::RingsOf(table);
  input.ends = table.vertices;
  input.features.resize(table.edge_count(), kFeatureColumns);
  ParallelFor(table.edge_count(), kEdgesAtOnce, [&](int e) {
    const auto [a, b] = table.vertices[e];
    const Eigen::Vector3f middle = (canonical.positions.row(a) + canonical.positions.row(b)) / 2;
    const Eigen::Vector3f normal = (normals.row(a) + normals.row(b)).normalized();
    for (int k = 0; k < 3; ++k) {
      input.features(e, k) = middle[k];
      input.features(e, 3 + k) = normal[k];
    }
    input.features(e, 6) = Thickness(query, middle, normal);
  });
  std::vector<double> areas(table.edge_count(), 0);
  double total = 0;
  for (int h = 0; h < 3 * canonical.triangle_count(); ++h) {
    if (table.edge_of[h] < 0) continue;
    const auto corner = [&](int k) -> Eigen::Vector3d {
      return canonical.positions.row(canonical.triangles(h / 3, k)).cast<double>();
    };
    const double area = (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm() / 6;
    areas[table.edge_of[h]] += area;
    total += area;
  }
  for (const double area : areas) input.areas.push_back(static_cast<float>(area / total));
  return input;
}

}  // namespace sinew::autorig
