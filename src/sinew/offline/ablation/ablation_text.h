// An ablation as a table, as lines for other programs, and as a plot.
#ifndef SINEW_OFFLINE_ABLATION_ABLATION_TEXT_H_
#define SINEW_OFFLINE_ABLATION_ABLATION_TEXT_H_

#include <string>

#include "sinew/offline/ablation/ablation.h"
#include "sinew/offline/core/json.h"

namespace sinew::ablation {

// Returns a table in Markdown: skinning first, then a line per row, with what they were trained and tested on.
std::string MarkdownOf(const Ablation& ablation);

// Returns a line per method and part of the test (all, families, regions of the body), millimetres.
std::string CsvOf(const Ablation& ablation);

// Returns bars (SVG): share of linear blend's error that each method leaves; without a test the validation errors.
std::string PlotOf(const Ablation& ablation);

Json JsonOf(const Ablation& ablation);

}  // namespace sinew::ablation

#endif  // SINEW_OFFLINE_ABLATION_ABLATION_TEXT_H_
