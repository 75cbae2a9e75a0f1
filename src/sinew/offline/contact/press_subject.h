// Character and collider whose contact is to be learned, and the plan of what to simulate (contact-centric deformation
// learning, doi 10.1145/3528223.3530182, section 4.2): states of the character x places on its skin x rotations of the
// collider x depths.
#ifndef SINEW_OFFLINE_CONTACT_PRESS_SUBJECT_H_
#define SINEW_OFFLINE_CONTACT_PRESS_SUBJECT_H_

#include <Eigen/Geometry>
#include <string>
#include <utility>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/flesh/simulator.h"
#include "sinew/offline/mesh/distance_grid.h"
#include "sinew/offline/mesh/weld.h"

namespace sinew::contact {

struct PressOptions {
  std::vector<std::string> on;  // joints whose skin the collider is to touch, by name; empty: all
  int states = 4, places = 24, rotations = 4, depths = 3;
  double window = 0;  // radius of the window, in the character's unit; 0: the collider's size
  double depth = 0;   // largest depth, in the character's unit; 0: 0.4 of the collider's size or 0.8 of the fat
  uint64_t seed = 1;
  flesh::Quality quality = flesh::Quality::kQuick;
};

struct PressSubject {
  Character character;
  std::vector<Pose> states;  // the first is rest
  // Collider, in its own space.
  std::string name;   // of the collider
  DistanceGrid grid;  // reaches beyond the window on all sides
  double size = 0;    // of the collider: the smallest side of its bounding box
  double window = 0, depth = 0;
  // Skin: all parts one after the other.
  TriMesh rest;  // at rest, in model space
  Welding welding;
  std::vector<std::vector<std::pair<int, float>>> influences;  // joints and weights, one list per vertex
  std::vector<int> touched;                                    // vertices that may be touched, increasing
  std::vector<int> places;                                     // chosen of them: one per place
};

// Makes a subject. collider: triangles of the collider in its own space, in the character's unit. Throws InputError,
// naming collider_file, for a collider that is open, crosses itself or is too long for its thickness, and UsageError
// for joints that do not exist, a window larger than the body, and joints without skin.
PressSubject MakePressSubject(Character character, const std::string& character_file, const TriMesh& collider,
                              const std::string& collider_file, const std::string& name, const PressOptions& options);

// Flesh of the subject's character with the collider, whose place is given. tets: number of tetrahedra, about; 0: the
// quality's.
flesh::FleshModel MakePressModel(const PressSubject& subject, const PressOptions& options, int tets = 0);

// One collider on its way into the body.
struct PressChain {
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  std::vector<double> depths;  // in the character's unit, increasing
  double gap = 0;              // above 0: also a sample so far above the first touch
};

struct PressPlan {
  int state = 0;
  int vertex = 0;  // the place
  std::vector<PressChain> chains;
};

// Plans of all shards: one per state and place.
std::vector<PressPlan> PlanPresses(const PressSubject& subject, const PressOptions& options);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_PRESS_SUBJECT_H_
