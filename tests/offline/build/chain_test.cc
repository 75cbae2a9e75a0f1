#include "sinew/offline/build/chain.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/support/temporary_folder.h"

namespace sinew::build {
namespace {

std::map<std::string, Json> SettingsOfStages(const Config& config) {
  const Request request{.character = "", .config = config, .seed = 1};
  std::map<std::string, Json> settings;
  for (const Stage& stage : MakeStages(request, FindSubject(request))) settings[stage.name] = stage.settings;
  return settings;
}

// Another value than the default that the setting takes. file: one that exists.
std::string OtherValue(const Setting& setting, const std::string& file) {
  const Json& value = setting.defaults[0];
  switch (setting.kind) {
    case SettingKind::kWhole:
    case SettingKind::kNumber:
      return Json(value == Json(setting.low) ? setting.high : setting.low).dump();
    case SettingKind::kFlag:
      return value.get<bool>() ? "false" : "true";
    case SettingKind::kChoice:
      return setting.choices[0] == value.get<std::string>() ? setting.choices[1] : setting.choices[0];
    case SettingKind::kWholes:
      return "[50]";
    default:
      return file;
  }
}

TEST(Chain, EverySettingDecidesOverSomeStage) {
  const testing::TemporaryFolder folder;
  WriteFileAtomic(folder / "file.bvh", "anything");
  const std::map<std::string, Json> before = SettingsOfStages(Config());
  for (const Setting& setting : Settings()) {
    const std::string name = setting.section + "." + setting.key;
    SCOPED_TRACE(name);
    Config config;
    config.Set(name + "=" + OtherValue(setting, folder / "file.bvh"));
    std::map<std::string, Json> after = SettingsOfStages(config);
    EXPECT_NE(after.at("report"), before.at("report")) << "the page shows all";
    after["report"] = before.at("report");
    if (setting.section != "report") {
      EXPECT_NE(after, before);
    }
  }
}

TEST(Chain, StagesReadOnlyWhatEarlierOnesWrite) {
  const Request request{.character = "", .config = Config(), .seed = 1};
  std::set<std::string> written;
  for (const Stage& stage : MakeStages(request, FindSubject(request))) {
    SCOPED_TRACE(stage.name);
    for (const std::string& need : stage.needs) EXPECT_TRUE(written.contains(need)) << need;
    EXPECT_FALSE(stage.outputs.empty());
    EXPECT_GT(stage.cost, 0);
    for (const std::string& output : stage.outputs) EXPECT_TRUE(written.insert(output).second) << output;
  }
}

}  // namespace
}  // namespace sinew::build
