#include "sinew/offline/learn/training_state.h"

#include <fmt/format.h>

#include <cmath>

#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/learn/adam.h"

namespace sinew::learn {
namespace {

constexpr std::string_view kMagic = "SINEWTRN";
constexpr uint32_t kVersion = 1;
// Upper limits: a file with more was not written by us.
constexpr uint32_t kMaxParameters = 1u << 28, kMaxLooks = 1u << 24, kLongestJson = 1u << 26, kLongestHash = 64;
constexpr const char* kRemedy = "delete it to start the training anew";

double TakeDouble(BinaryReader& in, const std::string& place) {
  const auto value = in.Take<double>(place);
  if (std::isnan(value)) in.Fail(place, "is not a number");
  return value;
}

int64_t TakeStep(BinaryReader& in, const std::string& place) {
  constexpr int64_t kMaxSteps = int64_t{1} << 48;
  const auto step = in.Take<int64_t>(place);
  if (step < 0 || step > kMaxSteps) in.Fail(place, fmt::format("is {}, which no training reaches", step));
  return step;
}

void PutLook(const LossPoint& look, BinaryWriter& out) {
  out.Put(look.step);
  out.Put(look.training);
  out.Put(look.validation);
  out.Put(look.rate);
}

// Losses may be anything, not a number too: a training that went wrong must be shown as it was.
LossPoint TakeLook(BinaryReader& in, int64_t previous, const std::string& place) {
  LossPoint look;
  look.step = TakeStep(in, place + ", step");
  if (look.step <= previous) in.Fail(place, "is of an earlier step than the one before");
  look.training = in.Take<double>(place);
  look.validation = in.Take<double>(place);
  look.rate = TakeDouble(in, place + ", rate");
  return look;
}

void TakePlateau(BinaryReader& in, PlateauState& plateau) {
  plateau.factor = TakeDouble(in, "plateau, factor");
  if (!(plateau.factor > 0 && plateau.factor <= 1)) in.Fail("plateau, factor", "is not above 0 and at most 1");
  plateau.best = TakeDouble(in, "plateau, best loss");
  plateau.waited = static_cast<int>(in.TakeCount(0, 1u << 30, "plateau, looks waited"));
}

void TakeParameters(BinaryReader& in, TrainingState& state) {
  const uint32_t count = in.TakeCount(0, kMaxParameters, "number of parameters");
  state.parameters = in.TakeFloats(count, "parameters");
  state.first = in.TakeFloats(count, "first moments");
  state.second = in.TakeFloats(count, "second moments");
  for (const float moment : state.second) {
    if (moment < 0) in.Fail("second moments", "has a negative number");
  }
  const bool has_best = in.TakeCount(0, 1, "presence of best parameters") == 1;
  state.best = in.TakeFloats(has_best ? count : 0, "best parameters");
  state.best_loss = TakeDouble(in, "best loss");
  state.best_step = TakeStep(in, "best step");
}

}  // namespace

TrainingState StartTraining(std::vector<float> parameters, const Random& random) {
  TrainingState state;
  state.first.assign(parameters.size(), 0.0f);
  state.second.assign(parameters.size(), 0.0f);
  state.parameters = std::move(parameters);
  state.random = random.state();
  state.trainer = Json::object();
  return state;
}

void AdvanceTraining(std::span<const float> gradient, double rate, double decay, std::span<const uint8_t> trained,
                     TrainingState& state) {
  const size_t count = state.parameters.size();
  if (gradient.size() != count || (!trained.empty() && trained.size() != count)) {
    throw UsageError(fmt::format("a gradient of {} numbers for {} parameters", gradient.size(), count));
  }
  const std::vector<float> before = trained.empty() ? std::vector<float>() : state.parameters;
  ++state.step;
  const double scale = AdamScale(static_cast<int>(state.step), rate);
  AdvanceAdam<float>(gradient, static_cast<float>(scale), static_cast<float>(1 - rate * decay), {}, state.first,
                     state.second, state.parameters);
  for (size_t i = 0; i < trained.size(); ++i) {
    if (trained[i] == 0) state.parameters[i] = before[i];
  }
}

bool NoteLook(const LossPoint& look, int64_t patience, TrainingState& state) {
  state.history.push_back(look);
  if (look.validation < state.best_loss) {
    state.best_loss = look.validation;
    state.best_step = look.step;
    state.best = state.parameters;
  }
  return look.step - state.best_step < patience;
}

Bytes EncodeTrainingState(const TrainingState& state, const std::string& inputs) {
  BinaryWriter out;
  out.PutText(inputs);
  out.Put(state.step);
  out.Put(state.random.state);
  out.Put(state.random.increment);
  out.Put(state.plateau.factor);
  out.Put(state.plateau.best);
  out.PutCount(state.plateau.waited);
  out.PutText(JsonText(*state.trainer));
  out.PutCount(state.parameters.size());
  for (const auto* values : {&state.parameters, &state.first, &state.second}) out.Put(values->data(), values->size());
  out.PutCount(state.best.empty() ? 0 : 1);
  out.Put(state.best.data(), state.best.size());
  out.Put(state.best_loss);
  out.Put(state.best_step);
  out.PutCount(state.history.size());
  for (const LossPoint& look : state.history) PutLook(look, out);
  return out.File(kMagic, kVersion);
}

TrainingState DecodeTrainingState(std::span<const std::byte> bytes, const std::string& inputs,
                                  const std::string& file) {
  BinaryReader in(bytes, file, kMagic, kVersion, "a state of training", kRemedy);
  TrainingState state;
  if (in.TakeText(kLongestHash, "hash of the inputs") != inputs) {
    in.Fail("inputs", "are of another network, other settings or another corpus");
  }
  state.step = TakeStep(in, "step");
  state.random.state = in.Take<uint64_t>("random numbers");
  state.random.increment = in.Take<uint64_t>("random numbers");
  if (state.random.increment % 2 == 0) in.Fail("random numbers", "are in a state that does not exist");
  TakePlateau(in, state.plateau);
  state.trainer = ParseJson(in.TakeText(kLongestJson, "trainer"), file);
  if (!(*state.trainer).is_object()) in.Fail("trainer", "is not an object");
  TakeParameters(in, state);
  const uint32_t looks = in.TakeCount(0, kMaxLooks, "number of looks");
  for (uint32_t i = 0; i < looks; ++i) {
    const int64_t previous = i == 0 ? -1 : state.history.back().step;
    state.history.push_back(TakeLook(in, previous, fmt::format("look {}", i)));
  }
  in.End();
  return state;
}

void WriteTrainingState(const TrainingState& state, const std::string& inputs, const std::filesystem::path& path) {
  WriteFileAtomic(path, EncodeTrainingState(state, inputs));
}

TrainingState ReadTrainingState(const std::filesystem::path& path, const std::string& inputs) {
  return DecodeTrainingState(ReadFile(path), inputs, path.string());
}

}  // namespace sinew::learn
