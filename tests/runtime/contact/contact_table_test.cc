// Contact tables: what is written is read, and no damaged block is believed.
#include "sinew/runtime/contact/contact_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "sinew/offline/core/error.h"
#include "sinew/offline/tables/contact_builder.h"
#include "tests/support/contact_fields.h"

namespace sinew {
namespace {

using runtime::ContactTable;
using runtime::Status;
using tables::RawContactField;
using testing::SphereField;

Block Copy(std::span<const std::byte> bytes) {
  Block block(bytes.size());
  std::copy(bytes.begin(), bytes.end(), block.bytes().begin());
  return block;
}

Status Opens(const Block& block) {
  ContactTable table;
  return ContactTable::Open(block.bytes(), &table);
}

TEST(ContactTable, HoldsWhatWasGiven) {
  const std::vector<RawContactField> raw = {SphereField({.joints = 3, .width = 20, .seed = 4}),
                                            SphereField({.name = "other", .joints = 5, .width = 64, .seed = 5})};
  const tables::BuiltContact built = tables::BuildContact(raw);
  ASSERT_EQ(built.table.field_count(), 2);
  EXPECT_EQ(built.table.name(0), "ball");
  EXPECT_EQ(built.table.joint_bound(), 5);
  EXPECT_EQ(built.table.field(0).width, 32u);
  const std::vector<RawContactField> read = tables::FieldsOf(built.table);
  EXPECT_EQ(read[1].handles.size(), 5u);
  for (size_t i = 0; i < raw[1].A.size(); ++i) EXPECT_NEAR(read[1].A[i], raw[1].A[i], 1e-3);
  for (size_t i = 0; i < raw[1].handles[2].B.size(); ++i) {
    EXPECT_NEAR(read[1].handles[2].B[i], raw[1].handles[2].B[i], 1e-3);
  }
  // Reading and writing again changes nothing.
  const tables::BuiltContact again = tables::BuildContact(read);
  ASSERT_EQ(again.block.bytes().size(), built.block.bytes().size());
  EXPECT_EQ(std::memcmp(again.block.bytes().data(), built.block.bytes().data(), built.block.bytes().size()), 0);
}

TEST(ContactTable, EveryTruncationIsRefused) {
  const tables::BuiltContact built = tables::BuildContact({SphereField({})});
  const std::span<const std::byte> bytes = std::as_const(built.block).bytes();
  for (size_t size = 0; size < bytes.size(); ++size) {
    ContactTable table;
    ASSERT_NE(ContactTable::Open(bytes.first(size), &table), Status::kOk) << size;
    ASSERT_EQ(table.field_count(), 0);
  }
}

TEST(ContactTable, NumbersOutOfTheirRangeAreRefused) {
  const tables::BuiltContact built = tables::BuildContact({SphereField({.joints = 2})});
  const ContactTable::Field& field = built.table.field(0);
  const std::byte* start = std::as_const(built.block).bytes().data();
  const auto damaged = [&](const void* at, auto value) {
    Block block = Copy(std::as_const(built.block).bytes());
    std::memcpy(block.bytes().data() + (static_cast<const std::byte*>(at) - start), &value, sizeof(value));
    return Opens(block);
  };
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();
  for (const float* number :
       {&field.unit, &field.output, &field.window, &field.depth, &field.largest, field.origin + 1, field.spacing + 2,
        field.least, field.most + 5, field.touch_least + 6, field.touch_most, field.last_bias}) {
    EXPECT_NE(damaged(number, nan), Status::kOk);
    EXPECT_NE(damaged(number, infinite), Status::kOk);
  }
  for (const float* number : {&field.unit, &field.output, &field.window, &field.depth, field.spacing}) {
    EXPECT_NE(damaged(number, 0.0f), Status::kOk);
  }
  EXPECT_NE(damaged(built.table.Array<float>(field.shares_offset) + 1, 1.5f), Status::kOk);
  EXPECT_NE(damaged(built.table.Array<float>(field.limits_offset) + 30, nan), Status::kOk);
  EXPECT_NE(damaged(built.table.Array<float>(field.bias_offset) + 31, infinite), Status::kOk);
  EXPECT_NE(damaged(built.table.Array<uint16_t>(field.joints_offset) + 1, uint16_t{0}), Status::kOk);
  for (const uint64_t offset :
       {field.place_offset, field.touch_offset, field.handles_offset, field.last_offset, field.distances_offset}) {
    EXPECT_NE(damaged(built.table.Array<uint16_t>(offset) + 5, uint16_t{0x7e00}), Status::kOk);
  }
  for (const uint32_t* count : {&field.width, &field.handle_count, field.counts, field.counts + 2}) {
    for (const uint32_t value : {0xffffffffu, 1u << 20, 4095u}) EXPECT_NE(damaged(count, value), Status::kOk);
  }
  EXPECT_NE(damaged(field.name + 63, 'x'), Status::kOk);
  for (const uint64_t* offset :
       {&field.joints_offset, &field.shares_offset, &field.limits_offset, &field.place_offset, &field.touch_offset,
        &field.bias_offset, &field.handles_offset, &field.last_offset, &field.distances_offset}) {
    for (const uint64_t value : {uint64_t{1}, uint64_t{1} << 40, ~uint64_t{63}}) {
      EXPECT_NE(damaged(offset, value), Status::kOk);
    }
  }
}

TEST(ContactTable, AWindowThatReachesBeyondTheGridIsRefused) {
  RawContactField wide = SphereField({});
  wide.window = 1.5f;
  try {
    tables::BuildContact({wide});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("ball"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("distance grid"), std::string::npos);
  }
}

TEST(ContactTable, OfSeveralFieldsTheRightOneIsNamed) {
  const auto refused = [](const std::vector<RawContactField>& fields) -> std::string {
    try {
      tables::BuildContact(fields);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  RawContactField wide = SphereField({.name = "wide"});
  wide.window = 1.5f;
  EXPECT_NE(refused({SphereField({.name = "first"}), wide, SphereField({.name = "last"})}).find("wide"),
            std::string::npos);
  std::vector<RawContactField> many;
  for (uint32_t f = 0; f <= ContactTable::kMaxFields; ++f) {
    many.push_back(SphereField({.name = "ball " + std::to_string(f)}));
  }
  EXPECT_NE(refused(many).find("ball 64: is one more than the 64"), std::string::npos);
  many.pop_back();
  EXPECT_EQ(refused(many), "");
}

TEST(ContactTable, FieldsThatDoNotFitAreRefusedByName) {
  const auto refused = [](RawContactField field) {
    EXPECT_THROW(tables::BuildContact({std::move(field)}), InputError);
  };
  for (int kind = 0; kind < 7; ++kind) {
    RawContactField field = SphereField({});
    if (kind == 0) field.A.pop_back();
    if (kind == 1) field.W[3] = std::nanf("");
    if (kind == 2) field.name = "";
    if (kind == 3) field.distances.pop_back();
    if (kind == 4) field.handles[0].B[7] = 1e6f;
    if (kind == 5) field.counts[1] = 1;
    if (kind == 6) field.C.pop_back();
    refused(std::move(field));
  }
  EXPECT_THROW(tables::BuildContact({SphereField({}), SphereField({})}), InputError);
}

}  // namespace
}  // namespace sinew
