#include "sinew/offline/anatomy/likely_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

struct Unit {
  const char* name;
  double metres;
};
// In this order: what is met most often.
constexpr Unit kUnits[] = {{"m", 1}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}};

bool HasBothHips(const RestBody& body) {
  return FindJoint(body.identities, JointKind::kHip, Side::kLeft) >= 0 &&
         FindJoint(body.identities, JointKind::kHip, Side::kRight) >= 0;
}
bool HasHead(const RestBody& body) { return FindJoint(body.identities, JointKind::kHead) >= 0; }

bool IsPerson(const RestBody& body) { return HasBothHips(body) && HasHead(body) && body.has_frame && !body.quadruped; }

bool IsHand(const RestBody& body) {
  const auto fingers = std::count_if(body.identities.begin(), body.identities.end(),
                                     [](const JointIdentity& joint) { return IsFinger(joint.kind); });
  return fingers >= 5 && !HasBothHips(body) && !HasHead(body);
}

double Extent(const Box& box, const Eigen::Vector3d& direction) {
  return box.sizes().cast<double>().dot(direction.cwiseAbs());
}

// The first unit in which a length lies in a range of metres; null if there is none.
const Unit* FindUnit(double length, double low, double high) {
  for (const Unit& unit : kUnits) {
    if (length * unit.metres >= low && length * unit.metres <= high) return &unit;
  }
  return nullptr;
}

LikelyUnit BySizeAlone(double longest) {
  const Unit& unit = longest <= 10 ? kUnits[0] : longest <= 1000 ? kUnits[1] : kUnits[2];
  const std::string reason =
      fmt::format("would be {:.3g} m at its longest; nothing says how large it should be", longest * unit.metres);
  return {unit.name, unit.metres, false, reason};
}

}  // namespace

LikelyUnit GuessUnit(const RestBody& body, const Box& box) {
  if (box.isEmpty()) return {.reason = "nothing to measure"};
  const double longest = box.sizes().maxCoeff();
  if (IsPerson(body)) {
    const double stature = Extent(box, body.up);
    if (const Unit* unit = FindUnit(stature, 1, 2.3)) {
      return {unit->name, unit->metres, true,
              fmt::format("stands {:.3g} m tall, as a person does", stature * unit->metres)};
    }
  }
  if (IsHand(body)) {
    if (const Unit* unit = FindUnit(longest, 0.12, 0.3)) {
      return {unit->name, unit->metres, true, fmt::format("is {:.2g} m long, as a hand is", longest * unit->metres)};
    }
  }
  return BySizeAlone(longest);
}

}  // namespace sinew
