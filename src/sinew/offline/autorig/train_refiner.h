// Training of the correction of joints (joint_refiner.h), on the processor alone: bodies of a recipe in drawn stances,
// whose joints are put wrong as a rigging network puts them.
#ifndef SINEW_OFFLINE_AUTORIG_TRAIN_REFINER_H_
#define SINEW_OFFLINE_AUTORIG_TRAIN_REFINER_H_

#include <cstdint>

#include "sinew/offline/autorig/joint_refiner.h"
#include "sinew/offline/autorig/train.h"

namespace sinew::autorig {

struct TrainRefinerOptions {
  int stances = 6;     // of each body
  int draws = 6;       // of wrong joints in each stance; each is seen straight and as its mirror image
  int width = 128;     // of both hidden layers
  int steps = 10000;   // of training
  double rate = 2e-3;  // learning rate at the start
  double decay = 0.1;  // of weights, times the learning rate
  uint64_t seed = 1;
};

struct TrainedRefiner {
  JointRefiner refiner;
  int samples = 0;  // that were trained on
  // Root mean square distance of a joint from where it belongs, in heights: wrong joints of validation bodies, and what
  // one correction leaves, on training bodies, of which badly wrong samples count less, and on validation bodies.
  double wrong = 0, training = 0, validation = 0;
};

// Throws InputError if no body of a side can be made.
TrainedRefiner TrainRefiner(const ExampleSource& training, const ExampleSource& validation,
                            const TrainRefinerOptions& options);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_TRAIN_REFINER_H_
