// Makes scenes of characters: posed by the evaluation of the runtime, with their textures, bones or weights.
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
  bool textures = true;                    // show the file's base colours; weights and heat maps hide them
  bool skeleton = false;                   // draw bones over the body
  bool weights = false;                    // colour vertices by the joints' colours, blended by weight
  std::string weight_joint = {};           // show this joint's weights as a heat map from 0 to 1; empty: none
  Backfaces backfaces = Backfaces::kAuto;  // double-sided materials are never tinted, unless kTint
  SkinMethod method = SkinMethod::kLinearBlend;
};

// Positions of each part at rest as morph targets move them, in mesh data space. Empty: the parts' own.
using MorphedRest = std::vector<Points>;

class CharacterDrawing {
 public:
  // The character must outlive the drawing. Throws UsageError if weight_joint is not a joint, with a list of all
  // joints, or if weights are to be shown and the character has none.
  CharacterDrawing(const Character& character, const DrawingOptions& options);
  ~CharacterDrawing();
  CharacterDrawing(CharacterDrawing&&) noexcept;

  // Returns the scene in a pose. heat: values of a heat map, one per vertex of the whole character, parts in order; may
  // be empty. Where morph targets move the surface, its normals are computed from the posed triangles.
  Scene At(const Pose& pose, const std::vector<float>& heat = {}, const MorphedRest& morphed = {}) const;
  // Returns the positions of all vertices in a pose, parts in order.
  Points PositionsAt(const Pose& pose, const MorphedRest& morphed = {}) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Returns the bones to draw in a pose: the joints of skins, each connected to its nearest ancestor that is drawn; all
// joints if no skin has any.
// joint_colors: colour each bone in a light tone of its JointColor() instead of all alike.
Bones SkeletonBones(const Skeleton& skeleton, const Pose& pose, bool joint_colors);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_CHARACTER_DRAWING_H_
