#include "tests/support/mesh_families.h"

#include <cmath>
#include <ostream>

#include "sinew/offline/core/random.h"

namespace sinew::testing {

TriMesh MakeMesh(const std::vector<Eigen::Vector3f>& points, const std::vector<Eigen::Vector3i>& triangles) {
  TriMesh mesh;
  mesh.positions.resize(static_cast<Eigen::Index>(points.size()), 3);
  mesh.triangles.resize(static_cast<Eigen::Index>(triangles.size()), 3);
  for (size_t v = 0; v < points.size(); ++v) mesh.positions.row(static_cast<Eigen::Index>(v)) = points[v].transpose();
  for (size_t t = 0; t < triangles.size(); ++t) {
    mesh.triangles.row(static_cast<Eigen::Index>(t)) = triangles[t].transpose();
  }
  return mesh;
}

TriMesh Merge(const TriMesh& a, const TriMesh& b) {
  TriMesh mesh;
  mesh.positions.resize(a.vertex_count() + b.vertex_count(), 3);
  mesh.positions << a.positions, b.positions;
  mesh.triangles.resize(a.triangle_count() + b.triangle_count(), 3);
  mesh.triangles << a.triangles, (b.triangles.array() + a.vertex_count()).matrix();
  return mesh;
}

TriMesh Moved(TriMesh mesh, const Eigen::Vector3f& by, float scale) {
  mesh.positions = (scale * mesh.positions).rowwise() + by.transpose();
  return mesh;
}

TriMesh Unwelded(const TriMesh& mesh) {
  TriMesh split;
  split.positions.resize(3 * mesh.triangle_count(), 3);
  split.triangles.resize(mesh.triangle_count(), 3);
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) {
      split.positions.row(3 * t + k) = mesh.positions.row(mesh.triangles(t, k));
      split.triangles(t, k) = 3 * t + k;
    }
  }
  return split;
}

TriMesh InsideOut(TriMesh mesh) {
  mesh.triangles.col(1).swap(mesh.triangles.col(2));
  return mesh;
}

TriMesh Grid(int nu, int nv) {
  return Sheet(nu, nv, false, false, [](double u, double v) { return Eigen::Vector3d(u, v, 0); });
}

TriMesh Cylinder(int around, int along) {
  return Sheet(around, along, true, false, [](double u, double v) {
    return Eigen::Vector3d(std::cos(2 * kPi * u), std::sin(2 * kPi * u), 2 * v - 1);
  });
}

TriMesh Torus(int around, int across, double radius, double tube) {
  return Sheet(around, across, true, true, [=](double u, double v) {
    const double r = radius + tube * std::cos(2 * kPi * v);
    return Eigen::Vector3d(r * std::cos(2 * kPi * u), r * std::sin(2 * kPi * u), tube * std::sin(2 * kPi * v));
  });
}

TriMesh Sphere(int around, int rings) {
  std::vector<Eigen::Vector3f> points = {{0, 0, -1}};
  for (int j = 1; j < rings; ++j) {
    for (int i = 0; i < around; ++i) {
      const double a = 2 * kPi * i / around, b = kPi * j / rings;
      points.emplace_back(std::sin(b) * std::cos(a), std::sin(b) * std::sin(a), -std::cos(b));
    }
  }
  const int last = static_cast<int>(points.size());
  points.emplace_back(0, 0, 1);
  const auto at = [&](int i, int j) { return 1 + i % around + around * (j - 1); };
  std::vector<Eigen::Vector3i> triangles;
  for (int i = 0; i < around; ++i) {
    triangles.emplace_back(0, at(i + 1, 1), at(i, 1));
    for (int j = 1; j + 1 < rings; ++j) {
      triangles.emplace_back(at(i, j), at(i + 1, j), at(i + 1, j + 1));
      triangles.emplace_back(at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
    triangles.emplace_back(last, at(i, rings - 1), at(i + 1, rings - 1));
  }
  return MakeMesh(points, triangles);
}

TriMesh Cuboid(const Eigen::Vector3f& size) {
  std::vector<Eigen::Vector3f> points;
  for (int i = 0; i < 8; ++i) {
    points.push_back(Eigen::Vector3i(i & 1, i >> 1 & 1, i >> 2 & 1).cast<float>().cwiseProduct(size));
  }
  return MakeMesh(points, {{0, 2, 3},
                           {0, 3, 1},
                           {4, 5, 7},
                           {4, 7, 6},
                           {0, 1, 5},
                           {0, 5, 4},
                           {2, 6, 7},
                           {2, 7, 3},
                           {0, 4, 6},
                           {0, 6, 2},
                           {1, 3, 7},
                           {1, 7, 5}});
}

TriMesh MoebiusStrip(int around) {
  std::vector<Eigen::Vector3f> points;
  std::vector<Eigen::Vector3i> triangles;
  for (int i = 0; i < around; ++i) {
    const double a = 2 * kPi * i / around;
    for (const double side : {-0.3, 0.3}) {
      const double r = 1 + side * std::cos(a / 2);
      points.emplace_back(r * std::cos(a), r * std::sin(a), side * std::sin(a / 2));
    }
    const bool last = i + 1 == around;
    const int next = last ? 0 : 2 * i + 2;
    const int low = last ? next + 1 : next, high = last ? next : next + 1;
    triangles.emplace_back(2 * i, low, high);
    triangles.emplace_back(2 * i, high, 2 * i + 1);
  }
  return MakeMesh(points, triangles);
}

TriMesh TwoCubesSharingAnEdge() {
  TriMesh mesh = Merge(Cuboid(), Moved(Cuboid(), {1, 1, 0}));
  // The second cube's corners 0 and 4 are the first's 3 and 7.
  mesh.triangles = mesh.triangles.unaryExpr([](int v) { return v == 8 ? 3 : v == 12 ? 7 : v; });
  return mesh;
}

TriMesh TwoCubesSharingAVertex() {
  TriMesh mesh = Merge(Cuboid(), Moved(Cuboid(), {1, 1, 1}));
  mesh.triangles = mesh.triangles.unaryExpr([](int v) { return v == 8 ? 7 : v; });
  return mesh;
}

TriMesh Book() {
  return MakeMesh({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}}, {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}});
}

TriMesh Soup(int triangle_count, uint64_t seed, double size) {
  Random random(seed);
  const auto point = [&](double scale) {
    const double x = random.Uniform(), y = random.Uniform(), z = random.Uniform();
    return Eigen::Vector3f(scale * x, scale * y, scale * z);
  };
  std::vector<Eigen::Vector3f> points;
  std::vector<Eigen::Vector3i> triangles;
  for (int t = 0; t < triangle_count; ++t) {
    const Eigen::Vector3f at = point(1 - size);
    for (int k = 0; k < 3; ++k) points.push_back(at + point(size));
    triangles.emplace_back(3 * t, 3 * t + 1, 3 * t + 2);
  }
  return MakeMesh(points, triangles);
}

TriMesh ManyIslands(int n) {
  TriMesh mesh;
  mesh.positions.resize(0, 3);
  mesh.triangles.resize(0, 3);
  for (int i = 0; i < n * n; ++i) {
    mesh = Merge(mesh, Moved(Cuboid(), Eigen::Vector3i(2 * (i % n), 2 * (i / n), 0).cast<float>()));
  }
  return mesh;
}

std::ostream& operator<<(std::ostream& out, const MeshFamily& family) { return out << family.name; }

std::vector<MeshFamily> MeshFamilies() {
  return {
      {.name = "sphere", .mesh = Sphere()},
      {.name = "cube", .mesh = Cuboid()},
      {.name = "torus", .mesh = Torus(), .euler_characteristic = 0},
      {.name = "grid", .mesh = Grid(), .boundary_loops = 1, .euler_characteristic = 1},
      {.name = "cylinder", .mesh = Cylinder(), .boundary_loops = 2, .euler_characteristic = 0},
      {.name = "moebius", .mesh = MoebiusStrip(), .boundary_loops = 1, .euler_characteristic = 0, .orientable = false},
      {.name = "many_islands", .mesh = ManyIslands(), .islands = 25, .euler_characteristic = 50},
      {.name = "thin", .mesh = Cuboid({1, 1, 1e-4f})},
      {.name = "tiny", .mesh = Moved(Sphere(), {0, 0, 0}, 1e-5f)},
      {.name = "far_away", .mesh = Moved(Cuboid(), {1000, -2000, 500})},
      {.name = "edge_sharing_cubes", .mesh = TwoCubesSharingAnEdge(), .euler_characteristic = 3, .manifold = false},
      {.name = "vertex_sharing_cubes", .mesh = TwoCubesSharingAVertex(), .euler_characteristic = 3, .manifold = false},
      {.name = "soup", .mesh = Soup(40), .islands = 40, .boundary_loops = 40, .euler_characteristic = 40},
  };
}

}  // namespace sinew::testing
