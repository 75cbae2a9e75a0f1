// Rotations of a collider, in the plane and in space, and sets of them that are spread.
#ifndef SINEW_OFFLINE_CONTACT_TURN_H_
#define SINEW_OFFLINE_CONTACT_TURN_H_

#include <array>
#include <vector>

#include "sinew/offline/core/random.h"
#include "sinew/offline/elasticity/handle_subspace.h"

namespace sinew::contact {

using elasticity::SmallMatrix;
using elasticity::SmallVector;

// How a collider is turned: by an angle in the plane, by a unit quaternion in space.
struct Turn {
  double angle = 0;                                 // in radians; used in the plane
  std::array<double, 4> quaternion = {0, 0, 0, 1};  // x, y, z, w; used in space

  SmallMatrix Rotation(int dimension) const;
  bool operator==(const Turn&) const = default;
};

// Draws a rotation, all of them alike.
Turn DrawTurn(int dimension, Random& random);

// Returns `count` rotations that are spread by greedy farthest points: by their angles in the plane, and in space by
// the angle of the rotation between two of them (section 4.2 of the paper). In space, the candidates are drawn; the
// same count gives the same rotations.
std::vector<Turn> SpreadTurns(int dimension, int count);

// Moves one of `count` spread rotations at random by up to about half of the distance to the next one.
Turn ShiftTurn(const Turn& turn, int dimension, int count, Random& random);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_TURN_H_
