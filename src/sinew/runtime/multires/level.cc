#include "sinew/runtime/multires/level.h"

#include <cstring>

#include "sinew/runtime/base/half.h"
#include "sinew/runtime/multires/upsampling.h"

namespace sinew::runtime {
namespace {

constexpr int kElements = BasisTable::kBlockElements;

float Element(const BasisTable& basis, size_t i) {
  switch (basis.precision()) {
    case Precision::kF32:
      return reinterpret_cast<const float*>(basis.elements())[i];
    case Precision::kF16:
      return HalfToFloat(reinterpret_cast<const uint16_t*>(basis.elements())[i]);
    case Precision::kI8:
      return static_cast<float>(reinterpret_cast<const int8_t*>(basis.elements())[i]);
  }
  return 0;
}

void AddBlock(const BasisTable& basis, const float* coefficients, uint32_t block, float* points) {
  for (uint32_t e = basis.firsts()[block]; e < basis.firsts()[block + 1]; ++e) {
    const float scale = basis.precision() == Precision::kI8 ? basis.scales()[e] : 1.0f;
    const float coefficient = coefficients[basis.indices()[e]] * scale;
    for (int i = 0; i < kElements; ++i) points[i] += coefficient * Element(basis, size_t{e} * kElements + i);
  }
}

}  // namespace

void DisplaceTileReference(const LevelDisplacements& level, int t, float* points) noexcept {
  const int first = t * kTileVertices;
  const int vertices = level.vertex_count - first < kTileVertices ? level.vertex_count - first : kTileVertices;
  const int blocks = (vertices + BasisTable::kBlockVertices - 1) / BasisTable::kBlockVertices;
  const size_t bytes = sizeof(float) * kElements * blocks;
  if (level.upsampling != nullptr) {
    std::memset(points, 0, bytes);
    float padded[4 * kTileVertices];
    UpsampleTileReference(*level.upsampling, level.coarse, t, padded);
    for (int v = 0; v < vertices; ++v) {
      for (int k = 0; k < 3; ++k) points[3 * v + k] = padded[4 * v + k];
    }
  } else if (level.start == nullptr) {
    std::memset(points, 0, bytes);
  } else if (level.start != points) {
    std::memcpy(points, level.start, bytes);
  }
  if (level.basis == nullptr) return;
  for (int b = 0; b < blocks; ++b) {
    AddBlock(*level.basis, level.coefficients, first / BasisTable::kBlockVertices + b, points + b * kElements);
  }
}

}  // namespace sinew::runtime
