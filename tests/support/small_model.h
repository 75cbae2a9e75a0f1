// A model of a network with one hidden layer, some tensors in half floats, for readers and writers.
#ifndef SINEW_TESTS_SUPPORT_SMALL_MODEL_H_
#define SINEW_TESTS_SUPPORT_SMALL_MODEL_H_

#include "sinew/offline/learn/model_file.h"

namespace sinew::testing {

learn::Model SmallModel();

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_SMALL_MODEL_H_
