// Output of an evaluation as JSON and as a text table.
#ifndef SINEW_OFFLINE_EVALUATE_EVALUATION_TEXT_H_
#define SINEW_OFFLINE_EVALUATE_EVALUATION_TEXT_H_

#include <string>

#include "sinew/offline/core/json.h"
#include "sinew/offline/evaluate/evaluate.h"

namespace sinew::evaluate {

// Array of one object per level: for every method rms_mm, max_mm, of_linear_blend (its share of linear blend skinning's
// error) and, for motions, jitter_of_truth (its jitter divided by that of the ground truth); "free" and "touching" have
// the same values for frames without and with limbs that touch. to_mm: millimetres per unit of the character.
Json EvaluationJson(const Evaluation& evaluation, double to_mm);

std::string EvaluationText(const Evaluation& evaluation, double to_mm);

// Number of frames in which limbs touch.
int TouchingFrames(const Evaluation& evaluation);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_EVALUATION_TEXT_H_
