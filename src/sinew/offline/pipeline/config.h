// Settings of one build: those of a preset, changed by a configuration file and by single assignments.
// Format: docs/formats/build-config.md.
#ifndef SINEW_OFFLINE_PIPELINE_CONFIG_H_
#define SINEW_OFFLINE_PIPELINE_CONFIG_H_

#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/pipeline/settings.h"

namespace sinew::pipeline {

class Config {
 public:
  explicit Config(Preset preset = Preset::kQuick);

  // Applies the text of a configuration file: keys that it names take its values, the others keep theirs. Throws
  // InputError with the line number; for an unknown key also with the nearest known one. file: name for messages.
  void Apply(std::string_view text, const std::string& file);
  // Applies one assignment such as "training.epsilon=1e-4" (SECTION.KEY=VALUE, values as in a file; quotes around texts
  // may be left out). Throws UsageError.
  void Set(const std::string& assignment);

  // Returns every setting with its value, its meaning and the defaults of the presets, as a file that Apply() can read.
  std::string Text() const;

  // Return the value of a setting, which must exist and be of the type asked for.
  const Json& At(std::string_view section, std::string_view key) const;
  int Whole(std::string_view section, std::string_view key) const { return static_cast<int>(Double(section, key)); }
  double Double(std::string_view section, std::string_view key) const { return At(section, key).get<double>(); }
  bool Flag(std::string_view section, std::string_view key) const { return At(section, key).get<bool>(); }
  std::string String(std::string_view section, std::string_view key) const { return At(section, key); }
  std::vector<std::string> Strings(std::string_view section, std::string_view key) const { return At(section, key); }

  // Returns {"section.key": value} for all keys of a section, or for the given ones only: the settings that the result
  // of a stage depends on.
  Json Section(std::string_view section) const;
  Json Pick(std::string_view section, const std::vector<std::string>& keys) const;

 private:
  std::vector<Json> values_;  // one per entry of Settings()
};

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_CONFIG_H_
