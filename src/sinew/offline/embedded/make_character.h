// Makes embedded characters: a complete character from a kind, a shape and a number of vertices.
#ifndef SINEW_OFFLINE_EMBEDDED_MAKE_CHARACTER_H_
#define SINEW_OFFLINE_EMBEDDED_MAKE_CHARACTER_H_

#include "sinew/offline/character/character.h"
#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

constexpr int kFewestVertices = 1000;
constexpr int kMaxVertices = 300000;

// Makes characters of one kind with one number of vertices. Keeps what all shapes share: connectivity and weights.
class CharacterMaker {
 public:
  // Meshes the neutral figure, which takes seconds. Throws UsageError if `vertices` is outside kFewestVertices to
  // kMaxVertices.
  CharacterMaker(const Kind& kind, int vertices);

  // Returns a character of one skinned part with `vertices` vertices, mirror images included; joint limits are stored
  // in its extras. The same inputs give bitwise the same result. Throws FailedError if the neutral mesh cannot be
  // transferred to the shape without folds.
  Character Make(const Shape& shape) const;

 private:
  FineMesh MeshOf(const Shape& shape) const;

  Kind kind_;
  Figure neutral_;
  Implicit surface_;
  FineMesh mesh_;  // neutral mesh; for a symmetric kind only the half with x >= 0
  SkinWeights weights_;
};

// Makes a single character. For several shapes of a kind, CharacterMaker saves meshing the neutral figure again.
Character MakeCharacter(const Kind& kind, const Shape& shape, int vertices);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_MAKE_CHARACTER_H_
