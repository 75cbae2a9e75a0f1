// Whole pictures of characters, still or animated: what `sinew render` makes.
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

// One column of the picture, or one of those that share it (PictureOptions::together). `poses` and `heat` have one
// entry per frame; one entry alone holds for every frame, and no heat is no heat map.
struct PictureInput {
  const Character* character = nullptr;  // must outlive the call
  std::string label = {};
  std::vector<Pose> poses = {};               // at least one
  std::vector<std::vector<float>> heat = {};  // each one value per vertex of the character, parts in order
};

struct PictureOptions {
  std::vector<View> views = {};
  bool turntable = false;  // once around, instead of the views
  int turn_frames = 60;    // of a turntable whose poses do not move
  double frames_per_second = 30;
  bool together = false;  // all inputs in one column, where they are: a body and its garment
  bool follow = true;     // animations: the camera moves with the body over the ground
  // Frames only what this joint and those below it carry most of, where a character has it; empty: everything.
  std::string focus = {};
  SheetOptions sheet = {};
  DrawingOptions drawing = {};
  std::string heat_title = "value";
  std::string heat_unit = {};
  std::optional<HeatScale> heat_scale = {};  // empty: from the values of all inputs and frames
};

struct Picture {
  Bytes file;  // PNG, or APNG if there is more than one frame
  int width = 0, height = 0;
  int frames = 1;
};

// Throws UsageError where inputs do not fit together (another number of values than vertices, frames that differ), and
// where no input has the joint in focus.
Picture MakePicture(const std::vector<PictureInput>& inputs, const PictureOptions& options);

// From 0 (or symmetric about it, where there are negative values) to the largest finite value. A range without extent
// is widened.
HeatScale FitHeatScale(const std::vector<PictureInput>& inputs);

// For each vertex the distance between two sets of points of one size, times `scale` (1000: metres to millimetres).
std::vector<float> Distances(const Points& a, const Points& b, float scale);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_PICTURE_H_
