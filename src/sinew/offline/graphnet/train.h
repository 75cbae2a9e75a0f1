// Training of a graph network with libtorch (learn/torch_trainer.h), from frames to a model.
#ifndef SINEW_OFFLINE_GRAPHNET_TRAIN_H_
#define SINEW_OFFLINE_GRAPHNET_TRAIN_H_

#include <cstdint>
#include <filesystem>
#include <string>

#include "sinew/offline/graphnet/predictor.h"
#include "sinew/offline/learn/training_state.h"

namespace sinew::graphnet {

struct TrainOptions {
  std::string network = "small";  // describe.h
  int64_t steps = 2000;
  double minutes = 0;    // after which training stops and can be resumed; 0: no limit
  int batch = 4;         // frames per step
  double rate = 3e-3;    // learning rate of the first step
  bool plateau = false;  // whether the rate falls where the loss stalls (learn::PlateauOptions), not along a cosine
  double decay = 1e-4;   // weight decay of matrices, multiplied by the rate
  double edges = 0.5;    // weight of differences between neighbours in the loss
  int64_t patience = 0;  // steps without a better validation loss after which training ends; 0: never
  uint64_t seed = 1;
  bool cuda = false;
  int threads = 0;  // 0: all cores
  std::string licence = "not stated";
  std::string corpus_hash = {}, recipe_hash = {};  // of learn::Model
};

struct Trained {
  learn::Model model;
  learn::TrainingState state;
  bool finished = false;  // false: stopped by the clock
};

// Trains a network and returns the one with the smallest validation loss. The state is written to `checkpoint` twice a
// minute and when the time is over, so that a run that is stopped or killed goes on with `resume`: to the same bits on
// the CPU, and on another device from the same state. It is removed when training has finished. Throws InputError for a
// checkpoint of other frames or options; steps per minute, device and threads may change.
//
// from: null, or a model whose network, weights and scaling training starts with, with fresh moments; its bodies must
// have the same joints.
Trained Train(const FrameSet& training, const FrameSet& validation, const TrainOptions& options, const Predictor* from,
              const std::filesystem::path& checkpoint, bool resume);

}  // namespace sinew::graphnet

#endif  // SINEW_OFFLINE_GRAPHNET_TRAIN_H_
