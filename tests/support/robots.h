// Robots: characters of many small rigid islands, each bound to one joint, as machines are modelled.
#ifndef SINEW_TESTS_SUPPORT_ROBOTS_H_
#define SINEW_TESTS_SUPPORT_ROBOTS_H_

#include <cstdint>

#include "sinew/offline/character/character.h"

namespace sinew::testing {

struct RobotOptions {
  int islands = 60;
  int joints = 12;    // a chain; island i belongs to joint i % joints
  int parts = 3;      // islands are dealt out to parts in turn
  uint64_t seed = 1;  // chooses shapes, sizes and places
};

// Most islands are closed: boxes, balls, stars, tetrahedra, rings, plates thinner than a hair. Some have triangles
// without area, some are open. Some lie exactly on top of another one, turned inside out or not, and some touch another
// one in points or along an edge, so that welding joins them to surfaces that are not manifold. Every vertex has
// exactly one joint with weight 1.
Character Robot(const RobotOptions& options = {});

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_ROBOTS_H_
