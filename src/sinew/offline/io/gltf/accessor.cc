#include "sinew/offline/io/gltf/accessor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace sinew::gltf {
namespace {

constexpr int64_t kMaxCount = std::numeric_limits<int32_t>::max();

// Elements of a known size at a known distance, all inside of a buffer. Null data stands for zeros.
struct Elements {
  const std::byte* data = nullptr;
  int64_t stride = 0;
};

AccessorInfo ReadInfo(const Object& accessor) {
  AccessorInfo info;
  info.component_type = static_cast<int>(accessor.RequiredInteger("componentType", 0, kMaxCount));
  if (ComponentSize(info.component_type) == 0) {
    accessor.Fail(fmt::format("has the unknown component type {}", info.component_type));
  }
  const std::string type = accessor.String("type");
  info.components = ComponentCount(type);
  if (info.components == 0) accessor.Fail(fmt::format("has the unknown type '{}'", type));
  info.count = accessor.RequiredInteger("count", 1, kMaxCount);
  info.normalized = accessor.Bool("normalized");
  return info;
}

// Finds `count` elements of `size` bytes each, from `owner`'s byteOffset in its buffer view, and checks that they lie
// within it.
Elements Locate(const SourceDocument& document, const Object& owner, int64_t count, int64_t size, int component_size,
                bool strided) {
  const int view_index = owner.Index("bufferView", "bufferViews");
  if (view_index < 0) return {};
  const Object view = Item(document, "bufferViews", view_index);
  // ParseDocument has checked that the view itself is inside of its buffer.
  const int buffer = view.Index("buffer", "buffers");
  const int64_t offset = view.Integer("byteOffset", 0, 0, std::numeric_limits<int64_t>::max());
  const int64_t length = view.RequiredInteger("byteLength", 1, std::numeric_limits<int64_t>::max());
  const int64_t stride = strided ? view.Integer("byteStride", size, 4, 252) : size;
  if (stride < size) view.Fail(fmt::format("its byteStride {} is less than an element's {} bytes", stride, size));
  const int64_t start = owner.Integer("byteOffset", 0, 0, std::numeric_limits<int64_t>::max());
  // count and stride are below 2^31 and 2^8: the products cannot overflow.
  const int64_t needed = (count - 1) * stride + size;
  if (start > length || needed > length - start) {
    owner.Fail(fmt::format("claims {} elements, which end at byte {} of buffer view {}, but it has {} bytes", count,
                           static_cast<uint64_t>(start) + static_cast<uint64_t>(needed), view_index, length));
  }
  if ((offset + start) % component_size != 0 || stride % component_size != 0) {
    owner.Fail(fmt::format("its elements are not aligned to their {} bytes", component_size));
  }
  return {document.buffers[buffer].data() + offset + start, stride};
}

template <typename Component>
Component Load(const std::byte* at) {
  Component value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Converts a component; glTF 2.0, 3.6.2.2, defines the value of a normalised integer.
template <typename Out, typename Component>
Out Convert(Component value, bool normalized) {
  if constexpr (std::is_same_v<Component, float> || !std::is_same_v<Out, float>) {
    return static_cast<Out>(value);
  } else {
    if (!normalized) return static_cast<float>(value);
    const float scaled = static_cast<float>(value) / static_cast<float>(std::numeric_limits<Component>::max());
    return std::max(scaled, -1.0f);
  }
}

template <typename Out, typename Component>
void Unpack(const Elements& from, int64_t count, int components, bool normalized, Out* out) {
  for (int64_t i = 0; i < count; ++i) {
    const std::byte* element = from.data + i * from.stride;
    for (int k = 0; k < components; ++k) {
      *out++ = Convert<Out>(Load<Component>(element + k * sizeof(Component)), normalized);
    }
  }
}

template <typename Out>
void UnpackAny(const Elements& from, int64_t count, const AccessorInfo& info, Out* out) {
  switch (info.component_type) {
    case kByte:
      return Unpack<Out, int8_t>(from, count, info.components, info.normalized, out);
    case kUnsignedByte:
      return Unpack<Out, uint8_t>(from, count, info.components, info.normalized, out);
    case kShort:
      return Unpack<Out, int16_t>(from, count, info.components, info.normalized, out);
    case kUnsignedShort:
      return Unpack<Out, uint16_t>(from, count, info.components, info.normalized, out);
    case kUnsignedInt:
      return Unpack<Out, uint32_t>(from, count, info.components, info.normalized, out);
    default:
      return Unpack<Out, float>(from, count, info.components, info.normalized, out);
  }
}

// Replaces some elements by others, given as increasing indices and new values (glTF 2.0, 3.6.2.3).
template <typename Out>
void ApplySparse(const SourceDocument& document, const Object& accessor, const AccessorInfo& info,
                 std::vector<Out>& values) {
  // Locate the indices and the values.
  const Object sparse = accessor.Child("sparse");
  const int64_t count = sparse.RequiredInteger("count", 1, info.count);
  const Object indices = sparse.Child("indices"), replacements = sparse.Child("values");
  AccessorInfo index_info{.component_type = static_cast<int>(indices.RequiredInteger("componentType", 0, kMaxCount)),
                          .components = 1,
                          .count = count,
                          .normalized = false};
  if (index_info.component_type != kUnsignedByte && index_info.component_type != kUnsignedShort &&
      index_info.component_type != kUnsignedInt) {
    indices.Fail("are not unsigned integers");
  }
  const int index_size = ComponentSize(index_info.component_type), size = ComponentSize(info.component_type);
  const Elements index_elements = Locate(document, indices, count, index_size, index_size, false);
  const Elements value_elements =
      Locate(document, replacements, count, static_cast<int64_t>(size) * info.components, size, false);
  if (index_elements.data == nullptr) indices.Fail("have no buffer view");
  if (value_elements.data == nullptr) replacements.Fail("have no buffer view");
  // Unpack both, and replace.
  std::vector<uint32_t> at(count);
  UnpackAny(index_elements, count, index_info, at.data());
  std::vector<Out> replaced(count * info.components);
  UnpackAny(value_elements, count, info, replaced.data());
  for (int64_t i = 0; i < count; ++i) {
    if (at[i] >= info.count || (i > 0 && at[i] <= at[i - 1])) {
      indices.Fail(fmt::format("element {} is {}: indices must increase and stay below {}", i, at[i], info.count));
    }
    std::copy_n(replaced.begin() + i * info.components, info.components,
                values.begin() + static_cast<int64_t>(at[i]) * info.components);
  }
}

template <typename Out>
std::vector<Out> ReadValues(const SourceDocument& document, const Object& accessor, const AccessorInfo& info,
                            Budget& budget) {
  const int component_size = ComponentSize(info.component_type);
  const Elements elements = Locate(document, accessor, info.count,
                                   static_cast<int64_t>(component_size) * info.components, component_size, true);
  budget.Charge(accessor, info.count * info.components * static_cast<int64_t>(sizeof(Out)));
  std::vector<Out> values(info.count * info.components);
  if (elements.data != nullptr) UnpackAny(elements, info.count, info, values.data());
  if (accessor.Has("sparse")) ApplySparse(document, accessor, info, values);
  return values;
}

void CheckComponents(const Object& accessor, const AccessorInfo& info, int components) {
  if (info.components == components) return;
  accessor.Fail(fmt::format("has {} numbers an element where {} are needed", info.components, components));
}

}  // namespace

int ComponentSize(int component_type) {
  switch (component_type) {
    case kByte:
    case kUnsignedByte:
      return 1;
    case kShort:
    case kUnsignedShort:
      return 2;
    case kUnsignedInt:
    case kFloat:
      return 4;
    default:
      return 0;
  }
}

int ComponentCount(const std::string& type) {
  if (type == "SCALAR") return 1;
  if (type == "VEC2") return 2;
  if (type == "VEC3") return 3;
  if (type == "VEC4" || type == "MAT2") return 4;
  if (type == "MAT3") return 9;
  return type == "MAT4" ? 16 : 0;
}

Budget::Budget(const SourceDocument& document) : left_(int64_t{64} << 20) {
  for (const Bytes& buffer : document.buffers) left_ += 256 * static_cast<int64_t>(buffer.size());
}

void Budget::Charge(const Object& culprit, int64_t bytes) {
  left_ -= bytes;
  if (left_ < 0) culprit.Fail("makes the file unpack to hundreds of times its own size", "use a smaller scene");
}

AccessorInfo AccessorReader::Info(int accessor) const { return ReadInfo(Item(document_, "accessors", accessor)); }

void AccessorReader::Refuse(int accessor, int64_t element, float value) const {
  Item(document_, "accessors", accessor)
      .Fail(fmt::format("element {} is {}", element, value), "repair the model and export it again");
}

std::vector<float> AccessorReader::Floats(int accessor, int components, Nan nan) {
  const Object object = Item(document_, "accessors", accessor);
  const AccessorInfo info = ReadInfo(object);
  CheckComponents(object, info, components);
  std::vector<float> values = ReadValues<float>(document_, object, info, budget_);
  const auto bad = std::find_if(values.begin(), values.end(), [&](float value) {
    return !std::isfinite(value) && !(nan == Nan::kKeep && std::isnan(value));
  });
  if (bad != values.end()) Refuse(accessor, (bad - values.begin()) / components, *bad);
  return values;
}

std::vector<uint32_t> AccessorReader::Integers(int accessor, int components) {
  const Object object = Item(document_, "accessors", accessor);
  const AccessorInfo info = ReadInfo(object);
  CheckComponents(object, info, components);
  if (info.component_type != kUnsignedByte && info.component_type != kUnsignedShort &&
      info.component_type != kUnsignedInt) {
    object.Fail("does not hold unsigned integers");
  }
  return ReadValues<uint32_t>(document_, object, info, budget_);
}

}  // namespace sinew::gltf
