#include "sinew/offline/pipeline/method_choice.h"

#include <fmt/format.h>

#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/pipeline/advice.h"

namespace sinew::pipeline {
namespace {

// Error of the finest level on validation frames, millimetres. What a smaller bundle left out adds to it as an
// independent error does, by squares.
double ErrorOf(const Candidate& candidate) {
  const double validation = candidate.training.at("levels").back().at("validation_mm");
  if (!candidate.limited) return validation;
  return std::hypot(validation, candidate.facts.at("precision_cost").back().at("rms_mm").get<double>());
}

bool IsSmaller(double a, double b) { return a < kBetter * b; }

double MegabytesOf(const Candidate& candidate) { return candidate.facts.at("bytes").get<double>() / 1e6; }

double FrameMegabytes(const Candidate& candidate, bool incremental) {
  const int finest = static_cast<int>(candidate.training.at("levels").size());
  return static_cast<double>(CorrectiveBytes(candidate.facts.at("memory"), finest, incremental)) / 1e6;
}

const char* NameOf(bool single_level) { return single_level ? "the single-level method" : "Sinew's own method"; }

}  // namespace

MethodPlan PlanMethods(const Config& config) {
  const std::string method = config.String("training", "method");
  const bool compare = config.Flag("single_level", "compare");
  if (method == kMethodBlendShape) return {.trains_sinew = compare, .trains_single = false, .blends = true};
  if (method == kMethodSingleLevel) return {.trains_sinew = false};
  if (method == kMethodSinew) return {.trains_single = compare};
  if (!compare) {
    throw UsageError(
        "training.method is auto, which trains both methods to ship the better one, and single_level.compare is false, "
        "which does without the single-level one: set single_level.compare=true, or training.method=sinew");
  }
  return {.chooses = true};
}

size_t CorrectiveBytes(const Json& memory, int level, bool incremental) {
  size_t bytes = 0;
  for (const Json& entry : memory) {
    const int at = entry.at("level");
    const auto size = [&](const char* what) { return entry.at(what).get<size_t>(); };
    if (incremental ? at < 1 || at > level : at != level) continue;
    bytes += size("networks") + size("bases");
    if (incremental) bytes += size("upsampling");
    if (at < level) bytes -= size("own_bases");  // modes that no finer level builds on
  }
  return bytes;
}

MethodChoice ChooseMethod(const Candidate& sinew, const Candidate& single_level) {
  const auto ships = [](bool single, const std::string& because) {
    return MethodChoice{single, fmt::format("The file that ships, character.sinew, has the correctives of {}: {}.",
                                            NameOf(single), because)};
  };
  const double ours = ErrorOf(sinew), theirs = ErrorOf(single_level);
  if (IsSmaller(theirs, ours) || IsSmaller(ours, theirs)) {
    const bool single = theirs < ours;
    return ships(single,
                 fmt::format("in poses that were kept apart from training, its finest level is {:.2f} mm from the "
                             "truth, and that of {} {:.2f} mm",
                             single ? theirs : ours, NameOf(!single), single ? ours : theirs));
  }
  const std::string alike = fmt::format(
      "both are equally near to the truth in poses that were kept apart from training ({:.2f} and {:.2f} mm on the "
      "finest level)",
      ours, theirs);
  const double our_size = MegabytesOf(sinew), their_size = MegabytesOf(single_level);
  if (IsSmaller(their_size, our_size) || IsSmaller(our_size, their_size)) {
    const bool single = their_size < our_size;
    return ships(single, fmt::format("{}, and its file is smaller, {:.2f} MB instead of {:.2f}", alike,
                                     single ? their_size : our_size, single ? our_size : their_size));
  }
  const double our_frame = FrameMegabytes(sinew, true), their_frame = FrameMegabytes(single_level, false);
  if (IsSmaller(their_frame, our_frame) || IsSmaller(our_frame, their_frame)) {
    const bool single = their_frame < our_frame;
    return ships(single, fmt::format("{}, their files are equally large, and for a frame of its finest level less is "
                                     "read, {:.2f} MB instead of {:.2f}, which takes less time",
                                     alike, single ? their_frame : our_frame, single ? our_frame : their_frame));
  }
  return ships(false, fmt::format("{}, and neither is smaller or faster", alike));
}

}  // namespace sinew::pipeline
