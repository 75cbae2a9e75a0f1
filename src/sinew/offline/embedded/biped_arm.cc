#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/offline/embedded/biped_parts.h"

namespace sinew::embedded {
namespace {

const Vector3d kArmLine(0, 1.395, 0.000);

struct Finger {
  const char* name;
  Vector3d knuckle;
  double length;  // from the knuckle to the tip
  double spread;  // degrees, towards the little finger
  double radius;  // at the knuckle
};

// Spread so far that neighbours are three millimetres apart where they leave the palm, and more at their tips.
const std::vector<Finger>& Fingers() {
  static const std::vector<Finger> fingers = {{"index", {0.778, 1.397, 0.0310}, 0.092, -5.0, 0.0084},
                                              {"middle", {0.783, 1.398, 0.0105}, 0.102, -1.0, 0.0087},
                                              {"ring", {0.778, 1.397, -0.0105}, 0.095, 3.5, 0.0082},
                                              {"little", {0.769, 1.394, -0.0300}, 0.075, 9.0, 0.0072}};
  return fingers;
}

// Three phalanges that curl a little more from one to the next, each narrower in its middle than at its knuckles.
void AddFinger(Sculpture& sculpture, int hand, const Finger& finger) {
  constexpr double kDegree = M_PI / 180;
  constexpr double kParts[3] = {0.46, 0.29, 0.25}, kCurl[3] = {6, 14, 20};
  const int group = sculpture.AddGroup(finger.name, hand, 0.010);
  Vector3d from = finger.knuckle;
  double radius = finger.radius;
  for (int k = 0; k < 3; ++k) {
    const double yaw = finger.spread * kDegree, pitch = -kCurl[k] * kDegree;
    const Vector3d along(std::cos(pitch) * std::cos(yaw), std::sin(pitch), -std::cos(pitch) * std::sin(yaw));
    const Vector3d to = from + along * (finger.length * kParts[k] - (k == 2 ? 0.8 * radius : 0));
    const double thinner = 0.92 * radius;
    Primitive bone = Limb(from, Section::Round(radius), to, Section::Round(thinner), 0.003);
    bone.bulge = {0, 0, -0.05 * radius, -0.05 * radius};
    sculpture.Add(group, kLeftHand, bone);
    from = to;
    radius = thinner;
  }
}

void AddThumb(Sculpture& sculpture, int hand) {
  const int thumb = sculpture.AddGroup("thumb", hand, 0.012);
  const Vector3d root(0.722, 1.385, 0.032), knuckle(0.748, 1.380, 0.056), middle(0.772, 1.378, 0.074);
  const Vector3d tip(0.790, 1.377, 0.085);
  sculpture.Add(thumb, kLeftHand, Limb(root, Section::Round(0.0125), knuckle, Section::Round(0.0105), 0.004));
  sculpture.Add(thumb, kLeftHand, Limb(knuckle, Section::Round(0.0103), middle, Section::Round(0.0097), 0.004));
  sculpture.Add(thumb, kLeftHand, Limb(middle, Section::Round(0.0098), tip, Section::Round(0.0085), 0.004));
}

}  // namespace

void AddArm(Sculpture& sculpture, int torso, const Flesh& flesh) {
  const int arm = sculpture.AddGroup("arm", torso, 0.10, true);
  sculpture.groups[arm].spare = 0.02;
  std::vector<Cuff> cuffs = {
      {0.150, 0.026, 0.044, 0.040, 0.040}, {0.210, 0.036, 0.047, 0.046, 0.046}, {0.260, 0.037, 0.043, 0.046, 0.046},
      {0.310, 0.036, 0.040, 0.046, 0.046}, {0.360, 0.035, 0.038, 0.046, 0.043}, {0.400, 0.034, 0.036, 0.042, 0.038},
      {0.440, 0.035, 0.035, 0.039, 0.034}, {0.480, 0.038, 0.036, 0.042, 0.035}, {0.520, 0.037, 0.035, 0.041, 0.036},
      {0.570, 0.032, 0.031, 0.036, 0.033}, {0.620, 0.026, 0.026, 0.031, 0.029}, {0.660, 0.021, 0.021, 0.028, 0.026},
      {0.690, 0.019, 0.018, 0.027, 0.026}};
  for (Cuff& c : cuffs) {
    const double upper = Around(c.x, 0.33, 0.05), fore = Around(c.x, 0.50, 0.04);
    c.front += upper * 0.006 * flesh.muscle + fore * 0.002 * flesh.muscle;
    c.back += upper * 0.005 * flesh.muscle;
    c.up += fore * 0.003 * flesh.muscle;
    c.down += upper * 0.008 * std::max(0.0, flesh.fat);
  }
  sculpture.Add(arm, kLeftShoulder, Sleeve(cuffs, kArmLine, 0));
  // Deltoid: over the shoulder's end, down to half of the upper arm.
  Primitive deltoid = Limb({0.176, 1.398, 0.000}, {0.042 + 0.004 * flesh.muscle, 0.046, 0.052, 0.052},
                           {0.270, 1.402, 0.000}, {0.032, 0.030, 0.034, 0.034}, 0.05);
  deltoid.side = {0, 1, 0};
  deltoid.cap_a = 0.040;
  sculpture.Add(arm, kLeftShoulder, deltoid);
  // The elbow's point, behind.
  sculpture.Add(arm, kLeftElbow, Ellipsoid({0.440, 1.395, -0.024}, {0.022, 0.014, 0.014}, 0.03));
  AddHand(sculpture, arm);
}

void AddHand(Sculpture& sculpture, int arm) {
  const int hand = sculpture.AddGroup("hand", arm, 0.016);
  const std::vector<Cuff> palm = {{0.690, 0.017, 0.017, 0.026, 0.025},
                                  {0.715, 0.016, 0.017, 0.033, 0.031},
                                  {0.745, 0.015, 0.015, 0.039, 0.037},
                                  {0.775, 0.013, 0.013, 0.041, 0.039},
                                  {0.790, 0.011, 0.011, 0.039, 0.037}};
  Primitive block = Sleeve(palm, kArmLine, 0);
  block.exponent = 2.3;
  block.cap_b = 0.012;
  sculpture.Add(hand, kLeftWrist, block);
  // The balls of the thumb and of the little finger.
  Primitive thenar =
      Limb({0.708, 1.385, 0.018}, Section::Round(0.013), {0.742, 1.381, 0.040}, Section::Round(0.012), 0.014);
  sculpture.Add(hand, kLeftWrist, thenar);
  Primitive hypothenar =
      Limb({0.710, 1.385, -0.018}, Section::Round(0.012), {0.765, 1.386, -0.028}, Section::Round(0.010), 0.012);
  sculpture.Add(hand, kLeftWrist, hypothenar);
  for (const Finger& f : Fingers()) {
    const Vector3d top = f.knuckle + Vector3d(-0.004, 0.003, 0);
    sculpture.Add(hand, kLeftWrist, Ellipsoid(top, {0.011, 0.0085, 0.0075}, 0.012));
  }
  for (const Finger& finger : Fingers()) AddFinger(sculpture, hand, finger);
  AddThumb(sculpture, hand);
}

}  // namespace sinew::embedded
