// Output of an evaluation as JSON and as a text table.
#ifndef SINEW_OFFLINE_EVALUATE_EVALUATION_TEXT_H_
#define SINEW_OFFLINE_EVALUATE_EVALUATION_TEXT_H_

#include <string>

#include "sinew/offline/core/json.h"
#include "sinew/offline/evaluate/evaluate.h"

namespace sinew::evaluate {

// Returns an array of one object per level: "level", its number; "soft_share", the share of its points that are soft;
// "closed_share", the share of its surface whose volume is measured; "regions" (RegionsJson()); on the finest level
// "crossings" (CrossingsJson()); and per method an object under the method's name. Means, shares and percentiles are
// over the surface's area and all frames (LevelError):
//   rms_mm, max_mm        root mean square and largest distance to the ground truth
//   soft_rms_mm           root mean square over the soft points alone; 0 if there are none
//   point_rms_mm          root mean square in which every point counts the same
//   of_linear_blend       rms_mm divided by that of linear blend skinning; null if that is exact (Evaluation::exact())
//   mean_mm, p95_mm, p99_mm                  mean, 95th and 99th percentile of the distance
//   normal_mean_degrees, normal_p95_degrees  angle between the normals and the truth's
//   volume_mean, volume_worst                relative change of volume; left out where nothing is closed
//   farther_share         share that is more than LevelError::kFartherMm farther than linear blend's
//   worse_frames, worst_excess_mm            frames farther than linear blend's, and by how much the worst one is
//   flicker_mm            second difference over time of the error; only where frames of a motion follow each other
//   free, touching        objects with the values above, over the frames without and with limbs that touch
// to_mm: millimetres per unit of the character.
Json EvaluationJson(const Evaluation& evaluation, double to_mm);

// Returns errors as a table, one line per level and method, with a legend below. Of `free` and `touching` it has only
// of_linear_blend; the column over what is soft is left out if everything is. MeasuresText() has the other measures.
std::string EvaluationText(const Evaluation& evaluation, double to_mm);

// Returns an error divided by another one as text: "exact" if both are at most `exact`, "-" if only the divisor is.
std::string ShareText(double error, double of, double exact);

// Returns shares of roles by their names, and as text without those that are missing: "62% flesh, 38% layer".
Json RolesJson(const RoleShares& shares);
std::string RolesText(const RoleShares& shares);

// Returns the number of frames in which limbs touch.
int TouchingFrames(const Evaluation& evaluation);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_EVALUATION_TEXT_H_
