#include "sinew/offline/ablation/results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/offline/core/json_text.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"

namespace sinew::ablation {
namespace {

using testing::ErrorOf;
using ::testing::HasSubstr;

RowResult SmallResult() {
  const MethodResult method{"ours", {{"all", "all", 2, 20, {1.5, 2.5, 9, 12.25, 0.3}}, {"region", "head", 2, 20, {}}}};
  return {.name = "ours",
          .about = "our network",
          .model = "rows/trainings/ours-0.003.model",
          .rate = 0.003,
          .tried = {{0.001, 2.5}, {0.003, 1.0 / 3}},
          .validation = 1.0 / 3,
          .parameters = 745155,
          .best_step = 3600,
          .bodies = 2,
          .frames = 20,
          .test = "0123",
          .methods = {method}};
}

TEST(Results, AreReadAsTheyWereWritten) {
  const sinew::testing::TemporaryFolder folder;
  EXPECT_FALSE(ReadRowResult(folder / "ours.json"));
  EXPECT_FALSE(ReadSkinningResult(folder / "skinning.json"));
  const RowResult result = SmallResult();
  WriteResult(result, folder / "ours.json");
  const std::optional<RowResult> again = ReadRowResult(folder / "ours.json");
  ASSERT_TRUE(again);
  EXPECT_EQ(JsonOf(*again), JsonOf(result));
  EXPECT_EQ(again->tried, result.tried) << "to the last bit";
  EXPECT_FALSE(again->methods[0].parts[1].figures.share);
  const SkinningResult skinning{"0123", result.methods};
  WriteResult(skinning, folder / "skinning.json");
  EXPECT_EQ(JsonOf(*ReadSkinningResult(folder / "skinning.json")), JsonOf(skinning));
}

TEST(Results, OtherTextIsRefused) {
  const auto refusal = [](const char* key, const Json& value) {
    Json json = JsonOf(SmallResult());
    json[key] = value;
    return ErrorOf([&] { ParseRowResult(JsonText(json), "ours.json"); });
  };
  EXPECT_THAT(refusal("rate", "fast"), HasSubstr("ours.json"));
  EXPECT_THAT(refusal("frames", 0), HasSubstr("frames"));
  EXPECT_THAT(refusal("tried", Json::array({Json::object({{"rate", 1}})})), HasSubstr("validation_mm"));
  EXPECT_THAT(refusal("methods", Json::array()), HasSubstr("do not go together"));
  EXPECT_THAT(refusal("methods", Json::array({Json::object({{"method", "x"}, {"parts", Json::array()}})})),
              HasSubstr("is empty"));
  const std::string text = JsonText(JsonOf(SmallResult()));
  for (size_t size = 0; size < text.size(); ++size) {
    EXPECT_THAT(ErrorOf([&] { ParseRowResult(text.substr(0, size), "ours.json"); }), HasSubstr("ours.json")) << size;
  }
}

}  // namespace
}  // namespace sinew::ablation
