#include "sinew/runtime/net/network.h"

#include <cstring>

#include "sinew/runtime/base/half.h"
#include "sinew/runtime/net/layer.h"
#include "sinew/runtime/net/tanh.h"

namespace sinew::runtime {
namespace {

constexpr uint32_t kRows = NetworkTable::kRows;

float Weight(Precision precision, const std::byte* weights, size_t i) {
  if (precision == Precision::kF32) return reinterpret_cast<const float*>(weights)[i];
  if (precision == Precision::kF16) return HalfToFloat(reinterpret_cast<const uint16_t*>(weights)[i]);
  return static_cast<float>(reinterpret_cast<const int8_t*>(weights)[i]);
}

// Computes y = W x + b. y: kRows floats per block of rows.
void Multiply(Precision precision, const Layer& layer, const float* x, float* y) {
  for (uint32_t row = 0; row < layer.row_blocks * kRows; ++row) {
    const size_t first = size_t{row / kRows} * layer.columns * kRows + row % kRows;
    float sum = 0;
    for (uint32_t c = 0; c < layer.columns; ++c) sum += x[c] * Weight(precision, layer.weights, first + c * kRows);
    if (layer.scales != nullptr) sum *= layer.scales[row];
    y[row] = sum + layer.biases[row];
  }
}

}  // namespace

float Tanh(float x) noexcept {
  using namespace tanh_constants;
  float y = kTwoLog2E * x;
  y = y < -kLargest ? -kLargest : y > kLargest ? kLargest : y;
  const auto whole = static_cast<int32_t>(y < 0 ? y - 0.5f : y + 0.5f);
  const float f = y - static_cast<float>(whole);
  float power = kPolynomial[0];
  for (int k = 1; k < kTerms; ++k) power = power * f + kPolynomial[k];
  int32_t bits = 0;
  std::memcpy(&bits, &power, sizeof(bits));
  bits += whole * (1 << 23);
  std::memcpy(&power, &bits, sizeof(power));
  return 1 - 2 / (power + 1);
}

void EvaluateNetworkReference(const NetworkTable& table, int n, const float* inputs, float* outputs) noexcept {
  const NetworkTable::Network& network = table.network(n);
  const auto precision = static_cast<Precision>(network.precision);
  float first[NetworkTable::kMaxWidth] = {}, second[NetworkTable::kMaxWidth] = {};
  LayerReader layers(table, network);
  Multiply(precision, layers.Next(network.width, network.inputs), inputs, first);
  for (uint32_t i = 0; i < network.width; ++i) first[i] = Tanh(first[i]);
  Multiply(precision, layers.Next(network.width, network.width), first, second);
  for (uint32_t i = 0; i < network.width; ++i) second[i] = Tanh(second[i]);
  Multiply(precision, layers.Next(network.outputs, network.width), second, first);
  std::memcpy(outputs, first, network.outputs * sizeof(float));
}

}  // namespace sinew::runtime
