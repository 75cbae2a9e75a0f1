// Guess of the unit of length of a character's file. glTF prescribes metres, but many files are in other units. The
// guess compares the size of the character with that of what its skeleton shows: a person, a hand or something else. It
// is always shown with its reason, and the user can override it.
#ifndef SINEW_OFFLINE_ANATOMY_LIKELY_UNIT_H_
#define SINEW_OFFLINE_ANATOMY_LIKELY_UNIT_H_

#include <string>

#include "sinew/offline/anatomy/rest_body.h"
#include "sinew/offline/character/character.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

struct LikelyUnit {
  std::string name = "m";   // m, cm, mm, in, ft
  double metres = 1;        // length of one unit in metres
  bool known_size = false;  // whether the skeleton is a person's or a hand's, and in this unit has that size
  std::string reason;       // as shown to the user: "stands 1.66 m tall, as a person does"
  // Factor on lengths of a person, such as the thickness of fat, that makes them fit this body. It is 1 where the size
  // is known. Elsewhere the unit says little, and it is the body's longest side, in this unit, over a person's height.
  double of_person = 1;
};

// Guesses the unit from the rest body and the bounding box (in the file's unit) of the character as displayed. Units
// are tried in the order m, cm, mm, in, ft; the first that gives the expected size is taken.
//   A person: 1 to 2.3 m tall, as the box's extent along body.up. The skeleton has both hips, a head and a known up
//   direction (RestBody::has_frame), and is no quadruped's.
//   A hand: 0.12 to 0.3 m, as the box's longest side. The skeleton has five or more finger joints, no head and not both
//   hips.
//   Anything else: metres if that makes the longest side at most 10 m, else centimetres if that does, else millimetres.
// If no unit gives a person's or a hand's size, the last rule decides. An empty box gives metres.
LikelyUnit GuessUnit(const RestBody& body, const Box& box);
// Guesses the unit of a character from its skeleton and the box of its surface, both in the rest pose.
LikelyUnit GuessUnit(const Character& character);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_LIKELY_UNIT_H_
