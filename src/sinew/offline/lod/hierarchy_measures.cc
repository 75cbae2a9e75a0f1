#include "sinew/offline/lod/hierarchy_measures.h"

#include <algorithm>
#include <cmath>

#include "sinew/offline/character/posing.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/nearest_point.h"

namespace sinew::lod {
namespace {

// All parts of a posed character as one mesh.
TriMesh Join(const Character& character, const PosedCharacter& posed) {
  TriMesh mesh;
  mesh.positions.resize(character.vertex_count(), 3);
  mesh.triangles.resize(character.triangle_count(), 3);
  int vertex = 0, triangle = 0;
  for (size_t p = 0; p < character.parts.size(); ++p) {
    const TriMesh& own = character.parts[p].mesh;
    mesh.positions.middleRows(vertex, own.vertex_count()) = posed.parts[p].positions;
    mesh.triangles.middleRows(triangle, own.triangle_count()) = own.triangles.array() + vertex;
    vertex += own.vertex_count();
    triangle += own.triangle_count();
  }
  return mesh;
}

}  // namespace

TriMesh WholeMesh(const Character& character, const Pose& pose) {
  return Join(character, PoseCharacter(character, pose));
}

SurfaceDistance PosedDistance(const Character& a, const Character& b, const std::vector<Pose>& poses, int samples) {
  const Poser poser_a(a), poser_b(b);
  SurfaceDistance total;
  for (size_t k = 0; k < poses.size(); ++k) {
    const SurfaceDistance one =
        TwoSidedDistance(Join(a, poser_a.Evaluate(poses[k])), Join(b, poser_b.Evaluate(poses[k])), samples, 1 + k);
    total.rms += one.rms * one.rms;
    total.max = std::max(total.max, one.max);
  }
  total.rms = poses.empty() ? 0 : std::sqrt(total.rms / static_cast<double>(poses.size()));
  return total;
}

std::vector<LevelMeasures> MeasureHierarchy(const Hierarchy& hierarchy, const std::vector<Pose>& poses,
                                            const MeasureOptions& options) {
  const Character& finest = hierarchy.levels.back().character;
  const TriMesh finest_mesh = WholeMesh(finest, finest.skeleton.RestPose());
  std::vector<LevelMeasures> measures;
  for (const Level& level : hierarchy.levels) {
    LevelMeasures one;
    const TriMesh mesh = WholeMesh(level.character, level.character.skeleton.RestPose());
    one.points = level.point_count;
    one.vertices = mesh.vertex_count();
    one.triangles = mesh.triangle_count();
    one.worst_angle = MeasureQuality(mesh).worst_min_angle;
    if (&level != &hierarchy.levels.back()) {
      one.geometric = TwoSidedDistance(mesh, finest_mesh, options.samples);
      one.skinning = PosedDistance(level.character, finest, poses, options.samples_in_pose);
    }
    measures.push_back(one);
  }
  return measures;
}

Character WithNearestWeights(const Character& level, const Character& finest) {
  Character copy = level;
  for (size_t p = 0; p < copy.parts.size(); ++p) {
    Part& part = copy.parts[p];
    const Part& from = finest.parts[p];
    if (part.weights.empty()) continue;
    std::vector<Eigen::Vector3d> positions;
    for (Eigen::Index v = 0; v < from.mesh.positions.rows(); ++v) {
      positions.emplace_back(from.mesh.positions.row(v).transpose().cast<double>());
    }
    const NearestPoint tree(std::move(positions));
    const int influences = part.weights.influences;
    for (int v = 0; v < part.mesh.vertex_count(); ++v) {
      const int nearest = tree.Find(part.mesh.positions.row(v).transpose().cast<double>()).index;
      std::copy_n(from.weights.joints.begin() + static_cast<std::ptrdiff_t>(nearest) * influences, influences,
                  part.weights.joints.begin() + static_cast<std::ptrdiff_t>(v) * influences);
      std::copy_n(from.weights.weights.begin() + static_cast<std::ptrdiff_t>(nearest) * influences, influences,
                  part.weights.weights.begin() + static_cast<std::ptrdiff_t>(v) * influences);
    }
  }
  return copy;
}

}  // namespace sinew::lod
