#include "sinew/offline/tables/network_builder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "sinew/offline/core/error.h"
#include "sinew/offline/tables/quantize.h"
#include "sinew/runtime/net/network.h"

namespace sinew::tables {
namespace {

using runtime::NetworkTable;
using runtime::Precision;

constexpr float kLargestHalf = 65504;

[[noreturn]] void Refuse(const std::string& name, size_t n, const std::string& problem) {
  throw InputError(name, "network " + std::to_string(n), problem, "train it again");
}

bool Fits(const RawLayer& layer) {
  const auto in_range = [](int count) { return count >= 1 && count <= static_cast<int>(NetworkTable::kMaxWidth); };
  return in_range(layer.rows) && in_range(layer.columns) &&
         layer.weights.size() == static_cast<size_t>(layer.rows) * layer.columns &&
         layer.biases.size() == static_cast<size_t>(layer.rows);
}

void Check(const RawNetwork& network, size_t n, const std::string& name) {
  const RawLayer(&layers)[3] = network.layers;
  for (const RawLayer& layer : layers) {
    if (!Fits(layer)) Refuse(name, n, "has a layer of a size that is not allowed");
    for (const std::vector<float>* numbers : {&layer.weights, &layer.biases}) {
      for (const float number : *numbers) {
        if (!std::isfinite(number)) Refuse(name, n, "has the number " + std::to_string(number));
      }
    }
  }
  if (layers[0].rows != layers[1].rows || layers[1].rows != layers[1].columns || layers[2].columns != layers[1].rows) {
    Refuse(name, n, "has layers that do not fit together");
  }
  const std::vector<float>& at_rest = network.at_rest;
  const bool finite = std::all_of(at_rest.begin(), at_rest.end(), [](float number) { return std::isfinite(number); });
  if (!finite || (!at_rest.empty() && std::ssize(at_rest) != layers[2].rows)) {
    Refuse(name, n, "has outputs at rest that do not fit it");
  }
}

// Returns the precision in which a network is stored: half floats only if they hold all its weights. Biases are always
// stored as floats.
Precision StoredPrecision(const RawNetwork& network) {
  if (network.precision != Precision::kF16) return network.precision;
  for (const RawLayer& layer : network.layers) {
    const auto fits = [](float weight) { return std::abs(weight) <= kLargestHalf; };
    if (!std::all_of(layer.weights.begin(), layer.weights.end(), fits)) return Precision::kF32;
  }
  return Precision::kF16;
}

void WriteLayer(const RawLayer& layer, Precision precision, std::byte* to) {
  constexpr int kRows = NetworkTable::kRows;
  auto* floats = reinterpret_cast<float*>(to + NetworkTable::WeightBytes(layer.rows, layer.columns, precision));
  float* biases = precision == Precision::kI8 ? floats + NetworkTable::Padded(layer.rows, kRows) : floats;
  for (int row = 0; row < layer.rows; ++row) {
    const std::span weights = std::span(layer.weights).subspan(static_cast<size_t>(row) * layer.columns, layer.columns);
    const float scale = ByteScale(weights);
    if (precision == Precision::kI8) floats[row] = scale;
    const size_t first = static_cast<size_t>(row / kRows) * layer.columns * kRows + row % kRows;
    for (int c = 0; c < layer.columns; ++c) {
      Quantize(weights[c], scale, precision, first + static_cast<size_t>(c) * kRows, to);
    }
    biases[row] = layer.biases[row];
  }
}

NetworkTable::Network Describe(const RawNetwork& raw) {
  NetworkTable::Network network{};
  network.inputs = static_cast<uint32_t>(raw.layers[0].columns);
  network.width = static_cast<uint32_t>(raw.layers[1].rows);
  network.outputs = static_cast<uint32_t>(raw.layers[2].rows);
  network.precision = static_cast<uint32_t>(StoredPrecision(raw));
  network.joint_count = static_cast<uint32_t>(raw.joints.size());
  network.range_count = static_cast<uint32_t>(raw.ranges.size());
  return network;
}

// Sets the last layer's biases, which must be zero before, so that network n is `at_rest` for zero inputs.
void SetAtRest(const NetworkTable& table, int n, const std::vector<float>& at_rest, std::span<std::byte> block) {
  const NetworkTable::Network& network = table.network(n);
  const std::vector<float> zeros(network.inputs, 0.0f);
  std::vector<float> outputs(network.outputs);
  runtime::EvaluateNetwork(table, n, zeros.data(), outputs.data());
  const size_t end = network.offset + table.bytes(n);
  auto* biases =
      reinterpret_cast<float*>(block.data() + end) - NetworkTable::Padded(network.outputs, NetworkTable::kRows);
  for (uint32_t i = 0; i < network.outputs; ++i) biases[i] = (at_rest.empty() ? 0 : at_rest[i]) - outputs[i];
}

}  // namespace

BuiltNetworks BuildNetworks(const std::vector<RawNetwork>& raw, const std::string& name) {
  // Check and describe the networks.
  std::vector<NetworkTable::Network> networks;
  std::vector<uint16_t> joints, ranges;
  uint32_t outputs = 0;
  for (size_t n = 0; n < raw.size(); ++n) {
    Check(raw[n], n, name);
    NetworkTable::Network network = Describe(raw[n]);
    network.first_output = outputs;
    network.first_joint = static_cast<uint32_t>(joints.size());
    network.first_range = static_cast<uint32_t>(ranges.size());
    outputs += network.outputs;
    joints.insert(joints.end(), raw[n].joints.begin(), raw[n].joints.end());
    ranges.insert(ranges.end(), raw[n].ranges.begin(), raw[n].ranges.end());
    networks.push_back(network);
  }
  if (outputs > 65536) throw InputError(name, "", "has more than 65536 coefficients", "train with a larger epsilon");
  // Lay out the block.
  BlockLayout layout;
  NetworkTable::Header header{};
  layout.Reserve(sizeof(header));
  header.magic = NetworkTable::Header::kMagic;
  header.network_count = static_cast<uint32_t>(networks.size());
  header.output_count = outputs;
  header.joint_entries = static_cast<uint32_t>(joints.size());
  header.range_entries = static_cast<uint32_t>(ranges.size());
  header.joints_offset = layout.Add(joints);
  header.ranges_offset = layout.Add(ranges);
  header.networks_offset = layout.Reserve(networks.size() * sizeof(NetworkTable::Network));
  for (NetworkTable::Network& network : networks) network.offset = layout.Reserve(NetworkTable::NetworkBytes(network));
  header.bytes = layout.bytes();

  // Write the descriptions and the layers, the last biases as zero.
  BuiltNetworks built{layout.Write(header), {}};
  const std::span<std::byte> bytes = built.block.bytes();
  for (size_t n = 0; n < networks.size(); ++n) {
    std::memcpy(bytes.data() + header.networks_offset + n * sizeof(networks[n]), &networks[n], sizeof(networks[n]));
    std::byte* to = bytes.data() + networks[n].offset;
    const auto precision = static_cast<Precision>(networks[n].precision);
    for (int l = 0; l < 3; ++l) {
      RawLayer layer = raw[n].layers[l];
      if (l == 2) std::fill(layer.biases.begin(), layer.biases.end(), 0.0f);
      WriteLayer(layer, precision, to);
      to += NetworkTable::LayerBytes(layer.rows, layer.columns, precision);
    }
  }
  // Open the table, and choose the last biases by evaluating it.
  if (NetworkTable::Open(bytes, &built.table) != runtime::Status::kOk) {
    throw FailedError(name + ": its table of networks does not open");
  }
  for (size_t n = 0; n < networks.size(); ++n) SetAtRest(built.table, static_cast<int>(n), raw[n].at_rest, bytes);
  return built;
}

}  // namespace sinew::tables
