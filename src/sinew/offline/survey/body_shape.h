// Proportions of a body: lengths of its bones and widths of the flesh along them, which can be compared between
// characters of any mesh, rest pose and joint frames.
#ifndef SINEW_OFFLINE_SURVEY_BODY_SHAPE_H_
#define SINEW_OFFLINE_SURVEY_BODY_SHAPE_H_

#include <array>
#include <map>
#include <optional>
#include <string>

#include "sinew/offline/character/character.h"

namespace sinew::survey {

// Number of places along a bone at which its flesh is measured, the first at its joint and the last at the next one.
constexpr int kStations = 4;

// Lengths in metres.
struct BoneShape {
  double length = 0;  // from the joint to the next one; 0 at the end of a chain
  // Mean distance of the surface from the bone's line around each station, over the area that the joint moves, and that
  // area in square metres. An end of a chain has one station, for all of it, which measures the distance from the
  // joint.
  std::array<double, kStations> widths = {};
  std::array<double, kStations> areas = {};
};

struct BodyShape {
  double stature = 0;  // height of the rest surface, metres
  // By what the joint is in a body (CanonicalName()), or by its name in the file if that tells nothing and no joint
  // above it is known. What joints between them move, such as those that spread a twist, counts for the one above.
  std::map<std::string, BoneShape> bones;
};

// Measures a character in its bind pose. metres_per_unit: length of its unit.
BodyShape MeasureBody(const Character& character, double metres_per_unit);

// Distance between two bodies, in metres.
struct BodyDistance {
  double joints = 0;   // root mean square difference of the bones' lengths, each bone by its length
  double surface = 0;  // root mean square difference of the widths, each station by its area

  // Both together: the root of the sum of their squares.
  double Total() const;
};

// Compares the bones that both bodies have. Returns none if those carry less than half of either body's surface.
std::optional<BodyDistance> Distance(const BodyShape& a, const BodyShape& b);

}  // namespace sinew::survey

#endif  // SINEW_OFFLINE_SURVEY_BODY_SHAPE_H_
