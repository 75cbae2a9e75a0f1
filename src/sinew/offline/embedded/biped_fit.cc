#include "sinew/offline/embedded/biped_fit.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace sinew::embedded {
namespace {

struct NeutralJoint {
  const char* name;
  int parent;
  int towards;        // joint at which its bone ends; -1: the bone ends at `tip`
  Vector3d position;  // of the left joint of a pair, also for the right one
  Vector3d tip = Vector3d::Zero();
};

// In the order of BipedJoint; "*" is a side. The height of the crown and of the hip are what the lengths hang on.
constexpr double kCrown = 1.70, kHipHeight = 0.90, kAnkleHeight = 0.08;
// Distances of a thigh's inner side from the middle plane and from the hip's centre, metres.
constexpr double kThighGap = 0.012, kInnerThigh = 0.080;

const std::vector<NeutralJoint>& NeutralJoints() {
  static const std::vector<NeutralJoint> joints = [] {
    const Vector3d pelvis(0, 0.925, 0), hip(0.092, kHipHeight, 0), knee(0.105, 0.49, 0.008);
    const Vector3d ankle(0.116, kAnkleHeight, 0), ball(0.129, 0.020, 0.125), toe(0.134, 0.012, 0.185);
    const Vector3d spine1(0, 1.035, -0.010), spine2(0, 1.13, -0.012), spine3(0, 1.26, -0.018), neck(0, 1.43, -0.010);
    const Vector3d head(0, 1.535, 0.006), crown(0, kCrown, 0.02), collar(0.024, 1.395, 0.012);
    const Vector3d shoulder(0.165, 1.395, 0), elbow(0.44, 1.395, 0), wrist(0.69, 1.395, 0), knuckles(0.78, 1.395, 0);
    const Vector3d fingers(0.86, 1.385, 0);
    return std::vector<NeutralJoint>{{"pelvis", -1, kSpine1, pelvis, {}},
                                     {"left_hip", kPelvis, kLeftKnee, hip, {}},
                                     {"right_hip", kPelvis, kRightKnee, hip, {}},
                                     {"spine1", kPelvis, kSpine2, spine1, {}},
                                     {"left_knee", kLeftHip, kLeftAnkle, knee, {}},
                                     {"right_knee", kRightHip, kRightAnkle, knee, {}},
                                     {"spine2", kSpine1, kSpine3, spine2, {}},
                                     {"left_ankle", kLeftKnee, kLeftFoot, ankle, {}},
                                     {"right_ankle", kRightKnee, kRightFoot, ankle, {}},
                                     {"spine3", kSpine2, kNeck, spine3, {}},
                                     {"left_foot", kLeftAnkle, -1, ball, toe},
                                     {"right_foot", kRightAnkle, -1, ball, toe},
                                     {"neck", kSpine3, kHead, neck, {}},
                                     {"left_collar", kSpine3, kLeftShoulder, collar, {}},
                                     {"right_collar", kSpine3, kRightShoulder, collar, {}},
                                     {"head", kNeck, -1, head, crown},
                                     {"left_shoulder", kLeftCollar, kLeftElbow, shoulder, {}},
                                     {"right_shoulder", kRightCollar, kRightElbow, shoulder, {}},
                                     {"left_elbow", kLeftShoulder, kLeftWrist, elbow, {}},
                                     {"right_elbow", kRightShoulder, kRightWrist, elbow, {}},
                                     {"left_wrist", kLeftElbow, kLeftHand, wrist, {}},
                                     {"right_wrist", kRightElbow, kRightHand, wrist, {}},
                                     {"left_hand", kLeftWrist, -1, knuckles, fingers},
                                     {"right_hand", kRightWrist, -1, knuckles, fingers}};
  }();
  return joints;
}

Vector3d Place(int joint) { return NeutralJoints()[joint].position; }

// Smooth step from 0 at x <= from to 1 at x >= to.
double Ramp(double x, double from, double to) {
  const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

Section Scaled(const Section& s, double u, double v) {
  return {s.plus_u * u, s.minus_u * u, s.plus_v * v, s.minus_v * v};
}

}  // namespace

BipedFit::BipedFit(const Proportions& proportions) : proportions_(proportions) {
  Proportions& p = proportions_;
  // Thicker thighs stand further apart; the hips widen accordingly.
  const double hip_x = std::max(Place(kLeftHip).x() * p.hips, kThighGap + kInnerThigh * p.leg_girth);
  p.hips = hip_x / Place(kLeftHip).x();
  const double ankle_y = kAnkleHeight * p.foot;
  const double hip_y = ankle_y + (kHipHeight - kAnkleHeight) * p.leg;
  frames_[kTrunk] = {{0, kHipHeight, 0}, {0, hip_y, 0}, {1, p.torso, p.depth}};
  const Vector3d throat(p.neck_girth, p.torso * p.neck_length, p.neck_girth);
  frames_[kThroat] = {Place(kNeck), MapPart(kTrunk, Place(kNeck)), throat};
  frames_[kSkull] = {Place(kHead), MapPart(kThroat, Place(kHead)), Vector3d::Constant(p.head)};
  frames_[kArmPart] = {Place(kLeftShoulder), MapPart(kTrunk, Place(kLeftShoulder)), {p.arm, p.arm_girth, p.arm_girth}};
  frames_[kHandPart] = {Place(kLeftWrist), MapPart(kArmPart, Place(kLeftWrist)), Vector3d::Constant(p.hand)};
  frames_[kLegPart] = {Place(kLeftHip), {hip_x, hip_y, 0}, {p.leg_girth, p.leg, p.leg_girth}};
  frames_[kFootPart] = {Place(kLeftAnkle), MapPart(kLegPart, Place(kLeftAnkle)), Vector3d::Constant(p.foot)};
  size_ = p.stature / MapPart(kSkull, {0, kCrown, 0}).y();
}

BipedFit::Part BipedFit::PartOf(int joint) {
  switch (joint) {
    case kLeftHip:
    case kLeftKnee:
      return kLegPart;
    case kLeftAnkle:
    case kLeftFoot:
      return kFootPart;
    case kLeftShoulder:
    case kLeftElbow:
      return kArmPart;
    case kLeftWrist:
    case kLeftHand:
      return kHandPart;
    case kNeck:
      return kThroat;
    case kHead:
      return kSkull;
    default:
      return kTrunk;
  }
}

double BipedFit::Widening(double y) const {
  return proportions_.hips + (proportions_.shoulders - proportions_.hips) * Ramp(y, 0.95, 1.36);
}

Vector3d BipedFit::ScaleAt(Part part, const Vector3d& neutral) const {
  const Vector3d& scale = frames_[part].scale;
  if (part == kTrunk) return {Widening(neutral.y()), scale.y(), scale.z()};
  if (part != kThroat) return scale;
  // Towards the ears the neck's girth changes to that of the skull.
  const double girth = scale.x() + (proportions_.head - scale.x()) * 0.9 * Ramp(neutral.y(), 1.45, 1.54);
  return {girth, scale.y(), girth};
}

Vector3d BipedFit::MapPart(Part part, const Vector3d& neutral) const {
  const Frame& frame = frames_[part];
  return frame.to + ScaleAt(part, neutral).cwiseProduct(neutral - frame.from);
}

Vector3d BipedFit::Map(int joint, const Vector3d& neutral) const { return size_ * MapPart(PartOf(joint), neutral); }

Primitive BipedFit::Map(const Primitive& neutral) const {
  const Part part = PartOf(neutral.joint);
  const Vector3d line = neutral.b - neutral.a;
  const Vector3d w = line.norm() > 0 ? line.normalized() : neutral.axis.normalized();
  const Vector3d u = (neutral.side - w * w.dot(neutral.side)).normalized(), v = w.cross(u);
  const auto stretch = [&](const Vector3d& at, const Vector3d& along) {
    return size_ * ScaleAt(part, at).cwiseProduct(along).norm();
  };
  Primitive p = neutral;
  p.a = size_ * MapPart(part, neutral.a);
  p.b = size_ * MapPart(part, neutral.b);
  p.section_a = Scaled(neutral.section_a, stretch(neutral.a, u), stretch(neutral.a, v));
  p.section_b = Scaled(neutral.section_b, stretch(neutral.b, u), stretch(neutral.b, v));
  p.cap_a *= stretch(neutral.a, w);
  p.cap_b *= stretch(neutral.b, w);
  const Vector3d middle = (neutral.a + neutral.b) / 2;
  p.bulge = Scaled(neutral.bulge, stretch(middle, u), stretch(middle, v));
  p.bend = size_ * ScaleAt(part, middle).cwiseProduct(neutral.bend);
  const double mean = std::cbrt(ScaleAt(part, middle).prod());
  p.blend *= size_ * mean;
  if (p.mirror_blend > 0) p.mirror_blend *= size_ * mean;
  for (Station& s : p.stations) {
    const Vector3d centre = neutral.a + line * s.t + u * s.u + v * s.v;
    const Vector3d off = size_ * MapPart(part, centre) - (p.a + (p.b - p.a) * s.t);
    s.section = Scaled(s.section, stretch(centre, u), stretch(centre, v));
    s.u = off.dot(u);
    s.v = off.dot(v);
  }
  return p;
}

Sculpture BipedFit::Map(const Sculpture& neutral) const {
  Sculpture mapped = neutral;
  for (Group& group : mapped.groups) {
    group.blend *= size_;
    group.sibling_blend *= size_;
    for (Primitive& primitive : group.primitives) primitive = Map(primitive);
  }
  for (Primitive& cut : mapped.cuts) cut = Map(cut);
  return mapped;
}

std::vector<FigureJoint> BipedFit::Joints() const {
  std::vector<FigureJoint> joints;
  for (const NeutralJoint& neutral : NeutralJoints()) {
    const int index = static_cast<int>(joints.size());
    const bool right = std::string(neutral.name).starts_with("right");
    const int left = right ? index - 1 : index;
    const Vector3d side(right ? -1 : 1, 1, 1);
    joints.push_back({neutral.name, neutral.parent, side.cwiseProduct(Map(left, neutral.position)),
                      side.cwiseProduct(Map(left, neutral.tip))});
  }
  for (size_t i = 0; i < joints.size(); ++i) {
    const int towards = NeutralJoints()[i].towards;
    if (towards >= 0) joints[i].tip = joints[towards].position;
  }
  return joints;
}

}  // namespace sinew::embedded
