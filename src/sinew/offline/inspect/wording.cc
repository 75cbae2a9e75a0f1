#include "sinew/offline/inspect/wording.h"

#include <fmt/format.h>

namespace sinew::inspect {
namespace {

// Plural of the nouns used in this folder: vertices, meshes, skeletons.
std::string Plural(std::string_view noun) {
  if (noun.ends_with("vertex")) return fmt::format("{}ices", noun.substr(0, noun.size() - 2));
  if (noun.ends_with("mesh")) return fmt::format("{}es", noun);
  return fmt::format("{}s", noun);
}

}  // namespace

std::string Grouped(int64_t number) {
  const std::string digits = std::to_string(number);
  const size_t first = number < 0 ? 1 : 0;
  std::string out;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > first && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string Counted(int64_t number, std::string_view noun) {
  return fmt::format("{} {}", Grouped(number), number == 1 ? std::string(noun) : Plural(noun));
}

std::string Verb(int64_t number, std::string_view noun, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", Counted(number, noun), number == 1 ? singular : plural);
}

std::string List(const std::vector<std::string>& items, size_t shown) {
  std::string list;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i == shown && items.size() > shown + 1) return list + fmt::format(" and {} more", items.size() - i);
    if (i > 0) list += ", ";
    list += items[i];
  }
  return list;
}

}  // namespace sinew::inspect
