// Characters in poses, by the runtime's own evaluation: what pictures, commands and tests show is what ships.
#ifndef SINEW_OFFLINE_CHARACTER_POSING_H_
#define SINEW_OFFLINE_CHARACTER_POSING_H_

#include <memory>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew {

enum class SkinMethod { kLinearBlend, kDualQuaternion };

struct PosingOptions {
  SkinMethod method = SkinMethod::kLinearBlend;
  // Normals from the posed triangles instead of skinned ones, tangents following (runtime/skin/normals.h). Parts that
  // have no normals of their own get them, too. Parts do not see each other: two that meet keep an edge between them.
  bool dynamic_normals = false;
};

// One part in model space, vertices in the part's order.
struct PosedPart {
  Points positions;
  Points normals;                                                     // unit; empty if the part has none
  Eigen::Matrix<float, Eigen::Dynamic, 4, Eigen::RowMajor> tangents;  // w the handedness; empty if the part has none
};

struct PosedCharacter {
  std::vector<PosedPart> parts;  // one per part of the character
  Box box;                       // of all of them; empty if there are no vertices
};

// Keeps the tables that the runtime needs, for many poses of one character.
class Poser {
 public:
  // The character must outlive the poser and keep its parts, weights and skeleton.
  // Throws InputError where a part's weights cannot be used (see skin_builder.h).
  explicit Poser(const Character& character, const PosingOptions& options = {});
  ~Poser();
  Poser(Poser&&) noexcept;
  Poser& operator=(Poser&&) noexcept;

  // pose: one transform per joint of the character's skeleton; throws UsageError otherwise. Skinned parts are skinned,
  // unskinned ones placed by their model_from_mesh. Parts run in parallel on core/parallel.h's pool.
  PosedCharacter Evaluate(const Pose& pose) const;
  // The same into memory that is kept from call to call.
  void Evaluate(const Pose& pose, PosedCharacter& result) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// One pose of a character; use a Poser for several.
PosedCharacter PoseCharacter(const Character& character, const Pose& pose, const PosingOptions& options = {});

}  // namespace sinew

#endif  // SINEW_OFFLINE_CHARACTER_POSING_H_
