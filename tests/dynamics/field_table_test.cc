#include "sinew/dynamics/field_table.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>

#include "sinew/offline/core/error.h"
#include "sinew/runtime/kernels/smooth_tanh.h"
#include "tests/support/error_of.h"
#include "tests/support/small_dents.h"
#include "tests/support/soft_objects.h"

namespace sinew::dynamics {
namespace {

using runtime::Status;
using sinew::testing::SmallDent;
using sinew::testing::SmallSoftObject;

Block Copy(std::span<const std::byte> bytes) {
  Block copy(bytes.size());
  if (!bytes.empty()) std::memcpy(copy.bytes().data(), bytes.data(), bytes.size());
  return copy;
}

TEST(FieldTable, HoldsTheColliderAndFitsItsObjectAlone) {
  const contact::LoadedDent dent = SmallDent(2);
  const contact::PlaneObject& worm = sinew::testing::DentedWorm();
  ASSERT_EQ(dent.table.corner_count(), static_cast<int>(worm.collider.corners().size()));
  for (int c = 0; c < dent.table.corner_count(); ++c) {
    EXPECT_EQ(dent.table.corners()[2 * c], worm.collider.corners()[static_cast<size_t>(c)][0]);
  }
  EXPECT_EQ(dent.table.header().rounding, worm.collider.rounding());
  EXPECT_TRUE(dent.table.Fits(SmallSoftObject("worm").table));
  EXPECT_FALSE(dent.table.Fits(SmallSoftObject("jelly").table));
  EXPECT_FALSE(dent.table.Fits(SmallSoftObject("ring").table));
}

TEST(FieldTable, EveryTruncationIsRefused) {
  const contact::LoadedDent dent = SmallDent(2);
  FieldTable table;
  for (size_t size = 0; size < dent.file.bytes().size(); ++size) {
    Block cut = Copy(dent.file.bytes().first(size));
    EXPECT_NE(FieldTable::Open(cut.bytes(), &table), Status::kOk) << size;
    contact::SealDent(cut.bytes());
    EXPECT_NE(FieldTable::Open(cut.bytes(), &table), Status::kOk) << size;
  }
}

TEST(FieldTable, EveryBrokenByteIsRefused) {
  contact::LoadedDent dent = SmallDent(1);
  FieldTable table;
  for (size_t at = 0; at < dent.file.bytes().size(); ++at) {
    dent.file.bytes()[at] ^= std::byte{0x10};
    EXPECT_NE(FieldTable::Open(dent.file.bytes(), &table), Status::kOk) << at;
    dent.file.bytes()[at] ^= std::byte{0x10};
  }
}

TEST(FieldTable, RefusesWhatLeadsOutside) {
  using Header = FieldTable::Header;
  const auto status_of = [](const std::function<void(Header&, std::byte*)>& change) {
    contact::LoadedDent dent = SmallDent(2);
    change(*reinterpret_cast<Header*>(dent.file.bytes().data()), dent.file.bytes().data());
    contact::SealDent(dent.file.bytes());
    FieldTable table;
    return FieldTable::Open(dent.file.bytes(), &table);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(status_of([](Header&, std::byte*) {}), Status::kOk);
  EXPECT_EQ(status_of([](Header& h, std::byte*) { h.version = 2; }), Status::kUnsupported);
  const std::vector<std::function<void(Header&, std::byte*)>> changes = {
      [](Header& h, std::byte*) { h.width = 0; },
      [](Header& h, std::byte*) { h.width = 1024; },
      [](Header& h, std::byte*) { h.width = UINT32_MAX; },
      [](Header& h, std::byte*) { h.layers = 3; },
      [](Header& h, std::byte*) { h.handle_count = 2; },
      [](Header& h, std::byte*) { h.basis_count = 8; },
      [](Header& h, std::byte*) { h.corner_count = 257; },
      [](Header& h, std::byte*) { h.corner_count = 2; },
      [](Header& h, std::byte*) { h.second_offset = 1ull << 60; },
      [](Header& h, std::byte*) { h.output_offset += 4; },
      [](Header& h, std::byte*) { h.window = 0; },
      [](Header& h, std::byte*) { h.touch = 0; },
      [nan](Header& h, std::byte*) { h.rounding = nan; },
      [](Header& h, std::byte* file) { *reinterpret_cast<uint32_t*>(file + h.handles_offset) = 7; },
      [nan](Header& h, std::byte* file) { *reinterpret_cast<double*>(file + h.corners_offset) = nan; },
      [](Header& h, std::byte* file) { *reinterpret_cast<float*>(file + h.second_offset) = INFINITY; },
      [](Header& h, std::byte* file) { *reinterpret_cast<float*>(file + h.output_bias_offset) = NAN; }};
  for (size_t i = 0; i < changes.size(); ++i) EXPECT_EQ(status_of(changes[i]), Status::kInvalidArgument) << i;
}

TEST(FieldTable, FilesThatAreNoneAreNamed) {
  EXPECT_NE(testing::ErrorOf([] { contact::OpenDent(Block(3), "x.dent"); }).find("x.dent"), std::string::npos);
  contact::LoadedDent dent = SmallDent(1);
  dent.file.bytes()[300] ^= std::byte{1};
  EXPECT_NE(testing::ErrorOf([&] { contact::OpenDent(std::move(dent.file), "x.dent"); }).find("checksum"),
            std::string::npos);
}

TEST(SmoothTanh, IsTheHyperbolicTangent) {
  for (double x = -25; x < 25; x += 0.0037) EXPECT_NEAR(runtime::SmoothTanh(x), std::tanh(x), 1e-14) << x;
  EXPECT_EQ(runtime::SmoothTanh(0), 0);
  EXPECT_EQ(runtime::SmoothTanh(1e300), 1);
  EXPECT_EQ(runtime::SmoothTanh(-1e300), -1);
}

}  // namespace
}  // namespace sinew::dynamics
