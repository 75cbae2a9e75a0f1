// Makes whole pictures of characters, still or animated, as `sinew render` does.
#ifndef SINEW_OFFLINE_RENDER_PICTURE_H_
#define SINEW_OFFLINE_RENDER_PICTURE_H_

#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/render/character_drawing.h"
#include "sinew/offline/render/sheet.h"

namespace sinew::render {

// One character of the picture, in a column of its own or, with PictureOptions::together, in a common one. `poses`,
// `captions`, `heat` and `morphed` have one entry per frame; a single entry holds for every frame. Empty heat: no heat
// map. Empty morphed: no morph targets.
struct PictureInput {
  const Character* character = nullptr;  // must outlive the call
  std::string label = {};
  std::vector<Pose> poses = {};               // at least one
  std::vector<std::vector<float>> heat = {};  // each one value per vertex of the character, parts in order
  std::vector<MorphedRest> morphed = {};
  std::vector<std::string> captions = {};  // below the label; empty: mean and largest value of the heat map, if any
  // Per vertex of the character, parts in order, whether the camera frames it. Empty: as PictureOptions::focus says.
  std::vector<bool> framed = {};
};

struct PictureOptions {
  std::vector<View> views = {};
  bool turntable = false;  // animation of one full turn, instead of the views
  int turn_frames = 60;    // frames of a turntable of a single pose
  double frames_per_second = 30;
  bool together = false;  // show all inputs in one column at their positions, as a body and its garment
  bool follow = true;     // in animations, move the camera with the body over the ground
  // Joint to come near to: the camera frames its surroundings (focus.h), for characters that have it. Empty:
  // everything.
  std::string focus = {};
  // Whether all inputs are the same body in the same place, so that one camera shows all of them alike.
  bool same_camera = false;
  SheetOptions sheet = {};
  DrawingOptions drawing = {};
  std::string heat_title = "value";
  std::string heat_unit = {};
  std::optional<HeatScale> heat_scale = {};  // empty: FitHeatScale() of all inputs and frames
};

struct Picture {
  Bytes file;  // PNG, or APNG if there is more than one frame
  int width = 0, height = 0;
  int frames = 1;
};

// Draws a picture. Throws UsageError if inputs do not fit together (numbers of values and vertices, or of frames,
// differ), or if no input has the joint `focus`, with the nearest names.
Picture MakePicture(const std::vector<PictureInput>& inputs, const PictureOptions& options);

// Returns the scale from 0 to the largest finite value; symmetric about 0 if there are negative values. A range without
// extent is widened.
HeatScale FitHeatScale(const std::vector<PictureInput>& inputs);

// Returns for each vertex the distance between two sets of equally many points, times `scale` (1000: metres to
// millimetres). Throws UsageError if their numbers differ.
std::vector<float> Distances(const Points& a, const Points& b, float scale);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_PICTURE_H_
