#include "sinew/offline/corpus/section_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/nearest_words.h"

namespace sinew::corpus {

SectionReader::SectionReader(const TomlSection& section, std::string file)
    : section_(section), file_(std::move(file)) {}

void SectionReader::Fail(const std::string& problem) const {
  throw InputError(file_, fmt::format("line {}", section_.line), problem, kRecipeRemedy);
}

void SectionReader::FailAt(const char* key, const std::string& problem) const {
  const auto found = std::find_if(section_.settings.begin(), section_.settings.end(),
                                  [&](const TomlSetting& setting) { return setting.key == key; });
  const int line = found == section_.settings.end() ? section_.line : found->line;
  throw InputError(file_, fmt::format("line {}", line), fmt::format("'{}' {}", key, problem), kRecipeRemedy);
}

const TomlSetting* SectionReader::Find(const char* key) {
  known_.emplace_back(key);
  for (const TomlSetting& setting : section_.settings) {
    if (setting.key == key) return &setting;
  }
  return nullptr;
}

std::string SectionReader::Text(const char* key, std::string otherwise) {
  const TomlSetting* setting = Find(key);
  if (setting == nullptr) return otherwise;
  if (!setting->value.is_string()) FailAt(key, "must be a text in quotes");
  return setting->value.get<std::string>();
}

std::string SectionReader::Choice(const char* key, const std::vector<std::string>& choices, std::string otherwise) {
  std::string text = Text(key, std::move(otherwise));
  if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
    FailAt(key, fmt::format("is \"{}\", and must be one of {}", text, fmt::join(choices, ", ")));
  }
  return text;
}

std::vector<std::string> SectionReader::Texts(const char* key, std::vector<std::string> otherwise) {
  const TomlSetting* setting = Find(key);
  if (setting == nullptr) return otherwise;
  const Json& list = setting->value;
  if (!list.is_array() || !std::all_of(list.begin(), list.end(), [](const Json& entry) { return entry.is_string(); })) {
    FailAt(key, "must be a list of texts, such as [\"a\", \"b\"]");
  }
  return list.get<std::vector<std::string>>();
}

bool SectionReader::Flag(const char* key, bool otherwise) {
  const TomlSetting* setting = Find(key);
  if (setting == nullptr) return otherwise;
  if (!setting->value.is_boolean()) FailAt(key, "must be true or false");
  return setting->value.get<bool>();
}

double SectionReader::NumberOf(const char* key, const Json& value, double low, double high) const {
  const double number = value.is_number() ? value.get<double>() : NAN;
  if (!(number >= low && number <= high)) FailAt(key, fmt::format("must be a number from {:g} to {:g}", low, high));
  return number;
}

double SectionReader::Number(const char* key, double low, double high, double otherwise) {
  const TomlSetting* setting = Find(key);
  return setting == nullptr ? otherwise : NumberOf(key, setting->value, low, high);
}

int64_t SectionReader::Whole(const char* key, int64_t low, int64_t high, int64_t otherwise) {
  const TomlSetting* setting = Find(key);
  if (setting == nullptr) return otherwise;
  const Json& value = setting->value;
  const bool fits = value.is_number_integer() && (!value.is_number_unsigned() || value.get<uint64_t>() <= INT64_MAX) &&
                    value.get<int64_t>() >= low && value.get<int64_t>() <= high;
  if (!fits) FailAt(key, fmt::format("must be a whole number from {} to {}", low, high));
  return value.get<int64_t>();
}

std::array<double, 2> SectionReader::Range(const char* key, double low, double high, std::array<double, 2> otherwise) {
  const TomlSetting* setting = Find(key);
  if (setting == nullptr) return otherwise;
  if (!setting->value.is_array() || setting->value.size() != 2) FailAt(key, "must be two numbers, [LEAST, MOST]");
  const std::array<double, 2> range = {NumberOf(key, setting->value[0], low, high),
                                       NumberOf(key, setting->value[1], low, high)};
  if (range[0] > range[1]) FailAt(key, "must have the smaller number first");
  return range;
}

std::array<int, 2> SectionReader::WholeRange(const char* key, int low, int high, std::array<int, 2> otherwise) {
  const std::array<double, 2> range = Range(key, low, high, {1.0 * otherwise[0], 1.0 * otherwise[1]});
  if (range[0] != std::floor(range[0]) || range[1] != std::floor(range[1])) FailAt(key, "must be whole numbers");
  return {static_cast<int>(range[0]), static_cast<int>(range[1])};
}

void SectionReader::End() const {
  std::set<std::string> given;
  for (const TomlSetting& setting : section_.settings) {
    const auto fail = [&](const std::string& problem) {
      throw InputError(file_, fmt::format("line {}", setting.line), problem, kRecipeRemedy);
    };
    if (std::find(known_.begin(), known_.end(), setting.key) == known_.end()) {
      fail(fmt::format("[{}] has no '{}'; the nearest is '{}'", section_.name, setting.key,
                       Nearest(setting.key, known_)));
    }
    if (!given.insert(setting.key).second) fail(fmt::format("gives '{}' a second time", setting.key));
  }
}

}  // namespace sinew::corpus
