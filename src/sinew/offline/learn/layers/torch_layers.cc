#include "sinew/offline/learn/layers/torch_layers.h"

#include <fmt/format.h>

#include <map>
#include <string>

#include "sinew/offline/core/error.h"
#include "sinew/offline/learn/layers/activation.h"
#include "sinew/offline/learn/layers/pooling.h"

namespace sinew::layers {
namespace {

using learn::TorchLayer;

const std::map<std::string, int>& Activations() {
  static const std::map<std::string, int> activations = {{"tanh", SINEW_TORCH_TANH},
                                                         {"tanhshrink", SINEW_TORCH_TANHSHRINK},
                                                         {"elu", SINEW_TORCH_ELU},
                                                         {"leaky_relu", SINEW_TORCH_LEAKY_RELU},
                                                         {"relu", SINEW_TORCH_RELU}};
  return activations;
}

// The layer without its inputs. The description has passed layers::DescribedNetwork.
SinewTorchLayer ToPlain(const Json& json) {
  const std::string kind = json["kind"];
  SinewTorchLayer layer = {};
  if (kind == "linear" || kind == "mesh_conv") {
    layer.kind = kind == "linear" ? SINEW_TORCH_LINEAR : SINEW_TORCH_MESH_CONV;
    layer.width = json["outputs"];
    layer.bias = json.value("bias", true) ? 1 : 0;
    layer.reach = json.value("reach", 0);
  } else if (kind == "batch_norm") {
    layer.kind = SINEW_TORCH_BATCH_NORM;
    layer.epsilon = layers::kBatchNormEpsilon;
  } else if (kind == "graph_attention") {
    layer.kind = SINEW_TORCH_ATTENTION;
    layer.heads = json["heads"];
    layer.width = json["width"];
    layer.self_width = json["self"];
    layer.slope = layers::kAttentionSlope;
  } else if (kind == "contract") {
    layer.kind = SINEW_TORCH_CONTRACT;
    layer.width = json.value("width", 0);
    layer.slope = layers::kAttentionSlope;
    layer.least_alpha = layers::kMinContractionAlpha;
  } else if (kind == "expand") {
    layer.kind = SINEW_TORCH_EXPAND;
  } else if (kind == "pool_level") {
    layer.kind = SINEW_TORCH_POOL;
  } else if (kind == "unpool_level") {
    layer.kind = SINEW_TORCH_UNPOOL;
  } else if (kind == "softmax") {
    layer.kind = SINEW_TORCH_SOFTMAX;
  } else if (kind == "channel_max") {
    layer.kind = SINEW_TORCH_CHANNEL_MAX;
    layer.width = json["channels"];
  } else if (kind == "skinning_pool") {
    layer.kind = SINEW_TORCH_SKINNING_POOL;
    layer.width = json["joints"];
    layer.measured = json.value("measured", false) ? 1 : 0;
  } else if (kind == "skeleton_conv") {
    layer.kind = SINEW_TORCH_SKELETON_CONV;
    layer.width = json["outputs"];
    layer.distance = json["distance"];
  } else if (kind == "chain_sum") {
    layer.kind = SINEW_TORCH_CHAIN_SUM;
  } else if (kind == "to_rows") {
    layer.kind = SINEW_TORCH_TO_ROWS;
    layer.width = json["joints"];
  } else if (kind == "columns") {
    layer.kind = SINEW_TORCH_COLUMNS;
    layer.first = json["first"];
    layer.width = json["count"];
  } else if (kind == "vote_pool") {
    layer.kind = SINEW_TORCH_VOTE_POOL;
    layer.width = json["points"];
    layer.slope = json.value("spread_scale", 1.0F);
    layer.epsilon = layers::kMinSquaredSpread;
  } else if (Activations().count(kind) > 0) {
    layer.kind = SINEW_TORCH_ACTIVATION;
    layer.activation = Activations().at(kind);
    layer.slope = json.value("slope", layers::Activation{}.slope);
  } else {
    throw UsageError(fmt::format("layers of the kind '{}' cannot be trained with libtorch", kind));
  }
  return layer;
}

// Appends layers and remembers which value the layer of a name makes.
class Converter {
 public:
  void Add(const Json& json, size_t index) {
    int value = Joined(json, index);
    if (json["kind"] != "join") {
      SinewTorchLayer layer = ToPlain(json);
      const int contraction = contraction_of_[value];
      layer.partner = contraction;
      layer.rate = json.value("rate", 1.0F);
      value = Append(layer, {value});
      if (json.contains("parents")) layers_.back().parents = json["parents"].get<std::vector<int>>();
      contraction_of_[value] = layer.kind == SINEW_TORCH_CONTRACT ? value - 1
                               : layer.kind == SINEW_TORCH_EXPAND ? -1
                                                                  : contraction;
    }
    values_[json.value("name", fmt::format("{}", index))] = value;
    last_ = value;
  }
  std::vector<TorchLayer> Finish() { return std::move(layers_); }

 private:
  int Append(const SinewTorchLayer& layer, std::vector<int> inputs) {
    layers_.push_back({layer, std::move(inputs), {}});
    return static_cast<int>(layers_.size());
  }
  // A layer that reads several others reads them side by side.
  int Joined(const Json& json, size_t index) {
    if (!json.contains("from")) return index == 0 ? 0 : last_;
    std::vector<int> inputs;
    for (const Json& name : json["from"]) inputs.push_back(values_.at(name.get<std::string>()));
    if (inputs.size() == 1) return inputs[0];
    SinewTorchLayer join = {};
    join.kind = SINEW_TORCH_CONCATENATE;
    const int contraction = contraction_of_[inputs[0]];
    const int value = Append(join, inputs);
    contraction_of_[value] = contraction;
    return value;
  }

  std::map<std::string, int> values_ = {{"input", 0}};
  std::map<int, int> contraction_of_ = {{0, -1}};  // per value: the layer that contracted its rows, or -1
  std::vector<TorchLayer> layers_;
  int last_ = 0;
};

}  // namespace

std::vector<TorchLayer> ToTorch(const layers::DescribedNetwork& network) {
  Converter converter;
  const Json& described = network.description()["layers"];
  for (size_t k = 0; k < described.size(); ++k) converter.Add(described[k], k);
  return converter.Finish();
}

}  // namespace sinew::layers
