// Times that rows will take, measured by a few steps of each.
#ifndef SINEW_OFFLINE_ABLATION_PREDICT_TIMES_H_
#define SINEW_OFFLINE_ABLATION_PREDICT_TIMES_H_

#include <string>
#include <vector>

#include "sinew/offline/ablation/rows.h"

namespace sinew::ablation {

// Seconds of one training of a row, alone on this machine.
struct RowTime {
  std::string row;
  double step = 0;   // of one step
  double total = 0;  // features, all steps and looks at validation frames
};

// Rows that differ in their loss or bodies alone are timed once. One that cannot train on these bodies has no time:
// its training will say why. split: of all bodies.
std::vector<RowTime> PredictTimes(const std::vector<Row>& rows, const graphnet::SplitSources& split);

// "ours                  3625 steps of 0.071 s, 4 min 20 s at each rate\n", a line per row.
std::string TextOf(const std::vector<RowTime>& times, int64_t steps);

}  // namespace sinew::ablation

#endif  // SINEW_OFFLINE_ABLATION_PREDICT_TIMES_H_
