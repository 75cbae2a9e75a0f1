#include "sinew/offline/pipeline/config.h"

#include <gtest/gtest.h>

#include <set>

#include "sinew/offline/core/error.h"

namespace sinew::pipeline {
namespace {

// The sentence of the error that a file or an assignment is answered with.
std::string Refused(const std::string& text) {
  Config config;
  try {
    config.Apply(text, "my.toml");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.what();
  }
  return "";
}

std::string RefusedAssignment(const std::string& text) {
  Config config;
  try {
    config.Set(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "";
}

void ExpectIn(const std::string& sentence, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(sentence.find(part), std::string::npos) << sentence << " | " << part;
}

Json AllOf(const Config& config) {
  Json all = Json::object();
  for (const auto& section : Sections()) all.update(config.Section(section.name));
  return all;
}

TEST(Config, WhatItPrintsItReadsBack) {
  for (const Preset preset : {Preset::kInstant, Preset::kQuick, Preset::kGood, Preset::kFilm}) {
    const Config printed(preset);
    Config read;
    read.Apply(printed.Text(), "printed");
    EXPECT_EQ(AllOf(read), AllOf(printed));
  }
}

TEST(Config, TheTableIsInOrder) {
  std::set<std::string> names;
  for (const Setting& setting : Settings()) {
    SCOPED_TRACE(setting.section + "." + setting.key);
    EXPECT_TRUE(names.insert(setting.section + "." + setting.key).second);
    EXPECT_FALSE(setting.meaning.empty());
    for (const Json& value : setting.defaults) EXPECT_EQ(Refusal(setting, value), "");
    EXPECT_NE(Refusal(setting, Json::object()), "");
    EXPECT_NE(Refusal(setting, nullptr), "");
  }
}

TEST(Config, TakesFilesAndAssignments) {
  Config config;
  config.Apply(
      "# mine\n[training]\nepsilon = 1e-4 # finer\n\n  [ poses ]\r\ntraining=12.0\nlearn_from = [\"a # b.bvh\", "
      "\"c.bvh\"]\n[hierarchy]\npoints = [100, 50]",
      "my.toml");
  EXPECT_EQ(config.Double("training", "epsilon"), 1e-4);
  EXPECT_EQ(config.At("poses", "training").dump(), "12");
  EXPECT_EQ(config.Strings("poses", "learn_from"), (std::vector<std::string>{"a # b.bvh", "c.bvh"}));
  EXPECT_EQ(config.At("hierarchy", "points"), Json::array({100, 50}));
  config.Set("training.precision=f32");
  config.Set("poses.motion=walk.bvh");
  config.Set("single_level.compare=false");
  config.Set("limits.file=10");
  EXPECT_EQ(config.String("training", "precision"), "f32");
  EXPECT_EQ(config.Strings("poses", "motion"), std::vector<std::string>{"walk.bvh"});
  EXPECT_FALSE(config.Flag("single_level", "compare"));
  EXPECT_EQ(config.String("limits", "file"), "10");
}

TEST(Config, RolesOfPartsAreReadBeforeAnythingRuns) {
  Config config, other;
  EXPECT_EQ(config.String("simulation", "parts"), "");
  config.Apply("[simulation]\nparts = \"Hair = thin,Sword=rigid\"", "my.toml");
  EXPECT_EQ(config.String("simulation", "parts"), "Hair=thin, Sword=rigid");
  other.Set("simulation.parts=Hair=thin, Sword=rigid");
  EXPECT_EQ(other.Section("simulation"), config.Section("simulation")) << "blanks must not simulate again";
  other.Apply(config.Text(), "printed");
  EXPECT_EQ(AllOf(other), AllOf(config));
  ExpectIn(Refused("[simulation]\nparts = \"Hair=cloth\""),
           {"line 2", "'parts'", "'cloth'", "flesh, layer, thin, rigid"});
  ExpectIn(Refused("[simulation]\nparts = \"Hair\""), {"line 2", "PART=ROLE"});
  ExpectIn(Refused("[simulation]\nparts = 3"), {"line 2", "text in quotes"});
  ExpectIn(RefusedAssignment("simulation.parts=Hair=cloth"), {"'cloth'", "flesh, layer, thin, rigid"});
}

TEST(Config, SaysWhereAFileIsWrongAndWhatIsNearest) {
  ExpectIn(Refused("[training]\nepsilom = 1"), {"my.toml", "line 2", "'epsilom'", "'epsilon'"});
  ExpectIn(Refused("[trainin]\n"), {"line 1", "[trainin]", "[training]"});
  ExpectIn(Refused("[training]\ntets = 5"), {"line 2", "it is in [simulation]"});
  ExpectIn(Refused("epsilon = 1"), {"line 1", "before any [SECTION]"});
  ExpectIn(Refused("[training]\nepsilon"), {"line 2", "KEY = VALUE"});
  ExpectIn(Refused("[training"), {"line 1", "']'"});
  ExpectIn(Refused("[training]\n= 3"), {"line 2", "no key"});
  ExpectIn(Refused("[training]\nepsilon = \n"), {"line 2", "epsilon"});
  ExpectIn(Refused("[training]\nepsilon = small"), {"line 2", "'small'"});
  ExpectIn(Refused("[training]\nepsilon = 2"), {"line 2", "from 0 to 1"});
  ExpectIn(Refused("[training]\nepsilon = 1e999"), {"line 2"});
  ExpectIn(Refused("[training]\nsteps = 2.5"), {"line 2", "whole number"});
  ExpectIn(Refused("[training]\nfeatures = \"angles\""), {"one of quaternion, columns, euler"});
  ExpectIn(Refused("[training]\nsteps = 5\nsteps = 6"), {"line 3", "second time"});
  ExpectIn(Refused("[hierarchy]\npoints = [1, [2]]"), {"line 2"});
  ExpectIn(Refused("[hierarchy]\npoints = {}"), {"line 2"});
  ExpectIn(Refused("[simulation]\ncontact = 1"), {"true or false"});
  ExpectIn(Refused("[limits]\nfile = \"\xff\""), {"UTF-8"});
  ExpectIn(RefusedAssignment("training.epsilom=1"), {"'epsilon'"});
  ExpectIn(RefusedAssignment("training.epsilon=x"), {"number"});
  ExpectIn(RefusedAssignment("epsilon=1"), {"SECTION.KEY=VALUE"});
  ExpectIn(RefusedAssignment("training.=1"), {"nearest"});
}

TEST(Config, EveryTruncationIsReadOrRefused) {
  const std::string text = Config(Preset::kGood).Text();
  for (size_t size = 0; size < text.size(); ++size) {
    Config config;
    try {
      config.Apply(text.substr(0, size), "cut.toml");
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace sinew::pipeline
