// What unit is a file in? glTF says metres, but many files were not made so. Told from the size of what the skeleton
// says it is: a person, a hand, something else. A guess, always shown with its reason; the user can say better.
#ifndef SINEW_OFFLINE_ANATOMY_LIKELY_UNIT_H_
#define SINEW_OFFLINE_ANATOMY_LIKELY_UNIT_H_

#include <string>

#include "sinew/offline/anatomy/rest_body.h"
#include "sinew/offline/character/character.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

struct LikelyUnit {
  std::string name = "m";   // m, cm, mm, in, ft
  double metres = 1;        // the length of one unit
  bool known_size = false;  // the skeleton said what it is, and in this unit it has that thing's size
  std::string reason;       // "stands 1.66 m tall, as a person does"
};

// body, box: of the character as displayed.
//   A person (hips, knees or ankles, and a head, upright): 1 to 2.3 m tall.
//   A hand (fingers but neither head nor hips): 0.12 to 0.3 m at its longest.
//   Anything else: metres if that makes it at most 10 m long, else centimetres if that does, else millimetres.
// Where no unit gives a person's or a hand's size, the last rule decides.
LikelyUnit GuessUnit(const RestBody& body, const Box& box);
// Guess for a character in its rest pose.
LikelyUnit GuessUnit(const Character& character);

}  // namespace sinew

#endif  // SINEW_OFFLINE_ANATOMY_LIKELY_UNIT_H_
