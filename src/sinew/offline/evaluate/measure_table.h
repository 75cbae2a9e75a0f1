// Table of the visible measures of an evaluation: one row per measure, with a sentence on how to read it.
#ifndef SINEW_OFFLINE_EVALUATE_MEASURE_TABLE_H_
#define SINEW_OFFLINE_EVALUATE_MEASURE_TABLE_H_

#include <string>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/evaluate/evaluate.h"

namespace sinew::evaluate {

struct MeasureRow {
  std::string name;                // with its unit
  std::string reading;             // one sentence: how to read it
  std::vector<std::string> cells;  // one per method
};

// Returns the measures of a level. What cannot be measured is left out: volume where nothing is closed, flicker without
// motions, crossings on all levels but the finest. to_mm: millimetres per unit of the character.
std::vector<MeasureRow> MeasureRows(const Evaluation& evaluation, int level, double to_mm);

// Returns the measures of the finest level as a table of text, one line per measure, and the regions of the judged
// method that changed most.
std::string MeasuresText(const Evaluation& evaluation, double to_mm);

// Adds the measures of a method over a set of frames to its JSON object (EvaluationJson() lists them).
void AddMeasures(const LevelError& error, double to_mm, Json& json);
// Returns the regions of a level: [{"joint", "share", and under "rms_mm" a value per method}].
Json RegionsJson(const Evaluation& evaluation, int level, double to_mm);
// Returns {"frames", "at_rest", "truth", and a value per method}; null if none were counted.
Json CrossingsJson(const Evaluation& evaluation);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_MEASURE_TABLE_H_
