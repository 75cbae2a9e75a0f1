// Report page of an evaluation: tables, plots, and pictures of the worst frames and of a typical one.
#ifndef SINEW_OFFLINE_EVALUATE_EVALUATION_PAGE_H_
#define SINEW_OFFLINE_EVALUATE_EVALUATION_PAGE_H_

#include <string>
#include <utility>
#include <vector>

#include "sinew/offline/evaluate/evaluate.h"
#include "sinew/offline/evaluate/layer_test.h"
#include "sinew/offline/report/page.h"

namespace sinew::evaluate {

struct EvaluationPageInput {
  const lod::Hierarchy* hierarchy = nullptr;
  const dataset::TrainingFrames* frames = nullptr;
  const Evaluation* evaluation = nullptr;
  const LayerTest* layers = nullptr;  // may be null or empty: nothing is said about layers
  std::vector<Method> methods;        // methods of the evaluation after linear blend, in its order
  double metres_per_unit = 1;
  int worst_frames = 2;                 // number of worst frames drawn, besides one of median error; 0: no pictures
  bool plain = false;                   // whether to draw each frame without the heat map, too
  int picture_height = 900;             // pixels
  std::vector<std::string> plots = {};  // SVGs to show after the plots of the frames (evaluation_plots.h)
  // Name of the set of frames, for a page with several sets: it becomes the heading above everything that is added,
  // which is folded. May be empty.
  std::string set = {};
  double heat_mm = 0;  // upper end of the heat map's scale, millimetres; 0: HeatScaleMm() of this evaluation
};

// Adds an evaluation to a page: errors of every level in millimetres and as a share of linear blend skinning's error,
// the measures of what is seen and the regions that changed most, separate tables for frames in which limbs touch, the
// error of every frame, and the shapes side by side with a common heat map scale.
void AddEvaluation(const EvaluationPageInput& input, report::Page& page);

// Three times the root mean square error of linear blend skinning on the finest level, in millimetres, rounded up to a
// multiple of a half; at least 1.
double HeatScaleMm(const Evaluation& evaluation, double metres_per_unit);

// Indices of all frames, sorted by the error of the judged method on the finest level, worst first.
std::vector<int> WorstFrames(const Evaluation& evaluation);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_EVALUATION_PAGE_H_
