#include "sinew/offline/pipeline/method_choice.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"

namespace sinew::pipeline {
namespace {

struct Measured {
  double validation_mm = 2;
  int bytes = 1'000'000;
  int networks = 400'000;  // of each of the two levels
  double cost_mm = 0;      // by precision and dropped modes
  bool limited = false;
};

// A candidate whose coarse level is worse than everything, so that only the finest one can decide.
Candidate Make(const Measured& m) {
  Json memory = Json::array();
  for (int level = 0; level <= 2; ++level) {
    memory.push_back({{"level", level}, {"networks", m.networks}, {"bases", 0}, {"own_bases", 0}, {"upsampling", 0}});
  }
  return {.training = {{"levels", {{{"validation_mm", 50.0}}, {{"validation_mm", m.validation_mm}}}}},
          .facts = {{"bytes", m.bytes},
                    {"memory", memory},
                    {"precision_cost", {{{"rms_mm", 9.0}}, {{"rms_mm", m.cost_mm}}}}},
          .limited = m.limited};
}

MethodChoice Choose(const Measured& sinew, const Measured& single) { return ChooseMethod(Make(sinew), Make(single)); }

bool Has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(MethodChoice, ErrorInFramesKeptApartDecidesFirst) {
  // The better one is larger and slower.
  const MethodChoice single = Choose({.validation_mm = 2}, {.validation_mm = 1.9, .bytes = 9'000'000});
  EXPECT_TRUE(single.single_level);
  EXPECT_EQ(single.why,
            "The file that ships, character.sinew, has the correctives of the single-level method: in poses that were "
            "kept apart from training, its finest level is 1.90 mm from the truth, and that of Sinew's own method 2.00 "
            "mm.");
  const MethodChoice sinew = Choose({.validation_mm = 1.9, .bytes = 9'000'000}, {.validation_mm = 2});
  EXPECT_FALSE(sinew.single_level);
  EXPECT_TRUE(Has(sinew.why, "of Sinew's own method: in poses that were kept apart")) << sinew.why;
}

TEST(MethodChoice, AlikeInErrorTheSmallerFileShips) {
  EXPECT_TRUE(Choose({.validation_mm = 1.99}, {.validation_mm = 2, .bytes = 900'000}).single_level);
  const MethodChoice sinew = Choose({.validation_mm = 2}, {.validation_mm = 1.99, .bytes = 1'100'000});
  EXPECT_FALSE(sinew.single_level);
  EXPECT_TRUE(Has(sinew.why, "equally near to the truth")) << sinew.why;
  EXPECT_TRUE(Has(sinew.why, "its file is smaller, 1.00 MB instead of 1.10")) << sinew.why;
}

TEST(MethodChoice, AlikeInErrorAndSizeTheOneThatReadsLessPerFrameShips) {
  // The finest level of Sinew also needs the correctives of the coarser one.
  const MethodChoice single = Choose({}, {});
  EXPECT_TRUE(single.single_level);
  EXPECT_TRUE(Has(single.why, "0.40 MB instead of 0.80, which takes less time")) << single.why;
  EXPECT_FALSE(Choose({.networks = 100'000}, {}).single_level);
  const MethodChoice alike = Choose({.networks = 200'000}, {});
  EXPECT_FALSE(alike.single_level);
  EXPECT_TRUE(Has(alike.why, "neither is smaller or faster")) << alike.why;
}

TEST(MethodChoice, WhatABudgetLeavesOutCounts) {
  const Measured good{.validation_mm = 3}, cut{.validation_mm = 2, .cost_mm = 4};
  EXPECT_TRUE(Choose(good, cut).single_level);
  Measured limited = cut;
  limited.limited = true;
  EXPECT_FALSE(Choose(good, limited).single_level);
}

TEST(MethodPlan, TrainsWhatTheSettingsAskFor) {
  const auto plan = [](const char* method, const char* compare) {
    Config config;
    config.Set(std::string("training.method=") + method);
    config.Set(std::string("single_level.compare=") + compare);
    return PlanMethods(config);
  };
  EXPECT_TRUE(PlanMethods(Config()).compares());
  EXPECT_FALSE(PlanMethods(Config()).copies()) << "Sinew's method ships as it is trained";
  EXPECT_FALSE(plan("sinew", "false").trains_single);
  EXPECT_TRUE(plan("auto", "true").chooses);
  EXPECT_TRUE(plan("auto", "true").compares());
  for (const char* compare : {"true", "false"}) {
    EXPECT_FALSE(plan("single-level", compare).trains_sinew);
    EXPECT_TRUE(plan("single-level", compare).trains_single);
    EXPECT_FALSE(plan("single-level", compare).compares());
  }
  EXPECT_THROW(plan("auto", "false"), UsageError);
}

}  // namespace
}  // namespace sinew::pipeline
