// Contact fields by plain loops.
#include "sinew/runtime/base/half.h"
#include "sinew/runtime/contact/field_kernel.h"
#include "sinew/runtime/net/network.h"

namespace sinew::runtime {

void CopyLayers(const PosedField& posed) noexcept {
  const ContactTable::Field& f = *posed.field;
  const auto* place = posed.table->Array<uint16_t>(f.place_offset);
  const auto* last = posed.table->Array<uint16_t>(f.last_offset);
  for (uint32_t i = 0; i < ContactTable::kPlaceNumbers * f.width; ++i) posed.place[i] = HalfToFloat(place[i]);
  for (uint32_t i = 0; i < 3 * f.width; ++i) posed.last[i] = HalfToFloat(last[i]);
}

void SetBias(const PosedField& posed, const float* numbers) noexcept {
  const ContactTable::Field& f = *posed.field;
  const auto* bias = posed.table->Array<float>(f.bias_offset);
  const auto* C = posed.table->Array<uint16_t>(f.touch_offset);
  for (uint32_t i = 0; i < f.width; ++i) {
    float sum = bias[i];
    for (uint32_t k = 0; k < ContactTable::kTouchNumbers; ++k) sum += numbers[k] * HalfToFloat(C[k * f.width + i]);
    posed.bias[i] = sum;
  }
}

void MakeUnitsReference(const PosedField& posed, uint32_t handle, const float* numbers) noexcept {
  const uint32_t width = posed.field->width;
  const uint16_t* B =
      posed.table->Array<uint16_t>(posed.field->handles_offset) + size_t{handle} * ContactTable::kHandleNumbers * width;
  float* g = posed.units + size_t{handle} * width;
  for (uint32_t i = 0; i < width; ++i) {
    float sum = 0;
    for (uint32_t k = 0; k < ContactTable::kHandleNumbers; ++k) sum += numbers[k] * HalfToFloat(B[k * width + i]);
    g[i] = sum;
  }
}

void EvaluateFieldReference(const PosedField& posed, const FieldPoint& point, float (&r)[3], float* jacobian) noexcept {
  const uint32_t width = posed.field->width;
  for (int c = 0; c < 3; ++c) r[c] = posed.field->last_bias[c];
  for (int k = 0; jacobian != nullptr && k < 9; ++k) jacobian[k] = 0;
  for (uint32_t i = 0; i < width; ++i) {
    float sum = posed.bias[i];
    for (uint32_t k = 0; k < ContactTable::kPlaceNumbers; ++k) sum += posed.place[k * width + i] * point.x[k];
    for (int j = 0; j < point.influences; ++j) sum += point.weights[j] * point.units[j][i];
    const float h = Tanh(sum);
    for (int c = 0; c < 3; ++c) {
      const float w = posed.last[c * width + i];
      r[c] += w * h;
      for (uint32_t row = 0; jacobian != nullptr && row < ContactTable::kPlaceNumbers; ++row) {
        const float slope = w * (1 - h * h) * posed.place[row * width + i];
        for (int k = 0; k < 3; ++k) jacobian[3 * c + k] += slope * point.slopes[row][k];
      }
    }
  }
}

}  // namespace sinew::runtime
