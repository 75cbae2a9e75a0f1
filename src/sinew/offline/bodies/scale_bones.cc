#include "sinew/offline/bodies/scale_bones.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "sinew/offline/anatomy/joint_names.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"

namespace sinew::bodies {
namespace {

using Eigen::Affine3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

// Returns the joint at which the bone of a joint ends, or -1 if it is none that can be scaled.
int EndOf(const std::vector<JointIdentity>& identities, int joint) {
  const JointIdentity& j = identities[joint];
  const auto find = [&](JointKind kind, Side side, int order) { return FindJoint(identities, kind, side, order); };
  switch (j.kind) {
    case JointKind::kHip:
      return find(JointKind::kKnee, j.side, 0);
    case JointKind::kKnee:
      return find(JointKind::kAnkle, j.side, 0);
    case JointKind::kShoulder:
      return find(JointKind::kElbow, j.side, 0);
    case JointKind::kElbow:
      return find(JointKind::kWrist, j.side, 0);
    case JointKind::kCollar:
      return find(JointKind::kShoulder, j.side, 0);
    case JointKind::kSpine: {
      const int next = find(JointKind::kSpine, Side::kNone, j.order + 1);
      return next >= 0 ? next : find(JointKind::kNeck, Side::kNone, 1);
    }
    case JointKind::kNeck: {
      const int next = find(JointKind::kNeck, Side::kNone, j.order + 1);
      return next >= 0 ? next : find(JointKind::kHead, Side::kNone, 0);
    }
    default:
      return -1;
  }
}

bool IsLimb(JointKind kind) {
  return kind == JointKind::kHip || kind == JointKind::kKnee || kind == JointKind::kShoulder ||
         kind == JointKind::kElbow;
}

// Map of everything that moves with a joint, in model space and the bind pose. Only what is beside the bone is
// stretched along it; what is beyond either end is moved: a heel that follows the shin, too, stays on the ground.
struct Stretch {
  Vector3d from = Vector3d::Zero(), to = Vector3d::Zero();  // the joint, before and after
  Vector3d along = Vector3d::Zero();                        // unit vector along the bone; zero: there is none
  double length = 0, factor = 1;                            // of the bone before, and on its length

  Vector3d operator()(const Vector3d& p) const {
    const double beside = std::clamp((p - from).dot(along), 0.0, length);
    return to + (p - from) + (factor - 1) * beside * along;
  }
  Matrix3d LinearAt(const Vector3d& p) const {
    const double at = (p - from).dot(along);
    if (at < 0 || at > length) return Matrix3d::Identity();
    return Matrix3d::Identity() + (factor - 1) * along * along.transpose();
  }
};

// Skeleton before and after.
struct Scaled {
  std::vector<Affine3d> before, after;  // frames in model space and the bind pose, one per joint
  std::vector<Stretch> stretches;       // one per joint
};

Scaled ScaleSkeleton(const Character& character, const RestPlacement& placement, const std::vector<double>& factors) {
  const Skeleton& skeleton = character.skeleton;
  const std::vector<JointIdentity> identities = IdentifyJoints(skeleton);
  Scaled scaled;
  for (const Affine3d& frame : placement.bind_from_joint) scaled.before.push_back(placement.model_from_bind * frame);
  scaled.after = scaled.before;
  scaled.stretches.resize(skeleton.joint_count());
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const int parent = skeleton.joints[j].parent;
    Stretch& own = scaled.stretches[j];
    own.from = scaled.before[j].translation();
    own.to = parent < 0 ? own.from : scaled.stretches[parent](own.from);
    scaled.after[j].translation() = own.to;
    const JointKind kind = identities[j].kind;
    // Twist joints, helpers and the like lie along a bone and stretch with it.
    if (parent >= 0 && (kind == JointKind::kUnknown || kind == JointKind::kTwist)) {
      own = scaled.stretches[parent];
    }
    const int end = EndOf(identities, j);
    if (end < 0 || factors[j] == 1) continue;
    const Vector3d bone = scaled.before[end].translation() - own.from;
    own.along = bone.stableNormalized();
    own.length = bone.norm();
    own.factor = factors[j];
  }
  return scaled;
}

// Lowest height of the skinned vertices in model space.
double LowestOf(const Character& character, const RestPlacement& placement) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const Part& part : character.parts) {
    if (part.weights.empty()) continue;
    const Affine3d model_from_mesh = placement.ModelFromMesh(part);
    for (int v = 0; v < part.mesh.vertex_count(); ++v) {
      lowest = std::min(lowest, (model_from_mesh * part.mesh.positions.row(v).transpose().cast<double>()).y());
    }
  }
  return lowest;
}

void ScalePart(const Affine3d& model_from_mesh, const std::vector<Stretch>& stretches, Part& part) {
  const Affine3d mesh_from_model = model_from_mesh.inverse();
  ParallelFor(part.mesh.vertex_count(), 512, [&](int v) {
    const Vector3d p = model_from_mesh * part.mesh.positions.row(v).transpose().cast<double>();
    Influences influences = InfluencesOf(part.weights, v);
    if (influences.count == 0) return;
    Normalize(influences);
    Vector3d moved = Vector3d::Zero();
    Matrix3d linear = Matrix3d::Zero();
    for (int i = 0; i < influences.count; ++i) {
      const Stretch& stretch = stretches[influences.joints[i]];
      moved += influences.weights[i] * stretch(p);
      linear += influences.weights[i] * stretch.LinearAt(p);
    }
    part.mesh.positions.row(v) = (mesh_from_model * moved).cast<float>();
    linear = mesh_from_model.linear() * linear * model_from_mesh.linear();
    const Matrix3d for_normals = linear.inverse().transpose();
    const auto turn = [&](const Matrix3d& by, auto row) {
      row = (by * row.transpose().template cast<double>()).stableNormalized().transpose().template cast<float>();
    };
    if (part.normals.rows() > 0) turn(for_normals, part.normals.row(v));
    if (part.tangents.rows() > 0) turn(linear, part.tangents.row(v).template head<3>());
    for (MorphTarget& morph : part.morphs) {
      if (morph.positions.rows() == 0) continue;
      morph.positions.row(v) = (linear * morph.positions.row(v).transpose().cast<double>()).cast<float>();
    }
  });
}

void ScaleRest(const Scaled& scaled, Skeleton& skeleton) {
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    Joint& joint = skeleton.joints[j];
    Vector3d change;
    if (joint.parent < 0) {
      change = scaled.after[j].translation() - scaled.before[j].translation();
    } else {
      const auto local = [&](const std::vector<Affine3d>& frames) {
        return Vector3d(frames[joint.parent].inverse() * frames[j].translation());
      };
      change = local(scaled.after) - local(scaled.before);
    }
    joint.rest.translation = ToFloat3(ToEigen(joint.rest.translation) + change.cast<float>());
  }
}

// Translations of an animation are scaled as those of rest are: joints without any move as far as before.
void ScaleAnimations(const Skeleton& before, const Skeleton& after, std::vector<Animation>& animations) {
  for (Animation& animation : animations) {
    for (AnimationCurve& curve : animation.curves) {
      if (curve.joint < 0 || curve.path != AnimationCurve::Path::kTranslation) continue;
      const float was = ToEigen(before.joints[curve.joint].rest.translation).norm();
      const float is = ToEigen(after.joints[curve.joint].rest.translation).norm();
      if (!(was > 0)) continue;
      for (float& value : curve.values) value *= is / was;
    }
  }
}

}  // namespace

std::vector<bool> CanScale(const Skeleton& skeleton) {
  const std::vector<JointIdentity> identities = IdentifyJoints(skeleton);
  std::vector<bool> can(skeleton.joint_count());
  for (int j = 0; j < skeleton.joint_count(); ++j) can[j] = EndOf(identities, j) >= 0;
  return can;
}

BoneScales DrawScales(const Skeleton& skeleton, const DrawScalesOptions& options, uint64_t seed,
                      const std::string& file) {
  if (!(options.low > 0 && options.low <= options.high)) {
    throw UsageError(fmt::format("bones cannot be scaled by {} to {}; give two factors above 0, the lower one first",
                                 options.low, options.high));
  }
  const std::vector<JointIdentity> identities = IdentifyJoints(skeleton);
  const std::vector<bool> can = CanScale(skeleton);
  if (std::find(can.begin(), can.end(), true) == can.end()) {
    throw InputError(file, "", "has no bone that can be scaled: no limb or spine is known by its joints' names",
                     "name the joints as docs/retargeting.md tells");
  }
  Random random(seed);
  BoneScales scales;
  scales.factors.assign(skeleton.joint_count(), 1);
  std::map<std::string, double> drawn;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (!can[j]) continue;
    JointIdentity identity = identities[j];
    if (options.alike && identity.side == Side::kRight) identity.side = Side::kLeft;
    const std::string name = CanonicalName(identity);
    double factor = std::exp(random.Uniform(std::log(options.low), std::log(options.high)));
    if (!IsLimb(identity.kind)) factor = std::pow(factor, options.trunk);
    scales.factors[j] = drawn.try_emplace(name, factor).first->second;
  }
  return scales;
}

Character ScaleBones(const Character& character, const BoneScales& scales) {
  const Skeleton& skeleton = character.skeleton;
  if (static_cast<int>(scales.factors.size()) != skeleton.joint_count()) {
    throw UsageError(fmt::format("{} factors do not fit a skeleton of {} joints; give one per joint",
                                 scales.factors.size(), skeleton.joint_count()));
  }
  const std::vector<bool> can = CanScale(skeleton);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const double factor = scales.factors[j];
    if (factor >= 0.1 && factor <= 10 && (can[j] || factor == 1)) continue;
    throw UsageError(fmt::format("the bone of joint '{}' cannot be scaled by {}; give {}", skeleton.joints[j].name,
                                 factor, can[j] ? "0.1 to 10" : "1: it is no limb, collar, spine or neck"));
  }
  const RestPlacement placement = PlaceAtRest(character);
  Scaled scaled = ScaleSkeleton(character, placement, scales.factors);
  // Scale the skin, find how far it left the ground, and move everything back by that.
  Character result = character;
  for (Part& part : result.parts) {
    if (!part.weights.empty()) ScalePart(placement.ModelFromMesh(part), scaled.stretches, part);
  }
  const double sunk = LowestOf(character, placement) - LowestOf(result, placement);
  const Vector3d up(0, std::isfinite(sunk) ? sunk : 0, 0);
  for (Part& part : result.parts) {
    if (part.weights.empty()) continue;
    const Vector3d by = placement.ModelFromMesh(part).linear().inverse() * up;
    part.mesh.positions.rowwise() += by.transpose().cast<float>();
  }
  for (Affine3d& frame : scaled.after) frame.translation() += up;
  // Joints: in rest, in the bind pose, in animations.
  for (Skin& skin : result.skins) {
    for (int j = 0; j < skeleton.joint_count(); ++j) {
      if (!skin.has_joint[j]) continue;
      const Affine3d change = scaled.after[j].inverse() * scaled.before[j];
      // Frames are mapped in model space; what a skin maps from is moved by the change alone.
      skin.inverse_bind[j] = (change * skin.inverse_bind[j].cast<double>()).cast<float>();
    }
  }
  ScaleRest(scaled, result.skeleton);
  ScaleAnimations(skeleton, result.skeleton, result.animations);
  return result;
}

}  // namespace sinew::bodies
