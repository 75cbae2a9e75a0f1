#include "sinew/offline/lod/hierarchy_measures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/offline/character/posing.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/nearest_point.h"

namespace sinew::lod {
namespace {

bool AreEqual(const TriMesh& a, const TriMesh& b) {
  return a.positions.rows() == b.positions.rows() && a.triangles.rows() == b.triangles.rows() &&
         a.positions == b.positions && a.triangles == b.triangles;
}

// Returns the distance both ways. A level that could not be simplified is the finest surface itself.
SurfaceDistance DistanceTo(const SampledSurface& finest, TriMesh level, int samples, uint64_t seed = 1) {
  if (AreEqual(level, finest.mesh())) return {};
  return TwoSidedDistance(SampledSurface(std::move(level), samples, seed), finest);
}

// Returns the distance in poses of each level from the finest one. The finest is posed and prepared once per pose,
// since that takes most of the time on a large mesh; a few poses at once, as many as memory for their triangles allows.
std::vector<SurfaceDistance> PosedDistances(const std::vector<const Character*>& levels, const Character& finest,
                                            const std::vector<Pose>& poses, int samples) {
  constexpr int kMaxTriangles = 4'000'000, kMaxAtOnce = 16;
  const int count = static_cast<int>(poses.size());
  const int at_once = std::clamp(kMaxTriangles / std::max(1, finest.triangle_count()), 1, kMaxAtOnce);
  const Poser finest_poser(finest);
  std::vector<Poser> posers;
  for (const Character* level : levels) posers.emplace_back(*level);
  std::vector<SurfaceDistance> totals(levels.size());
  for (int first = 0; first < count && !levels.empty(); first += at_once) {
    std::vector<std::vector<SurfaceDistance>> in_pose(std::min(at_once, count - first));
    ParallelFor(static_cast<int>(in_pose.size()), 1, [&](int i) {
      const Pose& pose = poses[first + i];
      const uint64_t seed = 1 + first + i;
      const SampledSurface shown(JoinMesh(finest, JoinParts(finest_poser.Evaluate(pose))), samples, seed);
      for (size_t k = 0; k < levels.size(); ++k) {
        in_pose[i].push_back(
            DistanceTo(shown, JoinMesh(*levels[k], JoinParts(posers[k].Evaluate(pose))), samples, seed));
      }
    });
    for (const auto& distances : in_pose) {
      for (size_t k = 0; k < levels.size(); ++k) {
        totals[k].rms += distances[k].rms * distances[k].rms;
        totals[k].max = std::max(totals[k].max, distances[k].max);
      }
    }
  }
  for (SurfaceDistance& total : totals) total.rms = count == 0 ? 0 : std::sqrt(total.rms / count);
  return totals;
}

}  // namespace

TriMesh WholeMesh(const Character& character, const Pose& pose) {
  return JoinMesh(character, SkinnedShape(character, pose));
}

SurfaceDistance PosedDistance(const Character& a, const Character& b, const std::vector<Pose>& poses, int samples) {
  return PosedDistances({&a}, b, poses, samples)[0];
}

std::vector<LevelMeasures> MeasureHierarchy(const Hierarchy& hierarchy, const std::vector<Pose>& poses,
                                            const MeasureOptions& options) {
  const Character& finest = hierarchy.levels.back().character;
  const SampledSurface finest_surface(WholeMesh(finest, finest.skeleton.RestPose()), options.samples);
  std::vector<const Character*> coarser;
  std::vector<LevelMeasures> measures;
  for (const Level& level : hierarchy.levels) {
    const bool is_finest = &level == &hierarchy.levels.back();
    const TriMesh mesh =
        is_finest ? finest_surface.mesh() : WholeMesh(level.character, level.character.skeleton.RestPose());
    LevelMeasures& one = measures.emplace_back();
    one.points = level.point_count;
    one.vertices = mesh.vertex_count();
    one.triangles = mesh.triangle_count();
    one.worst_angle = MeasureQuality(mesh).worst_min_angle;
    if (is_finest) continue;
    one.geometric = DistanceTo(finest_surface, mesh, options.samples);
    coarser.push_back(&level.character);
  }
  const std::vector<SurfaceDistance> posed = PosedDistances(coarser, finest, poses, options.samples_in_pose);
  for (size_t i = 0; i < posed.size(); ++i) measures[i].skinning = posed[i];
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
