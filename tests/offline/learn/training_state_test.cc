#include "sinew/offline/learn/training_state.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/learn/loss_curves.h"
#include "tests/support/small_training_state.h"
#include "tests/support/temporary_folder.h"

namespace sinew::learn {
namespace {

using testing::kSmallStateInputs;
using testing::SmallTrainingState;

// Steps towards random targets around (1, 2, 3, ...): noise from the state's own generator, as a batch would be.
void Train(int steps, TrainingState& state) {
  for (int i = 0; i < steps; ++i) {
    Random random(state.random);
    std::vector<float> gradient;
    for (size_t k = 0; k < state.parameters.size(); ++k) {
      gradient.push_back(state.parameters[k] - static_cast<float>(k) - static_cast<float>(random.Normal()));
    }
    state.random = random.state();
    const double rate = CosineRate(0.1, state.step + 1, 200) * state.plateau.factor;
    AdvanceTraining(gradient, rate, 1e-3, {}, state);
    if (state.step % 10 != 0) continue;
    double loss = 0;
    for (size_t k = 0; k < state.parameters.size(); ++k)
      loss += std::pow(state.parameters[k] - static_cast<double>(k), 2);
    NoteLook({.step = state.step, .training = loss, .validation = loss, .rate = rate}, 1000, state);
    NotePlateau({.patience = 2}, loss, state.plateau);
  }
}

TEST(TrainingState, GoesOnAfterAKillToTheSameBits) {
  const TrainingState start = StartTraining(std::vector<float>(5, 0.0f), Random(3));
  TrainingState whole = start;
  Train(200, whole);
  EXPECT_LT(whole.best_loss, 1);
  for (const int kill : {1, 9, 10, 57, 199}) {
    TrainingState part = start;
    Train(kill, part);
    const testing::TemporaryFolder folder;
    WriteTrainingState(part, "inputs", folder / "run.partial");
    TrainingState again = ReadTrainingState(folder / "run.partial", "inputs");
    EXPECT_EQ(again, part);
    Train(200 - kill, again);
    EXPECT_EQ(again, whole) << kill;
    EXPECT_EQ(EncodeTrainingState(again, "x"), EncodeTrainingState(whole, "x"));
  }
}

TEST(TrainingState, WhatIsNotTrainedStays) {
  TrainingState state = StartTraining({1, 2, 3}, Random(1));
  const std::vector<float> gradient = {1, 1, 1};
  const std::vector<uint8_t> trained = {1, 0, 1};
  AdvanceTraining(gradient, 0.1, 0.5, trained, state);
  EXPECT_LT(state.parameters[0], 1);
  EXPECT_EQ(state.parameters[1], 2);
  EXPECT_THROW(AdvanceTraining(std::span(gradient).first(2), 0.1, 0, {}, state), UsageError);
  EXPECT_THROW(AdvanceTraining(gradient, 0.1, 0, std::span(trained).first(2), state), UsageError);
}

TEST(TrainingState, KeepsTheBestAndStopsWithoutAGain) {
  TrainingState state = StartTraining({0}, Random(1));
  const double losses[] = {3, 2, 2.5, NAN, 4};
  for (int i = 0; i < 5; ++i) {
    state.parameters[0] = static_cast<float>(i);
    EXPECT_EQ(NoteLook({.step = 10 * (i + 1), .validation = losses[i]}, 30, state), i < 4) << i;
  }
  EXPECT_EQ(state.best, std::vector<float>{1});
  EXPECT_EQ(state.best_loss, 2);
  EXPECT_EQ(state.best_step, 20);
  EXPECT_EQ(state.history.size(), 5u);
}

TEST(Schedule, CosineFallsFromTheRateToItsLastShare) {
  EXPECT_NEAR(CosineRate(0.5, 0, 100), 0.5, 1e-12);
  EXPECT_NEAR(CosineRate(0.5, 100, 100), 0.005, 1e-12);
  for (int step = 1; step <= 100; ++step) EXPECT_LT(CosineRate(0.5, step, 100), CosineRate(0.5, step - 1, 100));
}

TEST(Schedule, PlateauFallsOnlyWhereTheLossStalls) {
  PlateauState state;
  const PlateauOptions options{.factor = 0.5, .patience = 3};
  for (int i = 0; i < 20; ++i) NotePlateau(options, 1.0 / (1 + i), state);
  EXPECT_EQ(state.factor, 1);
  for (int i = 0; i < 3; ++i) NotePlateau(options, 1, state);
  EXPECT_EQ(state.factor, 0.5);
  for (int i = 0; i < 300; ++i) NotePlateau(options, NAN, state);
  EXPECT_EQ(state.factor, options.least);
}

TEST(TrainingState, EveryTruncationIsAnError) {
  const Bytes whole = EncodeTrainingState(SmallTrainingState(), kSmallStateInputs);
  EXPECT_EQ(DecodeTrainingState(whole, kSmallStateInputs, "a"), SmallTrainingState());
  for (size_t size = 0; size < whole.size(); ++size) {
    Bytes part(whole.begin(), whole.begin() + static_cast<long>(size));
    EXPECT_THROW(DecodeTrainingState(part, kSmallStateInputs, "a"), InputError) << size;
    SealFile(part);
    EXPECT_THROW(DecodeTrainingState(part, kSmallStateInputs, "a"), InputError) << size;
  }
  Bytes longer = whole;
  longer.push_back(std::byte{0});
  SealFile(longer);
  EXPECT_THROW(DecodeTrainingState(longer, kSmallStateInputs, "a"), InputError);
}

TEST(TrainingState, DamageIsNoticed) {
  const Bytes whole = EncodeTrainingState(SmallTrainingState(), kSmallStateInputs);
  for (size_t i = 0; i < whole.size(); ++i) {
    Bytes changed = whole;
    changed[i] ^= std::byte{0x10};
    EXPECT_THROW(DecodeTrainingState(changed, kSmallStateInputs, "a"), InputError) << i;
  }
}

TEST(TrainingState, OneOfOtherInputsIsRefused) {
  const Bytes whole = EncodeTrainingState(SmallTrainingState(), kSmallStateInputs);
  try {
    DecodeTrainingState(whole, "other", "run.partial");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("run.partial: inputs"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("delete it"), std::string::npos) << error.what();
  }
}

TEST(TrainingState, Version1IsStillRead) {
  const std::string path = SINEW_SOURCE_DIR "/tests/golden/training_state_v1.state";
  const TrainingState state = ReadTrainingState(path, kSmallStateInputs);
  EXPECT_EQ(state.step, 20);
  EXPECT_EQ(state.parameters, (std::vector<float>{0.5f, -0.25f, 1.5f}));
  EXPECT_EQ(state.best, (std::vector<float>{0.5f, -0.5f, 1}));
  EXPECT_EQ(state.plateau.factor, 0.75);
  EXPECT_EQ(state.history.back().rate, 0.0075);
  EXPECT_EQ((*state.trainer)["epoch"], 2);
  EXPECT_EQ(EncodeTrainingState(state, kSmallStateInputs), ReadFile(path));
}

TEST(LossCurves, ComeBackExactlyAndAreDrawn) {
  const std::vector<LossPoint> history = SmallTrainingState().history;
  std::istringstream csv(CurvesCsv(history));
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line, "step,training,validation,rate");
  for (const LossPoint& look : history) {
    std::getline(csv, line);
    LossPoint back;
    char comma = 0;
    std::istringstream(line) >> back.step >> comma >> back.training >> comma >> back.validation >> comma >> back.rate;
    EXPECT_EQ(back, look);
  }
  const testing::TemporaryFolder folder;
  WriteCurves(history, "A <small> run", folder / "curves.v1");
  EXPECT_EQ(ReadTextFile(folder / "curves.v1.csv"), CurvesCsv(history));
  const std::string svg = ReadTextFile(folder / "curves.v1.svg");
  EXPECT_TRUE(svg.find("<svg") != std::string::npos && svg.find("&lt;small&gt;") != std::string::npos);
  EXPECT_NO_THROW(CurvesSvg({}, "nothing"));
}

}  // namespace
}  // namespace sinew::learn
