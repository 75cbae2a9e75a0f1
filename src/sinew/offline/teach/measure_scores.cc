#include "sinew/offline/teach/measure_scores.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "sinew/offline/core/log.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"

namespace sinew::teach {
namespace {

double MeanDistance(const graphnet::Body& body, const Points& shape, const Points& truth) {
  const std::vector<float> shares = body.VertexShares();
  double sum = 0;
  for (Eigen::Index v = 0; v < truth.rows(); ++v) sum += shares[v] * (shape.row(v) - truth.row(v)).norm();
  return sum / body.size();
}

std::vector<double> Ranks(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t first = 0; first < order.size();) {
    size_t end = first + 1;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    for (size_t k = first; k < end; ++k) ranks[order[k]] = 0.5 * static_cast<double>(first + end - 1);
    first = end;
  }
  return ranks;
}

bool IsFinite(const ScoredFrame& frame) {
  const Score& score = frame.score;
  const auto numbers = {frame.error, frame.skinning,     score.distance,
                        score.value, score.disagreement, score.expected_error};
  return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

}  // namespace

std::vector<ScoredFrame> MeasureScores(const Teacher& teacher, const graphnet::FrameSet& frames) {
  std::vector<ScoredFrame> scored(frames.count());
  Progress progress("Measuring scores", frames.count(), "frames");
  std::unique_ptr<TaughtBody> taught;
  int of_body = -1;
  // Frames of a body follow each other.
  for (int first = 0; first < frames.count();) {
    const int b = frames.entries()[first].body;
    const graphnet::Body& body = frames.bodies()[b];
    int end = first;
    while (end < frames.count() && frames.entries()[end].body == b) ++end;
    if (b != of_body) {
      const std::string file = frames.sources()[frames.entries()[first].source].store->file();
      taught = std::make_unique<TaughtBody>(teacher, body.character(), file);
      of_body = b;
    }
    ParallelFor(end - first, 1, [&](int k) {
      const graphnet::FrameSet::Entry& entry = frames.entries()[first + k];
      const Pose& pose = frames.sources()[entry.source].store->PoseOf(entry.frame);
      const Lesson lesson = taught->Teach(pose);
      const Points truth = frames.Truth(first + k);
      const Points skinned = frames.Evaluate(first + k).skinned;
      scored[first + k] = {.body = b,
                           .score = lesson.score,
                           .error = MeanDistance(body, lesson.shape, truth),
                           .skinning = MeanDistance(body, skinned, truth)};
      progress.Advance();
    });
    first = end;
  }
  const auto left_out = std::erase_if(scored, [](const ScoredFrame& frame) { return !IsFinite(frame); });
  if (left_out > 0) {
    Warn("{} of {} frames are left out: the networks did not answer with finite numbers", left_out, frames.count());
  }
  return scored;
}

double RankCorrelation(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> finite_a, finite_b;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) continue;
    finite_a.push_back(a[i]);
    finite_b.push_back(b[i]);
  }
  const std::vector<double> x = Ranks(finite_a), y = Ranks(finite_b);
  const double mean = 0.5 * (static_cast<double>(x.size()) - 1);
  double xy = 0, xx = 0, yy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

double CorrelationWithinBodies(const std::vector<ScoredFrame>& frames,
                               const std::function<double(const ScoredFrame&)>& measure) {
  std::map<int, std::pair<std::vector<double>, std::vector<double>>> bodies;
  for (const ScoredFrame& frame : frames) {
    bodies[frame.body].first.push_back(measure(frame));
    bodies[frame.body].second.push_back(frame.error);
  }
  double sum = 0;
  int counted = 0;
  for (const auto& [body, values] : bodies) {
    if (values.first.size() < 3) continue;
    sum += RankCorrelation(values.first, values.second);
    ++counted;
  }
  return counted > 0 ? sum / counted : 0;
}

}  // namespace sinew::teach
