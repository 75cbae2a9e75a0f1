// Embedded characters: from a kind, a shape and a number of vertices to a whole character.
#ifndef SINEW_OFFLINE_EMBEDDED_MAKE_CHARACTER_H_
#define SINEW_OFFLINE_EMBEDDED_MAKE_CHARACTER_H_

#include "sinew/offline/character/character.h"
#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

constexpr int kFewestVertices = 1000;
constexpr int kMaxVertices = 300000;

// Keeps what all shapes of a kind share at one number of vertices: connectivity and weights.
class CharacterMaker {
 public:
  // Meshes the neutral figure: seconds. Throws UsageError for a number of vertices out of range.
  CharacterMaker(const Kind& kind, int vertices);

  // One part with `vertices` vertices, mirror images included; skin, limits in the extras. The same inputs give the
  // same bits. Throws FailedError if the shape cannot be reached without folds.
  Character Make(const Shape& shape) const;

 private:
  FineMesh MeshOf(const Shape& shape) const;

  Kind kind_;
  Figure neutral_;
  Implicit surface_;
  FineMesh mesh_;  // of a symmetric kind, the half with x >= 0
  SkinWeights weights_;
};

// In one go.
Character MakeCharacter(const Kind& kind, const Shape& shape, int vertices);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_MAKE_CHARACTER_H_
