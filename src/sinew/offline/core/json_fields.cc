#include "sinew/offline/core/json_fields.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "sinew/offline/core/error.h"

namespace sinew {

JsonFields::JsonFields(const Json& json, std::string file, std::string place, std::string remedy)
    : json_(json), file_(std::move(file)), place_(std::move(place)), remedy_(std::move(remedy)) {
  if (!json.is_object()) Fail("is not an object");
}

void JsonFields::Fail(const std::string& problem) const { throw InputError(file_, place_, problem, remedy_); }

const Json& JsonFields::At(const char* key) const {
  const auto found = json_.find(key);
  if (found == json_.end()) Fail(fmt::format("\"{}\" is missing", key));
  return *found;
}

std::string JsonFields::String(const char* key) const {
  const Json& value = At(key);
  if (!value.is_string()) Fail(fmt::format("\"{}\" is not a string", key));
  return value.get<std::string>();
}

bool JsonFields::OptionalBool(const char* key) const {
  if (!Has(key)) return false;
  if (!At(key).is_boolean()) Fail(fmt::format("\"{}\" is not true or false", key));
  return At(key).get<bool>();
}

int64_t JsonFields::Integer(const Json& value, const char* what, int64_t low, int64_t high) const {
  const bool whole = value.is_number_integer() &&
                     (!value.is_number_unsigned() || value.get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX));
  if (!whole || value.get<int64_t>() < low || value.get<int64_t>() > high) {
    Fail(fmt::format("\"{}\" is not a whole number from {} to {}", what, low, high));
  }
  return value.get<int64_t>();
}

const Json& JsonFields::List(const char* key) const {
  const Json& list = At(key);
  if (!list.is_array()) Fail(fmt::format("\"{}\" is not a list", key));
  return list;
}

double JsonFields::Double(const Json& value, const char* what) const {
  if (!value.is_number()) Fail(fmt::format("\"{}\" is not a number", what));
  const double number = value.get<double>();
  if (!(std::abs(number) <= std::numeric_limits<float>::max()))
    Fail(fmt::format("\"{}\" is not a finite number", what));
  return number;
}

void JsonFields::CheckSize(const Json& list, const char* key, size_t count) const {
  if (list.size() != count) Fail(fmt::format("\"{}\" does not hold {} numbers", key, count));
}

}  // namespace sinew
