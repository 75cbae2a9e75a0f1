// A state of training of three parameters after two looks, for readers and writers.
#ifndef SINEW_TESTS_SUPPORT_SMALL_TRAINING_STATE_H_
#define SINEW_TESTS_SUPPORT_SMALL_TRAINING_STATE_H_

#include "sinew/offline/learn/training_state.h"

namespace sinew::testing {

inline constexpr const char* kSmallStateInputs = "00112233445566778899aabbccddeeff";

learn::TrainingState SmallTrainingState();

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_SMALL_TRAINING_STATE_H_
