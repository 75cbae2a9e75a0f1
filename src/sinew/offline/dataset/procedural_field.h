// Procedural displacement field, driven by the pose, with detail at every scale: muscles that bulge, skin that slides,
// folds and wrinkles.
//
// The displacement is added before skinning. Each joint j that has skinning weights, and whose anatomical parent does
// too, adds a displacement to the vertices near it: a smooth function of the joint's rotation R_j relative to rest,
// through
//   m = R d - d       the bend: d is the bone's direction at rest; m points to the side that is compressed
//   tau               sine of the twist angle about d
//   c = 1 - cos(angle)
// all of which are polynomials of R's entries, so that there are no discontinuities or gimbal lock, and are 0 at rest.
// The support depends only on a vertex's rest position and skinning weights: any mesh of the same body has the same
// field.
//   bulge    limb-size: the flesh of both bones thickens toward the side that the joint bends to
//   slide    limb-size: skin is drawn along the bone over the outside of a bend, and around it by a twist
//   fold     waves with a wavelength of 5% of the body's size
//   wrinkle  waves of 2.2%
//   fine     waves of 1.05%: three to four edges of a body with 75,000 vertices
// All three run across a bend, on the compressed side and a little on the other, and along the diagonals of a twist.
// Folds and wrinkles are shorter where a joint's bones are short (fingers).
#ifndef SINEW_OFFLINE_DATASET_PROCEDURAL_FIELD_H_
#define SINEW_OFFLINE_DATASET_PROCEDURAL_FIELD_H_

#include <memory>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew::dataset {

// Strengths of the components listed above, as multiples of a realistic amplitude; 0 turns a component off.
struct ProceduralOptions {
  double bulge = 1;
  double slide = 1;
  double fold = 1;
  double wrinkle = 1;
  double fine = 1;
};

class ProceduralField {
 public:
  // The character must outlive the field.
  ProceduralField(const Character& character, const ProceduralOptions& options);
  ~ProceduralField();

  // Displacements before skinning: one matrix per part, one row per vertex, in mesh data space. Exactly zero in the
  // rest pose, and for parts without weights or rigidly attached to a joint.
  std::vector<Points> Displacements(const Pose& pose) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_PROCEDURAL_FIELD_H_
