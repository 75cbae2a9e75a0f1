// Comparison of the multi-resolution method ("ours") with the single-level one (Bailey et al. 2018), as in figure 13 of
// the paper (Zheng and Barbic 2024, docs/papers/multires-deep-psd.md): Pareto fronts of error on unseen frames against
// memory and time, over epsilon (the bases' error threshold, TrainOptions::epsilon) and the number of regions.
#ifndef SINEW_OFFLINE_EVALUATE_FRONTS_H_
#define SINEW_OFFLINE_EVALUATE_FRONTS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/measure/bundle_timing.h"
#include "sinew/offline/multires/train.h"

namespace sinew::evaluate {

struct FrontPoint {
  double error = 0, cost = 0;
};

// Pareto front: the points that are not dominated by another in error and cost, by increasing error and so by
// decreasing cost.
std::vector<FrontPoint> LowerFront(std::vector<FrontPoint> points);

// Cost of a front at an error, interpolated linearly in the logarithms of both. For errors larger than the last
// point's, the cost of that point; infinite for errors smaller than that of every point. Errors and costs of the front
// must be positive.
double CostAt(const std::vector<FrontPoint>& front, double error);

struct FrontsOptions {
  multires::TrainOptions train = {};  // options of all trainings; epsilon and single_level are ignored
  // Epsilons to try besides the one that training chooses for the reference; empty: multiples of that.
  std::vector<double> epsilons = {};
  // Precisions in which every deformer is baked.
  std::vector<runtime::Precision> precisions = {runtime::Precision::kF32, runtime::Precision::kI8};
  int threads = 2;      // number of threads on which frames are timed
  int rounds = 31;      // number of timed frames per bundle
  bool resume = false;  // whether to reuse the deformers of an earlier run
};

// One bundle of the comparison: a deformer baked in one precision.
struct FrontsEntry {
  bool single_level = false;
  int regions = 0;
  double epsilon = 0;
  runtime::Precision precision = runtime::Precision::kF32;
  double error = 0;  // root mean square over the levels of their errors on the test frames, in the character's unit
  std::vector<double> level_errors = {};  // root mean square errors, coarsest level first
  size_t correctives = 0;                 // bytes of networks, bases and, unless single_level, upsampling
  size_t bytes = 0;                       // size of the whole bundle
  measure::Microseconds hot, cold;        // times of a frame with all levels, skinning included (measure::Timing)
  double training_seconds = -1;           // training time of its deformer; negative: the deformer is of an earlier run
};

struct FrontsComparison {
  std::vector<FrontsEntry> entries = {};
  double linear_blend = 0;                            // error of linear blend skinning, computed as FrontsEntry::error
  measure::Microseconds skinning_hot, skinning_cold;  // times of a frame with skinning alone
  int test_frames = 0;                                // number of test frames
  double exact = 0;                                   // errors up to this count as none (Evaluation::exact())
  // Regions and epsilon of the reference, the bundle that the default commands make; if no hierarchy has the default
  // number of regions, the nearest number.
  int reference_regions = 0;
  double reference_epsilon = 0;

  // Whether skinning is exact already: then there is nothing to correct, and no ratio of costs says anything.
  bool nothing_to_correct() const { return linear_blend <= exact; }
  // Entry with the reference's regions and epsilon; null if there is none.
  const FrontsEntry* Reference(bool single_level, runtime::Precision precision) const;
};

// Trains all deformers on `training` and measures them on `test`. hierarchies: of one character, with the same levels
// and different numbers of regions. Deformers are kept in the folder `partial`, which the caller removes; with
// options.resume, those that are there and were trained with the same settings are reused. Throws InputError for test
// frames that were trained on, and UsageError for hierarchies that cannot be compared.
FrontsComparison CompareFronts(const std::vector<lod::Hierarchy>& hierarchies, const dataset::Dataset& training,
                               const dataset::Dataset& test, const FrontsOptions& options,
                               const std::filesystem::path& partial);

// Costs of the single-level method divided by those of the multi-resolution method.
struct FrontsRatio {
  runtime::Precision ours, single_level;  // precisions of the two methods
  // Point of comparison. "error": on both methods' Pareto fronts, at the error of our reference; "epsilon": between the
  // two bundles that have the regions and epsilon of the reference.
  std::string at;
  double error = 0;         // error at which they are compared; 0 for "epsilon"
  double memory = 0;        // ratio of the correctives' memory
  double time = 0;          // ratio of cold frame times, skinning included; by medians
  double time_fastest = 0;  // ratio of cold frame times, skinning included; by fastest runs
  // Ratio of the times of correctives alone, as in the paper's table 1: a cold frame minus skinning alone, both timed
  // in the same run; by medians and by fastest runs. 0: unknown, because some bundle took no longer than skinning
  // alone.
  double corrective_time = 0, corrective_time_fastest = 0;
  // False: the single-level method does not reach the error, and its most accurate point was taken instead, so that the
  // ratios are lower bounds.
  bool reached = true;
};
// Returns, per precision, the ratios at "error" and at "epsilon" with both methods in that precision and, for every
// precision but the first, at "error" with ours in that precision and the single-level method in the first. A precision
// in which either method has no reference is left out; all are if skinning is exact already.
std::vector<FrontsRatio> RatiosOf(const FrontsComparison& comparison);

// The comparison as JSON, and as a table with a sentence per ratio. to_mm: millimetres per unit of the character.
Json FrontsJson(const FrontsComparison& comparison, double to_mm);
std::string FrontsText(const FrontsComparison& comparison, double to_mm);

// Cost to plot: memory of correctives, or time of cold frames, with or without the time of skinning alone, by medians
// or fastest runs.
enum class FrontsCost { kMemory, kTime, kFastestTime, kCorrectiveTime, kFastestCorrectiveTime };
// Plot of error against cost as SVG: the Pareto fronts over regions and epsilon of both methods in every precision.
// Bundles that took no longer than skinning alone are left out of plots of corrective times.
std::string FrontsPlot(const FrontsComparison& comparison, FrontsCost cost, double to_mm);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_FRONTS_H_
