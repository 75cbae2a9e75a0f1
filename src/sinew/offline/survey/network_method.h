// Trained graph networks (graphnet/predictor.h) as a method that is measured on many bodies.
#ifndef SINEW_OFFLINE_SURVEY_NETWORK_METHOD_H_
#define SINEW_OFFLINE_SURVEY_NETWORK_METHOD_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/survey/survey.h"

namespace sinew::survey {

// Linear blend skinning with the weights of the body's file, and the displacements of a network after it. model: file
// that `sinew learn train` wrote. Throws InputError for a file that is no such model; the method throws it for a body
// with other joints than those that the network is for, and for frames that the network has seen.
BodyMethod NetworkMethod(const std::string& name, const std::filesystem::path& model);

// The same with the mean of several networks, as `sinew teach` has it (teach/taught_body.h): what is rigid follows its
// joints. models: files of different networks that see bodies alike; UsageError for others.
BodyMethod EnsembleMethod(const std::string& name, const std::vector<std::filesystem::path>& models);

}  // namespace sinew::survey

#endif  // SINEW_OFFLINE_SURVEY_NETWORK_METHOD_H_
