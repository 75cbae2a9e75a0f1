#include "bench/harness.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace sinew::bench {
namespace {

double TimeOf(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  const auto stop = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::nano>(stop - start).count();
}

double Median(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

}  // namespace

std::vector<Measurement> Measure(const std::vector<Variant>& variants, int rounds) {
  std::vector<std::vector<double>> samples(variants.size());
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < variants.size(); ++i) {
      variants[i].run();
      samples[i].push_back(TimeOf(variants[i].run));
    }
  }
  std::vector<Measurement> results;
  for (size_t i = 0; i < variants.size(); ++i) {
    Measurement m{variants[i].name, Median(samples[i]), *std::min_element(samples[i].begin(), samples[i].end()), 0};
    if (variants[i].hash) {
      variants[i].run();
      m.hash = variants[i].hash();
    }
    results.push_back(m);
  }
  return results;
}

uint64_t Hash(std::span<const float> values, uint64_t seed) {
  uint64_t hash = seed;
  for (const float value : values) {
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    for (int shift = 0; shift < 32; shift += 8) hash = (hash ^ ((bits >> shift) & 0xff)) * 0x100000001b3ull;
  }
  return hash;
}

}  // namespace sinew::bench
