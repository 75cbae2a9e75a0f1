#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "sinew/offline/core/error.h"
#include "sinew/offline/io/gltf/document.h"

namespace sinew::gltf {
namespace {

// Returns the integer that a JSON number stands for, if any; JSON has one kind of number: 3 and 3.0 are both integers.
std::optional<int64_t> Whole(const Json& value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (value.is_number_unsigned()) {
    const auto number = value.get<uint64_t>();
    if (number > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
    return static_cast<int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const auto number = value.get<double>();
  if (std::floor(number) != number || std::abs(number) > kExact) return std::nullopt;
  return static_cast<int64_t>(number);
}

std::string Singular(const std::string& list) {
  if (list == "meshes") return "mesh";
  return list.substr(0, list.size() - 1);
}

}  // namespace

Object::Object(const SourceDocument& document, const Json& json, std::string place)
    : document_(&document), json_(&json), place_(std::move(place)) {
  if (!json.is_object()) Fail("is not a JSON object");
}

const Json& Object::At(const char* key) const {
  const auto found = json_->find(key);
  if (found == json_->end()) Fail(fmt::format("has no '{}'", key));
  return *found;
}

int64_t Object::Integer(const char* key, int64_t fallback, int64_t low, int64_t high) const {
  return Has(key) ? RequiredInteger(key, low, high) : fallback;
}

int64_t Object::RequiredInteger(const char* key, int64_t low, int64_t high) const {
  const Json& value = At(key);
  const std::optional<int64_t> whole = Whole(value);
  if (!whole) Fail(fmt::format("'{}' is not a whole number", key));
  if (*whole < low || *whole > high) Fail(fmt::format("'{}' is {}, outside of {} to {}", key, *whole, low, high));
  return *whole;
}

int Object::CheckedIndex(const Json& value, const char* key, const char* list) const {
  const std::optional<int64_t> whole = Whole(value);
  if (!whole) Fail(fmt::format("'{}' is not a whole number", key));
  const int count = Count(*document_, list);
  if (*whole < 0 || *whole >= count) {
    Fail(fmt::format("'{}' names {} {}, but there are {}", key, Singular(list), *whole, count));
  }
  return static_cast<int>(*whole);
}

int Object::Index(const char* key, const char* list) const { return Has(key) ? CheckedIndex(At(key), key, list) : -1; }

std::vector<int> Object::Indices(const char* key, const char* list) const {
  if (!Has(key)) return {};
  const Json& values = At(key);
  if (!values.is_array()) Fail(fmt::format("'{}' is not a list", key));
  std::vector<int> indices;
  indices.reserve(values.size());
  for (const Json& value : values) indices.push_back(CheckedIndex(value, key, list));
  return indices;
}

std::vector<float> Object::Floats(const char* key, size_t count) const {
  if (!Has(key)) return {};
  const Json& values = At(key);
  if (!values.is_array() || values.size() != count) Fail(fmt::format("'{}' is not a list of {} numbers", key, count));
  std::vector<float> floats;
  for (const Json& value : values) {
    if (!value.is_number() || std::abs(value.get<double>()) > std::numeric_limits<float>::max()) {
      Fail(fmt::format("'{}' is not a list of {} finite numbers", key, count));
    }
    floats.push_back(value.get<float>());
  }
  return floats;
}

bool Object::Bool(const char* key) const {
  if (!Has(key)) return false;
  const Json& value = At(key);
  if (!value.is_boolean()) Fail(fmt::format("'{}' is neither true nor false", key));
  return value.get<bool>();
}

std::string Object::String(const char* key) const {
  if (!Has(key)) return "";
  const Json& value = At(key);
  if (!value.is_string()) Fail(fmt::format("'{}' is not a text", key));
  return value.get<std::string>();
}

Object Object::Child(const char* key) const { return {*document_, At(key), fmt::format("{}, {}", place_, key)}; }

std::vector<Object> Object::Children(const char* key) const {
  const Json& values = At(key);
  if (!values.is_array()) Fail(fmt::format("'{}' is not a list", key));
  std::vector<Object> children;
  children.reserve(values.size());
  for (const Json& value : values) {
    children.emplace_back(*document_, value, fmt::format("{}, {} {}", place_, Singular(key), children.size()));
  }
  return children;
}

void Object::Fail(const std::string& problem, const std::string& remedy) const {
  throw InputError(document_->file, place_, problem, remedy);
}

int Count(const SourceDocument& document, const char* list) {
  const auto found = document.json.find(list);
  return found == document.json.end() ? 0 : static_cast<int>(found->size());
}

Object Item(const SourceDocument& document, const char* list, int index) {
  return {document, document.json.at(list).at(index), fmt::format("{} {}", Singular(list), index)};
}

int DefaultScene(const SourceDocument& document) {
  if (Count(document, "scenes") == 0) return -1;
  const Object root(document, document.json, "document");
  return root.Has("scene") ? root.Index("scene", "scenes") : 0;
}

}  // namespace sinew::gltf
