// Characters as scenes: posed by the runtime's own evaluation, with their textures, bones or weights.
#ifndef SINEW_OFFLINE_RENDER_CHARACTER_DRAWING_H_
#define SINEW_OFFLINE_RENDER_CHARACTER_DRAWING_H_

#include <memory>
#include <string>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/character/posing.h"
#include "sinew/offline/render/scene.h"

namespace sinew::render {

struct DrawingOptions {
  bool textures = true;                    // the file's base colours; not shown under weights and heat maps
  bool skeleton = false;                   // bones over the body
  bool weights = false;                    // each joint's colour, blended by the weights
  std::string weight_joint = {};           // the weights of this joint as a heat map from 0 to 1; empty: none
  Backfaces backfaces = Backfaces::kAuto;  // double-sided materials are never tinted, unless kTint
  SkinMethod method = SkinMethod::kLinearBlend;
};

class CharacterDrawing {
 public:
  // The character must outlive the drawing. Throws UsageError if weight_joint is not a joint, naming those that are,
  // or if weights are wanted and there are none.
  CharacterDrawing(const Character& character, const DrawingOptions& options);
  ~CharacterDrawing();
  CharacterDrawing(CharacterDrawing&&) noexcept;

  // heat: one value per vertex of the whole character, parts in order; or none.
  Scene At(const Pose& pose, const std::vector<float>& heat = {}) const;
  // All vertices in that pose, parts in order.
  Points PositionsAt(const Pose& pose) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Which joints are drawn as bones, in a pose: those that some skin has, each hung on its nearest ancestor that is
// drawn; all of them if no skin has any. joint_colors: each in a light tone of its JointColor(), instead of all alike.
Bones SkeletonBones(const Skeleton& skeleton, const Pose& pose, bool joint_colors);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_CHARACTER_DRAWING_H_
