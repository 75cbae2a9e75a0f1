// Reads the fields of one JSON object that came from a file, naming file and place in every error.
#ifndef SINEW_OFFLINE_CORE_JSON_FIELDS_H_
#define SINEW_OFFLINE_CORE_JSON_FIELDS_H_

#include <array>
#include <cstdint>
#include <string>

#include "sinew/offline/core/json.h"

namespace sinew {

// Every function here throws InputError if a field is missing or of another type than asked for. Numbers are
// finite as floats, too.
class JsonFields {
 public:
  // json is kept by reference. place: where in the file it is, such as "joint 4"; remedy: what to do about errors.
  JsonFields(const Json& json, std::string file, std::string place, std::string remedy);

  [[noreturn]] void Fail(const std::string& problem) const;
  bool Has(const char* key) const { return json_.contains(key); }
  const Json& At(const char* key) const;
  std::string String(const char* key) const;
  std::string OptionalString(const char* key) const { return Has(key) ? String(key) : ""; }
  bool OptionalBool(const char* key) const;
  int64_t Integer(const char* key, int64_t low, int64_t high) const { return Integer(At(key), key, low, high); }
  // value: an element of the field `what`.
  int64_t Integer(const Json& value, const char* what, int64_t low, int64_t high) const;
  float Number(const char* key) const { return Number(At(key), key); }
  double Double(const char* key) const { return Double(At(key), key); }
  const Json& List(const char* key) const;
  template <size_t count>
  std::array<float, count> Numbers(const char* key) const {
    const Json& list = List(key);
    CheckSize(list, key, count);
    std::array<float, count> out;
    for (size_t k = 0; k < count; ++k) out[k] = Number(list[k], key);
    return out;
  }

 private:
  float Number(const Json& value, const char* what) const { return static_cast<float>(Double(value, what)); }
  double Double(const Json& value, const char* what) const;
  void CheckSize(const Json& list, const char* key, size_t count) const;

  const Json& json_;
  const std::string file_;
  const std::string place_;
  const std::string remedy_;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_JSON_FIELDS_H_
