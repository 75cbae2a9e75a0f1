// The settings of one build: a preset's, changed by a file and by single words. docs/formats/build-config.md.
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

  // Text of a file: sections and keys that it names take its values, the others stay. Throws InputError with the line,
  // for a key that there is not with the nearest one that there is.
  void Apply(std::string_view text, const std::string& file);
  // "training.epsilon=1e-4", as a file has it behind the section's name. Throws UsageError.
  void Set(const std::string& assignment);

  // Every setting with its value, its meaning and the defaults of the presets, as a file that Apply() takes.
  std::string Text() const;

  const Json& At(std::string_view section, std::string_view key) const;
  int Whole(std::string_view section, std::string_view key) const { return static_cast<int>(Double(section, key)); }
  double Double(std::string_view section, std::string_view key) const { return At(section, key).get<double>(); }
  bool Flag(std::string_view section, std::string_view key) const { return At(section, key).get<bool>(); }
  std::string String(std::string_view section, std::string_view key) const { return At(section, key); }
  std::vector<std::string> Strings(std::string_view section, std::string_view key) const { return At(section, key); }

  // {"section.key": value} of all keys of a section, or of these alone: what a stage's result depends on.
  Json Section(std::string_view section) const;
  Json Pick(std::string_view section, const std::vector<std::string>& keys) const;

 private:
  Preset preset_;
  std::vector<Json> values_;  // as Settings()
};

// The word of `known` that is nearest to `word` by letters changed, left out, added or exchanged.
std::string Nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_CONFIG_H_
