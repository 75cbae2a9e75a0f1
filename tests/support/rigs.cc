#include "tests/support/rigs.h"

#include <cmath>
#include <utility>

namespace sinew::testing {
namespace {

struct RigJoint {
  std::string name;
  std::string parent;
  Eigen::Vector3d position;
};

// Model-space joints in metres for a height of 1.7 m, Y up, facing +Z.
std::vector<RigJoint> BodyJoints(const RigOptions& options) {
  using Eigen::Vector3d;
  std::vector<RigJoint> joints = {{"pelvis", "", {0, 0.95, 0}}};
  std::string top = "pelvis";
  for (int s = 1; s <= options.spines; ++s) {
    const std::string name = "spine" + std::to_string(s);
    joints.push_back({name, top, {0, 1.0 + 0.3 * s / options.spines, 0.01}});
    top = name;
  }
  joints.push_back({"neck", top, {0, 1.45, 0.01}});
  joints.push_back({"head", "neck", {0, 1.55, 0.03}});
  for (const double side : {1.0, -1.0}) {
    const std::string mark = side > 0 ? "left_" : "right_";
    const Vector3d leg(side * std::sin(options.leg_apart), -std::cos(options.leg_apart), 0);
    const Vector3d hip(side * 0.1, 0.9, 0), knee = hip + 0.42 * leg, ankle = knee + 0.4 * leg;
    joints.push_back({mark + "hip", "pelvis", hip});
    joints.push_back({mark + "knee", mark + "hip", knee});
    joints.push_back({mark + "ankle", mark + "knee", ankle});
    joints.push_back({mark + "foot", mark + "ankle", ankle + Vector3d(0, -0.06, 0.13)});
    const Vector3d arm(side * std::cos(options.arm_down), -std::sin(options.arm_down), 0);
    const Vector3d shoulder(side * 0.18, 1.4, 0);
    std::string parent = top;
    if (options.collars) {
      parent = mark + "collar";
      joints.push_back({parent, top, {side * 0.03, 1.38, 0.02}});
    }
    joints.push_back({mark + "shoulder", parent, shoulder});
    joints.push_back({mark + "elbow", mark + "shoulder", shoulder + 0.28 * arm});
    joints.push_back({mark + "wrist", mark + "elbow", shoulder + 0.53 * arm});
    joints.push_back({mark + "hand", mark + "wrist", shoulder + 0.62 * arm});
  }
  return joints;
}

}  // namespace

Skeleton MakeRig(const RigOptions& options) {
  using namespace Eigen;  // NOLINT: mathematics
  Random random(options.frames_seed, 77);
  const std::vector<RigJoint> body = BodyJoints(options);
  Quaterniond world = Quaterniond::Identity();
  if (options.z_up) world = AngleAxisd(1.5707963267948966, Vector3d::UnitX());
  Skeleton skeleton;
  std::vector<Affine3f> models;
  for (size_t j = 0; j < body.size(); ++j) {
    Joint joint;
    joint.name = options.names.empty() ? body[j].name : options.names[j];
    for (size_t p = 0; p < j; ++p) joint.parent = body[p].name == body[j].parent ? static_cast<int>(p) : joint.parent;
    Quaterniond orientation = Quaterniond::Identity();
    if (options.frames_seed != 0) {
      orientation = Quaterniond{random.Normal(), random.Normal(), random.Normal(), random.Normal() + 1e-3}.normalized();
    }
    Affine3d model = Affine3d::Identity();
    model.translate(world * body[j].position * options.height / 1.7).rotate(world * orientation);
    const Affine3f local =
        joint.parent < 0 ? model.cast<float>() : models[joint.parent].inverse() * model.cast<float>();
    joint.rest = ToTransform(local);
    joint.rest.scale = {1, 1, 1};
    models.push_back(model.cast<float>());
    skeleton.joints.push_back(joint);
  }
  return skeleton;
}

Eigen::Quaternionf RandomRotation(Random& random, double most) {
  const Eigen::Vector3d axis = Eigen::Vector3d{random.Normal(), random.Normal(), random.Normal() + 1e-6}.normalized();
  return Eigen::Quaterniond(Eigen::AngleAxisd(random.Uniform(-most, most), axis)).cast<float>();
}

Skin BoundAt(const std::vector<Eigen::Affine3f>& joints) {
  Skin skin;
  for (const Eigen::Affine3f& joint : joints) skin.inverse_bind.push_back(joint.inverse());
  skin.has_joint.assign(joints.size(), true);
  return skin;
}

Pose RandomPose(const Skeleton& skeleton, Random& random, double most) {
  Pose pose = skeleton.RestPose();
  for (Transform& transform : pose) {
    transform.rotation = ToQuaternion((ToEigen(transform.rotation) * RandomRotation(random, most)).normalized());
  }
  pose[0].translation.x += static_cast<float>(random.Uniform(-0.3, 0.3));
  return pose;
}

Skeleton MakeFlatHand() {
  const std::vector<std::pair<const char*, Eigen::Vector3f>> joints = {
      {"index-finger-tip", {0.18f, 0, 0.02f}},
      {"index-finger-phalanx-distal", {0.16f, 0, 0.02f}},
      {"index-finger-phalanx-intermediate", {0.13f, 0, 0.02f}},
      {"index-finger-phalanx-proximal", {0.09f, 0, 0.02f}},
      {"index-finger-metacarpal", {0.02f, 0, 0.01f}},
      {"thumb-tip", {0.1f, 0, 0.08f}},
      {"thumb-phalanx-distal", {0.08f, 0, 0.06f}},
      {"thumb-phalanx-proximal", {0.05f, 0, 0.04f}},
      {"thumb-metacarpal", {0.02f, 0, 0.02f}},
      {"wrist", {0, 0, 0}}};
  Skeleton skeleton;
  Random random(7);
  for (const auto& [name, position] : joints) {
    const Eigen::Vector3d axis{random.Normal(), random.Normal(), random.Normal()};
    const Eigen::Quaternionf turn(Eigen::AngleAxisd(random.Uniform(), axis.normalized()).cast<float>());
    skeleton.joints.push_back({name, -1, {ToFloat3(position), ToQuaternion(turn), {1, 1, 1}}, false});
  }
  return skeleton;
}

std::vector<Eigen::Quaterniond> RandomDeltas(size_t joints, Random& random, double angle) {
  std::vector<Eigen::Quaterniond> deltas;
  for (size_t j = 0; j < joints; ++j) {
    const Eigen::Vector3d axis{random.Normal(), random.Normal(), random.Normal()};
    deltas.emplace_back(Eigen::AngleAxisd(angle * random.Uniform(), axis.normalized()));
  }
  return deltas;
}

FreeFeet MakeFreeFeet(uint64_t frames_seed) {
  FreeFeet made;
  Character& character = made.character;
  RigOptions options;
  options.frames_seed = frames_seed;
  const Skeleton whole = MakeRig(options);
  const std::vector<Eigen::Affine3f> rest = LocalToModel(whole, whole.RestPose());
  character.skeleton = whole;
  for (const char* side : {"left_", "right_"}) {
    made.ankles.push_back(whole.Find(side + std::string("ankle")));
    made.knees.push_back(whole.Find(side + std::string("knee")));
    Joint& ankle = character.skeleton.joints[made.ankles.back()];
    ankle.parent = -1;
    ankle.rest = ToTransform(rest[made.ankles.back()]);
  }
  // A triangle at every joint.
  const int count = whole.joint_count();
  Part part;
  part.name = "triangles";
  part.skin = 0;
  part.mesh.positions.resize(3 * count, 3);
  part.mesh.triangles.resize(count, 3);
  part.weights.influences = 1;
  for (int j = 0; j < count; ++j) {
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3f corner = rest[j].translation() + 0.01f * Eigen::Vector3f::Unit(k);
      part.mesh.positions.row(3 * j + k) = corner.transpose();
      part.mesh.triangles(j, k) = 3 * j + k;
      part.weights.joints.push_back(static_cast<uint16_t>(j));
      part.weights.weights.push_back(1);
    }
  }
  character.parts.push_back(std::move(part));
  character.skins.push_back(BoundAt(rest));
  // The whole body's poses, with the ankles where they are in the model.
  constexpr int kKeys = 12;
  using Path = AnimationCurve::Path;
  Animation animation;
  animation.name = "steps";
  const auto add_curve = [&](int joint, Path path) {
    animation.curves.emplace_back();
    animation.curves.back().joint = joint;
    animation.curves.back().path = path;
  };
  for (int j = 0; j < count; ++j) add_curve(j, Path::kRotation);
  for (const int j : {0, made.ankles[0], made.ankles[1]}) add_curve(j, Path::kTranslation);
  Random random(frames_seed + 1);
  for (int key = 0; key < kKeys; ++key) {
    Pose pose = RandomPose(whole, random, 0.8);
    const std::vector<Eigen::Affine3f> models = LocalToModel(whole, pose);
    for (const int j : made.ankles) pose[j] = ToTransform(models[j]);
    for (AnimationCurve& curve : animation.curves) {
      const Transform& local = pose[curve.joint];
      curve.times.push_back(static_cast<float>(key));
      if (curve.path == Path::kRotation) {
        for (const float x : {local.rotation.x, local.rotation.y, local.rotation.z, local.rotation.w}) {
          curve.values.push_back(x);
        }
      } else {
        for (const float x : {local.translation.x, local.translation.y, local.translation.z}) curve.values.push_back(x);
      }
    }
  }
  character.animations.push_back(std::move(animation));
  return made;
}

}  // namespace sinew::testing
