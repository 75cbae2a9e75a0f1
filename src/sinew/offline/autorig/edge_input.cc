#include "sinew/offline/autorig/edge_input.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sinew/offline/autorig/wide_rings.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/disjoint_sets.h"
#include "sinew/offline/mesh/edges.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/remesh/sound_surface.h"

namespace sinew::autorig {
namespace {

constexpr double kSmallIsland = 0.01;  // share of the whole area
// Of RemeshIsotropic: fingers and toes get shorter edges than the trunk, or they would melt away.
constexpr double kExponent = 0.5;
constexpr double kSmallestRadius = 1.0 / 400;  // share of the diagonal: about that of a finger
constexpr double kLongest = 2;                 // edges of what is remeshed, in those of the result
constexpr int kMostSplit = 8;        // vertices of what is remeshed, in those of the result; long edges are left beyond
constexpr float kThickest = 0.3F;    // distances through the body above it count as this; share of the height
constexpr float kSkinDepth = 1e-4F;  // where rays into the body start, so that they do not meet their own edge;
                                     // share of the root of the area
// Distances of the wide rings, as shares of the root of the area.
constexpr std::array<double, kWideRings> kWideDistances = {0.03, 0.08, 0.2};
constexpr int kEdgesAtOnce = 256;

double TriangleArea(const TriMesh& mesh, int t) {
  const auto corner = [&](int k) -> Eigen::Vector3d { return mesh.positions.row(mesh.triangles(t, k)).cast<double>(); };
  return (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm() / 2;
}

// Area of every island, as one number per triangle: that of the island that it belongs to.
std::vector<double> IslandAreas(const TriMesh& mesh) {
  DisjointSets islands(mesh.vertex_count());
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    islands.Join(mesh.triangles(t, 0), mesh.triangles(t, 1));
    islands.Join(mesh.triangles(t, 0), mesh.triangles(t, 2));
  }
  std::vector<double> of_island(mesh.vertex_count(), 0), areas(mesh.triangle_count());
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    of_island[islands.Find(mesh.triangles(t, 0))] += TriangleArea(mesh, t);
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

}  // namespace

SmallIslands FindSmallIslands(const TriMesh& surface) {
  // A single vertex far away makes triangles larger than a body.
  const std::vector<bool> sound = SoundTriangles(surface);
  double total = 0, sum = 0;
  for (int t = 0; t < surface.triangle_count(); ++t) total += sound[t] ? TriangleArea(surface, t) : 0;
  const std::vector<double> areas = IslandAreas(surface);
  SmallIslands small;
  for (int t = 0; t < surface.triangle_count(); ++t) {
    small.triangles.push_back(areas[t] < kSmallIsland * total);
    if (small.triangles[t] && sound[t]) sum += TriangleArea(surface, t);
  }
  small.area = total > 0 ? sum / total : 0;
  return small;
}

namespace {

// Distance from an edge to the other side of the body. depth: where the ray starts.
float Thickness(const SurfaceQuery& query, const Eigen::Vector3f& middle, const Eigen::Vector3f& normal, float depth) {
  if (!(normal.squaredNorm() > 0)) return 0;
  const auto hit = query.Shoot(middle, -normal, depth);
  return hit ? static_cast<float>(hit->distance) : std::numeric_limits<float>::max();
}

// Share of the surface that every edge stands for: that of its ends, divided among their edges.
std::vector<float> AreasOf(const TriMesh& surface, const SurfaceEdges& edges) {
  std::vector<double> at_vertices = VertexAreas(surface);
  std::vector<int> degrees(surface.vertex_count(), 0);
  for (const auto& ends : edges.ends) {
    for (const int v : ends) ++degrees[v];
  }
  const double total = SurfaceArea(surface);
  std::vector<float> areas;
  for (const auto& [a, b] : edges.ends) {
    areas.push_back(static_cast<float>((at_vertices[a] / degrees[a] + at_vertices[b] / degrees[b]) / total));
  }
  return areas;
}

}  // namespace

WorkingSurfaces::WorkingSurfaces(const TriMesh& source, int vertices, const std::string& file)
    : left_out_(source.triangle_count(), true) {
  const double total = SurfaceArea(source);
  if (!(total > 0)) throw InputError(file, "", "has no triangle with an area", "give a mesh of a body");
  scale_ = 1 / std::sqrt(total);  // lengths are near 1 whatever the file's unit
  seen_ = SeenTriangles(source, total);
  FineMesh seen;
  std::vector<int> kept(source.vertex_count(), -1);
  for (const int t : seen_) {
    left_out_[t] = false;
    Eigen::Vector3i corners;
    for (int k = 0; k < 3; ++k) {
      int& vertex = kept[source.triangles(t, k)];
      if (vertex < 0) {
        vertex = static_cast<int>(seen.positions.size());
        seen.positions.emplace_back(source.positions.row(source.triangles(t, k)).cast<double>() * scale_);
      }
      corners[k] = vertex;
    }
    seen.triangles.push_back(corners);
  }
  // Corners of long triangles would ask for small edges far around them, which takes the remesher minutes.
  const double edge = std::sqrt(2 / (std::sqrt(3.0) * vertices));  // of so many vertices on an area of 1
  split_ = SplitLongEdges(seen, kLongest * edge, kMostSplit * vertices);
  remesher_ = std::make_unique<const IsotropicRemesher>(
      LabelledMesh{split_.mesh, {}},
      IsotropicOptions{
          .vertex_count = vertices, .exponent = kExponent, .thickness = false, .smallest_radius = kSmallestRadius});
}

WorkingSurface WorkingSurfaces::Make(uint64_t seed) const {
  RemeshedTriangles remeshed = remesher_->Remesh(seed);
  for (size_t v = 0; v < remeshed.map.triangles.size(); ++v) {
    int& t = remeshed.map.triangles[v];
    remeshed.map.barycentric[v] = (split_.corners[t] * remeshed.map.barycentric[v].cast<double>()).cast<float>();
    t = seen_[split_.sources[t]];
  }
  for (Eigen::Vector3f& offset : remeshed.map.offsets) offset /= static_cast<float>(scale_);
  for (Eigen::Vector3d& position : remeshed.result.mesh.positions) position /= scale_;
  return {ToTriMesh(remeshed.result.mesh), std::move(remeshed.map), left_out_};
}

WorkingSurface MakeWorkingSurface(const TriMesh& source, int vertices, uint64_t seed, const std::string& file) {
  return WorkingSurfaces(source, vertices, file).Make(seed);
}

std::shared_ptr<const SurfaceEdges> MakeSurfaceEdges(const TriMesh& surface) {
  const EdgeTable table = BuildEdges(surface.triangles, surface.vertex_count());
  const double size = std::sqrt(SurfaceArea(surface));
  auto edges = std::make_shared<SurfaceEdges>();
  edges->rings = layers::RingsOf(table);
  for (const double distance : kWideDistances) edges->wide.push_back(WideRings(surface, table, distance * size));
  edges->ends = table.vertices;
  return edges;
}

EdgeInput MakeEdgeInput(const TriMesh& surface, std::shared_ptr<const SurfaceEdges> edges) {
  const Points normals = VertexNormals(surface);
  const SurfaceQuery query(surface);
  const auto depth = kSkinDepth * static_cast<float>(std::sqrt(SurfaceArea(surface)));
  EdgeInput input;
  input.features.resize(edges->count(), kFeatureColumns);
  ParallelFor(edges->count(), kEdgesAtOnce, [&](int e) {
    const auto [a, b] = edges->ends[e];
    const Eigen::Vector3f middle = (surface.positions.row(a) + surface.positions.row(b)) / 2;
    const Eigen::Vector3f normal = (normals.row(a) + normals.row(b)).normalized();
    for (int k = 0; k < 3; ++k) {
      input.features(e, k) = middle[k];
      input.features(e, kPositionColumns + k) = normal[k];
    }
    input.features(e, kThicknessColumn) = Thickness(query, middle, normal, depth);
    input.features(e, kRefinedColumn) = 0;
  });
  input.areas = AreasOf(surface, *edges);
  input.edges = std::move(edges);
  return input;
}

EdgeInput InFrame(const EdgeInput& input, const BodyFrame& frame, bool refined) {
  EdgeInput seen{input.edges, RowMatrix(input.features.rows(), kFeatureColumns), input.areas};
  const auto height = static_cast<float>(frame.height);
  for (Eigen::Index e = 0; e < input.features.rows(); ++e) {
    const Eigen::Vector3d place = frame.ToCanonical({input.features(e, 0), input.features(e, 1), input.features(e, 2)});
    const Eigen::Vector3d normal =
        frame.turn * Eigen::Vector3d(input.features(e, 3), input.features(e, 4), input.features(e, 5));
    for (int k = 0; k < 3; ++k) {
      seen.features(e, k) = static_cast<float>(place[k]);
      seen.features(e, kPositionColumns + k) = static_cast<float>(normal[k]);
    }
    seen.features(e, kThicknessColumn) = std::min(input.features(e, kThicknessColumn) / height, kThickest);
    seen.features(e, kRefinedColumn) = refined ? 1.0F : 0.0F;
  }
  return seen;
}

EdgeInput Mirrored(const EdgeInput& input) {
  EdgeInput mirrored = input;
  mirrored.features.col(0) *= -1;
  mirrored.features.col(kPositionColumns) *= -1;
  return mirrored;
}

}  // namespace sinew::autorig
