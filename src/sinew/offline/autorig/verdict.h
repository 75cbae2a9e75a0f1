// What can be said of a rig without knowing the true one.
#ifndef SINEW_OFFLINE_AUTORIG_VERDICT_H_
#define SINEW_OFFLINE_AUTORIG_VERDICT_H_

#include <string>
#include <vector>

#include "sinew/offline/autorig/rig_network.h"

namespace sinew::autorig {

struct Verdict {
  std::string check;  // one word or two for programs, such as "joints-inside"
  bool good = true;
  double value = 0;      // what was measured
  double limit = 0;      // what it may be
  std::string sentence;  // for people
};
using Verdicts = std::vector<Verdict>;

// Names of the joints that are not inside of the surface, both in canonical space.
std::vector<std::string> JointsOutside(const JointPositions& joints, const TriMesh& surface);

// Judges the joints of a canonical rig: whether they are inside of the surface, whether bones have lengths as bodies
// have them, whether left and right are alike, and whether the network was sure. doubt: Doubt() of the answer.
Verdicts JudgeJoints(const RigAnswer& answer, const TriMesh& surface, double doubt, const Usual& usual);

// Judges how the rigged character deforms in everyday poses: change of volume, and stretch of edges.
Verdicts JudgeMotion(const Character& character, const std::string& file);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_VERDICT_H_
