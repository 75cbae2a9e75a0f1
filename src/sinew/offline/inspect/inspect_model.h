// Inspection of a trained model: what it was trained on, what it reaches, its layers and its tensors.
#ifndef SINEW_OFFLINE_INSPECT_INSPECT_MODEL_H_
#define SINEW_OFFLINE_INSPECT_INSPECT_MODEL_H_

#include <string>

#include "sinew/offline/core/json.h"
#include "sinew/offline/learn/model_file.h"

namespace sinew::inspect {

// Everything but the tensors' values, of which it has the smallest and the largest.
Json ToJson(const learn::Model& model);
std::string ToText(const learn::Model& model);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_INSPECT_MODEL_H_
