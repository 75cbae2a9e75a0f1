#include "sinew/offline/lod/simplifier_state.h"

#include "sinew/offline/mesh/queries.h"

namespace sinew::lod {
namespace {

// Weight of the plane through a boundary or seam, upright on its triangle, relative to the triangle's own plane.
constexpr double kBoundaryWeight = 4;
// Weight of a triangle's corners relative to its plane: prefers short edges where the surface is flat.
constexpr double kPointWeight = 1e-3;

FineMesh ToFineMesh(const Surface& surface, const Sheets& sheets) {
  FineMesh mesh;
  for (const int point : sheets.point_of) mesh.positions.push_back(surface.positions[point]);
  mesh.triangles = sheets.triangles;
  return mesh;
}

}  // namespace

Simplifier::State::State(const Surface& surface, SimplifyOptions given)
    : options(std::move(given)),
      sheets(CutIntoSheets(surface.triangles, surface.point_count())),
      mesh(ToFineMesh(surface, sheets)),
      part_of(surface.part_of),
      attributes(surface.wedge_attributes) {
  wedge.resize(mesh.half_edge_slots());
  for (int h = 0; h < mesh.half_edge_slots(); ++h) {
    wedge[h] = options.keep_seams ? surface.wedges[h / 3][h % 3] : mesh.From(h);
  }
  wedge_slots = options.keep_seams ? surface.wedge_count() : mesh.vertex_slots();
  if (!options.keep_seams) attributes.resize(wedge_slots, 0);
  stamps.assign(mesh.half_edge_slots(), 0);
  triangles_left.resize(1 + *std::max_element(part_of.begin(), part_of.end()), 0);
  for (const int part : part_of) ++triangles_left[part];
  FindKinds();
  FindQuadrics(surface);
  input_points = surface.point_count();
  point_at_snapshot = sheets.point_of;
  snapshot_positions = surface.positions;
  dropped.assign(mesh.vertex_slots(), false);
  std::vector<bool> used(surface.point_count(), false);
  for (const int point : sheets.point_of) used[point] = true;
  for (int p = 0; p < surface.point_count(); ++p) {
    if (used[p]) {
      ++points;
    } else {
      loose.push_back(p);
    }
  }
  StartTracking();
  for (int h = 0; h < mesh.half_edge_slots(); ++h) {
    if (Canonical(h) == h) Push(h);
  }
}

bool Simplifier::State::OnFeature(int h) const {
  const int g = mesh.Opposite(h);
  return g == EditMesh::kNone || wedge[h] != wedge[EditMesh::Next(g)] || wedge[EditMesh::Next(h)] != wedge[g];
}

void Simplifier::State::FindKinds() {
  std::vector<int> lines(mesh.vertex_slots(), 0);
  for (int h = 0; h < mesh.half_edge_slots(); ++h) {
    const int g = mesh.Opposite(h);
    if ((g != EditMesh::kNone && g < h) || !OnFeature(h)) continue;
    ++lines[mesh.From(h)];
    ++lines[mesh.To(h)];
  }
  kinds.resize(mesh.vertex_slots());
  for (int v = 0; v < mesh.vertex_slots(); ++v) {
    kinds[v] = sheets.cut[v]   ? VertexKind::kPinned
               : lines[v] == 0 ? VertexKind::kInterior
               : lines[v] == 2 ? VertexKind::kLine
                               : VertexKind::kCorner;
  }
}

void Simplifier::State::FindQuadrics(const Surface& surface) {
  quadrics.resize(mesh.vertex_slots());
  for (int t = 0; t < surface.triangle_count(); ++t) {
    const Eigen::Vector3d &a = mesh.positions[mesh.From(3 * t)], &b = mesh.positions[mesh.From(3 * t + 1)],
                          &c = mesh.positions[mesh.From(3 * t + 2)];
    const Eigen::Vector3d cross = (b - a).cross(c - a);
    const double area = cross.norm() / 2;
    if (area == 0) continue;
    const double importance = options.importance.empty() ? 1 : options.importance[t];
    const Eigen::Vector3d normal = cross.normalized();
    Quadric own;
    own.AddPlane(normal, a, importance * area);
    own.AddPoint((a + b + c) / 3, importance * kPointWeight * area);
    for (int k = 0; k < 3; ++k) {
      const int h = 3 * t + k;
      quadrics[mesh.From(h)] += own;
      if (!OnFeature(h)) continue;
      const Eigen::Vector3d edge = mesh.positions[mesh.To(h)] - mesh.positions[mesh.From(h)];
      if (edge.squaredNorm() == 0) continue;
      Quadric upright;
      upright.AddPlane(normal.cross(edge).normalized(), mesh.positions[mesh.From(h)],
                       importance * kBoundaryWeight * edge.squaredNorm());
      quadrics[mesh.From(h)] += upright;
      quadrics[mesh.To(h)] += upright;
    }
  }
}

void Simplifier::State::StartTracking() {
  tracker.Reset(input_points, mesh.half_edge_slots() / 3, mesh.vertex_slots());
  std::vector<int> placed(input_points, EditMesh::kNone);  // the sheet vertex that each point is placed at
  for (int h = 0; h < mesh.half_edge_slots(); ++h) {
    if (!Shown(h)) continue;
    const int point = point_at_snapshot[mesh.From(h)];
    if (placed[point] != EditMesh::kNone) continue;
    placed[point] = mesh.From(h);
    Eigen::Vector3d b = Eigen::Vector3d::Zero();
    b[h % 3] = 1;
    tracker.Put(point, h / 3, b);
    tracker.AddOwned(mesh.From(h), 1);
  }
  // Copies of a pinned point on other sheets are that same coarse point: they need no fine point of their own as long
  // as the copy where it is placed owns one, which therefore gets nothing extra.
  for (int v = 0; v < mesh.vertex_slots(); ++v) {
    if (kinds[v] != VertexKind::kPinned || dropped[v]) continue;
    if (placed[point_at_snapshot[v]] != v) tracker.AddOwned(v, 1);
  }
}

// Adds the triangles that are left, with wedges numbered in the order of the finest ones.
void Simplifier::State::AddTriangles(const std::vector<int>& point_of, Surface& surface) const {
  std::vector<int> number(wedge_slots, -1);
  for (int h = 0; h < mesh.half_edge_slots(); ++h) {
    if (Shown(h)) number[wedge[h]] = 0;
  }
  std::vector<int> used;
  for (int w = 0; w < wedge_slots; ++w) {
    if (number[w] < 0) continue;
    number[w] = static_cast<int>(used.size());
    used.push_back(w);
  }
  surface.wedge_attributes.resize(static_cast<Eigen::Index>(used.size()), attributes.cols());
  for (size_t w = 0; w < used.size() && attributes.cols() > 0; ++w) {
    surface.wedge_attributes.row(static_cast<Eigen::Index>(w)) = attributes.row(used[w]);
  }
  surface.point_of_wedge.resize(used.size());
  for (int h = 0; h < mesh.half_edge_slots(); h += 3) {
    if (!Shown(h)) continue;
    Eigen::Vector3i at, wedges;
    for (int k = 0; k < 3; ++k) {
      at[k] = point_of[mesh.From(h + k)];
      wedges[k] = number[wedge[h + k]];
      surface.point_of_wedge[wedges[k]] = at[k];
    }
    surface.triangles.push_back(at);
    surface.wedges.push_back(wedges);
    surface.part_of.push_back(part_of[h / 3]);
  }
}

// Returns the upsampling from the surface's points to those of the last snapshot.
Upsampling Simplifier::State::Operators(const std::vector<int>& point_of, const Surface& surface) const {
  Upsampling U;
  U.coarse_count = surface.point_count();
  U.corners.resize(input_points);
  U.weights.resize(input_points);
  const auto set = [&](int point, const Eigen::Vector3i& corners, const Eigen::Vector3d& barycentric) {
    for (int k = 0; k < 3; ++k) {
      U.corners[point][k] = corners[k];
      U.weights[point][k] = static_cast<float>(barycentric[k]);
    }
  };
  for (int p = 0; p < input_points; ++p) {
    const auto& [t, barycentric] = tracker.locations()[p];
    if (t < 0 || !Shown(3 * t)) continue;
    set(p, {point_of[mesh.From(3 * t)], point_of[mesh.From(3 * t + 1)], point_of[mesh.From(3 * t + 2)]}, barycentric);
  }
  if (loose.empty()) return U;
  const SurfaceQuery query(ToTriMesh(surface));
  for (const int p : loose) {
    const SurfacePoint nearest = *query.Closest(snapshot_positions[p].cast<float>());
    set(p, surface.triangles[nearest.triangle], nearest.barycentric.cwiseMax(0));
  }
  return U;
}

}  // namespace sinew::lod
