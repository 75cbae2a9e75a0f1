// Description of a network (described_network.h), written down layer by layer.
#ifndef SINEW_OFFLINE_LEARN_LAYERS_DESCRIPTION_H_
#define SINEW_OFFLINE_LEARN_LAYERS_DESCRIPTION_H_

#include <string>
#include <vector>

#include "sinew/offline/core/json.h"

namespace sinew::layers {

class Description {
 public:
  // inputs: columns of the network's input, which layers read by the name "input".
  explicit Description(int inputs);

  // Every one of these appends layers, of which the first reads `from`, and returns the name of the last one.
  std::string Add(Json layer, const std::vector<std::string>& from, const std::string& name);
  std::string Linear(const std::vector<std::string>& from, int outputs, const std::string& name);
  // An activation called as `from` and its kind, after batch normalisation if `normalised`.
  std::string Activation(const std::string& from, const std::string& kind, bool normalised);

  // The description so far; the last layer is the network's answer.
  const Json& json() const { return json_; }

 private:
  Json json_;
};

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_DESCRIPTION_H_
