// Access to the layers of a network as they lie in a NetworkTable.
#ifndef SINEW_RUNTIME_NET_LAYER_H_
#define SINEW_RUNTIME_NET_LAYER_H_

#include "sinew/runtime/net/network_table.h"

namespace sinew::runtime {

struct Layer {
  const std::byte* weights;
  const float* scales;  // one per row; null unless the weights are bytes
  const float* biases;
  uint32_t row_blocks, columns;
};

// Iterates over the layers of a network in order.
class LayerReader {
 public:
  LayerReader(const NetworkTable& table, const NetworkTable::Network& network)
      : next_(table.weights(network)), precision_(static_cast<Precision>(network.precision)) {}

  Layer Next(uint32_t rows, uint32_t columns) {
    const std::byte* weights = next_;
    const auto* floats = reinterpret_cast<const float*>(weights + NetworkTable::WeightBytes(rows, columns, precision_));
    const auto padded = static_cast<uint32_t>(NetworkTable::Padded(rows, NetworkTable::kRows));
    next_ += NetworkTable::LayerBytes(rows, columns, precision_);
    const bool scaled = precision_ == Precision::kI8;
    return {weights, scaled ? floats : nullptr, scaled ? floats + padded : floats, padded / NetworkTable::kRows,
            columns};
  }

 private:
  const std::byte* next_;
  Precision precision_;
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_NET_LAYER_H_
