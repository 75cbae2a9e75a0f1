#include "sinew/offline/survey/survey_tables.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew::survey {
namespace {

using evaluate::DistanceTally;
using Bodies = std::vector<const MeasuredBody*>;

Figures FiguresOf(const DistanceTally& tally, const DistanceTally& linear, double exact) {
  constexpr double kMillimetres = 1e3;
  Figures figures{kMillimetres * tally.Mean(), kMillimetres * tally.Rms(), kMillimetres * tally.Quantile(0.99),
                  kMillimetres * tally.max(), std::nullopt};
  if (linear.Rms() > exact) figures.share = tally.Rms() / linear.Rms();
  return figures;
}

// Adds a tally such that all of it weighs 1.
void AddEqually(const DistanceTally& tally, DistanceTally& sum) {
  if (tally.weight() > 0) sum.AddScaled(tally, 1, 1 / tally.weight());
}

DistanceTally WholeBody(const MeasuredBody& body, size_t method) {
  DistanceTally whole;
  for (const DistanceTally& region : body.regions[method]) whole.Add(region);
  return whole;
}

// Mean of the values that exist.
class Mean {
 public:
  void Add(const std::optional<double>& value) {
    if (value) sum_ += *value, ++count_;
  }
  std::optional<double> value() const { return count_ > 0 ? std::optional<double>(sum_ / count_) : std::nullopt; }

 private:
  double sum_ = 0;
  int count_ = 0;
};

Nearness NearnessOf(const MeasuredBody& body) {
  Nearness nearness;
  if (const std::vector<double>& degrees = body.pose_degrees; !degrees.empty()) {
    nearness.pose_mean = std::accumulate(degrees.begin(), degrees.end(), 0.0) / static_cast<double>(degrees.size());
    nearness.pose_max = *std::max_element(degrees.begin(), degrees.end());
  }
  if (!body.nearest) return nearness;
  const BodyDistance& distance = body.nearest->distance;
  nearness.body = body.nearest->name;
  nearness.body_mm = 1e3 * distance.Total();
  nearness.joints_mm = 1e3 * distance.joints;
  nearness.surface_mm = 1e3 * distance.surface;
  if (body.shape.stature > 0) nearness.body_percent = 100 * distance.Total() / body.shape.stature;
  return nearness;
}

Nearness NearnessOf(const Bodies& bodies) {
  if (bodies.size() == 1) return NearnessOf(*bodies[0]);
  Nearness sum;
  Mean pose, body, joints, surface, percent;
  for (const MeasuredBody* one : bodies) {
    const Nearness of_body = NearnessOf(*one);
    pose.Add(of_body.pose_mean);
    if (of_body.pose_max) sum.pose_max = std::max(sum.pose_max.value_or(0), *of_body.pose_max);
    body.Add(of_body.body_mm), joints.Add(of_body.joints_mm), surface.Add(of_body.surface_mm);
    percent.Add(of_body.body_percent);
  }
  sum.pose_mean = pose.value();
  sum.body_mm = body.value(), sum.joints_mm = joints.value(), sum.surface_mm = surface.value();
  sum.body_percent = percent.value();
  return sum;
}

// tally(body, method): distances that the row is about.
template <typename Tally>
Row RowOf(const std::string& name, const Bodies& bodies, size_t methods, const Tally& tally) {
  Row row;
  row.name = name;
  row.bodies = static_cast<int>(bodies.size());
  row.nearness = NearnessOf(bodies);
  double exact = 0;
  std::vector<DistanceTally> sums(methods);
  for (const MeasuredBody* body : bodies) {
    row.frames += body->frame_count();
    exact = std::max(exact, body->exact());
    for (size_t m = 0; m < methods; ++m) AddEqually(tally(*body, m), sums[m]);
  }
  for (const DistanceTally& sum : sums) row.methods.push_back(FiguresOf(sum, sums[0], exact));
  return row;
}

Bodies AllOf(const Survey& survey) {
  Bodies bodies;
  for (const MeasuredBody& body : survey.bodies) bodies.push_back(&body);
  return bodies;
}

std::string FamilyOf(const MeasuredBody& body) { return body.body.family.empty() ? "-" : body.body.family; }

// A frame of a survey by its distance from training.
struct PlacedFrame {
  double degrees = 0;
  const MeasuredBody* body = nullptr;
  size_t frame = 0;
};

PoseBin BinOf(const std::vector<PlacedFrame>& frames, size_t begin, size_t end, size_t methods) {
  PoseBin bin{frames[begin].degrees, frames[end - 1].degrees, static_cast<int>(end - begin), {}, {}};
  double exact = 0;
  std::vector<double> squares(methods, 0);
  for (size_t k = begin; k < end; ++k) {
    const PlacedFrame& placed = frames[k];
    exact = std::max(exact, 1e3 * placed.body->exact());
    for (size_t m = 0; m < methods; ++m) {
      const double rms = placed.body->to_mm * placed.body->evaluation.errors[m].back().frame_rms[placed.frame];
      squares[m] += rms * rms;
    }
  }
  for (const double square : squares) bin.rms.push_back(std::sqrt(square / bin.frames));
  for (const double rms : bin.rms) {
    bin.shares.push_back(bin.rms[0] > exact ? std::optional<double>(rms / bin.rms[0]) : std::nullopt);
  }
  return bin;
}

}  // namespace

Row AllBodies(const Survey& survey) { return RowOf("all", AllOf(survey), survey.methods.size(), WholeBody); }

std::vector<Row> ByBody(const Survey& survey) {
  std::vector<Row> rows;
  for (const MeasuredBody& body : survey.bodies) {
    rows.push_back(RowOf(body.body.name, {&body}, survey.methods.size(), WholeBody));
    rows.back().family = body.body.family;
  }
  return rows;
}

std::vector<Row> ByFamily(const Survey& survey) {
  std::vector<std::string> names;
  for (const MeasuredBody& body : survey.bodies) {
    if (std::find(names.begin(), names.end(), FamilyOf(body)) == names.end()) names.push_back(FamilyOf(body));
  }
  std::vector<Row> rows;
  for (const std::string& name : names) {
    Bodies bodies;
    for (const MeasuredBody& body : survey.bodies) {
      if (FamilyOf(body) == name) bodies.push_back(&body);
    }
    rows.push_back(RowOf(name, bodies, survey.methods.size(), WholeBody));
  }
  return rows;
}

std::vector<Row> ByRegion(const Survey& survey) {
  std::vector<Row> rows;
  for (int r = 0; r < kBodyRegions; ++r) {
    Bodies bodies;
    double surface = 0;
    for (const MeasuredBody& body : survey.bodies) {
      const double share = body.regions[0][r].weight() / std::max(1, body.frame_count());
      if (share > 0) bodies.push_back(&body);
      surface += share;
    }
    if (bodies.empty()) continue;
    rows.push_back(
        RowOf(NameOf(static_cast<BodyRegion>(r)), bodies, survey.methods.size(),
              [r](const MeasuredBody& body, size_t m) -> const DistanceTally& { return body.regions[m][r]; }));
    rows.back().surface = surface / static_cast<double>(survey.bodies.size());
  }
  return rows;
}

std::vector<PoseBin> ByPoseDistance(const Survey& survey) {
  constexpr size_t kBins = 4;
  std::vector<PlacedFrame> frames;
  for (const MeasuredBody& body : survey.bodies) {
    for (size_t j = 0; j < body.pose_degrees.size(); ++j) frames.push_back({body.pose_degrees[j], &body, j});
  }
  std::stable_sort(frames.begin(), frames.end(),
                   [](const PlacedFrame& a, const PlacedFrame& b) { return a.degrees < b.degrees; });
  const size_t bins = std::min(kBins, frames.size());
  std::vector<PoseBin> result;
  for (size_t k = 0; k < bins; ++k) {
    result.push_back(BinOf(frames, k * frames.size() / bins, (k + 1) * frames.size() / bins, survey.methods.size()));
  }
  return result;
}

std::optional<size_t> WorstRow(const std::vector<Row>& rows, size_t method) {
  std::optional<size_t> worst;
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::optional<double>& share = rows[i].methods[method].share;
    if (share && (!worst || *share > *rows[*worst].methods[method].share)) worst = i;
  }
  return worst;
}

}  // namespace sinew::survey
