// Output of an evaluation as JSON and as a text table.
#ifndef SINEW_OFFLINE_EVALUATE_EVALUATION_TEXT_H_
#define SINEW_OFFLINE_EVALUATE_EVALUATION_TEXT_H_

#include <string>

#include "sinew/offline/core/json.h"
#include "sinew/offline/evaluate/evaluate.h"

namespace sinew::evaluate {

// Returns an array of one object per level: "level", its number, and per method an object under the method's name:
//   rms_mm, max_mm    root mean square and largest distance to the ground truth
//   of_linear_blend   rms divided by that of linear blend skinning; 0 if that is 0
//   jitter_of_truth   jitter divided by that of the ground truth; only for motions, where the truth has any
//   free, touching    objects with the values above, over the frames without and with limbs that touch
// to_mm: millimetres per unit of the character.
Json EvaluationJson(const Evaluation& evaluation, double to_mm);

// Returns the same values as a table, one line per level and method, with a legend below. Of `free` and `touching` it
// has only of_linear_blend.
std::string EvaluationText(const Evaluation& evaluation, double to_mm);

// Returns the number of frames in which limbs touch.
int TouchingFrames(const Evaluation& evaluation);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_EVALUATION_TEXT_H_
