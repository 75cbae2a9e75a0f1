// Bodies whose rig is known, as a rigging network is trained and tested on them.
#ifndef SINEW_OFFLINE_AUTORIG_EXAMPLE_H_
#define SINEW_OFFLINE_AUTORIG_EXAMPLE_H_

#include <cstdint>
#include <string>

#include "sinew/offline/autorig/biped_joints.h"
#include "sinew/offline/autorig/edge_input.h"
#include "sinew/offline/character/character.h"

namespace sinew::autorig {

// How a body is stood up before the network sees it. All angles in degrees; each example draws its own, evenly.
struct StanceRange {
  double arms_down = 60;   // 0: as the T-pose of the file
  double legs_apart = 15;  // each
  double elbows = 15;      // how far they bend to the front
  double turn = 10;        // of the whole body, about any axis, beyond what finding its frame leaves
  bool coarse = true;      // whether the surface has kCoarseVertices to kWorkingVertices, rather than the latter
};

struct Example {
  EdgeInput input;
  RowMatrix weights;      // per edge: share of every joint
  JointPositions joints;  // in canonical space
  TriMesh surface;        // what the network sees, in canonical space
};

// Draws a stance for the body, remeshes it and writes down what a network should answer. character: with all joints of
// BipedJoints(), in a T-pose, facing z, y up. May be called from any thread. file: for messages.
Example MakeExample(const Character& character, const StanceRange& range, uint64_t seed, const std::string& file);

// Skin weights of all vertices, parts in order, by the joints of BipedJoints(): weights of others go to the nearest of
// these above them.
RowMatrix BipedWeights(const Character& character, const std::string& file);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_EXAMPLE_H_
