#include "sinew/offline/skincells/checkpoint.h"

#include <cstring>
#include <iterator>

#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"

namespace sinew::skincells {
namespace {

constexpr size_t kHash = 32;
constexpr double Losses::*kTerms[] = {&Losses::dm,    &Losses::loc, &Losses::sp,
                                      &Losses::guide, &Losses::col, &Losses::total};
constexpr size_t kLosses = std::size(kTerms);
static_assert(sizeof(Losses) == kLosses * sizeof(double), "every loss is kept");
constexpr size_t kHead = 4 + 2 * kLosses;    // numbers before the vectors
constexpr size_t kRecord = 1 + 2 * kLosses;  // numbers per entry of the history

std::string ToText(const Bytes& bytes, size_t at) { return {reinterpret_cast<const char*>(bytes.data()) + at, kHash}; }

void Put(const Losses& losses, std::vector<double>& numbers) {
  for (const auto term : kTerms) numbers.push_back(losses.*term);
}

Losses TakeLosses(const double*& at) {
  Losses losses;
  for (const auto term : kTerms) losses.*term = *at++;
  return losses;
}

// Returns the numbers of a checkpoint file; none if it is damaged or belongs to other inputs.
std::vector<double> ReadNumbers(const std::filesystem::path& path, const std::string& inputs) {
  const Bytes bytes = ReadFile(path);
  if (bytes.size() < 2 * kHash || (bytes.size() - 2 * kHash) % sizeof(double) != 0) return {};
  if (ToText(bytes, 0) != HashHex(std::span(bytes).subspan(2 * kHash)) || ToText(bytes, kHash) != inputs) return {};
  std::vector<double> numbers((bytes.size() - 2 * kHash) / sizeof(double));
  std::memcpy(numbers.data(), bytes.data() + 2 * kHash, numbers.size() * sizeof(double));
  return numbers;
}

}  // namespace

// Layout of the file: a hash of the numbers, the hash of the inputs, the numbers.
void WriteCheckpoint(const OptimizerState& state, const std::string& inputs, const std::filesystem::path& path) {
  std::vector<double> numbers = {double(state.step), double(state.stale), state.best_loss,
                                 double(state.history.size())};
  Put(state.before, numbers);
  Put(state.after, numbers);
  for (const Eigen::VectorXd* v : {&state.parameters, &state.first, &state.second, &state.best}) {
    numbers.insert(numbers.end(), v->begin(), v->end());
  }
  for (const LossRecord& record : state.history) {
    numbers.push_back(record.step);
    Put(record.batch, numbers);
    Put(record.measured, numbers);
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
  const std::vector<double> numbers = ReadNumbers(path, inputs);
  const size_t vectors = 4 * static_cast<size_t>(parameters);
  if (numbers.size() < kHead + vectors) return std::nullopt;
  const size_t records = (numbers.size() - kHead - vectors) / kRecord;
  if (numbers.size() != kHead + vectors + records * kRecord || numbers[3] != double(records)) return std::nullopt;
  OptimizerState state;
  state.step = static_cast<int>(numbers[0]);
  state.stale = static_cast<int>(numbers[1]);
  state.best_loss = numbers[2];
  const double* at = &numbers[4];
  state.before = TakeLosses(at);
  state.after = TakeLosses(at);
  for (Eigen::VectorXd* v : {&state.parameters, &state.first, &state.second, &state.best}) {
    *v = Eigen::Map<const Eigen::VectorXd>(at, parameters);
    at += parameters;
  }
  for (size_t i = 0; i < records; ++i) {
    LossRecord record;
    record.step = static_cast<int>(*at++);
    record.batch = TakeLosses(at);
    record.measured = TakeLosses(at);
    state.history.push_back(record);
  }
  return state;
}

}  // namespace sinew::skincells
