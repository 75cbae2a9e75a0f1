// JsonBox: a JSON value as a member of a type whose header many files include. They need not parse the JSON library for
// it: only a file that opens the box includes core/json.h.
#ifndef SINEW_OFFLINE_CORE_JSON_BOX_H_
#define SINEW_OFFLINE_CORE_JSON_BOX_H_

#include <memory>
#include <nlohmann/json_fwd.hpp>

namespace sinew {

using Json = nlohmann::ordered_json;

// A value: copies are copies of the JSON, and two boxes are equal if their JSON is. A new box holds null.
class JsonBox {
 public:
  JsonBox();
  JsonBox(Json value);  // NOLINT(google-explicit-constructor): a box is its value
  JsonBox(const JsonBox& other);
  JsonBox& operator=(const JsonBox& other);
  // Leaves null behind.
  JsonBox(JsonBox&& other) noexcept;
  JsonBox& operator=(JsonBox&& other) noexcept;
  ~JsonBox();

  const Json& operator*() const;
  Json& operator*();

  friend bool operator==(const JsonBox& a, const JsonBox& b);

 private:
  std::unique_ptr<Json> value_;  // no pointer: null
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_JSON_BOX_H_
