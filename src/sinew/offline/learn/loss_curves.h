// Curves of a training's losses, as a table and as a picture.
#ifndef SINEW_OFFLINE_LEARN_LOSS_CURVES_H_
#define SINEW_OFFLINE_LEARN_LOSS_CURVES_H_

#include <filesystem>
#include <span>
#include <string>

#include "sinew/offline/learn/training_state.h"

namespace sinew::learn {

// Returns lines of comma-separated values, "step,training,validation,rate" first; numbers come back exactly.
std::string CurvesCsv(std::span<const LossPoint> history);
// Returns an SVG file: both losses over the steps, on a logarithmic axis.
std::string CurvesSvg(std::span<const LossPoint> history, const std::string& title);

// Writes NAME.csv and NAME.svg, each whole or not at all. name: path without an extension.
void WriteCurves(std::span<const LossPoint> history, const std::string& title, const std::filesystem::path& name);

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_LOSS_CURVES_H_
