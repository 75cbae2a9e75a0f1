#include "tests/support/small_training_state.h"

#include "sinew/offline/core/json.h"

namespace sinew::testing {

learn::TrainingState SmallTrainingState() {
  learn::TrainingState state = learn::StartTraining({0.5f, -0.25f, 1.5f}, Random(3, 1));
  state.step = 20;
  state.first = {0.125f, 0, -0.5f};
  state.second = {0.25f, 0, 1};
  state.best = {0.5f, -0.5f, 1};
  state.best_loss = 0.75;
  state.best_step = 10;
  state.plateau = {.factor = 0.75, .best = 0.75, .waited = 1};
  state.history = {{.step = 10, .training = 1.1, .validation = 0.75, .rate = 0.01},
                   {.step = 20, .training = 0.7, .validation = 0.8, .rate = 0.0075}};
  *state.trainer = {{"epoch", 2}};
  return state;
}

}  // namespace sinew::testing
