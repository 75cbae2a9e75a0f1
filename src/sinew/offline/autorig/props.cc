#include "sinew/offline/autorig/props.h"

#include <cmath>
#include <iterator>
#include <numbers>
#include <utility>
#include <vector>

#include "sinew/offline/autorig/rings.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew::autorig {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

// Joints of the left side; the right one's follow each of them.
enum : int { kKnee = 4, kSpine3 = 9, kFoot = 10, kShoulder = 16, kElbow = 18, kWrist = 20, kHand = 22 };

constexpr double kPi = std::numbers::pi;

// A power of a size that keeps the sign: superellipses are circles whose sines and cosines are bent so.
double Bent(double value, double squareness) {
  return std::copysign(std::pow(std::abs(value), 1 - 0.85 * squareness), value);
}

Quaterniond AnyTurn(double degrees, Random& random) {
  Vector3d axis;
  for (int k = 0; k < 3; ++k) axis[k] = random.Normal();
  return Quaterniond(Eigen::AngleAxisd(random.Uniform(-degrees, degrees) * kPi / 180, axis.normalized()));
}

// Any turn about x, the direction of the arms, and up to so many degrees aside.
Quaterniond AcrossArms(double degrees, Random& random) {
  const Quaterniond around(Eigen::AngleAxisd(random.Uniform(0, 2 * kPi), Vector3d::UnitX()));
  return around * AnyTurn(degrees, random);
}

// A sword, a wand or a staff: long along y, held anywhere along it, across the forearm.
Prop DrawBlade(int joint, Random& random) {
  Prop prop{.joint = joint, .squareness = random.Uniform()};
  prop.half = {random.Uniform(0.008, 0.05), random.Uniform(0.08, 0.45), random.Uniform(0.004, 0.02)};
  prop.turn = AcrossArms(30, random);
  prop.place = prop.turn * Vector3d(0, random.Uniform(-0.9, 0.9) * prop.half.y(), 0);
  return prop;
}

// A shield: flat, beside the forearm, in a plane along it.
Prop DrawShield(int joint, Random& random) {
  Prop prop{.joint = joint, .squareness = random.Uniform()};
  prop.half = {random.Uniform(0.06, 0.22), random.Uniform(0.06, 0.25), random.Uniform(0.006, 0.03)};
  prop.turn = AcrossArms(20, random);
  prop.place = prop.turn * Vector3d(0, 0, random.Uniform(0.01, 0.06));
  return prop;
}

// A book, a bag, a ball.
Prop DrawBlock(int joint, Random& random) {
  Prop prop{.joint = joint, .turn = AnyTurn(180, random), .squareness = random.Uniform()};
  for (int axis = 0; axis < 3; ++axis) {
    prop.half[axis] = random.Uniform(0.015, 0.1);
    prop.place[axis] = random.Uniform(-0.04, 0.04);
  }
  return prop;
}

Prop DrawHeld(int side, Random& random) {
  const int hand = (random.Uniform() < 0.5 ? kHand : kWrist) + side;
  const double kind = random.Uniform();
  if (kind < 0.45) return DrawBlade(hand, random);
  if (kind < 0.75) return DrawShield(random.Uniform() < 0.4 ? kElbow + side : hand, random);
  return DrawBlock(hand, random);
}

// A pad around a joint of the left side: on a shoulder, an elbow, a knee, or a boot.
Prop DrawPad(Random& random) {
  constexpr int kPads[] = {kShoulder, kShoulder, kElbow, kKnee, kFoot};
  Prop prop{.joint = kPads[random.Below(std::size(kPads))], .turn = AnyTurn(40, random)};
  for (int axis = 0; axis < 3; ++axis) {
    prop.half[axis] = random.Uniform(0.025, 0.08);
    prop.place[axis] = random.Uniform(-0.02, 0.02);
  }
  prop.squareness = random.Uniform();
  return prop;
}

// The same on the other side.
Prop Mirrored(Prop prop) {
  ++prop.joint;
  prop.place.x() = -prop.place.x();
  prop.turn = Quaterniond(prop.turn.w(), prop.turn.x(), -prop.turn.y(), -prop.turn.z());
  return prop;
}

Prop DrawPack(Random& random) {
  Prop prop{.joint = kSpine3, .turn = AnyTurn(25, random), .squareness = random.Uniform()};
  prop.half = {random.Uniform(0.04, 0.14), random.Uniform(0.05, 0.18), random.Uniform(0.02, 0.08)};
  prop.place = {random.Uniform(-0.03, 0.03), random.Uniform(-0.15, 0.05), -0.05 - prop.half.z()};
  return prop;
}

}  // namespace

WeightedBody PutOn(const WeightedBody& body, const Prop& prop) {
  constexpr int kRows = 10;
  const double height = BoundingBox(body.surface.positions).sizes().y();
  const Vector3d middle = body.joints.row(prop.joint).transpose().cast<double>() + height * prop.place;
  std::vector<Ring> rings;
  for (int row = 1; row < kRows; ++row) {
    const double up = kPi * (0.5 - static_cast<double>(row) / kRows);
    Ring ring;
    for (int s = 0; s < kSectors; ++s) {
      const double out = Bent(std::cos(up), prop.squareness);
      const Vector3d unit(out * Bent(std::cos(AngleOf(s)), prop.squareness), Bent(std::sin(up), prop.squareness),
                          out * Bent(std::sin(AngleOf(s)), prop.squareness));
      ring[s] = middle + height * (prop.turn * unit.cwiseProduct(prop.half).eval());
    }
    rings.push_back(ring);
  }
  return AddRings(body, rings, false, [&](const Vector3d&) { return AloneWith(prop.joint); });
}

WeightedBody PutOnProps(WeightedBody body, Random& random) {
  constexpr double kBothHands = 0.5, kPads = 0.4, kBothSides = 0.85, kPacks = 0.15, kSecondPads = 0.5;
  const bool pads = random.Uniform() < kPads;
  if (!pads || random.Uniform() < 0.5) {
    const int side = static_cast<int>(random.Below(2));
    body = PutOn(body, DrawHeld(side, random));
    if (random.Uniform() < kBothHands) body = PutOn(body, DrawHeld(1 - side, random));
  }
  for (int kind = 0; pads && (kind == 0 || (kind == 1 && random.Uniform() < kSecondPads)); ++kind) {
    const Prop pad = DrawPad(random);
    const bool both = random.Uniform() < kBothSides;
    body = PutOn(body, pad);
    if (both) body = PutOn(body, Mirrored(pad));
  }
  return random.Uniform() < kPacks ? PutOn(body, DrawPack(random)) : body;
}

}  // namespace sinew::autorig
