// State of a training between two steps, which is all that a run needs to go on to the same bits, and the checkpoint
// file that holds it. The format is docs/formats/training-state.md.
#ifndef SINEW_OFFLINE_LEARN_TRAINING_STATE_H_
#define SINEW_OFFLINE_LEARN_TRAINING_STATE_H_

#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json_box.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/learn/schedule.h"

namespace sinew::learn {

// Losses at one look.
struct LossPoint {
  int64_t step = 0;
  double training = 0;    // mean over the steps since the last look
  double validation = 0;  // of the validation samples, after this step
  double rate = 0;        // learning rate of this step

  bool operator==(const LossPoint&) const = default;
};

struct TrainingState {
  int64_t step = 0;                              // number of steps done
  std::vector<float> parameters, first, second;  // the parameters, and Adam's first and second moments
  Random::State random;                          // where the random numbers are
  PlateauState plateau;
  std::vector<float> best;  // parameters with the smallest validation loss so far; empty: no look was taken yet
  double best_loss = std::numeric_limits<double>::infinity();
  int64_t best_step = 0;
  std::vector<LossPoint> history;  // steps increasing
  // What a trainer needs beyond that, as an object: its place in an epoch, sums since the last look.
  JsonBox trainer;

  bool operator==(const TrainingState&) const = default;
};

// Returns the state before the first step: given parameters, moments that are zero.
TrainingState StartTraining(std::vector<float> parameters, const Random& random);

// Does one step of Adam and counts it. gradient: one number per parameter. rate: learning rate; decay: weight decay,
// multiplied by the rate (Loshchilov and Hutter 2019). trained: whether each parameter may change (a network's stored
// statistics may not); empty: all may. Throws UsageError for spans of other sizes.
void AdvanceTraining(std::span<const float> gradient, double rate, double decay, std::span<const uint8_t> trained,
                     TrainingState& state);

// Takes a look into the history and keeps the parameters if they are the best so far. Returns whether training goes on:
// false if the last `patience` steps brought no better validation loss. The plateau's factor is not changed.
bool NoteLook(const LossPoint& look, int64_t patience, TrainingState& state);

// inputs: hash (core/hash.h) of what the training was started with: description, settings and corpus.
Bytes EncodeTrainingState(const TrainingState& state, const std::string& inputs);
// Throws InputError, naming `file`, for anything but one whole state whose counts and numbers are valid, and for one of
// other inputs.
TrainingState DecodeTrainingState(std::span<const std::byte> bytes, const std::string& inputs, const std::string& file);

// Writes the file whole or not at all.
void WriteTrainingState(const TrainingState& state, const std::string& inputs, const std::filesystem::path& path);
TrainingState ReadTrainingState(const std::filesystem::path& path, const std::string& inputs);

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_TRAINING_STATE_H_
