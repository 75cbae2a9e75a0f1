// Table of every setting of every stage of a build. Configuration files are read, printed and explained by it, and the
// values that a stage depends on are taken from it.
#ifndef SINEW_OFFLINE_PIPELINE_SETTINGS_H_
#define SINEW_OFFLINE_PIPELINE_SETTINGS_H_

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/core/json.h"

namespace sinew::pipeline {

enum class Preset { kInstant, kQuick, kGood, kFilm };
constexpr int kPresets = 4;
const char* Name(Preset preset);
// Returns the preset of this name. Throws UsageError with a list of the names if there is none.
Preset PresetNamed(std::string_view name);

// kRoles: a text that ParseRoles() reads.
enum class SettingKind { kWhole, kNumber, kFlag, kChoice, kText, kRoles, kWholes, kTexts };

struct Setting {
  std::string section, key;
  SettingKind kind = SettingKind::kText;
  std::array<Json, kPresets> defaults;  // one per preset
  double low = 0, high = 0;             // range of kWhole, kNumber and every entry of kWholes
  std::vector<std::string> choices;     // possible values of kChoice
  std::string meaning;                  // one line
};

struct Section {
  std::string name;
  std::string meaning;  // one line
};

// Return all sections and all settings, in the order in which they are printed.
const std::vector<Section>& Sections();
const std::vector<Setting>& Settings();

// Returns an empty text if the value is valid, otherwise what is wrong with it: "is 3, and must be ...".
std::string Refusal(const Setting& setting, const Json& value);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_SETTINGS_H_
