// Training of the correction of weights (weight_refiner.h), on the processor alone: bodies of a recipe in drawn
// stances, whose weights a rigging network finds first.
#ifndef SINEW_OFFLINE_AUTORIG_TRAIN_WEIGHTS_H_
#define SINEW_OFFLINE_AUTORIG_TRAIN_WEIGHTS_H_

#include <cstdint>

#include "sinew/offline/autorig/rig_network.h"
#include "sinew/offline/autorig/train.h"
#include "sinew/offline/autorig/weight_refiner.h"

namespace sinew::autorig {

struct TrainWeightsOptions {
  int stances = 2;    // of each body
  int places = 1500;  // of the surface of each of these, evenly over its area
  int width = 128;    // of both hidden layers
  int steps = 20000;
  int batch = 512;      // places in a step
  double rate = 2e-3;   // learning rate at the start
  double decay = 0.01;  // of weights, times the learning rate
  uint64_t seed = 1;
};

struct TrainedWeights {
  WeightRefiner refiner;
  int bodies = 0, places = 0;  // trained on
  // Means over the surface of validation bodies of the sum of |w - w'|, 0 to 2: as the network answers, and corrected.
  double before = 0, after = 0;
};

// Throws InputError if no body of a side can be made.
TrainedWeights TrainWeights(const ExampleSource& training, const ExampleSource& validation, const RigNetwork& network,
                            const TrainWeightsOptions& options);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_TRAIN_WEIGHTS_H_
