#include "sinew/offline/flesh/skin_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>

#include "sinew/offline/mesh/closest_point.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew::flesh {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

// Share of their distance at rest below which two places can touch.
constexpr double kApart = 0.5;
// Two places face each other through their own flesh at rest if each is behind the other by at least kBehind of their
// distance, and that distance is below kThroughFlesh times the sum of their thicknesses.
constexpr double kBehind = 0.3, kThroughFlesh = 1.5;
// Contact distances within which pairs with colliders are found.
constexpr double kAhead = 6;
// Smallest cosine between a triangle's normal and the vector from it to the point, for a triangle that faces the point:
// 60 degrees.
constexpr double kAlongNormal = 0.5;
// Largest number of points that search the trees together.
constexpr int kGroup = 8;
// Rounding error of a dot product of normals.
constexpr float kRounding = 1e-5f;

// Vertex normals, weighted by the area of the triangles, which are summed in order.
Points AreaNormals(const Points& positions, const Triangles& triangles) {
  Points normals = Points::Zero(positions.rows(), 3);
  for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
    const Vector3f a = positions.row(triangles(t, 0)), b = positions.row(triangles(t, 1)),
                   c = positions.row(triangles(t, 2));
    const Vector3f normal = (b - a).cross(c - a);
    for (int k = 0; k < 3; ++k) normals.row(triangles(t, k)) += normal.transpose();
  }
  for (Eigen::Index v = 0; v < normals.rows(); ++v) {
    const float length = normals.row(v).norm();
    if (length > 0) normals.row(v) /= length;
  }
  return normals;
}

// Computes the bounding box of all items below each node of the tree. box_of(index of the node) is where the box is
// stored; extend(item, box) adds an item to a box. Relies on children coming after their parents.
template <typename BoxOf, typename Extend>
void FillBoxes(const Bvh& bvh, const BoxOf& box_of, const Extend& extend) {
  for (size_t n = bvh.nodes.size(); n-- > 0;) {
    const Bvh::Node& node = bvh.nodes[n];
    Box& box = box_of(n);
    box.setEmpty();
    if (node.right >= 0) {
      box.extend(box_of(n + 1));
      box.extend(box_of(node.right));
      continue;
    }
    for (int i = node.begin; i < node.end; ++i) extend(bvh.items[i], box);
  }
}

// Recomputes the tree's own boxes for the current positions of its items.
template <typename Extend>
void Refit(Bvh& bvh, const Extend& extend) {
  FillBoxes(
      bvh, [&](size_t n) -> Box& { return bvh.nodes[n].box; }, extend);
}

// Whether a vector of one box could have a negative dot product with one of the other. False only if certain.
bool MayOppose(const Box& a, const Box& b) {
  const Eigen::Array3f least = (a.min().array() * b.min().array())
                                   .min(a.min().array() * b.max().array())
                                   .min(a.max().array() * b.min().array())
                                   .min(a.max().array() * b.max().array());
  return least.sum() < kRounding;
}

// Groups of at most kGroup points that are near each other.
std::vector<std::vector<int>> GroupPoints(const Points& positions) {
  std::vector<Box> boxes;
  for (Eigen::Index i = 0; i < positions.rows(); ++i) boxes.emplace_back(Vector3f(positions.row(i).transpose()));
  const Bvh bvh = BuildBvh(boxes);
  std::vector<std::vector<int>> groups;
  int done = 0;
  for (const Bvh::Node& node : bvh.nodes) {
    if (node.begin < done || node.end - node.begin > kGroup) continue;
    groups.emplace_back(bvh.items.begin() + node.begin, bvh.items.begin() + node.end);
    done = node.end;
  }
  return groups;
}

std::vector<Box> TetBoxes(const TetMesh& mesh) {
  std::vector<Box> boxes(mesh.tet_count());
  for (int t = 0; t < mesh.tet_count(); ++t) {
    for (int k = 0; k < 4; ++k) boxes[t].extend(mesh.positions.row(mesh.tets(t, k)).cast<float>().transpose());
  }
  return boxes;
}

}  // namespace

double ContactPair::Gap(const Nodes& z) const {
  double sum = offset;
  for (int k = 0; k < kNodes; ++k) sum += weights[k].dot(z.row(nodes[k]));
  return sum;
}

double ContactPair::Energy(const Nodes& z) const {
  const double pressed = std::max(0.0, free_gap - Gap(z));
  return pressed < yield ? 0.5 * stiffness * pressed * pressed : stiffness * yield * (pressed - 0.5 * yield);
}

double ContactPair::Force(double at_gap) const { return stiffness * std::clamp(free_gap - at_gap, 0.0, yield); }

double ContactPair::Curvature(double at_gap) const {
  const double pressed = free_gap - at_gap;
  if (!(pressed > 0)) return 0;
  return pressed < yield ? stiffness : stiffness * yield / pressed;
}

SkinContact::SkinContact(ContactSurface surface, const Embedding& embedding, const SplitTets& tets,
                         const SkinContactOptions& options)
    : surface_(std::move(surface)),
      embedding_(embedding),
      split_(tets),
      options_(options),
      rest_normals_(AreaNormals(surface_.mesh.positions, surface_.mesh.triangles)),
      rest_query_(surface_.mesh),
      groups_(GroupPoints(surface_.mesh.positions)),
      triangles_(BuildBvh(TriangleBoxes(surface_.mesh))),
      tets_(BuildBvh(TetBoxes(split_.mesh))) {}

SkinContact::Shape SkinContact::MakeShape(const std::vector<Eigen::Affine3d>& maps, Nodes nodes, const Nodes& z) const {
  Shape shape{.z = &z,
              .maps = &maps,
              .nodes = std::move(nodes),
              .positions = {},
              .normals = {},
              .facing = {},
              .centres = {},
              .radii = {},
              .in_tets = {},
              .to_barycentric = {},
              .triangles = triangles_,
              .tets = tets_,
              .facings = {}};
  // Points: posed positions and normals, and where their straight posed tetrahedra have them.
  const Nodes inside = Follow(embedding_, split_.mesh.tets, z);
  shape.positions.resize(inside.rows(), 3);
  for (Eigen::Index i = 0; i < inside.rows(); ++i) {
    shape.positions.row(i) = (maps[i] * inside.row(i).transpose()).cast<float>().transpose();
  }
  shape.in_tets = Follow(embedding_, split_.mesh.tets, shape.nodes);
  shape.normals = AreaNormals(shape.positions, surface_.mesh.triangles);
  // Triangles: facing, bounding spheres and the tree over them.
  shape.facing.resize(surface_.mesh.triangle_count(), 3);
  shape.centres.resize(surface_.mesh.triangle_count(), 3);
  shape.radii.assign(surface_.mesh.triangle_count(), 0);
  for (int t = 0; t < surface_.mesh.triangle_count(); ++t) {
    const auto corners = surface_.mesh.triangles.row(t);
    shape.facing.row(t) = shape.normals.row(corners[0]) + shape.normals.row(corners[1]) + shape.normals.row(corners[2]);
    shape.centres.row(t) =
        (shape.positions.row(corners[0]) + shape.positions.row(corners[1]) + shape.positions.row(corners[2])) / 3;
    for (int k = 0; k < 3; ++k) {
      shape.radii[t] = std::max(shape.radii[t], (shape.positions.row(corners[k]) - shape.centres.row(t)).norm());
    }
  }
  Refit(shape.triangles, [&](int triangle, Box& box) {
    for (int k = 0; k < 3; ++k) box.extend(shape.positions.row(surface_.mesh.triangles(triangle, k)).transpose());
  });
  shape.facings.resize(shape.triangles.nodes.size());
  FillBoxes(
      shape.triangles, [&](size_t n) -> Box& { return shape.facings[n]; },
      [&](int triangle, Box& box) { box.extend(shape.facing.row(triangle).transpose()); });
  // Tetrahedra: maps to barycentric coordinates and the tree over them.
  shape.to_barycentric.resize(split_.mesh.tet_count());
  for (int t = 0; t < split_.mesh.tet_count(); ++t) {
    TetCorners corners;
    for (int k = 0; k < 4; ++k) corners[k] = shape.nodes.row(split_.mesh.tets(t, k)).transpose();
    const Eigen::Matrix3d edges = EdgeMatrix(corners);
    shape.to_barycentric[t] = edges.determinant() > 0 ? Eigen::Matrix3d(edges.inverse()) : Eigen::Matrix3d::Zero();
  }
  Refit(shape.tets, [&](int tet, Box& box) {
    for (int k = 0; k < 4; ++k) box.extend(shape.nodes.row(split_.mesh.tets(tet, k)).cast<float>().transpose());
  });
  return shape;
}

void SkinContact::TryTriangle(const Shape& shape, int point, int triangle, double margin, Found& best) const {
  const auto corners = surface_.mesh.triangles.row(triangle);
  if (corners[0] == point || corners[1] == point || corners[2] == point) return;
  // Cheap tests first: most triangles nearby are of the same sheet and fail here.
  if (!(shape.facing.row(triangle).dot(shape.normals.row(point)) < 0)) return;
  const float reach = (static_cast<float>(best.distance) + shape.radii[triangle]) * (1 + kRounding);
  if ((shape.positions.row(point) - shape.centres.row(triangle)).squaredNorm() > reach * reach) return;
  // Nearest point of the triangle, with its normal, and the same point at rest.
  std::array<Vector3d, 3> at;
  for (int k = 0; k < 3; ++k) at[k] = shape.positions.row(corners[k]).cast<double>().transpose();
  const Vector3d p = shape.positions.row(point).cast<double>().transpose();
  const TrianglePoint closest = ClosestPointOnTriangle(p, at);
  const double distance = (p - closest.point).norm();
  if (!(distance < best.distance || (distance == best.distance && triangle < best.triangle))) return;
  Vector3d normal = Vector3d::Zero(), rest = Vector3d::Zero(), rest_normal = Vector3d::Zero();
  double thickness = 0;
  for (int k = 0; k < 3; ++k) {
    normal += closest.barycentric[k] * shape.normals.row(corners[k]).cast<double>().transpose();
    rest += closest.barycentric[k] * surface_.mesh.positions.row(corners[k]).cast<double>().transpose();
    rest_normal += closest.barycentric[k] * rest_normals_.row(corners[k]).cast<double>().transpose();
    thickness = std::max(thickness, surface_.thickness[corners[k]]);
  }
  // The two must face each other, and be nearer than at rest and within reach.
  if (!(normal.norm() > 1e-3) || !(shape.normals.row(point).cast<double>().dot(normal) < 0)) return;
  normal.normalize();
  const Vector3d between = rest - surface_.mesh.positions.row(point).cast<double>().transpose();
  const double rest_distance = between.norm();
  if (!(distance - margin < kApart * rest_distance)) return;
  const double gap = normal.dot(p - closest.point);
  if (distance > margin + (gap < 0 ? options_.hardly : options_.distance)) return;
  if (std::abs(gap) < kAlongNormal * distance - margin) return;
  // They must not have faced each other through their own flesh at rest.
  const bool is_through = rest_normals_.row(point).cast<double>().dot(between) < -kBehind * rest_distance &&
                          rest_normal.dot(between) > kBehind * rest_distance &&
                          rest_distance < kThroughFlesh * (thickness + surface_.thickness[point]);
  if (is_through) return;
  best = {.triangle = triangle,
          .distance = distance,
          .barycentric = closest.barycentric,
          .normal = normal,
          .gap = gap,
          .rest_distance = rest_distance};
}

bool SkinContact::IsOwnPiece(int tet, const Vector3d& place) const {
  const TetCorners corners = CornersOf(split_.mesh, tet);
  double nearest = std::numeric_limits<double>::infinity();
  bool is_own = true;
  for (int s = 0; s < kFleshSamples; ++s) {
    if (!split_.flesh[tet][s] && !split_.other[tet][s]) continue;
    Vector3d sample = Vector3d::Zero();
    for (int k = 0; k < 4; ++k) sample += FleshSamples()[s][k] * corners[k];
    const double distance = (sample - place).squaredNorm();
    if (!(distance < nearest)) continue;
    nearest = distance;
    is_own = split_.flesh[tet][s];
  }
  return is_own;
}

// If a point is in several pieces of flesh, the one that it is deepest in counts.
void SkinContact::TryTet(const Shape& shape, int point, int tet, Found& best) const {
  if (tet == embedding_.tets[point]) return;
  const Vector3d w =
      shape.to_barycentric[tet] * (shape.in_tets.row(point) - shape.nodes.row(split_.mesh.tets(tet, 0))).transpose();
  if (!(w.minCoeff() > 0 && w.sum() < 1)) return;
  const TetCorners corners = CornersOf(split_.mesh, tet);
  const Vector3d there = corners[0] + EdgeMatrix(corners) * w;
  const Vector3d own = surface_.mesh.positions.row(point).cast<double>().transpose();
  if ((there - own).norm() < options_.own_flesh || !IsOwnPiece(tet, there)) return;
  const auto skin = rest_query_.Closest(there.cast<float>());
  if (!skin || skin->distance < best.distance) return;
  Vector3d normal = Vector3d::Zero(), rest_normal = Vector3d::Zero(), q = Vector3d::Zero();
  for (int k = 0; k < 3; ++k) {
    const int corner = surface_.mesh.triangles(skin->triangle, k);
    normal += skin->barycentric[k] * shape.normals.row(corner).cast<double>().transpose();
    rest_normal += skin->barycentric[k] * rest_normals_.row(corner).cast<double>().transpose();
    q += skin->barycentric[k] * shape.positions.row(corner).cast<double>().transpose();
    if (corner == point) return;
  }
  if (!(rest_normal.dot(there - skin->point) < 0) || !(normal.norm() > 1e-3)) return;
  normal.normalize();
  const Vector3d p = shape.positions.row(point).cast<double>().transpose();
  const double rest_distance = (skin->point - own).norm(), gap = normal.dot(p - q);
  if (!(gap < 0) || rest_distance < options_.own_flesh) return;
  best = {.triangle = skin->triangle,
          .distance = skin->distance,
          .barycentric = skin->barycentric,
          .normal = normal,
          .gap = gap,
          .rest_distance = rest_distance};
}

SkinContact::Found SkinContact::FindInside(const Shape& shape, int point) const {
  Found best;
  const Vector3f p = shape.in_tets.row(point).cast<float>().transpose();
  Traverse(
      shape.tets, [&](const Box& box) { return box.contains(p); }, [&](int tet) { TryTet(shape, point, tet, best); });
  return best;
}

SkinContact::Found SkinContact::FindInsideByAsking(const Shape& shape, int point) const {
  Found best;
  for (int t = 0; t < split_.mesh.tet_count(); ++t) TryTet(shape, point, t, best);
  return best;
}

SkinContact::Found SkinContact::FindNear(const Shape& shape, int point, double margin) const {
  Found best;
  best.distance = std::max(options_.hardly, options_.distance) + margin;
  const Vector3f p = shape.positions.row(point).transpose();
  const Box normal(Vector3f(shape.normals.row(point).transpose()));
  TraverseLeaves(
      shape.triangles,
      [&](int n) {
        const Box& box = shape.triangles.nodes[n].box;
        return box.squaredExteriorDistance(p) <= best.distance * best.distance * (1 + 1e-6) &&
               MayOppose(normal, shape.facings[n]);
      },
      [&](int n) {
        const Bvh::Node& leaf = shape.triangles.nodes[n];
        for (int i = leaf.begin; i < leaf.end; ++i) {
          TryTriangle(shape, point, shape.triangles.items[i], margin, best);
        }
      });
  return best;
}

void SkinContact::MarkNear(const Shape& shape, const std::vector<int>& group, double margin,
                           std::vector<bool>& could) const {
  const double reach = std::max(options_.hardly, options_.distance) + margin;
  Box here, normals;
  for (const int point : group) {
    here.extend(shape.positions.row(point).transpose());
    normals.extend(shape.normals.row(point).transpose());
  }
  const auto is_near = [&](const Box& box, const auto& place) {
    return box.squaredExteriorDistance(place) <= reach * reach * (1 + 1e-6);
  };
  const auto try_leaf = [&](int point, const Bvh::Node& leaf) {
    Found found;
    found.distance = reach;
    for (int i = leaf.begin; i < leaf.end && found.triangle < 0; ++i) {
      TryTriangle(shape, point, shape.triangles.items[i], margin, found);
    }
    could[point] = found.triangle >= 0;
  };
  TraverseLeaves(
      shape.triangles,
      [&](int n) { return is_near(shape.triangles.nodes[n].box, here) && MayOppose(normals, shape.facings[n]); },
      [&](int n) {
        const Bvh::Node& leaf = shape.triangles.nodes[n];
        for (const int point : group) {
          const Vector3f p = shape.positions.row(point).transpose();
          if (!could[point] && is_near(leaf.box, p)) try_leaf(point, leaf);
        }
      });
}

void SkinContact::MarkInside(const Shape& shape, const std::vector<int>& group, std::vector<bool>& could) const {
  Box here;
  for (const int point : group) here.extend(shape.in_tets.row(point).cast<float>().transpose());
  const auto try_leaf = [&](int point, const Bvh::Node& leaf) {
    Found found;
    for (int i = leaf.begin; i < leaf.end && found.triangle < 0; ++i) {
      TryTet(shape, point, shape.tets.items[i], found);
    }
    could[point] = found.triangle >= 0;
  };
  TraverseLeaves(
      shape.tets, [&](int n) { return shape.tets.nodes[n].box.intersects(here); },
      [&](int n) {
        const Bvh::Node& leaf = shape.tets.nodes[n];
        for (const int point : group) {
          const Vector3f p = shape.in_tets.row(point).cast<float>().transpose();
          if (!could[point] && leaf.box.contains(p)) try_leaf(point, leaf);
        }
      });
}

SkinContact::Found SkinContact::FindNearByAsking(const Shape& shape, int point, double margin) const {
  Found best;
  best.distance = std::max(options_.hardly, options_.distance) + margin;
  for (int t = 0; t < surface_.mesh.triangle_count(); ++t) TryTriangle(shape, point, t, margin, best);
  return best;
}

std::vector<int> SkinContact::Candidates(const Shape& shape, double margin) const {
  std::vector<bool> could(surface_.mesh.vertex_count(), false);
  for (const std::vector<int>& group : groups_) {
    MarkNear(shape, group, margin, could);
    MarkInside(shape, group, could);
  }
  std::vector<int> candidates;
  for (int i = 0; i < surface_.mesh.vertex_count(); ++i) {
    if (could[i]) candidates.push_back(i);
  }
  return candidates;
}

std::vector<ContactPair> SkinContact::FindPairs(const Shape& shape, const std::vector<int>& candidates) const {
  std::vector<ContactPair> pairs;
  for (const int point : candidates) {
    Found found = FindInside(shape, point);
    if (found.triangle < 0) found = FindNear(shape, point, 0);
    if (found.triangle < 0) continue;
    ContactPair pair;
    pair.point = point;
    pair.triangle = found.triangle;
    pair.distance = found.distance;
    pair.free_gap = std::min(options_.distance, kApart * found.rest_distance);
    pair.yield = pair.free_gap + options_.yield;
    pair.stiffness = surface_.areas[point] * options_.stiffness;
    int next = 0;
    AddPoint(shape, point, 1, found.normal, next, pair);
    for (int k = 0; k < 3; ++k) {
      AddPoint(shape, surface_.mesh.triangles(found.triangle, k), -found.barycentric[k], found.normal, next, pair);
    }
    pair.gap = pair.Gap(*shape.z);
    pair.barycentric = found.barycentric;
    pair.way = WayTo(shape, pair);
    pairs.push_back(pair);
  }
  return pairs;
}

Vector3d SkinContact::WayTo(const Shape& shape, const ContactPair& pair) const {
  Vector3d way = shape.positions.row(pair.point).cast<double>().transpose();
  for (int k = 0; k < 3; ++k) {
    const int corner = surface_.mesh.triangles(pair.triangle, k);
    way -= pair.barycentric[k] * shape.positions.row(corner).cast<double>().transpose();
  }
  return way;
}

double SkinContact::Slide(const Shape& shape, const ContactPair& pair) const {
  // Motion towards the skin or away from it, along the normal that the gap is measured along, is not sliding.
  const double along = pair.Gap(*shape.z) - pair.gap;
  const double moved = (WayTo(shape, pair) - pair.way).squaredNorm();
  return std::sqrt(std::max(0.0, moved - along * along));
}

void SkinContact::AddPoint(const Shape& shape, int point, double share, const Vector3d& normal, int& next,
                           ContactPair& pair) const {
  const int tet = embedding_.tets[point];
  const Eigen::Affine3d& map = (*shape.maps)[point];
  pair.offset += share * normal.dot(map.translation());
  const Vector3d turned = share * (map.linear().transpose() * normal);
  for (int k = 0; k < 4; ++k) {
    pair.nodes[next] = split_.mesh.tets(tet, k);
    pair.weights[next++] = embedding_.weights(point, k) * turned;
  }
}

std::vector<ContactPair> SkinContact::FindColliderPairs(const Shape& shape, const std::vector<DualQuaternion>& joints,
                                                        const std::vector<Rigid>& places) const {
  std::vector<ContactPair> pairs;
  std::vector<const elasticity::RigidCollider*> shapes;
  std::vector<Rigid> motions;
  size_t given = 0;
  for (const Collider& collider : colliders_) {
    if (collider.given && given >= places.size()) continue;
    shapes.push_back(collider.shape.get());
    motions.push_back(collider.given       ? places[given++]
                      : collider.joint < 0 ? Rigid{}
                                           : joints[collider.joint].ToRigid());
  }
  for (int point = 0; point < surface_.mesh.vertex_count() && !shapes.empty(); ++point) {
    std::optional<elasticity::ColliderPoint> deepest;
    const Vector3d at = shape.positions.row(point).cast<double>().transpose();
    for (size_t c = 0; c < shapes.size(); ++c) {
      // Also those that do not push yet: a step that brings them into the collider must see it.
      const auto found = shapes[c]->Find(motions[c].Undo(at), kAhead * options_.distance);
      if (!found || (deepest && found->gap >= deepest->gap)) continue;
      deepest = {.point = motions[c] * found->point, .normal = motions[c].R * found->normal, .gap = found->gap};
    }
    if (!deepest) continue;
    ContactPair pair;
    pair.point = point;
    pair.distance = std::abs(deepest->gap);
    pair.free_gap = options_.distance;
    pair.yield = pair.free_gap + options_.yield;
    pair.stiffness = surface_.areas[point] * options_.stiffness;
    pair.offset = -deepest->normal.dot(deepest->point);
    int next = 0;
    AddPoint(shape, point, 1, deepest->normal, next, pair);
    pair.gap = pair.Gap(*shape.z);
    pairs.push_back(pair);
  }
  return pairs;
}

std::vector<CloseAtRest> SkinContact::FindCloseAtRest() const {
  std::vector<CloseAtRest> close;
  for (int point = 0; point < surface_.mesh.vertex_count(); ++point) {
    const Vector3d p = surface_.mesh.positions.row(point).cast<double>().transpose();
    const Vector3d normal = rest_normals_.row(point).cast<double>().transpose();
    CloseAtRest nearest{.point = point, .triangle = -1, .gap = options_.distance};
    const auto try_triangle = [&](int triangle) {
      const auto corners = surface_.mesh.triangles.row(triangle);
      if (corners[0] == point || corners[1] == point || corners[2] == point) return;
      const std::array<Vector3d, 3> at = Corners(surface_.mesh, triangle);
      const Vector3d face = (at[1] - at[0]).cross(at[2] - at[0]).normalized();
      const Vector3d way = ClosestPointOnTriangle(p, at).point - p;
      const double gap = way.norm();
      if (!(gap < nearest.gap) || !(face.dot(normal) < 0)) return;
      if (normal.dot(way) < kAlongNormal * gap || -face.dot(way) < kAlongNormal * gap) return;
      nearest.triangle = triangle;
      nearest.gap = gap;
    };
    Traverse(
        triangles_,
        [&](const Box& box) { return box.squaredExteriorDistance(p.cast<float>()) <= nearest.gap * nearest.gap; },
        try_triangle);
    if (nearest.triangle >= 0) close.push_back(nearest);
  }
  return close;
}

}  // namespace sinew::flesh
