// Every setting of every stage of a build: one table that files are read by, printed, explained and hashed.
#ifndef SINEW_OFFLINE_PIPELINE_SETTINGS_H_
#define SINEW_OFFLINE_PIPELINE_SETTINGS_H_

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/core/json.h"

namespace sinew::pipeline {

enum class Preset { kQuick, kGood, kFilm };
constexpr int kPresets = 3;
const char* Name(Preset preset);
// UsageError that lists the names if there is none like this.
Preset PresetNamed(std::string_view name);

enum class SettingKind { kWhole, kNumber, kFlag, kChoice, kText, kWholes, kTexts };

struct Setting {
  std::string section, key;
  SettingKind kind = SettingKind::kText;
  std::array<Json, kPresets> defaults;  // of each preset
  double low = 0, high = 0;             // of kWhole, kNumber and every entry of kWholes
  std::vector<std::string> choices;     // of kChoice
  std::string meaning;                  // one line
};

struct Section {
  std::string name;
  std::string meaning;  // one line
};

// In the order in which they are printed.
const std::vector<Section>& Sections();
const std::vector<Setting>& Settings();

// Nothing if the value is one that the setting takes, otherwise what is wrong with it: "is 3, and must be ...".
std::string Refusal(const Setting& setting, const Json& value);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_SETTINGS_H_
