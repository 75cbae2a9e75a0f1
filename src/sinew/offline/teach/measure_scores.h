// How well scores tell the error: both are measured on frames whose truth is known.
#ifndef SINEW_OFFLINE_TEACH_MEASURE_SCORES_H_
#define SINEW_OFFLINE_TEACH_MEASURE_SCORES_H_

#include <functional>
#include <vector>

#include "sinew/offline/graphnet/frame_set.h"
#include "sinew/offline/teach/taught_body.h"

namespace sinew::teach {

struct ScoredFrame {
  int body = 0;  // index into FrameSet::bodies()
  Score score;
  double error = 0;     // mean distance of the taught shape to the truth, over area, as a share of the body's size
  double skinning = 0;  // the same of linear blend skinning
};

// Teaches every frame and compares it with its truth. Frames without finite numbers are left out, with a warning.
// Throws InputError if a body has other joints than those that the networks are for.
std::vector<ScoredFrame> MeasureScores(const Teacher& teacher, const graphnet::FrameSet& frames);

// Rank correlation (Spearman) of two lists of equal length; equal values share their mean rank. 0 if one does not vary.
// Pairs with a number that is not finite do not count.
double RankCorrelation(const std::vector<double>& a, const std::vector<double>& b);

// Mean over bodies of the rank correlation of a measure with the error among the frames of each. Bodies of fewer than
// three frames do not count.
double CorrelationWithinBodies(const std::vector<ScoredFrame>& frames,
                               const std::function<double(const ScoredFrame&)>& measure);

}  // namespace sinew::teach

#endif  // SINEW_OFFLINE_TEACH_MEASURE_SCORES_H_
