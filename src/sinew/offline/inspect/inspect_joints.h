// Lists the joints of a character, one by one, as `sinew inspect --joints` shows them.
#ifndef SINEW_OFFLINE_INSPECT_INSPECT_JOINTS_H_
#define SINEW_OFFLINE_INSPECT_INSPECT_JOINTS_H_

#include <string>
#include <vector>

#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/character/character.h"
#include "sinew/offline/core/json.h"

namespace sinew::inspect {

struct JointInspection {
  std::string name;
  int parent = -1;   // index of an earlier joint, or -1
  int carrier = -1;  // Joint::carrier
  int depth = 0;     // number of joints above it
  bool helper = false;
  LimitOrigin limits = LimitOrigin::kDefault;  // where its limits come from
  std::string known_as;                        // JointLimit::known_as
  int vertices = 0;                            // number of vertices that it moves by a weight of its own
};

// Returns one entry per joint of the skeleton, in its order. limits: one per joint.
std::vector<JointInspection> InspectJoints(const Character& character, const JointLimits& limits);

// Returns a list of objects. docs/inspect.md describes every key.
Json ToJson(const std::vector<JointInspection>& joints);
// Returns a table below a heading, children below their parents and indented; empty without joints.
std::string ToText(const std::vector<JointInspection>& joints);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_INSPECT_JOINTS_H_
