// A graph network for a body that nobody has trained.
#ifndef SINEW_TESTS_SUPPORT_SMALL_GRAPH_MODEL_H_
#define SINEW_TESTS_SUPPORT_SMALL_GRAPH_MODEL_H_

#include <string>
#include <vector>

#include "sinew/offline/graphnet/body.h"
#include "sinew/offline/learn/model_file.h"

namespace sinew::testing {

// body: one of those that it is for, prepared with its options. seen: hashes of frames that it is said to have seen.
// name: one of graphnet::NetworkNames().
learn::Model SmallGraphModel(const graphnet::Body& body, const std::vector<std::string>& seen = {},
                             const std::string& name = "small");

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_SMALL_GRAPH_MODEL_H_
