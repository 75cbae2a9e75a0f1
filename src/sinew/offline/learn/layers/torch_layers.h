// Described networks as libsinew_torch takes them.
#ifndef SINEW_OFFLINE_LEARN_LAYERS_TORCH_LAYERS_H_
#define SINEW_OFFLINE_LEARN_LAYERS_TORCH_LAYERS_H_

#include <vector>

#include "sinew/offline/learn/layers/described_network.h"
#include "sinew/offline/learn/torch_trainer.h"

namespace sinew::layers {

// Returns the layers of a network for learn::TorchTrainer. Its state then has the parameters of the network, in their
// order. Throws UsageError for a kind of layer that libsinew_torch does not train.
std::vector<learn::TorchLayer> ToTorch(const layers::DescribedNetwork& network);

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_TORCH_LAYERS_H_
