// Vectorised networks: each input is multiplied with one block of rows at a time.
#include <cstring>

#include "sinew/runtime/net/layer.h"
#include "sinew/runtime/net/network.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/runtime/net/network_kernel.cc"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "sinew/runtime/net/tanh-inl.h"
#include "sinew/runtime/net/weights-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::runtime::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

void Network(const NetworkTable& table, int n, const float* inputs, float* outputs) {
  EvaluateNetworkReference(table, n, inputs, outputs);
}

#else

namespace hn = hwy::HWY_NAMESPACE;
using Tag = Tag16;
using V = V16;
constexpr int kLanes = kLanes16;
constexpr int kRows = NetworkTable::kRows;
constexpr int kVectors = kRows / kLanes;  // vectors per block of rows
static_assert(kVectors * kLanes == kRows);

// Number of partial sums per row, each over every kPartials-th column, added up at the end: a multiply-add waits for
// the previous one of the same sum, so several sums must be in flight. WebAssembly's vectors are so narrow that two
// give as many, and more would not stay in registers.
constexpr int kPartials = HWY_ARCH_WASM ? 2 : 4;
using BlockSums = V[kPartials][kVectors];

// Computes y = W x + b, one block of rows after another: the weights of all layers and networks are read from front to
// back.
template <typename Weights>
HWY_INLINE HWY_ATTR void Multiply(const Layer& layer, const float* x, float* y) {
  const Tag d;
  const auto input = [&](uint32_t c) HWY_ATTR { return hn::Set(d, Weights::kUnit * x[c]); };
  const auto* weights = reinterpret_cast<const typename Weights::Element*>(layer.weights);
  for (uint32_t row = 0; row < layer.row_blocks * kRows; row += kRows) {
    BlockSums sums;
    for (auto& partial : sums) {
      for (V& sum : partial) sum = hn::Zero(d);
    }
    uint32_t c = 0;
    for (; c + kPartials <= layer.columns; c += kPartials, weights += kPartials * kRows) {
      FetchAhead(weights, kPartials * kRows * sizeof(*weights));
      HWY_UNROLL(4)
      for (int p = 0; p < kPartials; ++p) AddTimes<Weights>(input(c + p), weights + p * kRows, sums[p]);
    }
    for (; c < layer.columns; ++c, weights += kRows) AddTimes<Weights>(input(c), weights, sums[0]);
    for (int v = 0; v < kVectors; ++v) {
      const size_t at = row + v * kLanes;
      V sum = hn::Add(sums[0][v], sums[1][v]);
      if constexpr (kPartials == 4) sum = hn::Add(sum, hn::Add(sums[2][v], sums[3][v]));
      if constexpr (sizeof(typename Weights::Element) == 1) sum = hn::Mul(sum, hn::Load(d, layer.scales + at));
      hn::Store(hn::Add(sum, hn::Load(d, layer.biases + at)), d, y + at);
    }
  }
}

HWY_INLINE HWY_ATTR void TanhOf(uint32_t row_blocks, float* y) {
  const Tag d;
  for (uint32_t i = 0; i < row_blocks * kRows; i += kLanes) hn::Store(Tanh(hn::Load(d, y + i)), d, y + i);
}

template <typename Weights>
HWY_ATTR void EvaluateAs(const NetworkTable& table, const NetworkTable::Network& network, const float* inputs,
                         float* outputs) {
  HWY_ALIGN float first[NetworkTable::kMaxWidth];
  HWY_ALIGN float second[NetworkTable::kMaxWidth];
  LayerReader layers(table, network);
  Layer layer = layers.Next(network.width, network.inputs);
  Multiply<Weights>(layer, inputs, first);
  TanhOf(layer.row_blocks, first);
  layer = layers.Next(network.width, network.width);
  Multiply<Weights>(layer, first, second);
  TanhOf(layer.row_blocks, second);
  Multiply<Weights>(layers.Next(network.outputs, network.width), second, first);
  std::memcpy(outputs, first, network.outputs * sizeof(float));
}

HWY_ATTR void Network(const NetworkTable& table, int n, const float* inputs, float* outputs) {
  const NetworkTable::Network& network = table.network(n);
  switch (static_cast<Precision>(network.precision)) {
    case Precision::kF32:
      return EvaluateAs<Floats>(table, network, inputs, outputs);
    case Precision::kF16:
      return EvaluateAs<Halves>(table, network, inputs, outputs);
    case Precision::kI8:
      return EvaluateAs<Bytes>(table, network, inputs, outputs);
  }
}

#endif

}  // namespace sinew::runtime::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::runtime {

HWY_EXPORT(Network);

void EvaluateNetwork(const NetworkTable& table, int n, const float* inputs, float* outputs) noexcept {
  HWY_DYNAMIC_DISPATCH(Network)(table, n, inputs, outputs);
}

}  // namespace sinew::runtime
#endif
