// Bundles with floats in place of half floats: the same character, number by number.
#include "sinew/runtime/asset/unpack.h"

#include <gtest/gtest.h>

#include <cstring>

#include "sinew/offline/core/block.h"
#include "tests/offline/bake/baking.h"

namespace sinew::bake {
namespace {

using runtime::Bundle;
using runtime::Precision;
using runtime::Status;
using testing::RandomPose;
using testing::SmallCharacter;

const SmallCharacter& Small() {
  static const SmallCharacter small = testing::MakeSmallCharacter();
  return small;
}

BakedBundle Baked(Precision precision) {
  return BuildBundle(Small().hierarchy, Small().deformer, {}, {.precision = precision});
}

bool HasHalves(const Bundle& bundle) {
  const auto is_half = [](uint32_t precision) { return static_cast<Precision>(precision) == Precision::kF16; };
  if (bundle.ranges().test_count() > 0 && bundle.ranges().precision() == Precision::kF16) return true;
  for (int i = 1; i <= bundle.level_count(); ++i) {
    const runtime::BundleLevel& level = bundle.level(i);
    for (const runtime::BasisTable* basis : {&level.basis, &level.own_basis}) {
      if (!basis->empty() && basis->precision() == Precision::kF16) return true;
    }
    for (int n = 0; n < level.networks.network_count(); ++n) {
      if (is_half(level.networks.network(n).precision)) return true;
    }
  }
  return false;
}

TEST(Unpack, GivesTheSameBitsWithoutHalfFloats) {
  for (const Precision precision : {Precision::kF16, Precision::kI8}) {
    const BakedBundle packed = Baked(precision);
    ASSERT_TRUE(HasHalves(packed.bundle));
    Block file(static_cast<size_t>(runtime::UnpackedBytes(packed.bundle)));
    EXPECT_GT(file.bytes().size(), packed.file.bytes().size());
    ASSERT_EQ(runtime::Unpack(packed.bundle, file.bytes()), Status::kOk);
    Bundle unpacked;
    const char* problem = nullptr;
    ASSERT_EQ(Bundle::Open(file.bytes(), &unpacked, &problem), Status::kOk) << problem;
    EXPECT_FALSE(HasHalves(unpacked));
    EXPECT_EQ(runtime::UnpackedBytes(unpacked), 0u);
    EXPECT_EQ(unpacked.info(), packed.bundle.info());
    const Skeleton& skeleton = Small().hierarchy.levels.back().character.skeleton;
    for (uint64_t seed = 1; seed <= 4; ++seed) {
      const Pose pose = RandomPose(skeleton, seed);
      for (int i = 1; i <= unpacked.level_count(); ++i) {
        const DeformedLevel a = Deform(packed.bundle, pose, i), b = Deform(unpacked, pose, i);
        EXPECT_EQ(a.evaluation.out_of_range, b.evaluation.out_of_range);
        EXPECT_EQ(a.positions, b.positions) << "level " << i;
        EXPECT_EQ(a.normals, b.normals) << "level " << i;
        EXPECT_NE(a.positions, Deform(packed.bundle, skeleton.RestPose(), i).positions);
      }
    }
  }
}

TEST(Unpack, RefusesWhatIsNotToBeUnpacked) {
  const BakedBundle floats = Baked(Precision::kF32), packed = Baked(Precision::kF16);
  EXPECT_EQ(runtime::UnpackedBytes(floats.bundle), 0u);
  Block file(static_cast<size_t>(runtime::UnpackedBytes(packed.bundle)) + 64);
  const std::span<std::byte> room = file.bytes();
  EXPECT_EQ(runtime::Unpack(floats.bundle, room), Status::kInvalidArgument);
  EXPECT_EQ(runtime::Unpack(floats.bundle, {}), Status::kInvalidArgument);
  EXPECT_EQ(runtime::Unpack(packed.bundle, room), Status::kInvalidArgument);
  EXPECT_EQ(runtime::Unpack(packed.bundle, room.subspan(4, room.size() - 64)), Status::kInvalidArgument);
  EXPECT_EQ(runtime::Unpack(packed.bundle, room.first(room.size() - 128)), Status::kInvalidArgument);
  EXPECT_EQ(runtime::Unpack(packed.bundle, room.first(room.size() - 64)), Status::kOk);
}

}  // namespace
}  // namespace sinew::bake
