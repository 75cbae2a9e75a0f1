#include "sinew/offline/core/json_box.h"

#include <utility>

#include "sinew/offline/core/json.h"

namespace sinew {

JsonBox::JsonBox() = default;
JsonBox::JsonBox(Json value) : value_(std::make_unique<Json>(std::move(value))) {}
JsonBox::JsonBox(const JsonBox& other) : value_(std::make_unique<Json>(*other)) {}
JsonBox& JsonBox::operator=(const JsonBox& other) {
  if (this != &other) value_ = std::make_unique<Json>(*other);
  return *this;
}
JsonBox::JsonBox(JsonBox&& other) noexcept = default;
JsonBox& JsonBox::operator=(JsonBox&& other) noexcept = default;
JsonBox::~JsonBox() = default;

const Json& JsonBox::operator*() const {
  static const Json null;
  return value_ ? *value_ : null;
}

Json& JsonBox::operator*() {
  if (!value_) value_ = std::make_unique<Json>();
  return *value_;
}

bool operator==(const JsonBox& a, const JsonBox& b) { return *a == *b; }

}  // namespace sinew
