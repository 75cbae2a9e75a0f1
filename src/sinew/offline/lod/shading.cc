#include "sinew/offline/lod/shading.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sinew/offline/mesh/disjoint_sets.h"
#include "sinew/offline/mesh/edges.h"
#include "sinew/offline/mesh/sheets.h"

namespace sinew::lod {
namespace {

// Unit normals of the triangles; zero for one without area.
std::vector<Eigen::Vector3d> TriangleNormals(const Surface& surface) {
  std::vector<Eigen::Vector3d> normals;
  normals.reserve(surface.triangles.size());
  for (const Eigen::Vector3i& t : surface.triangles) {
    const Eigen::Vector3d& a = surface.positions[t[0]];
    normals.push_back((surface.positions[t[1]] - a).cross(surface.positions[t[2]] - a).normalized());
  }
  return normals;
}

double AngleBetween(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

// Calls visit(h, g, angle) for every edge where two triangles meet and run through it in opposite directions. h, g:
// their half-edges; angle: between their normals, radians.
template <typename Visit>
void VisitFolds(const Surface& surface, const Visit& visit) {
  const Triangles triangles = ToRows(surface.triangles);
  const EdgeTable edges = BuildEdges(triangles, surface.point_count());
  const std::vector<Eigen::Vector3d> normals = TriangleNormals(surface);
  for (int e = 0; e < edges.edge_count(); ++e) {
    const std::span<const int> sides = edges.half_edges[e];
    if (sides.size() != 2 || Tail(triangles, sides[0]) != Head(triangles, sides[1])) continue;
    visit(sides[0], sides[1], AngleBetween(normals[sides[0] / 3], normals[sides[1] / 3]));
  }
}

// Normals that a file gives to the corners of the surface's triangles; zero where it gives none.
std::vector<Eigen::Vector3d> FileNormals(const Character& character, const Surface& surface) {
  std::vector<Eigen::Vector3d> normals;
  normals.reserve(3 * surface.triangles.size());
  for (int p = 0; p < surface.part_count(); ++p) {
    const Part& part = character.parts[p];
    const Eigen::Matrix3d turn = ModelFromMesh(character, part).linear().inverse().transpose();
    for (Eigen::Index t = 0; t < part.mesh.triangles.rows(); ++t) {
      std::array<int, 3> points{};
      for (int k = 0; k < 3; ++k) {
        points[k] = surface.point_of_vertex[surface.first_vertex[p] + part.mesh.triangles(t, k)];
      }
      if (points[0] == points[1] || points[1] == points[2] || points[2] == points[0]) continue;
      for (int k = 0; k < 3; ++k) {
        normals.push_back(
            part.normals.rows() == 0
                ? Eigen::Vector3d::Zero()
                : (turn * part.normals.row(part.mesh.triangles(t, k)).transpose().cast<double>()).normalized());
      }
    }
  }
  return normals;
}

}  // namespace

double CreaseAngle(const Character& character, const Surface& surface) {
  constexpr double kSame = std::numbers::pi / 180;
  const std::vector<Eigen::Vector3d> normals = FileNormals(character, surface);
  struct Fold {
    double angle;
    bool hard;
  };
  std::vector<Fold> folds;
  int hard_count = 0;
  VisitFolds(surface, [&](int h, int g, double angle) {
    const bool hard = AngleBetween(normals[h], normals[NextAround(g)]) > kSame ||
                      AngleBetween(normals[NextAround(h)], normals[g]) > kSame;
    folds.push_back({angle, hard});
    hard_count += hard ? 1 : 0;
  });
  constexpr double kNever = 4;
  if (hard_count == 0) return kNever;
  std::sort(folds.begin(), folds.end(), [](const Fold& a, const Fold& b) { return a.angle < b.angle; });
  // If all folds from the k-th on are called hard, the hard ones before it and the soft ones after it are wrong.
  int wrong = static_cast<int>(folds.size()) - hard_count, least = wrong;
  double best = 0;
  for (size_t k = 0; k < folds.size(); ++k) {
    wrong += folds[k].hard ? 1 : -1;
    if (wrong >= least) continue;
    least = wrong;
    best = k + 1 < folds.size() ? (folds[k].angle + folds[k + 1].angle) / 2 : kNever;
  }
  return best;
}

Shading ShadeSurface(const Surface& surface, double crease_angle) {
  DisjointSets corners(3 * surface.triangle_count());
  VisitFolds(surface, [&](int h, int g, double angle) {
    if (angle >= crease_angle) return;
    corners.Join(h, NextAround(g));
    corners.Join(NextAround(h), g);
  });
  Shading shading;
  shading.groups.resize(surface.triangles.size());
  std::vector<int> group_of(3 * surface.triangles.size(), -1);
  const std::vector<Eigen::Vector3d> normals = TriangleNormals(surface);
  for (int c = 0; c < 3 * surface.triangle_count(); ++c) {
    int& group = group_of[corners.Find(c)];
    if (group < 0) {
      group = static_cast<int>(shading.normals.size());
      shading.normals.emplace_back(Eigen::Vector3d::Zero());
    }
    shading.groups[c / 3][c % 3] = group;
    const Eigen::Vector3i& t = surface.triangles[c / 3];
    const Eigen::Vector3d& here = surface.positions[t[c % 3]];
    const double angle =
        AngleBetween(surface.positions[t[(c + 1) % 3]] - here, surface.positions[t[(c + 2) % 3]] - here);
    shading.normals[group] += angle * normals[c / 3];
  }
  for (Eigen::Vector3d& normal : shading.normals) {
    normal = normal.squaredNorm() > 0 ? Eigen::Vector3d(normal.normalized()) : Eigen::Vector3d(0, 1, 0);
  }
  return shading;
}

Eigen::Matrix<float, Eigen::Dynamic, 4, Eigen::RowMajor> TextureTangents(const TriMesh& mesh, const Points& normals,
                                                                         const Eigen::MatrixX2d& uv) {
  Eigen::MatrixX3d along = Eigen::MatrixX3d::Zero(mesh.vertex_count(), 3), across = along;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const Eigen::RowVector3i v = mesh.triangles.row(t);
    const Eigen::RowVector3d a = mesh.positions.row(v[0]).cast<double>();
    const Eigen::RowVector3d e1 = mesh.positions.row(v[1]).cast<double>() - a;
    const Eigen::RowVector3d e2 = mesh.positions.row(v[2]).cast<double>() - a;
    const Eigen::RowVector2d d1 = uv.row(v[1]) - uv.row(v[0]), d2 = uv.row(v[2]) - uv.row(v[0]);
    // Weighted by the area in the texture, so that a large triangle counts for more than a small one.
    const double sign = d1.x() * d2.y() - d1.y() * d2.x() < 0 ? -1 : 1;
    for (int k = 0; k < 3; ++k) {
      along.row(v[k]) += sign * (d2.y() * e1 - d1.y() * e2);
      across.row(v[k]) += sign * (d1.x() * e2 - d2.x() * e1);
    }
  }
  Eigen::Matrix<float, Eigen::Dynamic, 4, Eigen::RowMajor> tangents(mesh.vertex_count(), 4);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const Eigen::Vector3d n = normals.row(v).transpose().cast<double>();
    Eigen::Vector3d t = along.row(v).transpose();
    t -= n * n.dot(t);
    if (!(t.squaredNorm() > 1e-30)) t = n.unitOrthogonal();
    t.normalize();
    const double handedness = n.cross(t).dot(across.row(v).transpose()) < 0 ? -1 : 1;
    tangents.row(v) << t.transpose().cast<float>(), static_cast<float>(handedness);
  }
  return tangents;
}

}  // namespace sinew::lod
