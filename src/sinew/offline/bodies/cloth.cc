#include "sinew/offline/bodies/cloth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "sinew/offline/bodies/surface_body.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/queries.h"
#include "sinew/offline/mesh/self_intersection.h"
#include "sinew/offline/mesh/sheets.h"

namespace sinew::bodies {
namespace {

using Eigen::Vector3d;
using Edge = std::pair<int, int>;

// Share of an edge within which its end is moved onto the cut.
constexpr double kSnap = 0.25;
// Number of times that normals and thicknesses are averaged with those around.
constexpr int kSmoothing = 4;
// Largest thickness as a share of the room that there is.
constexpr double kRoom = 0.35;
// Number of times that cloth is made thinner where it meets the surface, and how much each time.
constexpr int kRetreats = 8;
constexpr double kRetreat = 0.5;

bool Crosses(double a, double b) { return (a < 0 && b > 0) || (a > 0 && b < 0); }

}  // namespace

Cloth::Cloth(const lod::Surface& surface, const Eigen::MatrixXd& fields) : surface_(surface) {
  const RemeshedTriangles same = Unchanged(surface);
  for (int p = 0; p < same.map.count(); ++p) {
    int corner = 0;
    same.map.barycentric[p].maxCoeff(&corner);
    const int point = surface.triangles[same.map.triangles[p]][corner];
    points_.push_back({surface.positions[point], surface.positions[point], point, fields.row(point)});
  }
  triangles_ = same.result.mesh.triangles;
  labels_ = same.result.labels;
}

TriMesh Cloth::Mesh() const {
  TriMesh mesh;
  mesh.positions.resize(point_count(), 3);
  for (int p = 0; p < point_count(); ++p) mesh.positions.row(p) = points_[p].position.cast<float>();
  mesh.triangles = ToRows(triangles_);
  return mesh;
}

Cloth::Point Cloth::Between(int a, int b, double share) const {
  const Point &p = points_[a], &q = points_[b];
  return {(1 - share) * p.position + share * q.position, (1 - share) * p.skin + share * q.skin,
          share < 0.5 ? p.near : q.near, (1 - share) * p.fields + share * q.fields};
}

void Cloth::SnapToCut(Layer& layer) {
  // Nearest crossing per point, as a share of an edge to another point.
  std::vector<std::pair<double, int>> nearest(points_.size(), {1, -1});
  for (const Eigen::Vector3i& t : triangles_) {
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      if (!Crosses(layer.levels[a], layer.levels[b])) continue;
      const double share = layer.levels[a] / (layer.levels[a] - layer.levels[b]);
      nearest[a] = std::min(nearest[a], {share, b});
      nearest[b] = std::min(nearest[b], {1 - share, a});
    }
  }
  std::vector<Point> moved = points_;
  for (int p = 0; p < point_count(); ++p) {
    if (!(nearest[p].first < kSnap)) continue;
    moved[p] = Between(p, nearest[p].second, nearest[p].first);
    layer.levels[p] = 0;
  }
  points_ = std::move(moved);
}

void Cloth::SplitAlongCut(Layer& layer) {
  std::map<Edge, int> middles;
  const auto middle = [&](int a, int b) {
    const Edge edge = std::minmax(a, b);
    const auto [found, added] = middles.try_emplace(edge, point_count());
    if (added) {
      const double from = layer.levels[edge.first], to = layer.levels[edge.second], share = from / (from - to);
      points_.push_back(Between(edge.first, edge.second, share));
      layer.levels.push_back(0);
      layer.thicknesses.push_back((1 - share) * layer.thicknesses[edge.first] + share * layer.thicknesses[edge.second]);
    }
    return found->second;
  };
  const size_t count = triangles_.size();
  for (size_t t = 0; t < count; ++t) {
    Eigen::Vector3i corners = triangles_[t];
    const auto crosses = [&](int k) { return Crosses(layer.levels[corners[k]], layer.levels[corners[(k + 1) % 3]]); };
    const int crossings = int{crosses(0)} + int{crosses(1)} + int{crosses(2)};
    if (crossings == 0) continue;
    // Turn the triangle until its first edge crosses; with two crossings, until the first and the last do.
    while (!crosses(0) || (crossings == 2 && !crosses(2)))
      corners = Eigen::Vector3i(corners[1], corners[2], corners[0]);
    const int m = middle(corners[0], corners[1]);
    if (crossings == 1) {
      triangles_[t] = {corners[0], m, corners[2]};
      triangles_.emplace_back(m, corners[1], corners[2]);
    } else {
      const int n = middle(corners[2], corners[0]);
      triangles_[t] = {corners[0], m, n};
      triangles_.emplace_back(m, corners[1], corners[2]);
      triangles_.emplace_back(m, corners[2], n);
    }
    labels_.insert(labels_.end(), crossings, labels_[t]);
  }
  layer.covered.resize(triangles_.size());
  for (size_t t = 0; t < triangles_.size(); ++t) {
    const auto below = [&](int k) { return layer.levels[triangles_[t][k]] < 0; };
    layer.covered[t] = below(0) || below(1) || below(2) ? 1 : 0;
  }
}

void Cloth::FindDirections(Layer& layer) const {
  const TriMesh mesh = Mesh();
  const Points normals = VertexNormals(mesh);
  const Csr around = VertexVertices(BuildEdges(mesh.triangles, point_count()), point_count());
  layer.directions.resize(points_.size());
  for (int p = 0; p < point_count(); ++p) layer.directions[p] = normals.row(p).transpose().cast<double>();
  for (int pass = 0; pass < kSmoothing; ++pass) {
    const std::vector<Vector3d> before = layer.directions;
    ParallelFor(point_count(), 1024, [&](int p) {
      Vector3d sum = before[p];
      for (const int q : around[p]) sum += before[q];
      layer.directions[p] = sum.stableNormalized();
    });
  }
}

void Cloth::LimitThickness(Layer& layer) const {
  const TriMesh mesh = Mesh();
  const SurfaceQuery query(mesh);
  const Csr around = VertexVertices(BuildEdges(mesh.triangles, point_count()), point_count());
  ParallelFor(point_count(), 256, [&](int p) {
    if (layer.levels[p] > 0) return;
    const auto direction = layer.directions[p].cast<float>().eval();
    const auto far = static_cast<float>(layer.thicknesses[p] / kRoom);
    const auto hit = query.Shoot(mesh.positions.row(p).transpose(), direction, 1e-3F * far, far);
    if (hit) layer.thicknesses[p] = std::min(layer.thicknesses[p], kRoom * hit->distance);
  });
  for (int pass = 0; pass < kSmoothing; ++pass) {
    const std::vector<double> before = layer.thicknesses;
    for (int p = 0; p < point_count(); ++p) {
      double sum = before[p];
      for (const int q : around[p]) sum += before[q];
      layer.thicknesses[p] = std::min(before[p], sum / (1.0 + static_cast<double>(around[p].size())));
    }
  }
}

void Cloth::OpenRim(Layer& layer) {
  // Points on the cut with triangles on both sides get a copy for the covered one.
  std::vector<char> bare(points_.size(), 0);
  layer.outer.assign(points_.size(), -1);
  std::set<Edge> bare_edges;
  for (size_t t = 0; t < triangles_.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const int a = triangles_[t][k], b = triangles_[t][(k + 1) % 3];
      if (layer.covered[t] != 0) {
        layer.outer[a] = a;
      } else {
        bare[a] = 1;
        if (layer.levels[a] == 0 && layer.levels[b] == 0) bare_edges.emplace(a, b);
      }
    }
  }
  const int count = point_count();
  for (int p = 0; p < count; ++p) {
    if (layer.outer[p] < 0 || bare[p] == 0) continue;
    layer.outer[p] = point_count();
    points_.push_back(Point(points_[p]));
    layer.levels.push_back(0);
    layer.thicknesses.push_back(layer.thicknesses[p]);
    layer.directions.push_back(Vector3d(layer.directions[p]));
  }
  const size_t triangles = triangles_.size();
  for (size_t t = 0; t < triangles; ++t) {
    if (layer.covered[t] == 0) continue;
    const Eigen::Vector3i inner = triangles_[t];
    for (int k = 0; k < 3; ++k) triangles_[t][k] = layer.outer[inner[k]];
    for (int k = 0; k < 3; ++k) {
      const int a = inner[k], b = inner[(k + 1) % 3];
      if (!bare_edges.contains({b, a})) continue;
      triangles_.emplace_back(a, b, layer.outer[b]);
      triangles_.emplace_back(a, layer.outer[b], layer.outer[a]);
      labels_.insert(labels_.end(), 2, labels_[t]);
    }
  }
}

void Cloth::MoveOut(Layer& layer) {
  std::vector<int> moving;
  for (size_t p = 0; p < layer.outer.size(); ++p) {
    if (layer.outer[p] >= 0) moving.push_back(layer.outer[p]);
  }
  std::vector<Vector3d> start(points_.size());
  std::vector<char> moves(points_.size(), 0);
  for (const int p : moving) start[p] = points_[p].position, moves[p] = 1;
  TriMesh mesh = Mesh();
  const TriMesh bare = mesh;
  TrianglePairs before;  // of triangles that met without the cloth; found when first needed
  for (int attempt = 0;; ++attempt) {
    for (const int p : moving) {
      points_[p].position = start[p] + layer.thicknesses[p] * layer.directions[p];
      mesh.positions.row(p) = points_[p].position.cast<float>();
    }
    if (attempt == kRetreats) return;
    std::vector<char> retreats(points_.size(), 0);
    bool any = false;
    const TrianglePairs now = SelfIntersections(mesh, 4 * point_count());
    if (attempt == 0 && !now.empty()) before = SelfIntersections(bare, 4 * point_count());
    for (const auto& pair : now) {
      if (std::binary_search(before.begin(), before.end(), pair)) continue;
      for (const int t : pair) {
        for (int k = 0; k < 3; ++k) retreats[triangles_[t][k]] = 1, any = any || moves[triangles_[t][k]] != 0;
      }
    }
    if (!any) return;
    for (const Eigen::Vector3i& t : triangles_) {
      // Neighbours go half as far back, so that no spike is left.
      const bool near = retreats[t[0]] == 1 || retreats[t[1]] == 1 || retreats[t[2]] == 1;
      for (int k = 0; near && k < 3; ++k) {
        if (retreats[t[k]] == 0) retreats[t[k]] = 2;
      }
    }
    for (const int p : moving) {
      if (retreats[p] != 0) layer.thicknesses[p] *= retreats[p] == 1 ? kRetreat : (1 + kRetreat) / 2;
    }
  }
}

void Cloth::Cover(std::vector<double> levels, std::vector<double> thicknesses) {
  Layer layer{std::move(levels), std::move(thicknesses), {}, {}, {}};
  SnapToCut(layer);
  SplitAlongCut(layer);
  FindDirections(layer);
  LimitThickness(layer);
  OpenRim(layer);
  MoveOut(layer);
}

RemeshedTriangles Cloth::Result() const {
  RemeshedTriangles result;
  std::vector<Vector3d> skin;
  std::vector<int> near;
  for (const Point& point : points_) {
    result.result.mesh.positions.push_back(point.position);
    skin.push_back(point.skin);
    near.push_back(point.near);
  }
  result.result.mesh.triangles = triangles_;
  result.result.labels = labels_;
  result.map = MapWithinIslands({surface_.positions, surface_.triangles}, skin, near);
  for (int p = 0; p < point_count(); ++p) {
    result.map.offsets[p] += (points_[p].position - points_[p].skin).cast<float>();
  }
  return result;
}

}  // namespace sinew::bodies
