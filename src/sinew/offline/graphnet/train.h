// Training of a graph network with libtorch (learn/torch_trainer.h), from frames to a model.
#ifndef SINEW_OFFLINE_GRAPHNET_TRAIN_H_
#define SINEW_OFFLINE_GRAPHNET_TRAIN_H_

#include <filesystem>
#include <string>

#include "sinew/offline/graphnet/predictor.h"
#include "sinew/offline/learn/layers/torch_run.h"
#include "sinew/offline/learn/training_state.h"

namespace sinew::graphnet {

struct TrainOptions {
  std::string network = "small";  // describe.h
  layers::RunOptions run = {.edges = 0.5};
  // Whether all frames are also trained on as a mirror shows them, where features allow that (Body::MirrorSigns()).
  bool mirror = true;
  std::string licence = "not stated";
  std::string corpus_hash = {}, recipe_hash = {};  // of learn::Model
};

// Returns how many steps take each of `frames` frames `epochs` times; mirror images do not count.
int64_t StepsOf(double epochs, int frames, const layers::RunOptions& run);

struct Trained {
  learn::Model model;
  learn::TrainingState state;
  bool finished = false;  // false: stopped by the clock
};

// Trains a network and returns the one with the smallest validation loss. The state is written to `checkpoint` twice a
// minute and when the time is over, so that a run that is stopped or killed goes on with `resume`: to the same bits on
// the CPU, and on another device from the same state. Remove it once the network of a finished training is kept. Throws
// InputError for a checkpoint of other frames or options; steps per minute, device and threads may change.
//
// from: null, or a model whose network, weights and scaling training starts with, with fresh moments; its bodies must
// have the same joints.
Trained Train(const FrameSet& training, const FrameSet& validation, const TrainOptions& options, const Predictor* from,
              const std::filesystem::path& checkpoint, bool resume);

// Time that training takes on this machine, in seconds.
struct StepTime {
  double step = 0;   // of one step
  double frame = 0;  // until the features of one frame are with the trainer
};
// Does a few steps on these frames, over and over, and forgets them.
StepTime TimeSteps(const FrameSet& frames, const TrainOptions& options);

}  // namespace sinew::graphnet

#endif  // SINEW_OFFLINE_GRAPHNET_TRAIN_H_
