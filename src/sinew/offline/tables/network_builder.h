// Builds the runtime's NetworkTable from trained networks. Depends only on the standard library and the runtime.
#ifndef SINEW_OFFLINE_TABLES_NETWORK_BUILDER_H_
#define SINEW_OFFLINE_TABLES_NETWORK_BUILDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/core/block.h"
#include "sinew/runtime/net/network_table.h"

namespace sinew::tables {

// One layer: its weight matrix, row by row, and its biases, one per row.
struct RawLayer {
  int rows = 0, columns = 0;
  std::vector<float> weights, biases;
};

struct RawNetwork {
  RawLayer layers[3];
  std::vector<uint16_t> joints;  // joints whose features are the inputs, in this order
  std::vector<uint16_t> ranges;  // indices of the range tests that fade its outputs
  runtime::Precision precision = runtime::Precision::kF32;
  std::vector<float> at_rest = {};  // outputs for zero inputs; empty: zero
};

struct BuiltNetworks {
  Block block;                  // what a bundle stores
  runtime::NetworkTable table;  // points into the block
};

// Builds the table of a level's networks. The biases of the last layer are not those given: they are chosen so that
// each network, as the runtime evaluates it on this CPU, is RawNetwork::at_rest for zero inputs: exactly zero, or that
// but for the rounding of one addition. A network with a weight that
// is too large for a half float is stored in floats, alone: the table tells the precision of each. name: what errors
// call the networks. Throws InputError, naming the network, for layers that do not fit together, more than
// NetworkTable::kMaxWidth inputs, units or outputs, and numbers that are not finite.
BuiltNetworks BuildNetworks(const std::vector<RawNetwork>& networks, const std::string& name);

}  // namespace sinew::tables

#endif  // SINEW_OFFLINE_TABLES_NETWORK_BUILDER_H_
