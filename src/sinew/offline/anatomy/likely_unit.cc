#include "sinew/offline/anatomy/likely_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/character/posing.h"
#include "sinew/offline/core/units.h"

namespace sinew {
namespace {

// Units in order of how often they are met.
constexpr const char* kUnits[] = {"m", "cm", "mm", "in", "ft"};

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

// Returns the extent of a box along a direction.
double Extent(const Box& box, const Eigen::Vector3d& direction) {
  return box.sizes().cast<double>().dot(direction.cwiseAbs());
}

// Returns the first unit in which `length` lies between `low` and `high` metres; null if there is none.
const char* FindUnit(double length, double low, double high) {
  for (const char* unit : kUnits) {
    if (length * MetresPer(unit) >= low && length * MetresPer(unit) <= high) return unit;
  }
  return nullptr;
}

// Returns the first of m, cm and mm in which the longest side is at most 10 m, or mm.
LikelyUnit BySizeAlone(double longest) {
  constexpr double kPerson = 1.7;  // metres
  const char* unit = longest <= 10 ? "m" : longest <= 1000 ? "cm" : "mm";
  const double metres = longest * MetresPer(unit);
  const std::string reason =
      fmt::format("would be {:.3g} m at its longest; nothing says how large it should be", metres);
  return {unit, MetresPer(unit), false, reason, metres > 0 ? metres / kPerson : 1};
}

}  // namespace

LikelyUnit GuessUnit(const RestBody& body, const Box& box) {
  if (box.isEmpty()) return {.reason = "nothing to measure"};
  const double longest = box.sizes().maxCoeff();
  if (IsPerson(body)) {
    const double stature = Extent(box, body.up);
    if (const char* unit = FindUnit(stature, 1, 2.3)) {
      return {unit, MetresPer(unit), true,
              fmt::format("stands {:.3g} m tall, as a person does", stature * MetresPer(unit)), 1};
    }
  }
  if (IsHand(body)) {
    if (const char* unit = FindUnit(longest, 0.12, 0.3)) {
      return {unit, MetresPer(unit), true, fmt::format("is {:.2g} m long, as a hand is", longest * MetresPer(unit)), 1};
    }
  }
  return BySizeAlone(longest);
}

LikelyUnit GuessUnit(const Character& character) {
  const Box box = PoseCharacter(character, character.skeleton.RestPose()).box;
  return GuessUnit(MeasureRest(character.skeleton), box);
}

}  // namespace sinew
