#include "sinew/offline/anatomy/rest_body.h"

#include <algorithm>
#include <cmath>

#include "sinew/offline/anatomy/turn.h"

namespace sinew {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using enum JointKind;

// Returns the component of v orthogonal to the unit vector `axis`.
Vector3d Across(const Vector3d& v, const Vector3d& axis) { return v - v.dot(axis) * axis; }

// Returns the coordinate axis within 0.35 radians of the unit vector v, or v if there is none. Exporters align
// characters with the axes; legs that are not quite straight must not tilt the body's frame.
Vector3d SnapToAxis(const Vector3d& v) {
  int axis = 0;
  const double largest = v.cwiseAbs().maxCoeff(&axis);
  if (largest < std::cos(0.35)) return v;
  return Vector3d::Unit(axis) * (v[axis] > 0 ? 1 : -1);
}

class Measurer {
 public:
  explicit Measurer(const Skeleton& skeleton) {
    body_.identities = IdentifyJoints(skeleton);
    body_.parents = AnatomicalParents(skeleton, body_.identities);
    for (const Eigen::Affine3f& model : LocalToModel(skeleton, skeleton.RestPose())) {
      body_.positions.emplace_back(model.translation().cast<double>());
      body_.orientations.push_back(ToEigen(ToTransform(model).rotation).cast<double>().normalized());
    }
  }

  RestBody Run() {
    SortByParents();
    FindFrame();
    FindNext();
    FindBones();
    return std::move(body_);
  }

 private:
  int Find(JointKind kind, Side side = Side::kNone, int order = 0) const {
    return FindJoint(body_.identities, kind, side, order);
  }
  const Vector3d& At(int joint) const { return body_.positions[joint]; }

  void SortByParents() {
    std::vector<bool> done(body_.parents.size(), false);
    std::vector<int> stack;
    for (int j = 0; j < body_.joint_count(); ++j) {
      for (int k = j; k >= 0 && !done[k]; k = body_.parents[k]) stack.push_back(k), done[k] = true;
      for (; !stack.empty(); stack.pop_back()) body_.order.push_back(stack.back());
    }
  }

  // Returns the sum of unit right-to-left directions over the kinds of joints that come in pairs; zero if there are
  // none.
  Vector3d MeasureLeft() const {
    Vector3d sum = Vector3d::Zero();
    for (const JointKind kind : {kHip, kKnee, kShoulder, kCollar, kElbow, kEye}) {
      const int left = Find(kind, Side::kLeft), right = Find(kind, Side::kRight);
      if (left < 0 || right < 0) continue;
      const Vector3d across = At(left) - At(right);
      if (across.norm() > 0) sum += across.normalized();
    }
    return sum;
  }

  // Returns the sum of the directions from ankle (or knee) to hip of both legs, not normalised; without legs that from
  // pelvis to head; zero without either.
  Vector3d MeasureUp() const {
    Vector3d sum = Vector3d::Zero();
    for (const Side side : {Side::kLeft, Side::kRight}) {
      const int hip = Find(kHip, side), ankle = Find(kAnkle, side), knee = Find(kKnee, side);
      if (hip >= 0 && (ankle >= 0 || knee >= 0)) sum += At(hip) - At(ankle >= 0 ? ankle : knee);
    }
    if (sum.norm() > 0) return sum;
    const int pelvis = Find(kPelvis), head = Find(kHead);
    return pelvis >= 0 && head >= 0 ? Vector3d(At(head) - At(pelvis)) : sum;
  }

  void FindFrame() {
    const Vector3d left = MeasureLeft(), up = MeasureUp();
    if (left.norm() == 0 || up.norm() == 0 || left.cross(up).norm() < 0.1 * left.norm() * up.norm()) return;
    body_.has_frame = true;
    body_.up = SnapToAxis(up.normalized());
    body_.left = SnapToAxis(Across(left, body_.up).normalized());
    body_.left = Across(body_.left, body_.up).normalized();
    body_.forward = body_.left.cross(body_.up);
    const int pelvis = Find(kPelvis), arm = Find(kShoulder, Side::kLeft), elbow = Find(kElbow, Side::kLeft);
    if (pelvis < 0 || arm < 0 || elbow < 0) return;
    const Vector3d trunk = (At(arm) - At(pelvis)).normalized(), upper_arm = (At(elbow) - At(arm)).normalized();
    body_.quadruped = trunk.dot(body_.forward) > 0.7 && upper_arm.dot(body_.up) < -0.3;
  }

  // Returns the first of the candidates that exists (is not -1) and is a descendant of the joint; -1 if none is.
  int FirstBelow(int joint, std::initializer_list<int> candidates) const {
    for (const int candidate : candidates) {
      int ancestor = candidate;
      while (ancestor >= 0 && ancestor != joint) ancestor = body_.parents[ancestor];
      if (candidate >= 0 && candidate != joint && ancestor == joint) return candidate;
    }
    return -1;
  }

  // Returns the joint that the bone of joint j leads to in a body, or -1 if the rig lacks it or j is of no known kind.
  int KnownNext(int j) const {
    const auto [kind, side, order] = body_.identities[j];
    switch (kind) {
      case kPelvis:
        return FirstBelow(j, {Find(kSpine, {}, 1), Find(kNeck, {}, 1), Find(kHead)});
      case kSpine:
        return FirstBelow(j, {Find(kSpine, {}, order + 1), Find(kNeck, {}, 1), Find(kHead)});
      case kNeck:
        return FirstBelow(j, {Find(kNeck, {}, order + 1), Find(kHead)});
      case kTail:
        return FirstBelow(j, {Find(kTail, {}, order + 1)});
      case kCollar:
        return FirstBelow(j, {Find(kShoulder, side)});
      case kShoulder:
        return FirstBelow(j, {Find(kElbow, side)});
      case kElbow:
        return FirstBelow(j, {Find(kWrist, side)});
      case kWrist:
        return FirstBelow(j, {Find(kMiddle, side, 1), Find(kHand, side), Find(kIndex, side, 1), Find(kRing, side, 1)});
      case kHip:
        return FirstBelow(j, {Find(kKnee, side)});
      case kKnee:
        return FirstBelow(j, {Find(kAnkle, side)});
      case kAnkle:
        return FirstBelow(j, {Find(kFoot, side)});
      default:
        return IsFinger(kind) ? FirstBelow(j, {Find(kind, side, order + 1)}) : -1;
    }
  }

  // Whether a bone may end at this child: a head's bone does not lead to the jaw, nor a limb's to a joint that only
  // spreads its twist.
  bool Leads(int child) const {
    const JointKind kind = body_.identities[child].kind;
    return kind != kJaw && kind != kEye && kind != kEar && kind != kTwist;
  }

  void FindNext() {
    body_.next.assign(body_.joint_count(), -1);
    for (int j = 0; j < body_.joint_count(); ++j) {
      body_.next[j] = KnownNext(j);
      if (body_.next[j] >= 0) continue;
      int only = -1, count = 0;
      for (int k = 0; k < body_.joint_count(); ++k) {
        if (body_.parents[k] == j && Leads(k)) only = k, ++count;
      }
      if (count == 1) body_.next[j] = only;
    }
  }

  // Returns the unit direction of a bone that has no known end: by the joint's kind, the mean of its children, or on
  // along its parent's bone.
  Vector3d EndDirection(int j) const {
    const JointKind kind = body_.identities[j].kind;
    if (body_.has_frame && kind == kHead && !body_.quadruped) return body_.up;
    if (body_.has_frame && (kind == kFoot || kind == kEye || kind == kJaw || kind == kHead)) return body_.forward;
    Vector3d mean = Vector3d::Zero();
    for (int k = 0; k < body_.joint_count(); ++k) {
      if (body_.parents[k] == j) mean += At(k) - At(j);
    }
    if (mean.norm() > 1e-6 * body_.Size()) return mean.normalized();
    const int parent = body_.parents[j];
    if (parent < 0) return body_.up;
    const Vector3d on = At(j) - At(parent);
    return on.norm() > 1e-6 * body_.Size() ? on.normalized() : body_.bones[parent];
  }

  void FindBones() {
    body_.bones.assign(body_.joint_count(), Vector3d::UnitY());
    body_.lengths.assign(body_.joint_count(), 0);
    for (const int j : body_.order) {
      const int next = body_.next[j];
      const Vector3d bone = next >= 0 ? Vector3d(At(next) - At(j)) : Vector3d::Zero();
      const bool points = bone.norm() > 1e-6 * body_.Size();
      body_.bones[j] = points ? bone.normalized() : EndDirection(j);
      body_.lengths[j] = points ? bone.norm() : 0;
    }
  }

  RestBody body_;
};

// Returns the unit normal of a hand that points out of the palm of a left hand and out of the back of a right one. Zero
// if there are too few fingers.
Vector3d HandNormal(const RestBody& body, Side side, int wrist) {
  const auto first = [&](std::initializer_list<JointKind> kinds) {
    for (const JointKind kind : kinds) {
      for (const int segment : {1, 0, 2}) {
        const int joint = FindJoint(body.identities, kind, side, segment);
        if (joint >= 0) return joint;
      }
    }
    return -1;
  };
  const int front = first({kIndex, kMiddle, kThumb}), back = first({kPinky, kRing, kMiddle});
  if (front < 0 || back < 0 || front == back) return Vector3d::Zero();
  const Vector3d normal = body.bones[wrist].cross(body.positions[front] - body.positions[back]);
  return normal.norm() > 0 ? Vector3d(normal.normalized()) : Vector3d::Zero();
}

}  // namespace

Eigen::Matrix3d RestBody::frame() const {
  Eigen::Matrix3d frame;
  frame << left, up, forward;
  return frame;
}

double RestBody::LegLength() const {
  double sum = 0;
  int count = 0;
  for (const Side side : {Side::kLeft, Side::kRight}) {
    const int hip = FindJoint(identities, kHip, side), knee = FindJoint(identities, kKnee, side);
    const int ankle = FindJoint(identities, kAnkle, side);
    if (hip < 0 || knee < 0) continue;
    sum += (positions[knee] - positions[hip]).norm();
    if (ankle >= 0) sum += (positions[ankle] - positions[knee]).norm();
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

double RestBody::Size() const {
  if (positions.empty()) return 1;
  Vector3d low = positions[0], high = positions[0];
  for (const Vector3d& p : positions) low = low.cwiseMin(p), high = high.cwiseMax(p);
  const double size = (high - low).maxCoeff();
  return size > 0 ? size : 1;
}

double RestBody::Handedness(Side side) const {
  if (side != Side::kNone) return side == Side::kLeft ? 1 : -1;
  const int wrist = FindJoint(identities, kWrist, side);
  if (wrist < 0) return 1;
  const Vector3d normal = HandNormal(*this, side, wrist);
  double palmward = 0;
  for (int j = 0; j < joint_count(); ++j) {
    if (!IsFinger(identities[j].kind) || identities[j].side != side || identities[j].order == 0) continue;
    const bool thumb = identities[j].kind == kThumb;
    palmward += thumb ? (positions[j] - positions[wrist]).normalized().dot(normal) : bones[j].dot(normal);
  }
  return palmward >= 0 ? 1 : -1;
}

Vector3d RestBody::Palm(Side side) const {
  const int wrist = FindJoint(identities, kWrist, side);
  if (wrist < 0) return Vector3d::Zero();
  const double hand = Handedness(side);
  const Vector3d normal = HandNormal(*this, side, wrist);
  if (normal.norm() > 0) return hand * normal;
  const Vector3d& along = bones[wrist];
  const Vector3d palm = TurnBetween(hand * left, along) * -up;
  return Across(palm, along).normalized();
}

RestBody MeasureRest(const Skeleton& skeleton) { return Measurer(skeleton).Run(); }

}  // namespace sinew
