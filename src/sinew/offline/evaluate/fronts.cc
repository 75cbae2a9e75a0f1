#include "sinew/offline/evaluate/fronts.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "sinew/offline/bake/bundle_builder.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/dataset/training_frames.h"
#include "sinew/offline/deformer/deformer_file.h"
#include "sinew/offline/evaluate/bundle_method.h"
#include "sinew/offline/evaluate/evaluate.h"
#include "sinew/offline/measure/timing_report.h"
#include "sinew/offline/multires/train_dataset.h"

namespace sinew::evaluate {
namespace {

namespace fs = std::filesystem;

// Default epsilons, as multiples of the one that training chooses, which is always added. The single-level method needs
// smaller ones than ours for the same error.
constexpr double kFactors[] = {0.35, 0.5, 0.7, 1.4, 2};
constexpr int kUsualRegions = 100;  // default of `sinew lod`

void CheckAlike(const std::vector<lod::Hierarchy>& hierarchies) {
  if (hierarchies.empty()) throw UsageError("there is no hierarchy to compare on: give at least one");
  for (const lod::Hierarchy& h : hierarchies) {
    bool alike = h.level_count() == hierarchies[0].level_count();
    for (int i = 1; alike && i <= h.level_count(); ++i) {
      alike = h.level(i).point_count == hierarchies[0].level(i).point_count;
    }
    if (!alike) {
      throw UsageError(
          "hierarchies to compare differ in more than their regions: make them with the same options of `sinew lod` "
          "but "
          "--regions");
    }
  }
}

double OverLevels(const std::vector<LevelError>& levels) {
  double sum = 0;
  for (const LevelError& level : levels) sum += level.rms * level.rms;
  return std::sqrt(sum / static_cast<double>(std::max<size_t>(1, levels.size())));
}

size_t CorrectiveBytes(const runtime::Bundle& bundle) {
  size_t bytes = 0;
  for (const measure::BundleMemory& m : measure::MemoryOf(bundle)) {
    bytes += m.networks + m.bases + (bundle.incremental() ? m.upsampling : 0);
  }
  return bytes;
}

// State of one comparison: trains, measures and times all bundles.
class Comparing {
 public:
  Comparing(const std::vector<lod::Hierarchy>& hierarchies, const dataset::Dataset& training,
            const dataset::Dataset& test, const FrontsOptions& options, fs::path partial)
      : hierarchies_(hierarchies), training_(training), test_(test), options_(options), partial_(std::move(partial)) {}

  FrontsComparison Run() {
    CheckAlike(hierarchies_);
    dataset::FramesOf(training_, hierarchies_[0]);
    const dataset::TrainingFrames test = dataset::FramesOf(test_, hierarchies_[0]);
    result_.test_frames = test.count();
    fs::create_directories(partial_);
    ChooseReference();
    for (size_t h = 0; h < hierarchies_.size(); ++h) {
      const size_t first = bundles_.size();
      for (const double epsilon : epsilons_) {
        for (const bool single_level : {false, true}) AddDeformer(h, epsilon, single_level);
      }
      Measure(hierarchies_[h], test, first);
    }
    Time();
    return std::move(result_);
  }

 private:
  struct Trained {
    deformer::Deformer deformer;
    double epsilon = 0;
    double seconds = -1;
  };

  // Trains the reference: what the default commands make, with the number of regions nearest to the default. Its
  // epsilon determines the epsilons to try.
  void ChooseReference() {
    const auto distance = [](const lod::Hierarchy& h) { return std::abs(h.region_count() - kUsualRegions); };
    const auto nearest = std::min_element(hierarchies_.begin(), hierarchies_.end(),
                                          [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    result_.reference_regions = nearest->region_count();
    reference_ = TrainOrRead(*nearest, 0, false);
    const double usual = result_.reference_epsilon = reference_.epsilon;
    epsilons_ = options_.epsilons;
    if (epsilons_.empty()) {
      for (const double factor : kFactors) epsilons_.push_back(factor * usual);
    }
    epsilons_.push_back(usual);
    std::sort(epsilons_.begin(), epsilons_.end());
    epsilons_.erase(std::unique(epsilons_.begin(), epsilons_.end()), epsilons_.end());
  }

  // Trains a deformer, or reads it if an earlier run trained it with the same settings. epsilon 0: training chooses it.
  Trained TrainOrRead(const lod::Hierarchy& hierarchy, double epsilon, bool single_level) {
    multires::TrainOptions options = options_.train;
    options.epsilon = epsilon;
    options.single_level = single_level;
    const fs::path path = partial_ / fmt::format("{}_{}_{:.6g}.deformer", single_level ? "single" : "multi",
                                                 hierarchy.region_count(), epsilon);
    Trained trained;
    if (options_.resume && deformer::IsDeformer(path)) {
      trained.deformer = deformer::ReadDeformer(path).deformer;
      const Json& settings = trained.deformer.settings;
      if (SameSettings(settings, multires::TrainSettings(options, training_, dataset::FramesOf(training_, hierarchy)),
                       epsilon > 0)) {
        trained.epsilon = settings.value("epsilon", 0.0);
        return trained;
      }
    }
    Info("{} with {} regions, epsilon {}", single_level ? "single-level" : "multi-resolution", hierarchy.region_count(),
         epsilon > 0 ? fmt::format("{:.3g}", epsilon) : std::string("chosen by training"));
    const auto start = std::chrono::steady_clock::now();
    multires::TrainedDataset now = multires::TrainDataset(path, hierarchy, training_, options, options_.resume);
    trained.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    trained.epsilon = now.training.epsilon;
    trained.deformer = std::move(now.training.deformer);
    return trained;
  }

  static bool SameSettings(Json a, Json b, bool with_epsilon) {
    if (!a.is_object()) return false;
    if (!with_epsilon) a.erase("epsilon"), b.erase("epsilon");
    return a == b;
  }

  void AddDeformer(size_t h, double epsilon, bool single_level) {
    const bool reference = !single_level && epsilon == result_.reference_epsilon &&
                           hierarchies_[h].region_count() == result_.reference_regions;
    const Trained trained = reference ? reference_ : TrainOrRead(hierarchies_[h], epsilon, single_level);
    for (const runtime::Precision precision : options_.precisions) {
      bundles_.push_back(bake::BuildBundle(hierarchies_[h], trained.deformer, {}, {.precision = precision}));
      FrontsEntry& entry = result_.entries.emplace_back();
      entry.single_level = single_level;
      entry.regions = hierarchies_[h].region_count();
      entry.epsilon = trained.epsilon;
      entry.precision = precision;
      entry.correctives = CorrectiveBytes(bundles_.back().bundle);
      entry.bytes = bundles_.back().file.bytes().size();
      entry.training_seconds = trained.seconds;
    }
  }

  // Measures the errors of the entries from `first` on, all of which are of this hierarchy.
  void Measure(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& test, size_t first) {
    std::vector<Method> methods;
    for (size_t k = first; k < bundles_.size(); ++k) {
      RefuseTrainedFrames(bundles_[k].bundle, test);
      methods.push_back(BundleMethod(std::to_string(k), bundles_[k].bundle, hierarchy, partial_.string()));
    }
    const Evaluation evaluation = EvaluateMethods(hierarchy, test, methods, {.crossings = false});
    result_.linear_blend = OverLevels(evaluation.errors[0]);
    result_.exact = evaluation.exact();
    for (size_t m = 0; m < methods.size(); ++m) {
      FrontsEntry& entry = result_.entries[first + m];
      const std::vector<LevelError>& levels = evaluation.errors[m + 1];
      entry.error = OverLevels(levels);
      for (const LevelError& level : levels) entry.level_errors.push_back(level.rms);
    }
  }

  void Time() {
    std::vector<const runtime::Bundle*> bundles;
    for (const bake::BakedBundle& baked : bundles_) bundles.push_back(&baked.bundle);
    const measure::FrameTimings timings =
        measure::TimeFrames(bundles, measure::PosesToTime(*bundles[0], 16, options_.train.seed),
                            {.threads = {options_.threads}, .rounds = options_.rounds});
    for (size_t k = 0; k < bundles.size(); ++k) {
      result_.entries[k].hot = timings.frames[k].hot;
      result_.entries[k].cold = timings.frames[k].cold;
    }
    result_.skinning_hot = timings.skinning_only.hot;
    result_.skinning_cold = timings.skinning_only.cold;
  }

  const std::vector<lod::Hierarchy>& hierarchies_;
  const dataset::Dataset& training_;
  const dataset::Dataset& test_;
  const FrontsOptions& options_;
  fs::path partial_;
  std::vector<double> epsilons_;
  Trained reference_;
  std::vector<bake::BakedBundle> bundles_;  // one per entry
  FrontsComparison result_;
};

}  // namespace

std::vector<FrontPoint> LowerFront(std::vector<FrontPoint> points) {
  std::sort(points.begin(), points.end(), [](const FrontPoint& a, const FrontPoint& b) {
    return a.error < b.error || (a.error == b.error && a.cost < b.cost);
  });
  std::vector<FrontPoint> front;
  for (const FrontPoint& point : points) {
    if (front.empty() || point.cost < front.back().cost) front.push_back(point);
  }
  return front;
}

double CostAt(const std::vector<FrontPoint>& front, double error) {
  if (front.empty() || error < front.front().error) return std::numeric_limits<double>::infinity();
  const auto after =
      std::upper_bound(front.begin(), front.end(), error, [](double e, const FrontPoint& p) { return e < p.error; });
  const FrontPoint& a = *(after - 1);
  if (after == front.end()) return a.cost;
  const double along = std::log(error / a.error) / std::log(after->error / a.error);
  return a.cost * std::pow(after->cost / a.cost, along);
}

const FrontsEntry* FrontsComparison::Reference(bool single_level, runtime::Precision precision) const {
  for (const FrontsEntry& e : entries) {
    if (e.single_level == single_level && e.precision == precision && e.regions == reference_regions &&
        e.epsilon == reference_epsilon) {
      return &e;
    }
  }
  return nullptr;
}

FrontsComparison CompareFronts(const std::vector<lod::Hierarchy>& hierarchies, const dataset::Dataset& training,
                               const dataset::Dataset& test, const FrontsOptions& options, const fs::path& partial) {
  return Comparing(hierarchies, training, test, options, partial).Run();
}

}  // namespace sinew::evaluate
