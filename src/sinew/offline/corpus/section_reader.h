// Takes the settings of one section of a recipe, with checks of type and range. Internal to this folder.
#ifndef SINEW_OFFLINE_CORPUS_SECTION_READER_H_
#define SINEW_OFFLINE_CORPUS_SECTION_READER_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/core/toml.h"

namespace sinew::corpus {

// Every function throws InputError with the line of the setting if its value is of another type or out of range, and
// returns `otherwise` if the section lacks the setting.
class SectionReader {
 public:
  // Keeps a reference to the section. file: name for messages.
  SectionReader(const TomlSection& section, std::string file);

  std::string Text(const char* key, std::string otherwise = "");
  // choices: texts that are allowed.
  std::string Choice(const char* key, const std::vector<std::string>& choices, std::string otherwise);
  std::vector<std::string> Texts(const char* key, std::vector<std::string> otherwise = {});
  bool Flag(const char* key, bool otherwise);
  int64_t Whole(const char* key, int64_t low, int64_t high, int64_t otherwise);
  double Number(const char* key, double low, double high, double otherwise);
  // Two numbers, of which the first is not larger than the second.
  std::array<double, 2> Range(const char* key, double low, double high, std::array<double, 2> otherwise);
  std::array<int, 2> WholeRange(const char* key, int low, int high, std::array<int, 2> otherwise);

  // Throws InputError for a setting that was not asked for, with the nearest one that was, and for one that is given
  // twice.
  void End() const;
  [[noreturn]] void Fail(const std::string& problem) const;  // names the section's line
  [[noreturn]] void FailAt(const char* key, const std::string& problem) const;

 private:
  const TomlSetting* Find(const char* key);
  double NumberOf(const char* key, const Json& value, double low, double high) const;

  const TomlSection& section_;
  std::string file_;
  std::vector<std::string> known_;
};

// Remedy that every error in a recipe names.
inline constexpr const char* kRecipeRemedy = "docs/formats/corpus.md lists all settings";

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_SECTION_READER_H_
