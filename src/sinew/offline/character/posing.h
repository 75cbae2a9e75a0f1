// Skinning of characters by the runtime's own code, so that pictures, commands and tests show what ships.
#ifndef SINEW_OFFLINE_CHARACTER_POSING_H_
#define SINEW_OFFLINE_CHARACTER_POSING_H_

#include <memory>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew {

enum class SkinMethod { kLinearBlend, kDualQuaternion };

struct PosingOptions {
  SkinMethod method = SkinMethod::kLinearBlend;
  // Whether to compute normals from the posed triangles instead of skinning them, and to adapt tangents to them
  // (runtime/skin/normals.h). Parts without normals of their own get them, too. Each part is computed by itself: two
  // parts that meet keep an edge between them.
  bool dynamic_normals = false;
};

// One posed part in model space, with vertices in the part's order.
struct PosedPart {
  Points positions;
  Points normals;                                                     // unit; empty if the part has none
  Eigen::Matrix<float, Eigen::Dynamic, 4, Eigen::RowMajor> tangents;  // w is the handedness; empty if the part has none
};

struct PosedCharacter {
  std::vector<PosedPart> parts;  // one per part of the character
  Box box;                       // bounding box of all parts; empty if there are no vertices
};

// Skins a character in many poses, keeping the tables that the runtime needs.
class Poser {
 public:
  // Keeps a reference to the character, which must outlive the poser and must not change its parts, weights or
  // skeleton. Throws InputError if a part's weights cannot be used (see skin_builder.h).
  explicit Poser(const Character& character, const PosingOptions& options = {});
  ~Poser();
  Poser(Poser&&) noexcept;
  Poser& operator=(Poser&&) noexcept;

  // Skins the skinned parts in a pose and places unskinned ones by their model_from_mesh. pose: one transform per joint
  // of the character's skeleton; throws UsageError otherwise. Parts run in parallel on the pool of core/parallel.h.
  PosedCharacter Evaluate(const Pose& pose) const;
  // Writes the result of Evaluate(pose) into `result`, whose memory is reused from call to call.
  void Evaluate(const Pose& pose, PosedCharacter& result) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Skins a character in one pose; for several poses use a Poser.
PosedCharacter PoseCharacter(const Character& character, const Pose& pose, const PosingOptions& options = {});

}  // namespace sinew

#endif  // SINEW_OFFLINE_CHARACTER_POSING_H_
