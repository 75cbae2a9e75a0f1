#include "sinew/offline/render/scene.h"

#include "sinew/offline/mesh/edges.h"
#include "sinew/offline/mesh/weld.h"

namespace sinew::render {
Points DrawnPoints(const Scene& scene) {
  Eigen::Index count = scene.bones ? scene.bones->joints.rows() : 0;
  for (const RenderMesh& mesh : scene.meshes) count += mesh.mesh.positions.rows();
  Points points(count, 3);
  Eigen::Index next = 0;
  const auto add = [&](const Points& more) {
    points.middleRows(next, more.rows()) = more;
    next += more.rows();
  };
  for (const RenderMesh& mesh : scene.meshes) add(mesh.mesh.positions);
  if (scene.bones) add(scene.bones->joints);
  return points;
}

float GroundHeight(const Scene& scene) {
  if (scene.ground) return *scene.ground;
  const Points points = DrawnPoints(scene);
  return points.rows() == 0 ? 0 : points.col(1).minCoeff();
}

bool IsClosed(const TriMesh& mesh) {
  const Welding welding = WeldEqual(mesh.positions);
  const EdgeTable edges = BuildEdges(Weld(mesh.triangles, welding), welding.welded_count());
  for (int e = 0; e < edges.edge_count(); ++e) {
    if (edges.half_edges[e].size() == 1) return false;
  }
  return edges.edge_count() > 0;
}

}  // namespace sinew::render
