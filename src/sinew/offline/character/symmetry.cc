#include "sinew/offline/character/symmetry.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/queries.h"

namespace sinew {
namespace {

using Eigen::Affine3f;
using Eigen::Vector3f;

// Tolerances, as fractions of the character's size: artists' joints are less exact than the skin, which is mirrored by
// a command and by that exact up to rounding, or to the lengths of its edges where the two sides are meshed otherwise.
constexpr float kJoint = 1e-2f, kSkin = 1e-3f;

// Middle of the surface along a direction; its area is the same on both sides.
float MiddleOf(const TriMesh& mesh, const Vector3f& direction) {
  const std::vector<double> areas = VertexAreas(mesh);
  double sum = 0, area = 0;
  for (size_t v = 0; v < areas.size(); ++v) {
    sum += areas[v] * mesh.positions.row(static_cast<Eigen::Index>(v)).dot(direction);
    area += areas[v];
  }
  return area > 0 ? static_cast<float>(sum / area) : 0;
}

// Reflection at the plane through the middle of a surface with this normal.
Affine3f MiddleReflection(const TriMesh& mesh, const Vector3f& normal) {
  Affine3f reflection = Affine3f::Identity();
  reflection.linear() -= 2 * normal * normal.transpose();
  reflection.translation() = 2 * MiddleOf(mesh, normal) * normal;
  return reflection;
}

// Size that tolerances are fractions of.
float SizeOf(const TriMesh& mesh) { return BoundingBox(mesh.positions).sizes().maxCoeff(); }

// Finds every joint's partner: of the joints below its parent's partner, the nearest to its mirror image, the first of
// those that are as near. Nothing if one is farther away than `within`, or if two joints have one partner.
std::optional<std::vector<int>> FindPartners(const Skeleton& skeleton, const std::vector<Affine3f>& bind,
                                             const Affine3f& reflection, float within) {
  const int joints = skeleton.joint_count();
  std::vector<int> partners(joints, -1);
  std::vector<bool> taken(joints, false);
  for (int j = 0; j < joints; ++j) {
    const int parent = skeleton.joints[j].parent;
    const Vector3f image = reflection * Vector3f(bind[j].translation());
    float nearest = std::numeric_limits<float>::infinity();
    for (int k = 0; k < joints; ++k) {
      if (taken[k] || skeleton.joints[k].parent != (parent < 0 ? -1 : partners[parent])) continue;
      const float distance = (bind[k].translation() - image).norm();
      if (distance >= nearest - kSkin * within) continue;
      nearest = distance;
      partners[j] = k;
    }
    if (partners[j] < 0 || nearest > within) return std::nullopt;
    taken[partners[j]] = true;
  }
  for (int j = 0; j < joints; ++j) {
    if (partners[partners[j]] != j) return std::nullopt;
  }
  return partners;
}

// Finds the place of every vertex's mirror image; nothing if one is farther from the surface than `within`.
std::optional<std::vector<Symmetry::Place>> FindPlaces(const TriMesh& mesh, const SurfaceQuery& surface,
                                                       const Affine3f& reflection, float within) {
  std::vector<Symmetry::Place> places(mesh.vertex_count());
  std::atomic<bool> all = true;
  ParallelFor(mesh.vertex_count(), 256, [&](int v) {
    if (!all) return;
    const Vector3f image = reflection * Vector3f(mesh.positions.row(v).transpose());
    const std::optional<SurfacePoint> nearest = surface.Closest(image, within);
    if (!nearest) {
      all = false;
      return;
    }
    for (int c = 0; c < 3; ++c) {
      places[v].vertices[c] = mesh.triangles(nearest->triangle, c);
      places[v].weights[c] = static_cast<float>(nearest->barycentric[c]);
    }
  });
  if (!all) return std::nullopt;
  return places;
}

}  // namespace

std::optional<MirrorImage> FindMirrorImage(const TriMesh& mesh, const Eigen::Vector3f& normal) {
  if (mesh.triangles.rows() == 0 || !mesh.positions.allFinite()) return std::nullopt;
  const Affine3f reflection = MiddleReflection(mesh, normal);
  auto places = FindPlaces(mesh, SurfaceQuery(mesh), reflection, kSkin * SizeOf(mesh));
  if (!places) return std::nullopt;
  return MirrorImage{reflection, std::move(*places)};
}

std::optional<Symmetry> FindSymmetry(const Character& character) {
  const Skeleton& skeleton = character.skeleton;
  const Pose pose = MainBindPose(character);
  const TriMesh mesh = JoinMesh(character, SkinnedShape(character, pose));
  if (mesh.triangles.rows() == 0 || skeleton.joints.empty() || !mesh.positions.allFinite()) return std::nullopt;
  const float size = SizeOf(mesh);
  Symmetry symmetry;
  symmetry.bind = LocalToModel(skeleton, pose);
  const SurfaceQuery surface(mesh);
  for (int axis = 0; axis < 3; ++axis) {
    symmetry.reflection = MiddleReflection(mesh, Vector3f::Unit(axis));
    auto partners = FindPartners(skeleton, symmetry.bind, symmetry.reflection, kJoint * size);
    if (!partners) continue;
    auto places = FindPlaces(mesh, surface, symmetry.reflection, kSkin * size);
    if (!places) continue;
    symmetry.partners = std::move(*partners);
    symmetry.places = std::move(*places);
    return symmetry;
  }
  return std::nullopt;
}

Pose MirrorPose(const Symmetry& symmetry, const Skeleton& skeleton, const Pose& pose) {
  // A joint moves the skin around it by B = G bind^-1. Seen in the mirror R, its partner moves its skin by R B R.
  const std::vector<Affine3f> posed = LocalToModel(skeleton, pose);
  std::vector<Affine3f> mirrored(posed.size());
  for (size_t j = 0; j < posed.size(); ++j) {
    const int partner = symmetry.partners[j];
    mirrored[partner] =
        symmetry.reflection * posed[j] * symmetry.bind[j].inverse() * symmetry.reflection * symmetry.bind[partner];
  }
  Pose result(pose.size());
  for (size_t j = 0; j < posed.size(); ++j) {
    const int parent = skeleton.joints[j].parent;
    result[j] = ToTransform(parent < 0 ? mirrored[j] : mirrored[parent].inverse() * mirrored[j]);
  }
  return result;
}

Points MirrorShape(const Symmetry& symmetry, const Points& shape) {
  Points result(shape.rows(), 3);
  for (Eigen::Index v = 0; v < shape.rows(); ++v) {
    const Symmetry::Place& place = symmetry.places[v];
    Vector3f point = Vector3f::Zero();
    for (int c = 0; c < 3; ++c) point += place.weights[c] * shape.row(place.vertices[c]).transpose();
    result.row(v) = (symmetry.reflection * point).transpose();
  }
  return result;
}

}  // namespace sinew
