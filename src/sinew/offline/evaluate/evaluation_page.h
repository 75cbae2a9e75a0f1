// An evaluation as a page to read: tables, plots, and pictures of the worst frames and of a typical one.
#ifndef SINEW_OFFLINE_EVALUATE_EVALUATION_PAGE_H_
#define SINEW_OFFLINE_EVALUATE_EVALUATION_PAGE_H_

#include <string>
#include <utility>
#include <vector>

#include "sinew/offline/evaluate/evaluate.h"
#include "sinew/offline/report/page.h"

namespace sinew::evaluate {

struct EvaluationPageInput {
  const lod::Hierarchy* hierarchy = nullptr;
  const dataset::TrainingFrames* frames = nullptr;
  const Evaluation* evaluation = nullptr;
  std::vector<Method> methods;  // those of the evaluation after skinning, in its order
  double metres_per_unit = 1;
  int worst_frames = 2;  // drawn, besides one of median error; 0: no pictures at all
  bool plain = false;    // draw them without the heat map, too
  int picture_height = 900;
  std::vector<std::string> plots = {};  // SVGs to show after those of the frames: evaluation_plots.h
  // Of a page that has several: what the frames are, and everything goes under one heading.
  std::string set = {};
  double heat_mm = 0;  // where the heat scale ends; 0: at HeatScaleMm() of this evaluation
};

// Adds to a page: errors of every level in millimetres and as part of what linear blend skinning gets wrong, frames
// apart in which limbs touch, jitter, the error of every frame, and the shapes side by side under one heat scale.
void AddEvaluation(const EvaluationPageInput& input, report::Page& page);

// Three times what linear blend skinning gets wrong on average on the finest level, rounded up to a half.
double HeatScaleMm(const Evaluation& evaluation, double metres_per_unit);

// Frames by the error of the first method after skinning on the finest level: the worst first.
std::vector<int> WorstFrames(const Evaluation& evaluation);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_EVALUATION_PAGE_H_
