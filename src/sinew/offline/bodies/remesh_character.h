// Another mesh for a character: what learns from bodies must not learn how they were meshed.
#ifndef SINEW_OFFLINE_BODIES_REMESH_CHARACTER_H_
#define SINEW_OFFLINE_BODIES_REMESH_CHARACTER_H_

#include <cstdint>
#include <string>

#include "sinew/offline/bodies/made_body.h"

namespace sinew::bodies {

constexpr int kFewestVertices = 500;
constexpr int kMostVertices = 100000;

// Recipe of a remeshing: the character gets another mesh as a whole, which is then edited edge by edge.
struct RemeshRecipe {
  enum class Base {
    kSame,        // the mesh as it is
    kSimplified,  // edge collapses in the order of their quadric error
    kIsotropic,   // nearly equilateral triangles
  };
  Base base = Base::kIsotropic;
  int vertices = 5000;    // points of the surface after the first step, where it is not kSame
  double exponent = 0.5;  // of kIsotropic: IsotropicOptions::exponent
  // Edits drawn at random, as shares of the number of points.
  double flips = 0, splits = 0, collapses = 0;
  uint64_t seed = 0;
};

// Returns the name of a base, and the base of a name: "same", "simplified", "isotropic". Throws UsageError for others.
std::string NameOf(RemeshRecipe::Base base);
RemeshRecipe::Base BaseOfName(const std::string& name);

// Draws a recipe: all bases are equally likely (kSame only if the points of the source are within the range), the
// numbers of vertices evenly in their logarithm, up to three tenths of the points for each kind of edit. The result of
// RemeshCharacter() has about fewest to most points. points: of the source's surface (PointCount()).
RemeshRecipe DrawRemesh(int points, int fewest, int most, uint64_t seed);

// Returns the number of points of a character's surface: of vertices, those at one place counted once.
int PointCount(const Character& character, const std::string& file);

// Returns the character with another mesh on the same surface. Weights, morph targets, UVs, colours and materials are
// carried over by the map; skeleton, animations and limits stay. Parts stay apart, and their common borders stay
// closed. file: for messages. The same inputs give the same bytes. Throws UsageError for numbers out of range,
// InputError if the character has bad positions or no triangle.
MadeBody RemeshCharacter(const Character& character, const RemeshRecipe& recipe, const std::string& file);

}  // namespace sinew::bodies

#endif  // SINEW_OFFLINE_BODIES_REMESH_CHARACTER_H_
