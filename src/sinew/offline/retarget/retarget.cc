#include "sinew/offline/retarget/retarget.h"

#include <algorithm>
#include <cmath>

#include "sinew/offline/anatomy/turn.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/retarget/own_motion.h"
#include "sinew/offline/retarget/placed.h"

namespace sinew::retarget {
namespace {

using Eigen::Affine3f;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using enum JointKind;

bool SameTransform(const Transform& a, const Transform& b) {
  return ToEigen(a.translation) == ToEigen(b.translation) && ToEigen(a.scale) == ToEigen(b.scale) &&
         ToEigen(a.rotation).coeffs() == ToEigen(b.rotation).coeffs();
}

bool SameSkeleton(const Skeleton& a, const Skeleton& b) {
  if (a.joint_count() != b.joint_count()) return false;
  for (int j = 0; j < a.joint_count(); ++j) {
    const Joint &x = a.joints[j], &y = b.joints[j];
    if (x.name != y.name || x.parent != y.parent || !SameTransform(x.rest, y.rest)) return false;
  }
  return true;
}

// Whether the rest direction of a joint's bone is posture, which is matched to the source's. The directions of spines,
// feet and hands differ by how a rig was built.
bool IsLimb(JointKind kind) {
  return kind == kShoulder || kind == kElbow || kind == kHip || kind == kKnee || IsFinger(kind);
}
// Whether a joint rotates along when its parent is aligned with the source's rest pose. Feet do not: they stand flat on
// the ground in any rest pose, also below legs that rest apart.
bool FollowsParent(JointKind kind) {
  return kind == kElbow || kind == kWrist || kind == kHand || kind == kKnee || IsFinger(kind) || kind == kUnknown;
}

class Retargeter {
 public:
  Retargeter(const Clip& clip, const Skeleton& target, const RetargetMap& map, const RetargetOptions& options)
      : clip_(clip),
        target_(target),
        map_(map),
        options_(options),
        source_body_(MeasureRest(clip.skeleton)),
        source_size_(source_body_.Size()),
        body_(MeasureRest(target)),
        source_rest_(Place(clip.skeleton, clip.skeleton.RestPose())),
        rest_(Place(target, target.RestPose())) {
    if (source_body_.has_frame && body_.has_frame) {
      turn_ = Quaterniond(Matrix3d(body_.frame() * source_body_.frame().transpose()));
    }
    FindRoot();
    FindBones();
    LayLimbs();
    FindScale();
  }

  Pose Apply(const Pose& pose) const {
    const Placed source = Place(clip_.skeleton, pose);
    Placed placed = rest_;
    for (const int t : body_.order) PlaceJoint(source, t, placed);
    return ToLocal(placed);
  }

 private:
  // Chooses the pelvis as root, or the first matched joint if the pelvis has no match.
  void FindRoot() {
    root_ = FindJoint(body_.identities, kPelvis);
    if (root_ >= 0 && map_.joints[root_].source >= 0) return;
    root_ = -1;
    for (const int t : body_.order) {
      if (map_.joints[t].source >= 0) {
        root_ = t;
        return;
      }
    }
    throw Error(ErrorKind::kInput,
                "no joint of the motion matches a joint of the character; name pairs in a file and give it with --map");
  }

  // Whether a joint is the given ancestor or one of its descendants.
  bool Below(const std::vector<int>& parents, int joint, int ancestor) const {
    while (joint >= 0 && joint != ancestor) joint = parents[joint];
    return joint >= 0;
  }

  // Finds per target joint the source joint at the other end of its bone; -1 for bones that are not compared.
  void FindBones() {
    bone_ends_.assign(target_.joints.size(), -1);
    for (int t = 0; t < target_.joint_count(); ++t) {
      const int next = body_.next[t], source = map_.joints[t].source;
      if (source < 0 || next < 0 || !IsLimb(body_.identities[t].kind)) continue;
      int end = map_.joints[next].source;
      // A finger's last bone ends at a tip, which has no match.
      if (end < 0 && IsFinger(body_.identities[t].kind)) end = source_body_.next[source];
      if (end < 0 || !Below(source_body_.parents, end, source) || end == source) continue;
      if (SourceBone(source_rest_, source, end).norm() > 1e-6 * source_size_) bone_ends_[t] = end;
    }
  }

  static Vector3d SourceBone(const Placed& placed, int from, int to) {
    return placed.positions[to] - placed.positions[from];
  }

  // Computes laid_.
  void LayLimbs() {
    laid_.assign(target_.joints.size(), Quaterniond::Identity());
    for (const int t : body_.order) {
      const int parent = body_.parents[t];
      if (parent >= 0 && (FollowsParent(body_.identities[t].kind) || map_.joints[t].source < 0))
        laid_[t] = laid_[parent];
      if (bone_ends_[t] < 0) continue;
      const Vector3d goal = turn_ * SourceBone(source_rest_, map_.joints[t].source, bone_ends_[t]);
      laid_[t] = TurnBetween(laid_[t] * body_.bones[t], goal) * laid_[t];
    }
  }

  double Height(const Vector3d& p) const { return p.dot(body_.up); }

  // Finds scale_ from the lengths of the legs, and origin_. Whether the source's rest pose stands on the ground is
  // decided by its motion: some files rest on the ground, others with the pelvis in the origin while the motion is
  // measured from the floor.
  void FindScale() {
    const double source_leg = source_body_.LegLength(), leg = body_.LegLength();
    scale_ = source_leg > 0 && leg > 0 ? leg / source_leg : body_.Size() / source_size_;
    const int source_root = map_.joints[root_].source;
    origin_ = turn_ * source_rest_.positions[source_root];
    if (clip_.motion.frames.empty() || !source_body_.has_frame) return;
    // Compare the root's median height in the motion with its height in the file's rest pose and with its height above
    // the lowest joint.
    double lowest = Height(origin_);
    for (const Vector3d& p : source_rest_.positions) lowest = std::min(lowest, Height(turn_ * p));
    std::vector<double> heights;
    for (const Pose& pose : clip_.motion.frames) {
      heights.push_back(Height(turn_ * LocalToModel(clip_.skeleton, pose)[source_root].translation().cast<double>()));
    }
    std::nth_element(heights.begin(), heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2), heights.end());
    const double median = heights[heights.size() / 2], standing = Height(origin_) - lowest;
    if (std::abs(median - standing) < std::abs(median - Height(origin_))) origin_ = standing * body_.up;
  }

  // Returns the rotation of a source joint away from rest, in the target's world. If bone_end >= 0, the rotation is
  // corrected to give the bone its posed direction, which joints in between and translated joints may have changed.
  Quaterniond SourceTurn(const Placed& source, int joint, int bone_end) const {
    Quaterniond turned = source.rotations[joint] * source_rest_.rotations[joint].conjugate();
    if (bone_end >= 0) {
      const Vector3d expected = turned * SourceBone(source_rest_, joint, bone_end);
      const Vector3d actual = SourceBone(source, joint, bone_end);
      if (actual.norm() > 1e-6 * source_size_) turned = TurnBetween(expected, actual) * turned;
    }
    return turn_ * turned * turn_.conjugate();
  }

  // Places target joint t: carried along by its parent, rotated by its match.
  void PlaceJoint(const Placed& source, int t, Placed& placed) const {
    const JointMatch& match = map_.joints[t];
    const int parent = body_.parents[t];
    if (parent >= 0) {
      const Quaterniond carried = placed.rotations[parent] * rest_.rotations[parent].conjugate();
      placed.positions[t] = placed.positions[parent] + carried * (rest_.positions[t] - rest_.positions[parent]);
      placed.rotations[t] = carried * rest_.rotations[t];
    }
    if (match.source >= 0) {
      Quaterniond turned = SourceTurn(source, match.source, bone_ends_[t]);
      if (match.second >= 0) turned = turned.slerp(match.blend, SourceTurn(source, match.second, -1));
      placed.rotations[t] = (turned * laid_[t] * rest_.rotations[t]).normalized();
    }
    if (t == root_) placed.positions[t] = RootPosition(source);
  }

  Vector3d RootPosition(const Placed& source) const {
    Vector3d moved = scale_ * (turn_ * source.positions[map_.joints[root_].source] - origin_);
    if (options_.in_place) moved = Height(moved) * body_.up;
    return rest_.positions[root_] + moved;
  }

  // Converts to local transforms. Only the root, and joints whose anatomical parent is not their own, get a new
  // translation.
  Pose ToLocal(const Placed& placed) const {
    Pose pose = target_.RestPose();
    std::vector<Affine3f> models(pose.size());
    for (int t = 0; t < target_.joint_count(); ++t) {
      const int parent = target_.joints[t].parent;
      const Quaterniond local =
          parent < 0 ? placed.rotations[t] : placed.rotations[parent].conjugate() * placed.rotations[t];
      pose[t].rotation = ToQuaternion(local.normalized().cast<float>());
      if (t == root_ || parent != body_.parents[t]) {
        const Eigen::Vector3f position = placed.positions[t].cast<float>();
        pose[t].translation = ToFloat3(parent < 0 ? position : models[parent].inverse() * position);
      }
      models[t] = parent < 0 ? ToAffine(pose[t]) : models[parent] * ToAffine(pose[t]);
    }
    return pose;
  }

  const Clip& clip_;
  const Skeleton& target_;
  const RetargetMap& map_;
  const RetargetOptions options_;
  const RestBody source_body_;
  const double source_size_;
  const RestBody body_;
  const Placed source_rest_;
  const Placed rest_;
  Quaterniond turn_ = Quaterniond::Identity();  // rotation from the source's world into the target's
  int root_ = -1;                               // target joint that carries the body's movement
  std::vector<int> bone_ends_;                  // one per target joint: FindBones()
  std::vector<Quaterniond> laid_;       // one per target joint: rotation from its rest into the source's rest posture
  double scale_ = 1;                    // of root movement
  Vector3d origin_ = Vector3d::Zero();  // rest position of the source's root, in the target's world, unscaled
};

// Chooses the sign of each quaternion that is nearer to the frame before.
void MakeContinuous(std::vector<Pose>& frames) {
  for (size_t f = 1; f < frames.size(); ++f) {
    for (size_t j = 0; j < frames[f].size(); ++j) {
      const Eigen::Quaternionf before = ToEigen(frames[f - 1][j].rotation), now = ToEigen(frames[f][j].rotation);
      if (before.coeffs().dot(now.coeffs()) >= 0) continue;
      frames[f][j].rotation = {-now.x(), -now.y(), -now.z(), -now.w()};
    }
  }
}

}  // namespace

Clip Retarget(const Clip& clip, const Skeleton& target, const RetargetMap& map, const RetargetOptions& options) {
  const bool by_hand = std::any_of(map.joints.begin(), map.joints.end(), [](const auto& m) { return m.by_hand; });
  const bool as_it_is = !options.in_place && !by_hand;
  if (as_it_is && SameSkeleton(clip.skeleton, target)) return clip;
  if (std::optional<std::vector<Pose>> own = as_it_is ? OwnMotion(clip, target) : std::nullopt) {
    Clip out = clip;
    out.skeleton = target;
    out.motion.joints = JointNames(target);
    out.motion.frames = std::move(*own);
    MakeContinuous(out.motion.frames);
    return out;
  }
  const Retargeter retargeter(clip, target, map, options);
  Clip out = clip;
  out.skeleton = target;
  out.motion.joints = JointNames(target);
  ParallelFor(clip.motion.frame_count(), 16,
              [&](int f) { out.motion.frames[f] = retargeter.Apply(clip.motion.frames[f]); });
  MakeContinuous(out.motion.frames);
  for (ClipSource& source : out.sources) source.retargeted = true, source.clearance.reset();
  return out;
}

}  // namespace sinew::retarget
