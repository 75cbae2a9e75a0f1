// Access to the layers of a network as they lie in a NetworkTable, for evaluation.
#ifndef SINEW_RUNTIME_NET_LAYER_H_
#define SINEW_RUNTIME_NET_LAYER_H_

#include "sinew/runtime/net/network_table.h"

namespace sinew::runtime {

// One layer: rows are its outputs, columns its inputs. Rows are padded to whole blocks of NetworkTable::kRows.
struct Layer {
  const std::byte* weights;      // of the network's precision, in the order that network_table.h describes
  const float* scales;           // one per padded row; null unless the weights are bytes (kI8)
  const float* biases;           // one per padded row
  uint32_t row_blocks, columns;  // number of blocks of kRows rows, and of columns
};

// Iterates over the layers of a network in order.
class LayerReader {
 public:
  LayerReader(const NetworkTable& table, const NetworkTable::Network& network)
      : next_(table.weights(network)), precision_(static_cast<Precision>(network.precision)) {}

  // Returns the next layer. rows, columns: its size, which the table does not store per layer; a wrong one misplaces
  // this layer and those after it.
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
