// Costumes of bodies to train with: surfaces beside the skin that hide what is below, as skirts, robes, capes, hats and
// long hair of game characters do. Dress by thickness (bodies/dress.h) follows the skin; these do not.
#ifndef SINEW_OFFLINE_AUTORIG_COSTUME_H_
#define SINEW_OFFLINE_AUTORIG_COSTUME_H_

#include "sinew/offline/autorig/example.h"
#include "sinew/offline/core/random.h"

namespace sinew::autorig {

// A skirt or robe around hips and legs. Heights are shares of the way from the first to the second place.
struct Skirt {
  double waist = 0.5;       // from the pelvis to the first joint of the spine
  double hem = 0.5;         // from the hips to the ankles
  double clearance = 0.01;  // from the body; this and thickness: shares of the height
  double thickness = 0.006;
  double flare = 0.2;      // how far it goes out per length
  int folds = 0;           // around it
  double fold_depth = 0;   // share of its radius, at the hem
  double looseness = 0.8;  // share of the legs in its weights below the hips; the rest follows the pelvis
  bool solid = false;      // closed at the hem, as robes of simple characters are
};

// A hat, as a surface of revolution. All lengths are shares of half the head's width, heights those of the head.
struct Hat {
  double low = 0.3;     // of its lower end, below the top of the head
  double height = 0.8;  // above that
  double brim = 1.4;
  double tip = 0.6;   // radius of the upper end
  double bend = 0.2;  // of the tip to the back
};

// Long hair at the back of the head and below it, in one piece.
struct Hair {
  double length = 0.5;  // from the neck to the middle joint of the spine
  double width = 0.9;   // of its lower end, as a share of half the head's width
};

// A cape: a sheet behind the back that hangs from the shoulders.
struct Cape {
  double hem = 0.5;         // share of the way from the collars to the ankles
  double width = 1;         // of its upper end, as a share of the distance between the shoulders
  double flare = 0.3;       // how much wider its lower end is
  double clearance = 0.01;  // from the back; this and thickness: shares of the height
  double thickness = 0.006;
};

// Returns a body in a T-pose with one more surface, which has weights of its own: skirts follow pelvis, thighs and
// shins, the left ones on the left, hats and hair the head, and capes the spine. body: upright, facing z.
WeightedBody PutOn(const WeightedBody& body, const Skirt& skirt);
WeightedBody PutOn(const WeightedBody& body, const Hat& hat);
WeightedBody PutOn(const WeightedBody& body, const Hair& hair);
WeightedBody PutOn(const WeightedBody& body, const Cape& cape);

// Returns a body in a drawn costume: clothes (a skirt, something on the head, a cape), or props (props.h), or both.
// share: of the bodies that wear one; with 0 nothing is drawn from `random`.
WeightedBody PutOnCostume(WeightedBody body, double share, Random& random);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_COSTUME_H_
