#include "sinew/offline/skincells/checkpoint.h"

#include <cmath>
#include <cstring>

#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"

namespace sinew::skincells {
namespace {

constexpr size_t kHash = 32;
constexpr int kHead = 11;  // numbers before the vectors

std::string ToText(const Bytes& bytes, size_t at) { return {reinterpret_cast<const char*>(bytes.data()) + at, kHash}; }

}  // namespace

// A hash of the numbers, the hash of the inputs, the numbers.
void WriteCheckpoint(const OptimizerState& state, const std::string& inputs, const std::filesystem::path& path) {
  std::vector<double> numbers = {double(state.step), double(state.stale), state.best_loss};
  numbers.insert(numbers.end(), std::begin(state.before), std::end(state.before));
  numbers.insert(numbers.end(), std::begin(state.after), std::end(state.after));
  for (const Eigen::VectorXd* v : {&state.parameters, &state.first, &state.second, &state.best}) {
    numbers.insert(numbers.end(), v->begin(), v->end());
  }
  const auto raw = std::as_bytes(std::span(numbers));
  Bytes bytes(2 * kHash + raw.size());
  std::memcpy(bytes.data(), HashHex(raw).data(), kHash);
  std::memcpy(bytes.data() + kHash, inputs.data(), kHash);
  std::memcpy(bytes.data() + 2 * kHash, raw.data(), raw.size());
  WriteFileAtomic(path, bytes);
}

std::optional<OptimizerState> ReadCheckpoint(const std::filesystem::path& path, const std::string& inputs,
                                             int parameters) {
  if (path.empty() || !std::filesystem::is_regular_file(path)) return std::nullopt;
  const Bytes bytes = ReadFile(path);
  const size_t count = kHead + 4 * static_cast<size_t>(parameters);
  if (bytes.size() != 2 * kHash + count * sizeof(double)) return std::nullopt;
  if (ToText(bytes, 0) != HashHex(std::span(bytes).subspan(2 * kHash)) || ToText(bytes, kHash) != inputs) {
    return std::nullopt;
  }
  std::vector<double> numbers(count);
  std::memcpy(numbers.data(), bytes.data() + 2 * kHash, count * sizeof(double));
  OptimizerState state;
  state.step = static_cast<int>(numbers[0]);
  state.stale = static_cast<int>(numbers[1]);
  state.best_loss = numbers[2];
  std::memcpy(state.before, &numbers[3], sizeof state.before);
  std::memcpy(state.after, &numbers[7], sizeof state.after);
  const double* at = &numbers[kHead];
  for (Eigen::VectorXd* v : {&state.parameters, &state.first, &state.second, &state.best}) {
    *v = Eigen::Map<const Eigen::VectorXd>(at, parameters);
    at += parameters;
  }
  return state;
}

}  // namespace sinew::skincells
