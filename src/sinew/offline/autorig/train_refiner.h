// Training of the correction of joints (joint_refiner.h), on the processor alone: bodies of a recipe in drawn stances,
// whose joints are put wrong as a rigging network puts them.
#ifndef SINEW_OFFLINE_AUTORIG_TRAIN_REFINER_H_
#define SINEW_OFFLINE_AUTORIG_TRAIN_REFINER_H_

#include <cstdint>
#include <vector>

#include "sinew/offline/autorig/joint_refiner.h"
#include "sinew/offline/autorig/train.h"

namespace sinew::autorig {

struct TrainRefinerOptions {
  int stances = 6;     // of each body
  int draws = 6;       // of wrong joints in each stance; each is seen straight and as its mirror image
  int networks = 2;    // to train, each on what is left by those before it
  int width = 128;     // of both hidden layers
  int steps = 10000;   // of training, per network
  double rate = 2e-3;  // learning rate at the start
  double decay = 0.1;  // of weights, times the learning rate
  uint64_t seed = 1;
};

struct TrainedRefiner {
  JointRefiner refiner;
  int samples = 0;  // that the last network was trained on
  // For each network that was trained, root mean square distances of a joint from where it belongs, in heights: of
  // validation bodies before it, and what one correction leaves, on training bodies, of which badly wrong samples count
  // less, and on validation bodies.
  struct Distances {
    double before = 0, training = 0, validation = 0;
  };
  std::vector<Distances> distances;
};

// Trains networks and puts them behind those of `start`, which may have none. Throws InputError if no body of a side
// can be made.
TrainedRefiner TrainRefiner(const ExampleSource& training, const ExampleSource& validation, const JointRefiner& start,
                            const TrainRefinerOptions& options);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_TRAIN_REFINER_H_
