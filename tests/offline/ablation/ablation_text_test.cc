#include "sinew/offline/ablation/ablation_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "sinew/offline/ablation/rows.h"

namespace sinew::ablation {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Two rows, of which one failed at one rate.
Ablation SmallAblation() {
  Ablation ablation;
  ablation.read = "a corpus";
  ablation.steps = 3625, ablation.batch = 16, ablation.bodies = 29, ablation.frames = 2900;
  ablation.rates = {1e-3, 3e-3};
  for (const Row& row : ChooseRows(MakeRows({}, 29), {"ours", "mlp"})) {
    ablation.rows.push_back({.name = row.name,
                             .about = row.about,
                             .model = row.name + ".model",
                             .rate = 3e-3,
                             .tried = {{1e-3, 2.5}, {3e-3, 1.9}},
                             .validation = 1.9,
                             .parameters = 745155,
                             .best_step = 3600,
                             .bodies = 29,
                             .frames = 2900});
  }
  ablation.rows[1].tried.pop_back();
  ablation.failures = {{"mlp-0.003", "the loss is not finite"}};
  return ablation;
}

// The cells of a table's lines, one number for all.
size_t ColumnsOf(const std::string& markdown) {
  std::istringstream text(markdown);
  size_t columns = 0;
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line[0] != '|') continue;
    const auto count = static_cast<size_t>(std::count(line.begin(), line.end(), '|')) - 1;
    if (columns == 0) columns = count;
    EXPECT_EQ(count, columns) << line;
  }
  return columns;
}

TEST(AblationText, WithoutATestHasTheValidationErrors) {
  Ablation ablation = SmallAblation();
  const std::string text = MarkdownOf(ablation);
  EXPECT_EQ(ColumnsOf(text), 7u);
  EXPECT_THAT(text, HasSubstr("every row 3625 steps of 16 frames, at each of the rates 0.001, 0.003"));
  EXPECT_THAT(text, HasSubstr("| ours | our network | 745155 | 29 | 2900 | 0.003 | 1.900 |"));
  EXPECT_THAT(text, HasSubstr("- mlp-0.003 failed: the loss is not finite\n"));
  EXPECT_THAT(text, Not(HasSubstr("of the pack")));
  ablation.packed = true;
  EXPECT_THAT(MarkdownOf(ablation), HasSubstr("were trained on the points of the pack"));
  EXPECT_THAT(CsvOf(ablation), HasSubstr("\"mlp\",validation,0.001,29,2900,2.5,,,,\n"));
  EXPECT_THAT(PlotOf(ablation), HasSubstr("<svg"));
  EXPECT_EQ(JsonOf(ablation)["rows"][0]["tried"].size(), 2u);
}

MethodResult Tested(const std::string& method, double share) {
  const auto part = [&](const char* kind, const char* name) {
    return PartFigures{kind, name, 2, 20, {8 * share, 9 * share, 20 * share, 30 * share, share}};
  };
  return {method, {part("all", "all"), part("family", "biped"), part("family", "cartoon"), part("region", "head")}};
}

TEST(AblationText, WithATestHasSkinningAndFamilies) {
  Ablation ablation = SmallAblation();
  ablation.skinning = {Tested("linear blend", 1), Tested("delta mush", 0.9)};
  ablation.rows[0].methods = {Tested("ours", 0.25), Tested(MovedName("ours"), 0.5)};
  const std::string text = MarkdownOf(ablation);
  EXPECT_EQ(ColumnsOf(text), 14u) << text;
  EXPECT_THAT(text, HasSubstr("| share | biped | cartoon | moved, mean, mm |"));
  EXPECT_THAT(text, HasSubstr("| delta mush | after linear blend | | | | | | 7.200 | 8.100 | 27.00 | 0.900 | 0.900 |"));
  EXPECT_THAT(text, HasSubstr("| 0.003 | 1.900 | 2.000 | 2.250 | 7.50 | 0.250 | 0.250 | 0.250 | 4.000 |"));
  EXPECT_THAT(text, HasSubstr("Tested on 20 frames of 2 bodies of 2 families"));
  EXPECT_THAT(CsvOf(ablation), HasSubstr("\"ours, moved\",family,\"biped\",2,20,4,"));
  EXPECT_THAT(PlotOf(ablation), HasSubstr("delta mush"));
  EXPECT_EQ(JsonOf(ablation)["skinning"].size(), 2u);
}

}  // namespace
}  // namespace sinew::ablation
