// Test meshes by property. Tests assert what must hold for every mesh of a kind instead of golden numbers; what is
// known about each mesh stands beside it.
#ifndef SINEW_TESTS_SUPPORT_MESH_FAMILIES_H_
#define SINEW_TESTS_SUPPORT_MESH_FAMILIES_H_

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::testing {

constexpr double kPi = 3.14159265358979323846;

TriMesh MakeMesh(const std::vector<Eigen::Vector3f>& points, const std::vector<Eigen::Vector3i>& triangles);

// Both meshes side by side in one, without joining anything.
TriMesh Merge(const TriMesh& a, const TriMesh& b);

TriMesh Moved(TriMesh mesh, const Eigen::Vector3f& by, float scale = 1);

// Every triangle with three vertices of its own: what a file without indices holds.
TriMesh Unwelded(const TriMesh& mesh);

TriMesh InsideOut(TriMesh mesh);

// A rectangle of nu x nv quads whose opposite sides may be joined: point(i / nu, j / nv) places the corners. Triangles
// are counter-clockwise in (u, v).
template <typename Point>
TriMesh Sheet(int nu, int nv, bool join_u, bool join_v, const Point& point) {
  const int columns = join_u ? nu : nu + 1, rows = join_v ? nv : nv + 1;
  std::vector<Eigen::Vector3f> points;
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) points.push_back(point(double(i) / nu, double(j) / nv).template cast<float>());
  }
  const auto at = [&](int i, int j) { return i % columns + columns * (j % rows); };
  std::vector<Eigen::Vector3i> triangles;
  for (int j = 0; j < nv; ++j) {
    for (int i = 0; i < nu; ++i) {
      triangles.emplace_back(at(i, j), at(i + 1, j), at(i + 1, j + 1));
      triangles.emplace_back(at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  return MakeMesh(points, triangles);
}

// A unit square in the xy plane, facing +z.
TriMesh Grid(int nu = 8, int nv = 6);

// An open tube of radius 1 around z, height 2, facing outwards.
TriMesh Cylinder(int around = 16, int along = 6);

TriMesh Torus(int around = 24, int across = 12, double radius = 1, double tube = 0.4);

// A sphere of radius 1 around the origin: meridians that meet at two poles.
TriMesh Sphere(int around = 24, int rings = 12);

// From the origin to `size`, 8 vertices, 12 triangles.
TriMesh Cuboid(const Eigen::Vector3f& size = {1, 1, 1});

// One half twist: one boundary loop, no orientation.
TriMesh MoebiusStrip(int around = 24);

// The two cubes of a checkerboard: they touch along one edge, which has four triangles.
TriMesh TwoCubesSharingAnEdge();

TriMesh TwoCubesSharingAVertex();

// Three triangles on one edge, like the pages of a book.
TriMesh Book();

// Random triangles in the unit cube, about `size` large, that share no vertex and intersect where they like.
TriMesh Soup(int triangle_count, uint64_t seed = 1, double size = 0.3);

// n x n separate small cubes on a plane.
TriMesh ManyIslands(int n = 5);

struct MeshFamily {
  std::string name;
  TriMesh mesh;  // welded: no two used vertices have the same position
  // What is known of it.
  int islands = 1;
  int boundary_loops = 0;
  int euler_characteristic = 2;
  bool manifold = true;
  bool orientable = true;

  bool closed() const { return manifold && orientable && boundary_loops == 0; }
};
std::ostream& operator<<(std::ostream& out, const MeshFamily& family);

// Every kind of mesh with clean triangles, for tests that hold for all of them.
std::vector<MeshFamily> MeshFamilies();

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_MESH_FAMILIES_H_
