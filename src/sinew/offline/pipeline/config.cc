#include "sinew/offline/pipeline/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "sinew/offline/anatomy/roles.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/nearest_words.h"
#include "sinew/offline/core/toml.h"

namespace sinew::pipeline {
namespace {

size_t IndexOf(std::string_view section, std::string_view key) {
  const std::vector<Setting>& settings = Settings();
  const auto found = std::find_if(settings.begin(), settings.end(),
                                  [&](const Setting& s) { return s.section == section && s.key == key; });
  return static_cast<size_t>(found - settings.begin());
}

std::vector<std::string> KeysOf(std::string_view section) {
  std::vector<std::string> keys;
  for (const Setting& setting : Settings()) {
    if (setting.section == section) keys.push_back(setting.key);
  }
  return keys;
}

std::vector<std::string> SectionNames() {
  std::vector<std::string> names;
  for (const Section& section : Sections()) names.push_back(section.name);
  return names;
}

// Returns what is wrong with an unknown section or key; empty if it exists.
std::string Unknown(std::string_view section, std::string_view key) {
  const std::vector<std::string> sections = SectionNames(), keys = KeysOf(section);
  if (keys.empty()) {
    return fmt::format("there is no section [{}]; the nearest is [{}]", section, Nearest(section, sections));
  }
  if (key.empty() || IndexOf(section, key) < Settings().size()) return "";
  // The key of another section is a likelier mistake than a mistyped key.
  for (const Setting& setting : Settings()) {
    if (setting.key == key) return fmt::format("[{}] has no '{}'; it is in [{}]", section, key, setting.section);
  }
  return fmt::format("[{}] has no '{}'; the nearest is '{}'", section, key, Nearest(key, keys));
}

// Normalizes a value: whole numbers lose their decimal point and roles their extra blanks, so that 4.0 and 4 are the
// same value, and "Hair = thin" and "Hair=thin".
Json Normal(const Setting& setting, Json value) {
  const auto whole = [](const Json& number) { return Json(static_cast<int64_t>(number.get<double>())); };
  if (setting.kind == SettingKind::kWhole) return whole(value);
  if (setting.kind == SettingKind::kNumber) return value.get<double>();
  if (setting.kind == SettingKind::kRoles) return TextOf(ParseRoles(value.get<std::string>()));
  if (setting.kind == SettingKind::kWholes) {
    for (Json& entry : value) entry = whole(entry);
  }
  return value;
}

// Returns the shortest text that reads back as the same number.
std::string NumberText(const Json& value) {
  if (!value.is_number_float()) return JsonText(value);
  return fmt::format("{}", value.get<double>());
}

std::string ValueText(const Json& value) {
  if (!value.is_array()) return NumberText(value);
  std::string text;
  for (const Json& entry : value) text += (text.empty() ? "" : ", ") + NumberText(entry);
  return fmt::format("[{}]", text);
}

std::string Comment(const Setting& setting) {
  std::string text = fmt::format("# {}.", setting.meaning);
  if (!setting.choices.empty()) text += fmt::format(" One of {}.", fmt::join(setting.choices, ", "));
  const auto& d = setting.defaults;
  if (std::equal(d.begin() + 1, d.end(), d.begin())) return fmt::format("{} Default: {}\n", text, ValueText(d[0]));
  std::string defaults;
  for (int p = 0; p < kPresets; ++p) {
    defaults += fmt::format("{}{} {}", p == 0 ? "" : ", ", Name(static_cast<Preset>(p)), ValueText(d[p]));
  }
  return fmt::format("{} Default: {}\n", text, defaults);
}

}  // namespace

Config::Config(Preset preset) {
  for (const Setting& setting : Settings()) {
    values_.push_back(Normal(setting, setting.defaults[static_cast<int>(preset)]));
  }
}

void Config::Apply(std::string_view text, const std::string& file) {
  const char* const remedy = "'sinew build --print-config' shows all settings";
  std::set<size_t> given;
  for (const TomlSection& section : ParseToml(text, file, remedy)) {
    const auto fail = [&](int line, const std::string& problem) {
      throw InputError(file, fmt::format("line {}", line), problem, remedy);
    };
    if (section.listed) fail(section.line, fmt::format("[[{0}]] is no list; write [{0}]", section.name));
    if (const std::string unknown = Unknown(section.name, ""); !unknown.empty()) fail(section.line, unknown);
    for (const auto& [key, value, line] : section.settings) {
      if (const std::string unknown = Unknown(section.name, key); !unknown.empty()) fail(line, unknown);
      const size_t index = IndexOf(section.name, key);
      if (!given.insert(index).second) fail(line, fmt::format("gives '{}' a second time", key));
      if (const std::string refusal = Refusal(Settings()[index], value); !refusal.empty()) {
        fail(line, fmt::format("'{}' {}", key, refusal));
      }
      values_[index] = Normal(Settings()[index], value);
    }
  }
}

void Config::Set(const std::string& assignment) {
  const size_t equals = assignment.find('='), dot = assignment.find('.');
  if (equals == std::string::npos || dot == std::string::npos || dot > equals) {
    throw UsageError(fmt::format("--set {}: is not SECTION.KEY=VALUE, as in training.epsilon=1e-4", assignment));
  }
  const std::string section = assignment.substr(0, dot), key = assignment.substr(dot + 1, equals - dot - 1);
  if (const std::string unknown = Unknown(section, key.empty() ? " " : key); !unknown.empty()) {
    throw UsageError(fmt::format("--set {}: {}", assignment, unknown));
  }
  const size_t index = IndexOf(section, key);
  const Setting& setting = Settings()[index];
  const std::string written = assignment.substr(equals + 1);
  Json value = ParseTomlValue(written);
  // A shell removes quotes, so texts are accepted without them.
  const bool text =
      setting.kind == SettingKind::kText || setting.kind == SettingKind::kChoice || setting.kind == SettingKind::kRoles;
  if (text && !value.is_string()) value = written;
  if (setting.kind == SettingKind::kTexts && !value.is_array()) value = Json::array({written});
  if (value.is_discarded()) value = written;
  if (const std::string refusal = Refusal(setting, value); !refusal.empty()) {
    throw UsageError(fmt::format("--set {}: {} {}", assignment, key, refusal));
  }
  values_[index] = Normal(setting, value);
}

std::string Config::Text() const {
  std::string text = fmt::format(
      "# Settings of 'sinew build', with the values of this build and the defaults of the presets.\n"
      "# What is left out has the default of --preset. Numbers, true and false, \"texts\", [lists].\n");
  std::string section;
  for (size_t i = 0; i < values_.size(); ++i) {
    const Setting& setting = Settings()[i];
    if (setting.section != section) {
      section = setting.section;
      const auto& all = Sections();
      const auto found = std::find_if(all.begin(), all.end(), [&](const auto& s) { return s.name == section; });
      text += fmt::format("\n# {}.\n[{}]\n", found->meaning, section);
    }
    text += fmt::format("{}{} = {}\n", Comment(setting), setting.key, ValueText(values_[i]));
  }
  return text;
}

const Json& Config::At(std::string_view section, std::string_view key) const {
  return values_.at(IndexOf(section, key));
}

Json Config::Section(std::string_view section) const { return Pick(section, KeysOf(section)); }

Json Config::Pick(std::string_view section, const std::vector<std::string>& keys) const {
  Json picked = Json::object();
  for (const std::string& key : keys) picked[fmt::format("{}.{}", section, key)] = At(section, key);
  return picked;
}

}  // namespace sinew::pipeline
