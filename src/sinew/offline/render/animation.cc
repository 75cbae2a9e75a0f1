#include "sinew/offline/render/animation.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace sinew::render {
namespace {

Eigen::Matrix3f Turn(float degrees) {
  const float radians = degrees * std::numbers::pi_v<float> / 180;
  return Eigen::AngleAxisf(radians, Eigen::Vector3f::UnitY()).toRotationMatrix();
}

// Returns one of `count` directions spread evenly on the sphere, on a spiral by the golden angle.
Eigen::Vector3f Direction(int index, int count) {
  const float y = 1 - 2 * (static_cast<float>(index) + 0.5f) / static_cast<float>(count);
  const float r = std::sqrt(std::max(0.0f, 1 - y * y)), a = 2.39996323f * static_cast<float>(index);
  return {r * std::cos(a), y, r * std::sin(a)};
}

}  // namespace

void MoveScene(Scene& scene, const Eigen::Vector3f& center, float degrees, const Eigen::Vector3f& shift) {
  const Eigen::Matrix3f turn = Turn(degrees);
  const Eigen::RowVector3f from = center.transpose(), to = (center + shift).transpose();
  const auto move = [&](Points& points) { points = ((points.rowwise() - from) * turn.transpose()).rowwise() + to; };
  for (RenderMesh& mesh : scene.meshes) {
    move(mesh.mesh.positions);
    mesh.normals = mesh.normals * turn.transpose();
  }
  if (scene.bones) move(scene.bones->joints);
  if (scene.ground) *scene.ground += shift.y();
}

Points OutermostPoints(const Points& points) {
  constexpr int kDirections = 200;
  if (points.rows() <= kDirections) return points;
  std::vector<Eigen::Index> kept;
  for (int i = 0; i < kDirections; ++i) {
    Eigen::Index best = 0;
    (points * Direction(i, kDirections)).maxCoeff(&best);
    kept.push_back(best);
  }
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  Points out(static_cast<Eigen::Index>(kept.size()), 3);
  for (size_t i = 0; i < kept.size(); ++i) out.row(static_cast<Eigen::Index>(i)) = points.row(kept[i]);
  return out;
}

Points SweptPoints(const Points& points, const Eigen::Vector3f& center) {
  constexpr int kSteps = 24;
  const Points few = OutermostPoints(points);
  const Eigen::RowVector3f middle = center.transpose();
  Points all(few.rows() * kSteps, 3);
  for (int k = 0; k < kSteps; ++k) {
    all.middleRows(k * few.rows(), few.rows()) =
        ((few.rowwise() - middle) * Turn(360.0f * static_cast<float>(k) / kSteps).transpose()).rowwise() + middle;
  }
  return OutermostPoints(all);
}

}  // namespace sinew::render
