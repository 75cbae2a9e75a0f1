#include "sinew/offline/render/focus.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/anatomy/find_joint.h"
#include "sinew/offline/anatomy/rest_body.h"
#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"

namespace sinew::render {
namespace {

// Returns the joint that the bone which ends in this one starts from; -1 if there is none. Joints that only spread a
// twist, or stand in the same place, have no bone.
int BoneBefore(const RestBody& body, int joint) {
  const double same = 1e-3 * body.Size();
  int parent = body.parents[joint];
  while (parent >= 0 && (body.identities[parent].kind == JointKind::kTwist ||
                         (body.positions[parent] - body.positions[joint]).norm() < same)) {
    parent = body.parents[parent];
  }
  return parent;
}

// Returns for each vertex, parts in order, whether the joint and what hangs from it have more than half of its weight.
std::vector<bool> CarriedBy(const Character& character, const RestBody& body, int joint) {
  std::vector<bool> below(body.joint_count(), false);
  for (const int j : body.order) below[j] = j == joint || (body.parents[j] >= 0 && below[body.parents[j]]);
  std::vector<bool> carried;
  for (const Part& part : character.parts) {
    const SkinWeights& weights = part.weights;
    for (int v = 0; v < part.mesh.vertex_count(); ++v) {
      float sum = 0;
      for (int k = 0; k < weights.influences; ++k) {
        const size_t at = static_cast<size_t>(v) * weights.influences + k;
        if (below[weights.joints[at]]) sum += weights.weights[at];
      }
      carried.push_back(sum > 0.5f);
    }
  }
  return carried;
}

// Returns the median distance from the joint's bone, continued both ways, of those vertices that the joint moves most;
// 0 if there are none.
double Thickness(const Character& character, const RestBody& body, int joint, const Points& positions) {
  std::vector<double> distances;
  Eigen::Index row = 0;
  for (const Part& part : character.parts) {
    for (int v = 0; v < part.mesh.vertex_count(); ++v, ++row) {
      const bool most =
          !part.weights.empty() && part.weights.joints[static_cast<size_t>(v) * part.weights.influences] == joint;
      if (!most) continue;
      const Eigen::Vector3d from = positions.row(row).transpose().cast<double>() - body.positions[joint];
      distances.push_back(from.cross(body.bones[joint]).norm());
    }
  }
  if (distances.empty()) return 0;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

}  // namespace

int FocusJoint(const Character& character, const std::string& name) {
  const std::vector<JointIdentity> identities = IdentifyJoints(character.skeleton);
  const int joint = FindNamedJoint(character.skeleton, identities, name);
  if (joint < 0) throw UsageError("--focus: " + UnknownJoint(character.skeleton, identities, name));
  if (Surroundings(character, joint).empty()) {
    throw UsageError(fmt::format("--focus {}: the joint carries nothing that could be seen; choose another", name));
  }
  return joint;
}

std::vector<bool> Surroundings(const Character& character, int joint) {
  constexpr double kOfBone = 0.9, kOfThickness = 3;
  const RestBody body = MeasureRest(character.skeleton);
  const Points positions = SkinnedShape(character, character.skeleton.RestPose());
  const Eigen::VectorXd distances =
      (positions.cast<double>().rowwise() - body.positions[joint].transpose()).rowwise().norm();
  const int before = BoneBefore(body, joint);
  const double bone_before = before < 0 ? 0 : (body.positions[joint] - body.positions[before]).norm();
  const std::vector<bool> own = CarriedBy(character, body, joint);
  std::vector<bool> around = before < 0 ? own : CarriedBy(character, body, before);
  // Find the radius of the surroundings.
  double farthest = 0;  // of what the joint carries
  for (size_t v = 0; v < own.size(); ++v) farthest = std::max(farthest, own[v] ? distances[v] : 0);
  double reach = std::max({kOfBone * body.lengths[joint], kOfBone * bone_before,
                           kOfThickness * Thickness(character, body, joint, positions)});
  if (body.next[joint] < 0 || farthest <= bone_before) reach = std::max(reach, farthest);
  for (size_t v = 0; v < around.size(); ++v) around[v] = around[v] && distances[v] <= reach;
  return std::find(around.begin(), around.end(), true) == around.end() ? std::vector<bool>() : around;
}

}  // namespace sinew::render
