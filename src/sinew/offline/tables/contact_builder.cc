#include "sinew/offline/tables/contact_builder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "sinew/offline/core/error.h"
#include "sinew/runtime/base/half.h"

namespace sinew::tables {
namespace {

using runtime::ContactTable;
using Field = ContactTable::Field;
constexpr size_t kNumbers = ContactTable::kHandleNumbers;
constexpr float kLargestHalf = 65504;

[[noreturn]] void Refuse(const RawContactField& field, const char* problem) {
  throw InputError("the contact field", field.name, problem, "train it again");
}

bool AreHalves(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float x) { return std::abs(x) <= kLargestHalf; });
}

void Check(const RawContactField& raw) {
  const auto width = static_cast<size_t>(std::max(raw.width, 0));
  if (raw.name.empty() || raw.name.size() >= ContactTable::kNameBytes) Refuse(raw, "has no name, or a very long one");
  if (width < 1 || width > ContactTable::kMaxWidth || raw.A.size() != ContactTable::kPlaceNumbers * width ||
      raw.C.size() != ContactTable::kTouchNumbers * width || raw.b.size() != width || raw.W.size() != 3 * width) {
    Refuse(raw, "has layers of a size that is not allowed");
  }
  bool sound = AreHalves(raw.A) && AreHalves(raw.C) && AreHalves(raw.b) && AreHalves(raw.W) && AreHalves(raw.distances);
  size_t samples = 1;
  for (const int count : raw.counts) {
    sound = sound && count >= 2 && count <= static_cast<int>(ContactTable::kMaxSamples);
    samples *= static_cast<size_t>(std::max(count, 0));
  }
  for (const RawContactHandle& handle : raw.handles) {
    sound = sound && handle.joint >= 0 && handle.joint <= 65535 && AreHalves(handle.B) &&
            handle.B.size() == kNumbers * width;
  }
  if (!sound || raw.distances.size() != samples) Refuse(raw, "has arrays or numbers that are not allowed");
}

// Appends rows of `width` floats as halves, each filled up with zeros.
void AddHalves(const std::vector<float>& rows, size_t width, size_t padded, std::vector<uint16_t>& to) {
  for (size_t first = 0; first < rows.size(); first += width) {
    for (size_t i = 0; i < padded; ++i) to.push_back(i < width ? runtime::FloatToHalf(rows[first + i]) : 0);
  }
}

// Arrays of a field as they are stored; they must live until the block is written.
struct Stored {
  std::vector<uint16_t> joints, A, B, C, W, distances;
  std::vector<float> shares, limits, b;
};

Stored Store(const RawContactField& raw, size_t padded) {
  Stored stored;
  const auto width = static_cast<size_t>(raw.width);
  AddHalves(raw.A, width, padded, stored.A);
  AddHalves(raw.C, width, padded, stored.C);
  AddHalves(raw.W, width, padded, stored.W);
  AddHalves(raw.distances, raw.distances.size(), raw.distances.size(), stored.distances);
  stored.b = raw.b;
  stored.b.resize(padded, 0.0f);
  for (const RawContactHandle& handle : raw.handles) {
    stored.joints.push_back(static_cast<uint16_t>(handle.joint));
    stored.shares.push_back(handle.share);
    stored.limits.insert(stored.limits.end(), handle.least.begin(), handle.least.end());
    stored.limits.insert(stored.limits.end(), handle.most.begin(), handle.most.end());
    AddHalves(handle.B, width, padded, stored.B);
  }
  return stored;
}

Field Describe(const RawContactField& raw, size_t padded) {
  Field field{};
  std::memcpy(field.name, raw.name.data(), raw.name.size());
  field.width = static_cast<uint32_t>(padded);
  field.handle_count = static_cast<uint32_t>(raw.handles.size());
  field.unit = raw.unit;
  field.output = raw.output;
  field.window = raw.window;
  field.depth = raw.depth;
  field.largest = raw.largest;
  for (size_t k = 0; k < 3; ++k) {
    field.counts[k] = static_cast<uint32_t>(raw.counts[k]);
    field.origin[k] = raw.origin[k];
    field.spacing[k] = raw.spacing[k];
    field.last_bias[k] = raw.c[k];
  }
  std::copy(raw.least.begin(), raw.least.end(), field.least);
  std::copy(raw.most.begin(), raw.most.end(), field.most);
  std::copy(raw.touch_least.begin(), raw.touch_least.end(), field.touch_least);
  std::copy(raw.touch_most.begin(), raw.touch_most.end(), field.touch_most);
  return field;
}

void LayOut(const Stored& stored, BlockLayout& layout, Field& field) {
  field.joints_offset = layout.Add(stored.joints);
  field.shares_offset = layout.Add(stored.shares);
  field.limits_offset = layout.Add(stored.limits);
  field.place_offset = layout.Add(stored.A);
  field.touch_offset = layout.Add(stored.C);
  field.bias_offset = layout.Add(stored.b);
  field.handles_offset = layout.Add(stored.B);
  field.last_offset = layout.Add(stored.W);
  field.distances_offset = layout.Add(stored.distances);
}

std::vector<float> Floats(const uint16_t* halves, size_t count) {
  std::vector<float> floats(count);
  std::transform(halves, halves + count, floats.begin(), runtime::HalfToFloat);
  return floats;
}

}  // namespace

BuiltContact BuildContact(const std::vector<RawContactField>& raw) {
  constexpr size_t kUnit = ContactTable::kWidthUnit;
  if (raw.size() > ContactTable::kMaxFields) {
    throw InputError("the contact field", raw[ContactTable::kMaxFields].name,
                     "is one more than the " + std::to_string(ContactTable::kMaxFields) + " that a bundle can hold",
                     "use another bundle for it");
  }
  std::vector<Stored> stored;
  std::vector<Field> fields;
  for (size_t f = 0; f < raw.size(); ++f) {
    Check(raw[f]);
    for (size_t other = 0; other < f; ++other) {
      if (raw[other].name == raw[f].name) Refuse(raw[f], "has the name of another");
    }
    const size_t padded = (static_cast<size_t>(raw[f].width) + kUnit - 1) / kUnit * kUnit;
    stored.push_back(Store(raw[f], padded));
    fields.push_back(Describe(raw[f], padded));
  }
  BlockLayout layout;
  ContactTable::Header header{};
  layout.Reserve(sizeof(header));
  for (size_t f = 0; f < fields.size(); ++f) LayOut(stored[f], layout, fields[f]);
  header.magic = ContactTable::Header::kMagic;
  header.field_count = static_cast<uint32_t>(fields.size());
  header.fields_offset = layout.Add(fields);
  header.bytes = layout.bytes();
  BuiltContact built{layout.Write(header), {}};
  if (ContactTable::Open(built.block.bytes(), &built.table) != runtime::Status::kOk) {
    // Of several fields the one that does not open by itself is to blame.
    if (raw.size() > 1) {
      for (const RawContactField& field : raw) BuildContact({field});
    }
    throw InputError("the contact field", raw.empty() ? "" : raw.front().name,
                     "has a window that does not end within the distance grid, or numbers out of their range",
                     "make the grid larger or train again");
  }
  return built;
}

std::vector<RawContactField> FieldsOf(const ContactTable& table) {
  std::vector<RawContactField> fields;
  for (int i = 0; i < table.field_count(); ++i) {
    const Field& f = table.field(i);
    RawContactField& raw = fields.emplace_back();
    raw.name = table.name(i);
    raw.width = static_cast<int>(f.width);
    raw.unit = f.unit;
    raw.output = f.output;
    raw.window = f.window;
    raw.depth = f.depth;
    raw.largest = f.largest;
    for (size_t k = 0; k < 3; ++k) {
      raw.counts[k] = static_cast<int>(f.counts[k]);
      raw.origin[k] = f.origin[k];
      raw.spacing[k] = f.spacing[k];
      raw.c[k] = f.last_bias[k];
    }
    std::copy_n(f.least, raw.least.size(), raw.least.begin());
    std::copy_n(f.most, raw.most.size(), raw.most.begin());
    std::copy_n(f.touch_least, raw.touch_least.size(), raw.touch_least.begin());
    std::copy_n(f.touch_most, raw.touch_most.size(), raw.touch_most.begin());
    raw.A = Floats(table.Array<uint16_t>(f.place_offset), ContactTable::kPlaceNumbers * size_t{f.width});
    raw.C = Floats(table.Array<uint16_t>(f.touch_offset), ContactTable::kTouchNumbers * size_t{f.width});
    raw.W = Floats(table.Array<uint16_t>(f.last_offset), 3 * size_t{f.width});
    raw.b.assign(table.Array<float>(f.bias_offset), table.Array<float>(f.bias_offset) + f.width);
    raw.distances = Floats(table.Array<uint16_t>(f.distances_offset), ContactTable::SampleCount(f));
    const float* limits = table.Array<float>(f.limits_offset);
    for (uint32_t h = 0; h < f.handle_count; ++h, limits += 2 * kNumbers) {
      RawContactHandle& handle = raw.handles.emplace_back();
      handle.joint = table.Array<uint16_t>(f.joints_offset)[h];
      handle.share = table.Array<float>(f.shares_offset)[h];
      std::copy_n(limits, kNumbers, handle.least.begin());
      std::copy_n(limits + kNumbers, kNumbers, handle.most.begin());
      handle.B = Floats(table.Array<uint16_t>(f.handles_offset) + h * kNumbers * f.width, kNumbers * f.width);
    }
  }
  return fields;
}

}  // namespace sinew::tables
