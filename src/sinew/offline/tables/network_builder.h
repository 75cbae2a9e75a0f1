// From networks as training makes them to the runtime's NetworkTable. Uses the standard library and the runtime alone.
#ifndef SINEW_OFFLINE_TABLES_NETWORK_BUILDER_H_
#define SINEW_OFFLINE_TABLES_NETWORK_BUILDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/core/block.h"
#include "sinew/runtime/net/network_table.h"

namespace sinew::tables {

// A layer's matrix, row by row, and its biases.
struct RawLayer {
  int rows = 0, columns = 0;
  std::vector<float> weights, biases;
};

struct RawNetwork {
  RawLayer layers[3];
  std::vector<uint16_t> joints;  // whose features are the inputs
  std::vector<uint16_t> ranges;  // range tests that fade it
  runtime::Precision precision = runtime::Precision::kF32;
};

struct BuiltNetworks {
  Block block;                  // what a bundle would store
  runtime::NetworkTable table;  // points into the block
};

// The last biases are not those that are given: they are chosen so that each network, as the runtime evaluates it on
// this CPU, is exactly zero for inputs that are zero.
// name: what an error calls the networks. Throws InputError, naming the network: layers that do not fit together, more
// than NetworkTable::kMaxWidth inputs, units or outputs, numbers that are not finite or too large for half floats.
BuiltNetworks BuildNetworks(const std::vector<RawNetwork>& networks, const std::string& name);

}  // namespace sinew::tables

#endif  // SINEW_OFFLINE_TABLES_NETWORK_BUILDER_H_
