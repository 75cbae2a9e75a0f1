// Optimises a field as in section 3.6: Adam on the field's parameters over batches of sampled poses.
#ifndef SINEW_OFFLINE_SKINCELLS_OPTIMIZE_H_
#define SINEW_OFFLINE_SKINCELLS_OPTIMIZE_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "sinew/offline/skincells/checkpoint.h"
#include "sinew/offline/skincells/field.h"
#include "sinew/offline/skincells/mirror.h"
#include "sinew/offline/skincells/objective.h"

namespace sinew::skincells {

struct OptimizeOptions {
  int steps = 1500;
  uint64_t seed = 1;  // seed of the order in which poses are used
  LossWeights weights;
  std::shared_ptr<const MirrorMap> mirror;  // null: the field need not be symmetric
  // Adam's step sizes for places and for everything else (logarithms and shears); both fall to a twentieth at the end.
  double place_rate = 3e-3;
  double shape_rate = 3e-2;
  // Fraction of the steps after which c is 0 for good: the rest is spent on the sparse field that will be used.
  double relaxed = 0.5;
  // Number of steps between measurements of the sparse field on poses kept for that. The best field so far is
  // remembered; `patience` measurements without a gain of a thousandth end the run.
  int measure_every = 50;
  int patience = 6;
  // Checkpoint file, and the time between writing it; empty: none. An existing checkpoint of the same inputs is
  // resumed, with the same result as without an interruption.
  std::filesystem::path checkpoint;
  double checkpoint_seconds = 20;
  bool progress = true;
};

struct OptimizeResult {
  SkinField field;                  // c = 0
  Losses before, after;             // losses of the sparse field, on the poses kept for measuring
  int steps = 0;                    // number of steps taken
  int resumed_at = 0;               // step of the checkpoint that was resumed; 0 without one
  std::vector<LossRecord> history;  // at the start, and every OptimizeOptions::measure_every steps
};

// Optimises a field. initial: one cell per joint of the set, all with the same number of sites. set: needs 2 kBatch
// poses or more, otherwise throws UsageError; the last kBatch are those for measuring.
OptimizeResult Optimize(const TrainingSet& set, const SkinField& initial, const OptimizeOptions& options);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_OPTIMIZE_H_
