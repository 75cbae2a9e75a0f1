#include "tests/support/robots.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sinew/offline/core/random.h"
#include "tests/support/mesh_families.h"

namespace sinew::testing {
namespace {

Eigen::Vector3f RandomVector(Random& random, double low, double high) {
  const double x = random.Uniform(low, high), y = random.Uniform(low, high), z = random.Uniform(low, high);
  return Eigen::Vector3d(x, y, z).cast<float>();
}

TriMesh Tetrahedron() {
  return MakeMesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}});
}

// A ball whose vertices are pulled in and out.
TriMesh Star(Random& random) {
  TriMesh mesh = Sphere(10, 7);
  for (int v = 0; v < mesh.vertex_count(); ++v) mesh.positions.row(v) *= static_cast<float>(random.Uniform(0.4, 1.6));
  return mesh;
}

// A ball with vertices moved into the middle of an edge or onto a neighbour: triangles without area.
TriMesh BallWithFlatTriangles(Random& random) {
  TriMesh mesh = Sphere(10, 7);
  for (int t = 0; t < mesh.triangle_count(); t += 9) {
    const int a = mesh.triangles(t, 0), b = mesh.triangles(t, 1), c = mesh.triangles(t, 2);
    const float share = random.Uniform(0, 1) < 0.5 ? 0.5f : 0.0f;
    mesh.positions.row(a) = (1 - share) * mesh.positions.row(b) + share * mesh.positions.row(c);
  }
  return mesh;
}

// One and a half turns of a ramp: flattened, it lies over itself.
TriMesh Ramp() {
  return Sheet(36, 4, false, false, [](double u, double v) {
    const double angle = 3 * kPi * u, radius = 0.1 + 0.9 * v;
    return Eigen::Vector3d(radius * std::cos(angle), radius * std::sin(angle), 0.3 * u);
  });
}

TriMesh Shape(Random& random) {
  switch (random.Below(9)) {
    case 0:
      return Cuboid(RandomVector(random, 0.2, 1));
    case 1:
      return Sphere(8, 6);
    case 2:
      return Star(random);
    case 3:
      return Tetrahedron();
    case 4:
      return Torus(12, 6);
    case 5:
      return Cuboid({1, 0.7f, 1e-6f});
    case 6:
      return Ramp();
    case 7:
      return BallWithFlatTriangles(random);
    default:
      return Cylinder(8, 3);
  }
}

// Small tetrahedra, each of which touches the mesh in one of its vertices.
TriMesh Bolts(Random& random, const TriMesh& mesh) {
  TriMesh bolts;
  const int step = 2 + static_cast<int>(random.Below(4));
  for (int v = static_cast<int>(random.Below(step)); v < mesh.vertex_count(); v += step) {
    const TriMesh bolt = Moved(Tetrahedron(), mesh.positions.row(v).transpose(), 0.01f);
    bolts = bolts.vertex_count() == 0 ? bolt : Merge(bolts, bolt);
  }
  return bolts;
}

// An island by itself, or on top of an earlier one, or touching one.
TriMesh Island(Random& random, const std::vector<TriMesh>& earlier) {
  const double choice = random.Uniform(0, 1);
  if (earlier.empty() || choice < 0.6) {
    return Moved(Shape(random), RandomVector(random, -3, 3), static_cast<float>(random.Uniform(0.05, 0.4)));
  }
  const TriMesh& other = earlier[random.Below(static_cast<uint32_t>(earlier.size()))];
  if (choice < 0.7) return other;
  if (choice < 0.75) return InsideOut(other);
  if (choice < 0.85) return Bolts(random, other);
  TriMesh mesh = Moved(Shape(random), RandomVector(random, -3, 3), 0.2f);
  const int edges = choice < 0.93 ? 1 : 2;  // one shared point, or the two of an edge
  for (int k = 0; k < edges; ++k) {
    const int from = other.triangles(other.triangle_count() / 2, k), to = mesh.triangles(mesh.triangle_count() / 2, k);
    if (k == 0) mesh.positions.rowwise() += (other.positions.row(from) - mesh.positions.row(to)).eval();
    mesh.positions.row(to) = other.positions.row(from);
  }
  return mesh;
}

void AddChain(int joints, Character& robot) {
  Skin skin;
  for (int j = 0; j < joints; ++j) {
    Joint joint{.name = "joint" + std::to_string(j), .parent = j - 1, .rest = {}};
    if (j > 0) joint.rest.translation = {0, 0.5f, 0};
    robot.skeleton.joints.push_back(joint);
    skin.inverse_bind.emplace_back(Eigen::Translation3f(0, -0.5f * static_cast<float>(j), 0));
  }
  skin.has_joint.assign(joints, true);
  robot.skins.push_back(std::move(skin));
}

}  // namespace

Character Robot(const RobotOptions& options) {
  Random random(options.seed);
  Character robot;
  robot.name = "robot";
  AddChain(options.joints, robot);
  robot.parts.resize(options.parts);
  std::vector<TriMesh> islands;
  for (int i = 0; i < options.islands; ++i) {
    islands.push_back(Island(random, islands));
    Part& part = robot.parts[i % options.parts];
    part.mesh = i < options.parts ? islands.back() : Merge(part.mesh, islands.back());
    part.weights.joints.resize(part.mesh.vertex_count(), static_cast<uint16_t>(i % options.joints));
  }
  for (int p = 0; p < options.parts; ++p) {
    Part& part = robot.parts[p];
    part.name = "part" + std::to_string(p);
    part.skin = 0;
    part.weights.influences = 1;
    part.weights.weights.assign(part.mesh.vertex_count(), 1.0f);
  }
  return robot;
}

}  // namespace sinew::testing
