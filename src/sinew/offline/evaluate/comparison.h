// Pictures of skinning, ground truth and Sinew side by side, near enough to see a crease.
#ifndef SINEW_OFFLINE_EVALUATE_COMPARISON_H_
#define SINEW_OFFLINE_EVALUATE_COMPARISON_H_

#include <string>
#include <vector>

#include "sinew/offline/render/picture.h"
#include "sinew/runtime/asset/bundle.h"

namespace sinew::evaluate {

// Shapes of one frame in model space: one row per vertex of the character, all parts in order.
struct ComparedFrame {
  std::string name;  // shown below the ground truth: what the frame is
  Points skinned, truth, sinew;
  bool faded = false;  // whether the pose is so far from what was learned that correctives fade
};

// Makes a frame of a pose and its ground truth. Throws InputError, naming `file`, if the bundle's finest level has
// another number of vertices than the character.
ComparedFrame MakeComparedFrame(const Character& character, const runtime::Bundle& bundle, const std::string& file,
                                const std::string& name, const Pose& pose, const Points& truth);

struct ComparisonOptions {
  // Joint to come near to, by its name in the file or its canonical one. Empty: the joint nearest to where ground truth
  // and skinning differ most.
  std::string focus = {};
  int joint = -1;      // the same by its index, if focus is empty
  bool whole = false;  // show the whole body instead
  // Empty: the view from which most of the difference between ground truth and skinning is seen.
  std::vector<render::View> views = {};
  bool turntable = false;  // one full turn, instead of the views
  int height = 900;        // of one panel, pixels
  int width = 0;           // of one panel, pixels; 0: as wide as its contents need
  double frames_per_second = 30;
};

// Distances from the ground truth over what the camera frames, in millimetres.
struct SeenError {
  double mean = 0, max = 0;
};

struct Comparison {
  render::Picture picture;
  int joint = -1;                          // that the camera is near to; -1: the whole body is shown
  std::vector<render::View> views;         // as drawn; empty for a turntable
  std::vector<SeenError> skinning, sinew;  // one per frame
};

// Draws the frames, of which there is at least one: three panels per view, animated if there are several frames. All
// panels are drawn in clay by one camera. millimetres: per unit of the character. Throws UsageError if the character
// has no joint options.focus.
Comparison DrawComparison(const Character& character, const std::vector<ComparedFrame>& frames, double millimetres,
                          const ComparisonOptions& options);

// Returns the joint nearest to where values of a character's vertices are largest, averaged over neighbours; -1 if no
// joint that bends is near.
int JointOfLargest(const Character& character, const Eigen::VectorXf& values);
// The same of the distance between two shapes.
int JointOfLargestDifference(const Character& character, const Points& a, const Points& b);

// Returns by how much farther skinning is from the ground truth than Sinew is, per vertex.
Eigen::VectorXf GainOf(const ComparedFrame& frame);

// Returns the view from which most of the difference to another shape is seen on this one: the sum, over the vertices
// that are marked and that nothing hides, of their area towards the viewer times the part of their displacement that
// is across the line of sight.
render::View ViewOfDifference(const Character& character, const Points& shape, const Points& other,
                              const std::vector<bool>& marked);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_COMPARISON_H_
