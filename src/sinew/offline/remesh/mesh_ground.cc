#include "sinew/offline/remesh/mesh_ground.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "sinew/offline/core/parallel.h"

namespace sinew {
namespace {

using Eigen::Vector3d;
constexpr int kNone = EditMesh::kNone;
constexpr int kLineKinds = 29;
// Cosine of the angle by which a line may turn at a vertex that moves.
constexpr double kStraight = 0.5;

// Number of the line that a half edge lies on: 0 the boundary, others between two labels; -1: none. Kinds of borders
// share a number only if there are very many.
int LineOf(const EditMesh& mesh, const std::vector<int>& labels, std::map<std::pair<int, int>, int>& borders, int h) {
  const int g = mesh.Opposite(h);
  if (g == kNone) return 0;
  const auto pair = std::minmax(labels[h / 3], labels[g / 3]);
  if (pair.first == pair.second) return -1;
  const auto [border, added] = borders.try_emplace(pair, static_cast<int>(borders.size()));
  return 1 + border->second % (kLineKinds - 1);
}

// Whether a line passes through a vertex without a corner, given the vertex's neighbours on lines.
bool PassesStraight(const EditMesh& mesh, int v, const std::vector<int>& along) {
  if (along.size() != 2) return false;
  const Vector3d in = mesh.positions[v] - mesh.positions[along[0]], out = mesh.positions[along[1]] - mesh.positions[v];
  return in.dot(out) >= kStraight * in.norm() * out.norm();
}

}  // namespace

LinedSheet FindLines(const FineMesh& mesh, const std::vector<int>& labels, const std::vector<bool>& fixed) {
  EditMesh edit(mesh);
  LinedSheet sheet{.mesh = {}, .labels = labels, .faces = std::vector<int>(mesh.positions.size(), 0)};
  std::map<std::pair<int, int>, int> borders;
  std::vector<std::vector<int>> along(mesh.positions.size());
  for (int h = 0; h < edit.half_edge_slots(); ++h) {
    const int line = edit.Opposite(h) < h ? LineOf(edit, labels, borders, h) : -1;
    if (line < 0) continue;
    for (const auto& [v, w] : {std::pair(edit.From(h), edit.To(h)), std::pair(edit.To(h), edit.From(h))}) {
      sheet.faces[v] |= 1 << line;
      along[v].push_back(w);
    }
  }
  for (size_t v = 0; v < along.size(); ++v) {
    const bool corner = !along[v].empty() && !PassesStraight(edit, static_cast<int>(v), along[v]);
    if (corner || fixed[v]) sheet.faces[v] |= RemeshGround::kFixed;
  }
  const int slots = edit.half_edge_slots();
  for (int h = 0; h < slots; ++h) {
    const int a = edit.From(h), b = edit.To(h), g = edit.Opposite(h);
    if (g == kNone || g > h || sheet.labels[h / 3] != sheet.labels[g / 3]) continue;
    if ((sheet.faces[a] & sheet.faces[b] & ~RemeshGround::kFixed) == 0) continue;
    sheet.labels.insert(sheet.labels.end(), 2, sheet.labels[h / 3]);
    edit.Split(h, (edit.positions[a] + edit.positions[b]) / 2);
    sheet.faces.push_back(0);
  }
  sheet.mesh = edit.ToMesh();
  return sheet;
}

namespace {

// The lines of one kind, as triangles without area.
TriMesh LineMesh(const LinedSheet& sheet, const EditMesh& edit, int bit) {
  std::vector<std::array<int, 2>> edges;
  for (int h = 0; h < edit.half_edge_slots(); ++h) {
    if (edit.Opposite(h) >= h) continue;
    const int a = edit.From(h), b = edit.To(h);
    if ((sheet.faces[a] & sheet.faces[b] & bit) != 0) edges.push_back({a, b});
  }
  TriMesh lines = ToTriMesh(sheet.mesh);
  lines.triangles.resize(static_cast<Eigen::Index>(edges.size()), 3);
  for (size_t e = 0; e < edges.size(); ++e) {
    lines.triangles.row(static_cast<Eigen::Index>(e)) << edges[e][0], edges[e][1], edges[e][1];
  }
  return lines;
}

}  // namespace

MeshGround::MeshGround(const LinedSheet& sheet)
    : mesh_(ToTriMesh(sheet.mesh)), normals_(VertexNormals(mesh_)), surface_(mesh_) {
  int bits = 0;
  for (const int faces : sheet.faces) bits |= faces & ~kFixed;
  const EditMesh edit(sheet.mesh);
  for (int bit = 1; bit <= bits; bit <<= 1) {
    if ((bits & bit) != 0) lines_.emplace(bit, SurfaceQuery(LineMesh(sheet, edit, bit)));
  }
}

Vector3d MeshGround::NormalAt(const SurfacePoint& at) const {
  Vector3d normal = Vector3d::Zero();
  for (int k = 0; k < 3; ++k) {
    normal += at.barycentric[k] * normals_.row(mesh_.triangles(at.triangle, k)).transpose().cast<double>();
  }
  return normal.stableNormalized();
}

Vector3d MeshGround::Project(int faces, const Vector3d& normal, Vector3d& point) const {
  const int bits = faces & ~kFixed;
  if ((faces & kFixed) == 0 && std::has_single_bit(static_cast<unsigned>(bits))) {
    const auto line = lines_.find(bits);
    if (line != lines_.end()) {
      if (const auto on_line = line->second.Closest(point.cast<float>())) point = on_line->point;
    }
  }
  const auto closest = surface_.Closest(point.cast<float>());
  if (!closest) return normal;
  const Vector3d found = NormalAt(*closest);
  // Another layer of the surface, such as the other lip, may be nearer than the one that the point is on.
  if (found.dot(normal) < 0) return normal;
  if (faces == 0) point = closest->point;
  return found;
}

void MeshGround::Hold(int faces, const Vector3d& before, Vector3d& after) const {
  // Where several lines meet there is nowhere to go.
  if ((faces & kFixed) != 0 || std::popcount(static_cast<unsigned>(faces)) > 1) after = before;
}

std::vector<double> MeshGround::Radii(bool thickness) const {
  const Box box = BoundingBox(mesh_.positions);
  const float size = box.diagonal().norm();
  std::vector<double> curvature(mesh_.vertex_count(), 0);
  for (int t = 0; t < mesh_.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const int a = mesh_.triangles(t, k), b = mesh_.triangles(t, (k + 1) % 3);
      const Eigen::Vector3f edge = mesh_.positions.row(b) - mesh_.positions.row(a);
      const Eigen::Vector3f turn = normals_.row(b) - normals_.row(a);
      const double length = edge.norm();
      if (!(length > 0)) continue;
      // Hollows need fewer vertices than ridges: nothing thin can be lost there.
      const double bend = turn.norm() / length * (turn.dot(edge) < 0 ? 0.4 : 1);
      curvature[a] = std::max(curvature[a], bend);
      curvature[b] = std::max(curvature[b], bend);
    }
  }
  std::vector<double> radii(curvature.size());
  ParallelFor(mesh_.vertex_count(), 256, [&](int v) {
    radii[v] = std::min<double>(size, 1 / std::max(curvature[v], 1e-3));
    if (!thickness) return;
    const Eigen::Vector3f inward = -normals_.row(v);
    const auto across = surface_.Shoot(mesh_.positions.row(v).transpose(), inward, 1e-4F * size, size);
    const bool leaves = across && NormalAt(*across).dot(inward.cast<double>()) > 0;
    if (leaves) radii[v] = std::min(radii[v], across->distance / 2);
  });
  return radii;
}

}  // namespace sinew
