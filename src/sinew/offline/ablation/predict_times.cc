#include "sinew/offline/ablation/predict_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/progress.h"

namespace sinew::ablation {
namespace {

using graphnet::FrameSource;
using graphnet::StepTime;

constexpr int kBodies = 4;           // that steps are timed on
constexpr double kLooks = 40;        // at validation frames, in a whole training
constexpr double kLookShare = 0.33;  // of a step's time that a look takes for as many frames
constexpr double kPasses = 3;        // over all frames, beside training: statistics, features, familiarity

// Returns as many frames as a step takes, of a few bodies.
std::vector<FrameSource> SomeFrames(const std::vector<FrameSource>& sources, int batch) {
  const auto count = static_cast<int>(sources.size()), bodies = std::min({kBodies, count, batch});
  std::vector<FrameSource> some;
  for (int b = 0; b < bodies; ++b) {
    FrameSource source = sources[static_cast<size_t>(b) * count / bodies];
    const size_t wanted = (batch + bodies - 1) / bodies;
    if (source.frames.size() > wanted) source.frames.resize(wanted);
    some.push_back(std::move(source));
  }
  return some;
}

double CountFrames(const std::vector<FrameSource>& sources) {
  double count = 0;
  for (const FrameSource& source : sources) count += static_cast<double>(source.frames.size());
  return count;
}

}  // namespace

std::vector<RowTime> PredictTimes(const std::vector<Row>& rows, const graphnet::SplitSources& split) {
  std::map<std::string, StepTime> timed;
  std::vector<RowTime> times;
  Progress progress("Timing rows", static_cast<int64_t>(rows.size()), "rows");
  for (const Row& row : rows) {
    const layers::RunOptions& run = row.train.run;
    const std::string key = row.train.network + JsonText(graphnet::JsonOf(row.body));
    progress.Advance();
    if (timed.count(key) == 0) {
      try {
        const graphnet::FrameSet frames(SomeFrames(split.training, run.batch), row.body);
        timed[key] = graphnet::TimeSteps(frames, row.train);
      } catch (const InputError&) {
        continue;
      }
    }
    const StepTime& time = timed[key];
    const double validation = CountFrames(split.validation), all = CountFrames(split.training) + validation;
    const double looks = kLooks * kLookShare * validation / run.batch;
    times.push_back(
        {row.name, time.step, kPasses * time.frame * all + time.step * (static_cast<double>(run.steps) + looks)});
  }
  return times;
}

std::string TextOf(const std::vector<RowTime>& times, int64_t steps) {
  std::string text;
  for (const RowTime& time : times) {
    text += fmt::format("{:<24}{:>8} steps of {:.3f} s, about {} at each rate\n", time.row, steps, time.step,
                        DurationText(time.total));
  }
  return text;
}

}  // namespace sinew::ablation
