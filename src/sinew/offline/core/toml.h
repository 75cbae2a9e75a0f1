// Reads settings from text: sections of KEY = VALUE, a small part of TOML (docs/formats/build-config.md).
#ifndef SINEW_OFFLINE_CORE_TOML_H_
#define SINEW_OFFLINE_CORE_TOML_H_

#include <string>
#include <string_view>
#include <vector>

#include "sinew/offline/core/json.h"

namespace sinew {

struct TomlSetting {
  std::string key;
  Json value;
  int line = 0;  // counted from 1
};

// Section as it stands in the file. One name may come several times.
struct TomlSection {
  std::string name;
  bool listed = false;  // whether it is an entry of a list: [[NAME]] instead of [NAME]
  int line = 0;
  std::vector<TomlSetting> settings;
};

// Parses a value: texts, numbers, flags and lists as in JSON, without lists in lists. Returns a discarded value if the
// text is invalid.
Json ParseTomlValue(std::string_view text);

// Parses a file. Throws InputError with the line number for anything that is not UTF-8, a comment, a section or a
// setting inside of one. remedy: what to do about errors.
std::vector<TomlSection> ParseToml(std::string_view text, const std::string& file, const std::string& remedy);

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_TOML_H_
