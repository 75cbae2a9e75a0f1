// Detail at every scale that a pose drives, by formula: muscles that bulge, skin that slides, folds and wrinkles.
//
// A displacement before skinning. Each joint j whose anatomical parent carries flesh too adds to the vertices near
// it. What it adds is a smooth function of the joint's rotation R_j away from rest, through
//   m = R d - d       the bend: d is the bone's direction at rest; m points to the side that is compressed
//   tau = sin(angle) of the turn about d
//   c = 1 - cos(angle)
// all of which are polynomials of R's entries, so that nothing jumps or locks, and are 0 at rest. Where it acts is said
// by the rest position and the weights of a vertex alone: any mesh of the same body has the same field.
//   bulge    limb-size: the flesh of both bones thickens toward the side that the joint bends to
//   slide    limb-size: skin is drawn along the bone over the outside of a bend, and around it by a twist
//   fold     waves of 5% of the body's size on the compressed side
//   wrinkle  waves of 2.2%, across a bend and along the diagonals of a twist
//   fine     the same at 1.05%: three to four edges of a body with 75,000 vertices
#ifndef SINEW_OFFLINE_DATASET_PROCEDURAL_FIELD_H_
#define SINEW_OFFLINE_DATASET_PROCEDURAL_FIELD_H_

#include <memory>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew::dataset {

// Strengths, as multiples of what looks like a body.
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

  // One matrix per part, in the space of the part's mesh; exactly zero in the rest pose, and for parts without weights.
  std::vector<Points> Displacements(const Pose& pose) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::dataset

#endif  // SINEW_OFFLINE_DATASET_PROCEDURAL_FIELD_H_
