#include "sinew/offline/ablation/rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "sinew/offline/core/error.h"
#include "sinew/offline/graphnet/describe.h"
#include "tests/support/error_of.h"

namespace sinew::ablation {
namespace {

using ::testing::ElementsAre;
using testing::ErrorOf;
using ::testing::HasSubstr;

const layers::RunOptions kRun = {.steps = 3625, .batch = 16, .seed = 7};

std::vector<std::string> NamesOf(const std::vector<Row>& rows) {
  std::vector<std::string> names;
  for (const Row& row : rows) names.push_back(row.name);
  return names;
}

// The options of a row by their names; a flag is an option without a value.
std::map<std::string, std::string> OptionsOf(const Row& row) {
  std::map<std::string, std::string> options;
  std::string last;
  for (const std::string& word : TrainWords(row, 0.003)) {
    if (word.rfind("--", 0) == 0) {
      last = word;
      options[last] = "";
    } else {
      options[last] = word;
    }
  }
  return options;
}

// Number of options in which two rows differ.
int Differences(const Row& a, const Row& b) {
  const std::map<std::string, std::string> first = OptionsOf(a), second = OptionsOf(b);
  std::set<std::string> names;
  for (const auto& options : {first, second}) {
    for (const auto& [name, value] : options) names.insert(name);
  }
  return static_cast<int>(std::count_if(names.begin(), names.end(), [&](const std::string& name) {
    const auto one = first.find(name), other = second.find(name);
    return one == first.end() || other == second.end() || one->second != other->second;
  }));
}

TEST(Rows, DifferInOneThingFromOursOrThePapers) {
  const std::vector<Row> rows = MakeRows(kRun, 75, {25, 50});
  const auto named = [&](const std::string& name) { return ChooseRows(rows, {name})[0]; };
  for (const char* name : {"bodies-25", "bodies-50", "joints", "body-answers", "file-points", "flat", "tanhshrink",
                           "no-edges", "no-huber", "no-mirror"}) {
    EXPECT_EQ(Differences(named("ours"), named(name)), 1) << name;
  }
  for (const char* name : {"single-resolution", "single-resolution-wide", "positions", "mlp"}) {
    EXPECT_EQ(Differences(named("paper"), named(name)), 1) << name;
  }
  EXPECT_EQ(OptionsOf(named("dense-gat")).at("--features"), "positions");
}

TEST(Rows, ShareStepsBatchAndSeed) {
  const std::vector<Row> rows = MakeRows(kRun, 29);
  std::set<std::string> names;
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const std::map<std::string, std::string> options = OptionsOf(row);
    EXPECT_EQ(options.at("--steps"), "3625");
    EXPECT_EQ(options.at("--batch"), "16");
    EXPECT_EQ(options.at("--seed"), "7");
    EXPECT_EQ(options.at("--rate"), "0.003");
    EXPECT_NO_THROW(graphnet::DescribeNetwork(row.train.network, 30));
    EXPECT_FALSE(row.about.empty());
    EXPECT_TRUE(names.insert(row.name).second);
    EXPECT_EQ(row.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos);
  }
}

// 25 and 50 of the paper's 75.
TEST(Rows, WithFewerBodiesHaveThirdsUnlessToldOtherwise) {
  const auto counts = [](int bodies, const std::vector<int>& given) {
    std::vector<int> found;
    for (const Row& row : MakeRows(kRun, bodies, given)) {
      if (row.bodies > 0) found.push_back(row.bodies);
    }
    return found;
  };
  EXPECT_THAT(counts(75, {}), ElementsAre(25, 50));
  EXPECT_THAT(counts(29, {}), ElementsAre(10, 19));
  EXPECT_THAT(counts(2, {}), ElementsAre(1));
  EXPECT_THAT(counts(1, {}), ElementsAre());
  EXPECT_THAT(counts(29, {4, 8}), ElementsAre(4, 8));
  EXPECT_EQ(ErrorOf([&] { counts(29, {29}); }), "--bodies 29: the number of bodies to train on is 29; ask for fewer");
}

TEST(Rows, AreChosenByName) {
  const std::vector<Row> rows = MakeRows(kRun, 29);
  EXPECT_THAT(NamesOf(ChooseRows(rows, {"mlp", "ours"})), ElementsAre("ours", "mlp"));
  EXPECT_EQ(NamesOf(ChooseRows(rows, {})), NamesOf(rows));
  EXPECT_THAT(ErrorOf([&] { ChooseRows(rows, {"our"}); }),
              HasSubstr("--rows: there is no row 'our'; the nearest is 'ours', and all are ours, paper"));
}

}  // namespace
}  // namespace sinew::ablation
