#include "sinew/offline/evaluate/level_surface.h"

#include "sinew/offline/evaluate/limbs_touch.h"
#include "sinew/offline/evaluate/methods.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/topology.h"

namespace sinew::evaluate {
namespace {

// Finds the pieces that enclose a volume and have soft points.
void FindClosed(const Points& rest, LevelSurface& surface) {
  const Topology topology = AnalyzeTopology(surface.triangles, static_cast<int>(rest.rows()));
  surface.volume_signs.assign(surface.triangles.rows(), 0);
  std::vector<std::vector<int>> pieces(topology.islands.size());
  for (int t = 0; t < surface.triangles.rows(); ++t) {
    const int island = topology.island_of[t];
    if (island >= 0 && topology.islands[island].watertight()) pieces[island].push_back(t);
  }
  std::vector<bool> counted(rest.rows(), false);
  for (const std::vector<int>& piece : pieces) {
    bool soft = false;
    TriMesh mesh{rest, Triangles(static_cast<Eigen::Index>(piece.size()), 3)};
    for (size_t n = 0; n < piece.size(); ++n) {
      mesh.triangles.row(static_cast<Eigen::Index>(n)) = surface.triangles.row(piece[n]);
      for (int k = 0; k < 3; ++k) soft = soft || surface.soft_areas[surface.triangles(piece[n], k)] > 0;
    }
    const double volume = SignedVolume(mesh);
    if (!soft || volume == 0) continue;
    for (const int t : piece) {
      surface.volume_signs[t] = volume > 0 ? 1 : -1;
      for (int k = 0; k < 3; ++k) {
        const int point = surface.triangles(t, k);
        if (!counted[point]) surface.closed_share += surface.areas[point];
        counted[point] = true;
      }
    }
  }
}

}  // namespace

LevelSurface SurfaceOf(const lod::Level& level, const Points& rest, const std::vector<Role>& roles) {
  LevelSurface surface;
  surface.triangles = PointTriangles(level);
  const std::vector<double> areas = VertexAreas({rest, surface.triangles});
  surface.areas = Eigen::Map<const Eigen::VectorXd>(areas.data(), static_cast<Eigen::Index>(areas.size()));
  if (surface.areas.sum() <= 0) surface.areas.setOnes();
  surface.areas /= surface.areas.sum();
  surface.soft_areas = surface.areas;
  for (size_t p = 0; p < roles.size(); ++p) {
    if (!IsSoft(roles[p])) surface.soft_areas[static_cast<Eigen::Index>(p)] = 0;
  }
  surface.joints = StrongestJoints(level);
  surface.joint_count = level.character.skeleton.joint_count();
  FindClosed(rest, surface);
  return surface;
}

void FindBodyRegions(const lod::Level& level, LevelSurface& surface) {
  const std::vector<BodyRegion> of_joints = RegionsOfJoints(level.character.skeleton);
  surface.body_regions.clear();
  for (const int joint : surface.joints) {
    surface.body_regions.push_back(of_joints.empty() ? BodyRegion::kOther : of_joints[joint]);
  }
}

SurfaceView View(const LevelSurface& surface, const Points& shape) {
  SurfaceView view;
  view.normals.setZero(shape.rows(), 3);
  const Eigen::RowVector3d origin = shape.row(0).cast<double>();
  double volume = 0;
  for (Eigen::Index t = 0; t < surface.triangles.rows(); ++t) {
    const Eigen::RowVector3d a = shape.row(surface.triangles(t, 0)).cast<double>();
    const Eigen::RowVector3d b = shape.row(surface.triangles(t, 1)).cast<double>() - a;
    const Eigen::RowVector3d c = shape.row(surface.triangles(t, 2)).cast<double>() - a;
    const Eigen::RowVector3d normal = 0.5 * b.cross(c);
    for (int k = 0; k < 3; ++k) view.normals.row(surface.triangles(t, k)) += normal;
    // Three times the volume of the tetrahedron from the origin to the triangle.
    volume += surface.volume_signs[t] * normal.dot(a - origin);
  }
  view.volume = volume / 3;
  return view;
}

}  // namespace sinew::evaluate
