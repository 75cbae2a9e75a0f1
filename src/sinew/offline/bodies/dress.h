// Dress by thickness: garments that are the skin itself, moved outwards by a cloth's thickness up to a sharp hem. Made
// in a moment for any body whose joints are known, where no modelled garment would fit.
//
// A garment covers the skin between limits along arms, legs and trunk (body_places.h). The mesh is cut along its hem;
// the covered side moves out along smoothed normals, and a rim closes the step, so that a closed body stays closed. A
// coat may lie over trousers: garments are put on one after the other.
#ifndef SINEW_OFFLINE_BODIES_DRESS_H_
#define SINEW_OFFLINE_BODIES_DRESS_H_

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sinew/offline/bodies/body_places.h"
#include "sinew/offline/bodies/made_body.h"

namespace sinew::bodies {

struct Garment {
  std::string name;  // "shirt", "trousers", "coat", "shoes", "gloves", "hair" or "helmet"; shown only
  // Lowest and highest value of each BodyCoordinate that is covered.
  std::array<double, kBodyCoordinates> low, high;
  double thickness = 0.01;  // share of the body's height
  double flare = 0;  // by how much more the cloth stands off at the hem of arms and legs, as a share of thickness

  Garment() {
    low.fill(-std::numeric_limits<double>::infinity());
    high.fill(std::numeric_limits<double>::infinity());
  }
};

struct DressRecipe {
  std::vector<Garment> garments;  // from the innermost to the outermost
};

// Draws garments by a seed: trousers and shirt or a coat, shoes, sometimes gloves, hair or a helmet. Different seeds
// differ in what is worn, how far it reaches and how thick it is.
DressRecipe DrawDress(uint64_t seed);

// Returns the body dressed: one mesh per part as before, with other vertices. Weights, UVs and colours are those of the
// skin below, and the map leads there, so that SurfaceFollower makes a dressed truth of a naked one. Where cloth has no
// room (armpits, crotch) it is thinner; nothing intersects that did not before. Morph targets are carried over.
// file: for messages. Throws InputError if joints are not known, UsageError for a thickness outside 0 to 0.1.
MadeBody Dress(const Character& character, const DressRecipe& recipe, const std::string& file);

}  // namespace sinew::bodies

#endif  // SINEW_OFFLINE_BODIES_DRESS_H_
