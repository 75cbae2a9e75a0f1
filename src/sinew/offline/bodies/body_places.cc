#include "sinew/offline/bodies/body_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/offline/anatomy/joint_names.h"
#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"

namespace sinew::bodies {
namespace {

using Eigen::Vector3d;

// Bone of one joint with the coordinates of the points that it moves: for each of kArm, kLeg and kUp from `low` at its
// start to `high` at its end.
struct Bone {
  Vector3d start = Vector3d::Zero(), end = Vector3d::Zero();
  double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
};

class Skeletal {
 public:
  Skeletal(const Character& character, const std::string& file) : identities_(IdentifyJoints(character.skeleton)) {
    const RestPlacement placement = PlaceAtRest(character);
    for (const auto& frame : placement.bind_from_joint) {
      places_.emplace_back((placement.model_from_bind * frame).translation());
    }
    for (const JointKind kind : {JointKind::kPelvis, JointKind::kSpine, JointKind::kNeck, JointKind::kHead}) {
      Require({kind, Side::kNone, kind == JointKind::kSpine || kind == JointKind::kNeck ? 1 : 0}, file);
    }
    for (const JointKind kind : {JointKind::kShoulder, JointKind::kElbow, JointKind::kWrist, JointKind::kHip,
                                 JointKind::kKnee, JointKind::kAnkle}) {
      Require({kind, Side::kLeft, 0}, file);
      Require({kind, Side::kRight, 0}, file);
    }
    for (size_t j = 0; j < identities_.size(); ++j) {
      const int parent = character.skeleton.joints[j].parent;
      bones_.push_back(BoneOf(static_cast<int>(j), parent));
    }
  }

  const std::vector<Bone>& bones() const { return bones_; }
  Vector3d Place(JointKind kind, Side side = Side::kNone, int order = 0) const {
    return places_[Find(kind, side, order)];
  }

 private:
  void Require(const JointIdentity& joint, const std::string& file) const {
    if (Find(joint.kind, joint.side, joint.order) >= 0) return;
    throw InputError(file, "", fmt::format("cannot be dressed: no joint is known as {}", CanonicalName(joint)),
                     "name the joints as docs/retargeting.md tells");
  }
  int Find(JointKind kind, Side side, int order = 0) const { return FindJoint(identities_, kind, side, order); }

  static Bone Make(const Vector3d& start, const Vector3d& end, int coordinate, double low, double high) {
    Bone bone{start, end, {0, 0, 0}, {0, 0, 0}};
    bone.low[coordinate] = low;
    bone.high[coordinate] = high;
    // Arms and the head hang above the trunk.
    if (coordinate == kArm) bone.low[kUp] = bone.high[kUp] = 3.6;
    return bone;
  }

  Bone BoneOf(int joint, int parent) const {
    const JointIdentity& j = identities_[joint];
    const Vector3d& at = places_[joint];
    const auto to = [&](JointKind kind) { return places_[Find(kind, j.side)]; };
    switch (j.kind) {
      case JointKind::kShoulder:
        return Make(at, to(JointKind::kElbow), kArm, 0, 1);
      case JointKind::kElbow:
        return Make(at, to(JointKind::kWrist), kArm, 1, 2);
      case JointKind::kWrist:
        return Make(at, at + 0.6 * (at - to(JointKind::kElbow)), kArm, 2, 3);
      case JointKind::kHip:
        return Make(at, to(JointKind::kKnee), kLeg, 0, 1);
      case JointKind::kKnee:
        return Make(at, to(JointKind::kAnkle), kLeg, 1, 2);
      case JointKind::kAnkle:
        return Make(at, at + 0.5 * (at - to(JointKind::kKnee)), kLeg, 2, 3);
      case JointKind::kFoot:
        return Make(at, at, kLeg, 3, 3);
      case JointKind::kHand:
        return Make(at, at, kArm, 3, 3);
      case JointKind::kPelvis:
        return Make((Place(JointKind::kHip, Side::kLeft) + Place(JointKind::kHip, Side::kRight)) / 2,
                    Place(JointKind::kSpine, Side::kNone, 1), kUp, 0, 1);
      case JointKind::kSpine:
        return Spine(joint);
      case JointKind::kNeck:
        return Make(at, Place(JointKind::kHead), kUp, 4, 5);
      case JointKind::kHead:
        return Make(at, at + 1.5 * (at - Place(JointKind::kNeck, Side::kNone, 1)), kUp, 5, 6);
      case JointKind::kCollar:
        return Make(at, at, kUp, 3.6, 3.6);
      default:
        return IsFinger(j.kind) ? Make(at, at, kArm, 3, 3) : parent >= 0 ? bones_[parent] : Bone{};
    }
  }

  Bone Spine(int joint) const {
    const std::vector<int> chain = FindChain(identities_, JointKind::kSpine);
    const auto at = static_cast<size_t>(std::find(chain.begin(), chain.end(), joint) - chain.begin());
    const bool last = at + 1 >= chain.size();
    const Vector3d end = last ? Place(JointKind::kNeck, Side::kNone, 1) : places_[chain[at + 1]];
    const double step = 3.0 / static_cast<double>(chain.size());
    return Make(places_[joint], end, kUp, 1 + step * static_cast<double>(at), 1 + step * static_cast<double>(at + 1));
  }

  std::vector<JointIdentity> identities_;
  std::vector<Vector3d> places_;
  std::vector<Bone> bones_;
};

double ShareAlong(const Bone& bone, const Vector3d& point) {
  const Vector3d along = bone.end - bone.start;
  const double length = along.squaredNorm();
  return length > 0 ? std::clamp((point - bone.start).dot(along) / length, 0.0, 1.0) : 0;
}

}  // namespace

BodyPlaces FindPlaces(const Character& character, const lod::Surface& surface, const Eigen::MatrixXd& weights,
                      const std::string& file) {
  const Skeletal skeletal(character, file);
  const std::vector<Bone>& bones = skeletal.bones();
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Vector3d& p : surface.positions) low = std::min(low, p.y()), high = std::max(high, p.y());
  BodyPlaces places;
  places.height = high - low;
  const Vector3d head = skeletal.Place(JointKind::kHead);
  const double size = std::max(high - head.y(), 1e-6);
  // The plane of the hair's edge rises from the nape to the forehead.
  const Vector3d up = Vector3d(0, 1, -0.9).normalized();
  places.coordinates.resize(surface.point_count(), kBodyCoordinates);
  ParallelFor(surface.point_count(), 256, [&](int p) {
    const Vector3d& point = surface.positions[p];
    auto row = places.coordinates.row(p);
    row.setZero();
    for (size_t j = 0; j < bones.size(); ++j) {
      const double weight = weights(p, static_cast<Eigen::Index>(j));
      if (!(weight > 0)) continue;
      const double share = ShareAlong(bones[j], point);
      for (int c = 0; c < 3; ++c) row[c] += weight * (bones[j].low[c] + share * (bones[j].high[c] - bones[j].low[c]));
    }
    row[kHair] = up.dot(point - head) / size - 2 * std::max(0.0, 5.0 - row[kUp]);
  });
  const double arm =
      (skeletal.Place(JointKind::kElbow, Side::kLeft) - skeletal.Place(JointKind::kWrist, Side::kLeft)).norm();
  const double leg =
      (skeletal.Place(JointKind::kKnee, Side::kLeft) - skeletal.Place(JointKind::kAnkle, Side::kLeft)).norm();
  const double trunk = (skeletal.Place(JointKind::kPelvis) - head).norm();
  places.lengths << arm, leg, trunk / 5, size;
  return places;
}

}  // namespace sinew::bodies
