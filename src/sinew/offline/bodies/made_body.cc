#include "sinew/offline/bodies/made_body.h"

#include <vector>

#include "sinew/offline/lod/surface.h"

namespace sinew::bodies {

TriMesh SourceSurface(const Character& source, const std::string& file) {
  const lod::Surface surface = lod::BuildSurface(source, file);
  const int vertices = surface.first_vertex.back();
  std::vector<int> first(surface.point_count(), -1);
  TriMesh mesh;
  mesh.positions.resize(vertices, 3);
  for (int v = 0; v < vertices; ++v) {
    const int point = surface.point_of_vertex[v];
    if (first[point] < 0) first[point] = v;
    mesh.positions.row(v) = surface.positions[point].cast<float>();
  }
  mesh.triangles.resize(surface.triangle_count(), 3);
  for (int t = 0; t < surface.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) mesh.triangles(t, k) = first[surface.triangles[t][k]];
  }
  return mesh;
}

}  // namespace sinew::bodies
