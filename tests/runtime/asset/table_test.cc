// The tables open blocks that a file may have brought: every damaged one is refused, or harmless.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "sinew/offline/core/error.h"
#include "sinew/offline/tables/normal_builder.h"
#include "sinew/offline/tables/skin_builder.h"
#include "sinew/offline/tables/upsampling_builder.h"
#include "sinew/runtime/base/block_checks.h"
#include "sinew/runtime/multires/upsampling.h"
#include "sinew/runtime/skin/normals.h"
#include "sinew/runtime/skin/skin.h"
#include "tests/runtime/skin/meshes.h"

namespace sinew {
namespace {

using runtime::Affine;
using runtime::Float3;
using runtime::NormalTable;
using runtime::SkinTable;
using runtime::Status;
using runtime::UpsamplingTable;
using testing::Generator;

// Lengths around the width of vectors, one value at a time off.
template <typename T>
void ExpectBoundsToBeFound(const std::vector<uint32_t>& bounds) {
  for (const uint32_t bound : bounds) {
    for (size_t count = 0; count < 40; ++count) {
      std::vector<T> values(count);
      for (size_t i = 0; i < count; ++i) values[i] = static_cast<T>(bound == 0 ? 0 : (bound - 1) >> (i % 3));
      ASSERT_EQ(runtime::AllBelow(values.data(), count, bound), bound > 0 || count == 0) << bound << ' ' << count;
      for (size_t i = 0; i < count; ++i) {
        const T kept = values[i];
        for (const uint32_t wrong : {bound, bound + 1, 0x80000000u, 0xffffffffu}) {
          if (wrong > static_cast<T>(~T{0})) continue;
          values[i] = static_cast<T>(wrong);
          ASSERT_EQ(runtime::AllBelow(values.data(), count, bound), wrong < bound) << bound << ' ' << i;
        }
        values[i] = kept;
      }
    }
  }
}

TEST(BlockChecks, FindEveryIndexOutOfBounds) {
  ExpectBoundsToBeFound<uint16_t>({0, 1, 2, 1000, 32768, 65535, 65536});
  ExpectBoundsToBeFound<uint32_t>({0, 1, 2, 1000, 65536, 0x7fffffffu, 0x80000000u});
  const uint16_t corners[] = {0, 4, 8, 6};
  EXPECT_TRUE(runtime::AllMultiples(corners, 3, 4));
  EXPECT_FALSE(runtime::AllMultiples(corners, 4, 4));
  EXPECT_TRUE(runtime::AllMultiples(corners, 4, 2));
}

constexpr int kVertices = 300;
constexpr int kJoints = 5;

tables::BuiltSkin MakeSkin() {
  Generator generator(1);
  return tables::BuildSkin(testing::MakeSkin(generator, kVertices, kJoints, 4, false).plain(), kJoints, "mesh");
}

tables::BuiltNormals MakeNormals() {
  Generator generator(2);
  std::vector<Float3> positions;
  std::vector<uint32_t> triangles;
  for (int v = 0; v < kVertices; ++v) positions.push_back(generator.Point());
  for (uint32_t v = 0; v + 2 < kVertices; ++v) triangles.insert(triangles.end(), {v, v + 1, v + 2});
  // A fan, and a vertex that stands where another does.
  for (uint32_t v = 1; v + 1 < 150; ++v) triangles.insert(triangles.end(), {0, v, v + 1});
  positions[299] = positions[10];
  return tables::BuildNormals({positions, {}, triangles, {}}, "mesh");
}

constexpr int kCoarse = 80;

// far: two coarse vertices of one tile are so far from each other that corners have 32 bits.
tables::BuiltUpsampling MakeUpsampling(int coarse_count = kCoarse, bool far = false) {
  Generator generator(4);
  std::vector<uint32_t> corners;
  std::vector<double> weights;
  for (int v = 0; v < kVertices; ++v) {
    for (int c = 0; c < 3; ++c) corners.push_back(static_cast<uint32_t>(generator.Below(kCoarse)));
    weights.insert(weights.end(), {0.2, 0.3, 0.5});
  }
  if (far) corners[5] = static_cast<uint32_t>(coarse_count - 1);
  const tables::RawUpsampling raw{coarse_count, corners, weights};
  return tables::BuildUpsampling(raw, {.fine = tables::FollowingOrder(raw, {})}, "mesh");
}

void RunUpsampling(const UpsamplingTable& table, int coarse_count) {
  std::vector<Float3> coarse(coarse_count), fine(kVertices);
  for (const auto order : {runtime::VertexOrder::kFile, runtime::VertexOrder::kInternal}) {
    runtime::UpsamplingJob{.table = &table, .coarse = std::span(coarse), .fine = std::span(fine), .order = order}.Run();
  }
}

void RunSkin(const SkinTable& table) {
  std::vector<Affine> matrices(kJoints);
  std::vector<Float3> rest(kVertices), out(kVertices);
  runtime::LinearBlendJob job{.table = &table, .matrices = matrices, .streams = {}};
  job.streams.rest_positions = std::span<const Float3>(rest);
  job.streams.positions = std::span<Float3>(out);
  job.Run();
}

void RunNormals(const NormalTable& table) {
  std::vector<Float3> positions(kVertices), normals(kVertices);
  runtime::NormalsJob{.table = &table, .positions = std::span(positions), .normals = std::span(normals)}.Run();
}

Block Copy(const Block& block, size_t bytes) {
  Block copy(bytes);
  std::copy_n(block.bytes().begin(), bytes, copy.bytes().begin());
  return copy;
}

template <typename Table>
void ExpectEveryTruncationIsRefused(const Block& block) {
  for (size_t bytes = 0; bytes < block.bytes().size(); bytes += bytes < 512 ? 1 : 61) {
    const Block shorter = Copy(block, bytes);
    Table table;
    ASSERT_EQ(Table::Open(shorter.bytes(), &table), Status::kInvalidArgument) << bytes;
    ASSERT_TRUE(table.empty());
  }
}

// Flips bits all over the block: it is refused, or it runs without touching anything outside (the sanitizers watch).
template <typename Table, typename Run>
void ExpectDamageIsHarmless(const Block& block, const Run& run) {
  Generator generator(3);
  for (int i = 0; i < 3000; ++i) {
    Block damaged = Copy(block, block.bytes().size());
    for (int k = 0; k <= i % 3; ++k) {
      const int where = generator.Below(i % 2 == 0 ? 256 : static_cast<int>(block.bytes().size()));
      damaged.bytes()[where] ^= static_cast<std::byte>(1 << generator.Below(8));
    }
    Table table;
    if (Table::Open(damaged.bytes(), &table) == Status::kOk) run(table);
  }
}

TEST(SkinTable, EveryTruncationIsRefused) { ExpectEveryTruncationIsRefused<SkinTable>(MakeSkin().block); }
TEST(NormalTable, EveryTruncationIsRefused) { ExpectEveryTruncationIsRefused<NormalTable>(MakeNormals().block); }
TEST(UpsamplingTable, EveryTruncationIsRefused) {
  ExpectEveryTruncationIsRefused<UpsamplingTable>(MakeUpsampling().block);
}
TEST(UpsamplingTable, DamageIsRefusedOrHarmless) {
  ExpectDamageIsHarmless<UpsamplingTable>(MakeUpsampling().block,
                                          [](const UpsamplingTable& table) { RunUpsampling(table, kCoarse); });
  const tables::BuiltUpsampling far = MakeUpsampling(40000, true);
  ASSERT_FALSE(far.table.narrow());
  ExpectDamageIsHarmless<UpsamplingTable>(far.block, [](const UpsamplingTable& table) { RunUpsampling(table, 40000); });
}
TEST(SkinTable, DamageIsRefusedOrHarmless) { ExpectDamageIsHarmless<SkinTable>(MakeSkin().block, RunSkin); }
TEST(NormalTable, DamageIsRefusedOrHarmless) { ExpectDamageIsHarmless<NormalTable>(MakeNormals().block, RunNormals); }

TEST(SkinTable, AMisalignedBlockIsRefused) {
  const tables::BuiltSkin skin = MakeSkin();
  Block shifted(skin.block.bytes().size() + 4);
  std::memcpy(shifted.bytes().data() + 4, skin.block.bytes().data(), skin.block.bytes().size());
  SkinTable table;
  EXPECT_EQ(SkinTable::Open(shifted.bytes().subspan(4), &table), Status::kInvalidArgument);
  EXPECT_EQ(SkinTable::Open(skin.block.bytes(), nullptr), Status::kInvalidArgument);
}

TEST(SkinTable, HoldsWhatWasBuilt) {
  const tables::BuiltSkin skin = MakeSkin();
  EXPECT_EQ(skin.table.vertex_count(), kVertices);
  EXPECT_EQ(skin.table.joint_count(), kJoints);
  EXPECT_EQ(skin.table.max_influences(), 4);
  EXPECT_EQ(skin.table.tile_count(), 2);
}

std::string ErrorOf(const std::vector<uint16_t>& joints, const std::vector<float>& weights, int slots) {
  try {
    tables::BuildSkin({slots, joints, weights}, 10, "body.glb");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SkinBuilder, NamesTheVertexThatIsWrong) {
  EXPECT_EQ(ErrorOf({0, 1}, {1, 0}, 1), "body.glb: vertex 1: has no weight; give every vertex at least one joint");
  EXPECT_EQ(ErrorOf({0, 12}, {1, 1}, 1),
            "body.glb: vertex 1: is moved by joint 12 of 10; export the character again with all its joints");
  EXPECT_EQ(ErrorOf({0, 1}, {-1, 1}, 1), "body.glb: vertex 0: has a weight of -1.000000; paint its weights again");
  EXPECT_EQ(ErrorOf({0, 1}, {1, NAN}, 1), "body.glb: vertex 1: has a weight of nan; paint its weights again");
  EXPECT_EQ(ErrorOf({0, 1, 2, 3, 4, 5, 6, 7, 8}, std::vector<float>(9, 0.1f), 9),
            "body.glb: vertex 0: is moved by 9 joints, more than 8; limit its influences");
}

TEST(SkinBuilder, AddsUpSlotsOfOneJointSortsAndScales) {
  const tables::BuiltSkin skin =
      tables::BuildSkin({4, std::vector<uint16_t>{3, 5, 3, 7}, std::vector<float>{1, 3, 1, 0}}, 10, "mesh");
  const SkinTable::Tile& tile = skin.table.tile(0);
  EXPECT_EQ(tile.counts[1], 1);
  EXPECT_EQ(skin.table.joints()[0], 5);
  EXPECT_EQ(skin.table.joints()[1], 3);
  EXPECT_FLOAT_EQ(skin.table.weights()[0], 0.6f);
  EXPECT_FLOAT_EQ(skin.table.weights()[1], 0.4f);
}

}  // namespace
}  // namespace sinew
