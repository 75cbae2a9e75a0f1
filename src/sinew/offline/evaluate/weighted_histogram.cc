#include "sinew/offline/evaluate/weighted_histogram.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace sinew::evaluate {
namespace {

// The bits of a positive float grow with it. Without the lowest 16 they are its exponent and 7 digits of its mantissa,
// and so the number of its bin.
constexpr int kDropped = 16;
constexpr uint32_t kFirst = std::bit_cast<uint32_t>(0x1p-20f) >> kDropped;
constexpr uint32_t kEnd = std::bit_cast<uint32_t>(0x1p8f) >> kDropped;
constexpr size_t kBins = 1 + kEnd - kFirst;  // the first one holds what is below 2^-20

size_t BinOf(double value) {
  const uint32_t at = std::bit_cast<uint32_t>(std::max(0.0f, static_cast<float>(value))) >> kDropped;
  return at < kFirst ? 0 : std::min<size_t>(1 + at - kFirst, kBins - 1);
}

double LowerEnd(size_t bin) {
  return bin == 0 ? 0.0 : std::bit_cast<float>(static_cast<uint32_t>(kFirst + bin - 1) << kDropped);
}

}  // namespace

void WeightedHistogram::Add(double value, double weight) {
  if (weights_.empty()) weights_.resize(kBins, 0);
  weights_[BinOf(value)] += weight;
  total_ += weight;
}

void WeightedHistogram::Add(const WeightedHistogram& other) {
  if (other.weights_.empty()) return;
  if (weights_.empty()) weights_.resize(kBins, 0);
  for (size_t bin = 0; bin < kBins; ++bin) weights_[bin] += other.weights_[bin];
  total_ += other.total_;
}

void WeightedHistogram::AddScaled(const WeightedHistogram& other, double factor, double weight) {
  for (size_t bin = 0; bin < other.weights_.size(); ++bin) {
    if (other.weights_[bin] <= 0) continue;
    const double middle = bin == 0 ? 0 : 0.5 * (LowerEnd(bin) + LowerEnd(bin + 1));
    Add(factor * middle, weight * other.weights_[bin]);
  }
}

double WeightedHistogram::Quantile(double share) const {
  double below = 0, largest = 0;
  for (size_t bin = 0; bin < weights_.size(); ++bin) {
    if (weights_[bin] <= 0) continue;
    const double low = LowerEnd(bin), high = LowerEnd(bin + 1), missing = share * total_ - below;
    if (missing <= weights_[bin]) return low + (high - low) * std::max(0.0, missing / weights_[bin]);
    below += weights_[bin];
    largest = high;
  }
  return largest;
}

}  // namespace sinew::evaluate
