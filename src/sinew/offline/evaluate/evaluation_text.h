// An evaluation as JSON and as a table of text.
#ifndef SINEW_OFFLINE_EVALUATE_EVALUATION_TEXT_H_
#define SINEW_OFFLINE_EVALUATE_EVALUATION_TEXT_H_

#include <string>

#include "sinew/offline/core/json.h"
#include "sinew/offline/evaluate/evaluate.h"

namespace sinew::evaluate {

// One object a level: for every method rms_mm, max_mm, of_linear_blend (its share of linear blend skinning's error) and
// for motions jitter_of_truth; the same under "free" and "touching". to_mm: millimetres per unit of the character.
Json EvaluationJson(const Evaluation& evaluation, double to_mm);

std::string EvaluationText(const Evaluation& evaluation, double to_mm);

// Frames in which limbs touch.
int TouchingFrames(const Evaluation& evaluation);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_EVALUATION_TEXT_H_
