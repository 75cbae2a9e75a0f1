// Trained graph networks (graphnet/predictor.h) as a method that is measured on many bodies.
#ifndef SINEW_OFFLINE_SURVEY_NETWORK_METHOD_H_
#define SINEW_OFFLINE_SURVEY_NETWORK_METHOD_H_

#include <filesystem>
#include <string>

#include "sinew/offline/survey/survey.h"

namespace sinew::survey {

// Linear blend skinning with the weights of the body's file, and the displacements of a network after it. model: file
// that `sinew learn train` wrote. Throws InputError for a file that is no such model; the method throws it for a body
// with other joints than those that the network is for, and for frames that the network has seen.
BodyMethod NetworkMethod(const std::string& name, const std::filesystem::path& model);

}  // namespace sinew::survey

#endif  // SINEW_OFFLINE_SURVEY_NETWORK_METHOD_H_
