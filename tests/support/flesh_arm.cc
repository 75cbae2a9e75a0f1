#include "tests/support/flesh_arm.h"

#include <algorithm>
#include <cmath>

#include "tests/support/mesh_families.h"

namespace sinew::testing {

Character FleshArm(float radius, int around, int rings) {
  Character character;
  character.name = "arm";
  Joint upper{.name = "upper", .parent = -1, .rest = {}, .helper = false};
  upper.rest.translation.x = -0.4f;
  Joint lower{.name = "lower", .parent = 0, .rest = {}, .helper = false};
  lower.rest.translation.x = 0.4f;
  character.skeleton.joints = {upper, lower};
  Skin skin;
  for (const Eigen::Affine3f& joint : LocalToModel(character.skeleton, character.skeleton.RestPose())) {
    skin.inverse_bind.push_back(joint.inverse());
  }
  skin.has_joint.assign(2, true);
  character.skins.push_back(skin);
  Part part;
  part.name = "skin";
  part.mesh = Sphere(around, rings);
  SkinWeights weights{.influences = 2, .joints = {}, .weights = {}};
  for (int v = 0; v < part.mesh.vertex_count(); ++v) {
    // The sphere's poles are on Y: they become the bar's ends, and the ball is drawn out between them.
    const Eigen::Vector3f p = part.mesh.positions.row(v).transpose();
    const float along = std::asin(std::clamp(p.y(), -1.0f, 1.0f)) / 1.5707964f;
    const float round = std::sqrt(std::max(0.0f, 1 - std::pow(std::abs(along), 8.0f)));
    const float across = std::max(1e-6f, std::hypot(p.x(), p.z()));
    part.mesh.positions.row(v) << 0.5f * along, radius * round * p.z() / across, radius * round * p.x() / across;
    const float share = std::clamp(0.5f + 0.5f * along / radius / 2, 0.0f, 1.0f);
    const float lower_weight = share * share * (3 - 2 * share);
    const bool is_lower = lower_weight > 0.5f;
    weights.joints.insert(weights.joints.end(), {static_cast<uint16_t>(is_lower), static_cast<uint16_t>(!is_lower)});
    weights.weights.insert(weights.weights.end(),
                           {is_lower ? lower_weight : 1 - lower_weight, is_lower ? 1 - lower_weight : lower_weight});
  }
  part.weights = weights;
  part.skin = 0;
  character.parts.push_back(part);
  return character;
}

Pose BentArm(const Character& arm, double degrees) {
  Pose pose = arm.skeleton.RestPose();
  const auto half = static_cast<float>(degrees * EIGEN_PI / 360);
  pose[1].rotation = {0, 0, std::sin(half), std::cos(half)};
  return pose;
}

}  // namespace sinew::testing
