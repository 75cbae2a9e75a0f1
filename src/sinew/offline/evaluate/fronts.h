// Our method against the single-level one (Bailey et al. 2018) as the paper's figure 13 compares them: over epsilon and
// numbers of regions, what each costs in memory and time for the error it has on unseen frames.
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

// What something costs, and the error it has for it.
struct FrontPoint {
  double error = 0, cost = 0;
};

// The points for which no other is both as exact and as cheap, by increasing error, and so by decreasing cost.
std::vector<FrontPoint> LowerFront(std::vector<FrontPoint> points);

// What a front costs at an error: straight between its points in the logarithms of both. Beyond its least exact point,
// that point's cost. Infinite where no point is so exact. The front's numbers must be positive.
double CostAt(const std::vector<FrontPoint>& front, double error);

struct FrontsOptions {
  multires::TrainOptions train = {};  // all but epsilon and method
  std::vector<double> epsilons = {};  // besides what training chooses; empty: multiples of that
  std::vector<runtime::Precision> precisions = {runtime::Precision::kF32, runtime::Precision::kI8};
  int threads = 2;  // that frames are timed on
  int rounds = 31;
  bool resume = false;
};

// One bundle of the comparison.
struct FrontsEntry {
  bool single_level = false;
  int regions = 0;
  double epsilon = 0;
  runtime::Precision precision = runtime::Precision::kF32;
  double error = 0;  // root mean square over the levels of their errors on the test frames, in the character's unit
  std::vector<double> level_errors = {};
  size_t correctives = 0;           // bytes of networks, bases and, where levels add to each other, upsampling
  size_t bytes = 0;                 // of the whole bundle
  measure::Microseconds hot, cold;  // of a frame with all levels, skinning included
  double training_seconds = -1;     // of its deformer; negative: taken from an earlier run
};

struct FrontsComparison {
  std::vector<FrontsEntry> entries = {};
  double linear_blend = 0;  // error of linear blend skinning
  measure::Microseconds skinning_hot, skinning_cold;
  int test_frames = 0;
  // Regions and epsilon of the bundle that default commands make, or the number of regions nearest to theirs.
  int reference_regions = 0;
  double reference_epsilon = 0;

  // Null if there is none. Of the reference's regions and epsilon.
  const FrontsEntry* Reference(bool single_level, runtime::Precision precision) const;
};

// hierarchies: of one character, levels alike, told apart by their numbers of regions. Everything is trained on
// `training` and measured on `test`; deformers are kept in the folder `partial` until the caller removes it, and with
// `resume` those that are there and were trained alike are not trained again. Throws InputError for test frames that
// were trained on, and UsageError for hierarchies that cannot be compared.
FrontsComparison CompareFronts(const std::vector<lod::Hierarchy>& hierarchies, const dataset::Dataset& training,
                               const dataset::Dataset& test, const FrontsOptions& options,
                               const std::filesystem::path& partial);

// How many times as much the single-level method costs.
struct FrontsRatio {
  runtime::Precision ours, single_level;
  std::string at;           // "error": that of our reference, on the fronts; "epsilon": that of the reference
  double error = 0;         // at which; 0 for "epsilon"
  double memory = 0;        // of correctives
  double time = 0;          // of a frame, cold, skinning included; medians
  double time_fastest = 0;  // the same of fastest runs
  // Of correctives alone, which is what the paper's table 1 has: a cold frame less skinning alone, both timed in the
  // same run; by medians and fastest runs. 0: some frame took no longer than skinning alone, so nothing can be said.
  double corrective_time = 0, corrective_time_fastest = 0;
  bool reached = true;  // false: the single-level method is nowhere so exact, and ratios are those to its most
                        // exact point: at least so much
};
std::vector<FrontsRatio> RatiosOf(const FrontsComparison& comparison);

Json FrontsJson(const FrontsComparison& comparison, double to_mm);
std::string FrontsText(const FrontsComparison& comparison, double to_mm);

// Times of cold frames, whole or without what skinning alone takes, by medians or fastest runs.
enum class FrontsCost { kMemory, kTime, kFastestTime, kCorrectiveTime, kFastestCorrectiveTime };
// Error against cost: the fronts over regions and epsilon of both methods in every precision, as SVG. Bundles that took
// no longer than skinning alone are left out of plots of corrective times.
std::string FrontsPlot(const FrontsComparison& comparison, FrontsCost cost, double to_mm);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_FRONTS_H_
