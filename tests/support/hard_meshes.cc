#include "tests/support/hard_meshes.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/offline/core/random.h"
#include "tests/support/mesh_families.h"

namespace sinew::testing {
namespace {

std::vector<Eigen::Vector3f> Circle(int count, double radius, double height) {
  std::vector<Eigen::Vector3f> points;
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * kPi * k / count;
    points.emplace_back(Eigen::Vector3d(radius * std::cos(angle), height, -radius * std::sin(angle)).cast<float>());
  }
  return points;
}

// A tube, closed at both ends by a fan around a vertex on the axis.
TriMesh ClosedTube(int around, int rings) {
  constexpr double kRadius = 0.02;
  std::vector<Eigen::Vector3f> points;
  std::vector<Eigen::Vector3i> triangles;
  for (int i = 0; i <= rings; ++i) {
    for (const Eigen::Vector3f& point : Circle(around, kRadius, static_cast<double>(i) / rings))
      points.push_back(point);
  }
  const int bottom = static_cast<int>(points.size()), top = bottom + 1, last = rings * around;
  points.emplace_back(0, 0, 0);
  points.emplace_back(0, 1, 0);
  for (int a = 0; a < around; ++a) {
    const int b = (a + 1) % around;
    for (int at = 0; at < last; at += around) {
      triangles.emplace_back(at + a, at + b, at + b + around);
      triangles.emplace_back(at + a, at + b + around, at + a + around);
    }
    triangles.emplace_back(bottom, b, a);
    triangles.emplace_back(top, last + a, last + b);
  }
  return MakeMesh(points, triangles);
}

Character TubeOnJoints(int joints, int around, int rings, bool star) {
  Character character;
  character.name = "tube";
  Skin skin;
  for (int j = 0; j < joints; ++j) {
    const float height = static_cast<float>(j) / static_cast<float>(joints);
    Joint joint;
    joint.name = "joint" + std::to_string(j);
    joint.parent = star && j > 0 ? 0 : j - 1;
    joint.rest.translation = {0, star || j == 0 ? height : 1 / static_cast<float>(joints), 0};
    character.skeleton.joints.push_back(joint);
    skin.inverse_bind.push_back(Eigen::Affine3f(Eigen::Translation3f(0, -height, 0)));
  }
  skin.has_joint.assign(joints, true);
  character.skins.push_back(skin);
  Part part;
  part.name = "tube";
  part.mesh = ClosedTube(around, rings);
  part.skin = 0;
  part.weights.influences = 2;
  for (int v = 0; v < part.mesh.vertex_count(); ++v) {
    const float at = part.mesh.positions(v, 1) * static_cast<float>(joints);
    const int low = std::min(static_cast<int>(at), joints - 1), high = std::min(low + 1, joints - 1);
    const float share = high > low ? at - static_cast<float>(low) : 0;
    part.weights.joints.insert(part.weights.joints.end(), {static_cast<uint16_t>(low), static_cast<uint16_t>(high)});
    part.weights.weights.insert(part.weights.weights.end(), {1 - share, share});
  }
  character.parts.push_back(std::move(part));
  return character;
}

}  // namespace

TriMesh ConeOfSlivers(int count) {
  std::vector<Eigen::Vector3f> points = Circle(count, 0.5, 0);
  const int tip = count, middle = count + 1;
  points.emplace_back(0, 1, 0);
  points.emplace_back(0, 0, 0);
  std::vector<Eigen::Vector3i> triangles;
  for (int k = 0; k < count; ++k) {
    triangles.emplace_back(tip, k, (k + 1) % count);
    triangles.emplace_back(middle, (k + 1) % count, k);
  }
  return MakeMesh(points, triangles);
}

TriMesh FanAroundEdge(int count) {
  std::vector<Eigen::Vector3f> points = Circle(count, 1, 0.5);
  points.emplace_back(0, 0, 0);
  points.emplace_back(0, 1, 0);
  std::vector<Eigen::Vector3i> triangles;
  for (int k = 0; k < count; ++k) triangles.emplace_back(count, count + 1, k);
  return MakeMesh(points, triangles);
}

TriMesh CrossingTriangles(int count, uint64_t seed) {
  Random random(seed);
  std::vector<Eigen::Vector3f> points;
  std::vector<Eigen::Vector3i> triangles;
  for (int t = 0; t < count; ++t) {
    triangles.emplace_back(3 * t, 3 * t + 1, 3 * t + 2);
    for (int k = 0; k < 3; ++k) {
      const double x = random.Uniform(), y = random.Uniform(), z = random.Uniform();
      points.emplace_back(Eigen::Vector3d(x, y, z).cast<float>());
    }
  }
  return MakeMesh(points, triangles);
}

TriMesh CopiesOfOneTriangle(int count) {
  std::vector<Eigen::Vector3f> points;
  std::vector<Eigen::Vector3i> triangles;
  for (int t = 0; t < count; ++t) {
    points.insert(points.end(), {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
    triangles.emplace_back(3 * t, 3 * t + 1, 3 * t + 2);
  }
  return MakeMesh(points, triangles);
}

Character ChainOfJoints(int joints, int around, int rings) { return TubeOnJoints(joints, around, rings, false); }

Character StarOfJoints(int joints, int around, int rings) { return TubeOnJoints(joints, around, rings, true); }

}  // namespace sinew::testing
