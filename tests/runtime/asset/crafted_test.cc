// Bundles whose checksums are right and whose contents are made to mislead a reader.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "sinew/host/mapped_file.h"
#include "sinew/offline/core/block.h"
#include "sinew/offline/tables/bundle_writer.h"
#include "sinew/runtime/asset/bundle.h"
#include "sinew/runtime/base/block_checks.h"
#include "sinew/runtime/base/checksum.h"

namespace sinew {
namespace {

namespace format = runtime::format;
using format::SectionEntry;
using format::SectionType;
using runtime::Bundle;
using runtime::Status;

struct OpenBundle {
  OpenBundle() {
    EXPECT_TRUE(file.Open(SINEW_SOURCE_DIR "/tests/golden/bundle_v1.sinew"));
    EXPECT_EQ(Bundle::Open(file.bytes(), &bundle), Status::kOk);
  }
  host::MappedFile file;
  Bundle bundle;
};

Block Copy(std::span<const std::byte> bytes) {
  Block block(bytes.size());
  std::copy(bytes.begin(), bytes.end(), block.bytes().begin());
  return block;
}

bool IsOf(const SectionEntry& entry, SectionType type, uint32_t level) {
  return entry.type == static_cast<uint32_t>(type) && entry.level == level;
}

// Writes a bundle's sections again. more(writer, entry, section) is called before each section, and returns whether the
// section itself is left out.
Block Rewritten(
    const Bundle& bundle, std::span<const std::byte> file,
    const std::function<bool(tables::BundleWriter&, const SectionEntry&, std::span<const std::byte>)>& more) {
  tables::BundleWriter writer;
  for (const SectionEntry& entry : bundle.sections()) {
    const std::span<const std::byte> section = file.subspan(entry.offset, entry.bytes);
    if (more(writer, entry, section)) continue;
    writer.Add(static_cast<SectionType>(entry.type), static_cast<int>(entry.level), section,
               (entry.flags & format::kRequired) != 0);
  }
  return writer.Write(bundle.level_count());
}

std::string ProblemOf(std::span<const std::byte> file) {
  Bundle bundle;
  const char* problem = nullptr;
  const Status status = Bundle::Open(file, &bundle, &problem);
  EXPECT_EQ(status == Status::kOk, problem == nullptr);
  EXPECT_EQ(bundle.empty(), status != Status::kOk);
  return problem == nullptr ? "" : problem;
}

TEST(CraftedBundle, WrittenAgainWithoutAChangeOpens) {
  const OpenBundle loaded;
  const Block same = Rewritten(loaded.bundle, loaded.file.bytes(), [](auto&, const auto&, auto) { return false; });
  EXPECT_EQ(ProblemOf(same.bytes()), "");
}

TEST(CraftedBundle, EverySectionThatIsThereTwiceIsRefused) {
  const OpenBundle loaded;
  for (const SectionEntry& twice : loaded.bundle.sections()) {
    const Block file =
        Rewritten(loaded.bundle, loaded.file.bytes(), [&](auto& writer, const auto& entry, auto section) {
          if (&entry == &twice)
            writer.Add(static_cast<SectionType>(entry.type), static_cast<int>(entry.level), section);
          return false;
        });
    EXPECT_EQ(ProblemOf(file.bytes()), "the bundle has a section twice") << "type " << twice.type;
  }
}

// A rest shape of one vertex with normals and tangents.
Block RestOfOneVertex() {
  Block block(4 * 64);
  format::RestHeader header{};
  header.vertex_count = header.has_normals = header.has_tangents = 1;
  header.positions_offset = 64;
  header.normals_offset = 128;
  header.tangents_offset = 192;
  std::memcpy(block.bytes().data(), &header, sizeof(header));
  return block;
}

// Read one after the other, the first would leave the level with one normal, the second with all its vertices.
TEST(CraftedBundle, ARestShapeBesideOneWithoutNormalsIsRefused) {
  const OpenBundle loaded;
  const Block file = Rewritten(loaded.bundle, loaded.file.bytes(), [](auto& writer, const auto& entry, auto section) {
    if (!IsOf(entry, SectionType::kRest, 2)) return false;
    writer.Add(SectionType::kRest, 2, RestOfOneVertex());
    Block without = Copy(section);
    reinterpret_cast<format::RestHeader*>(without.bytes().data())->has_normals = 0;
    reinterpret_cast<format::RestHeader*>(without.bytes().data())->has_tangents = 0;
    writer.Add(SectionType::kRest, 2, std::move(without));
    return true;
  });
  EXPECT_EQ(ProblemOf(file.bytes()), "the bundle has a section twice");
  const Block alone = Rewritten(loaded.bundle, loaded.file.bytes(), [](auto& writer, const auto& entry, auto) {
    if (!IsOf(entry, SectionType::kRest, 2)) return false;
    writer.Add(SectionType::kRest, 2, RestOfOneVertex());
    return true;
  });
  EXPECT_NE(ProblemOf(alone.bytes()).find("different numbers of vertices"), std::string::npos);
}

// A section with a part of an element behind its last whole one.
TEST(CraftedBundle, ListsThatAreNotWholeAreRefused) {
  const OpenBundle loaded;
  for (const SectionType type : {SectionType::kOrder, SectionType::kSeams}) {
    const Block file =
        Rewritten(loaded.bundle, loaded.file.bytes(), [&](auto& writer, const auto& entry, auto section) {
          if (IsOf(entry, type, 2)) return true;
          if (!IsOf(entry, SectionType::kRest, 2)) return false;
          const size_t whole =
              type == SectionType::kOrder ? 4 * static_cast<size_t>(loaded.bundle.level(2).vertex_count) : 8;
          writer.Add(type, 2, Block(whole + 1));
          writer.Add(SectionType::kRest, 2, section);
          return true;
        });
    EXPECT_NE(ProblemOf(file.bytes()).find("not whole"), std::string::npos);
  }
}

void Seal(Block& file) {
  auto& header = *reinterpret_cast<format::FileHeader*>(file.bytes().data());
  const std::span entries(reinterpret_cast<SectionEntry*>(file.bytes().data() + sizeof(header)), header.section_count);
  for (SectionEntry& entry : entries) {
    entry.checksum = runtime::Checksum(std::span<const std::byte>(file.bytes()).subspan(entry.offset, entry.bytes));
  }
  header.table_checksum = runtime::Checksum(std::as_bytes(entries));
}

struct Place {
  const void* at;
  runtime::Precision precision = runtime::Precision::kF32;
};

// A number of every table that is evaluated.
std::vector<Place> Numbers(const Bundle& bundle) {
  std::vector<Place> places = {{&bundle.rest_pose()[1].rotation.w}, {&bundle.inverse_binds()[0].m[13]}};
  const runtime::RangeTable& ranges = bundle.ranges();
  EXPECT_GT(ranges.test_count(), 0);
  places.push_back({ranges.L(ranges.test(0)), ranges.precision()});
  places.push_back({ranges.centres(ranges.test(ranges.test_count() - 1)), ranges.precision()});
  for (int i = 1; i <= bundle.level_count(); ++i) {
    const runtime::BundleLevel& level = bundle.level(i);
    const auto last = static_cast<size_t>(level.vertex_count) - 1;
    places.push_back({&level.rest_positions[last].z});
    places.push_back({&level.rest_normals[0].x});
    places.push_back({level.skin.weights()});
    places.push_back({level.texcoords->min});
    if (level.networks.network_count() > 0) {
      const runtime::NetworkTable::Network& network = level.networks.network(0);
      const auto precision = static_cast<runtime::Precision>(network.precision);
      const std::byte* weights = level.networks.weights(network);
      if (precision != runtime::Precision::kI8) places.push_back({weights, precision});
      places.push_back({weights + level.networks.bytes(0) - 64});
    }
    if (level.basis.empty() || level.basis.entry_count() == 0) continue;
    const bool bytes = level.basis.precision() == runtime::Precision::kI8;
    places.push_back(bytes ? Place{level.basis.scales()} : Place{level.basis.elements(), level.basis.precision()});
  }
  return places;
}

TEST(CraftedBundle, NumbersThatAreNotFiniteAreRefused) {
  const OpenBundle loaded;
  const std::byte* start = loaded.file.bytes().data();
  const std::vector<Place> places = Numbers(loaded.bundle);
  EXPECT_GT(places.size(), 15u);
  for (size_t i = 0; i < places.size(); ++i) {
    const float floats[] = {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()};
    const uint16_t halves[] = {0x7e00, 0xfc00};
    for (int kind = 0; kind < 2; ++kind) {
      Block file = Copy(loaded.file.bytes());
      std::byte* to = file.bytes().data() + (static_cast<const std::byte*>(places[i].at) - start);
      if (places[i].precision == runtime::Precision::kF32) {
        std::memcpy(to, &floats[kind], sizeof(float));
      } else {
        std::memcpy(to, &halves[kind], sizeof(uint16_t));
      }
      Seal(file);
      EXPECT_NE(ProblemOf(file.bytes()).find("not finite"), std::string::npos) << "place " << i << ", kind " << kind;
    }
  }
}

TEST(BlockChecks, FindEveryNumberThatIsNotFinite) {
  constexpr uint32_t kWords[] = {0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffffffffu, 0x7f800001u};
  constexpr uint16_t kHalves[] = {0x7c00, 0xfc00, 0x7e00, 0xffff, 0x7c01};
  for (size_t count = 1; count < 40; ++count) {
    std::vector<float> floats(count, -std::numeric_limits<float>::max());
    std::vector<uint16_t> halves(count, 0xfbff);
    const auto finite = [&](runtime::Precision precision) {
      const bool wide = precision == runtime::Precision::kF32;
      return runtime::AllFinite(
          wide ? std::as_bytes(std::span(floats)).data() : std::as_bytes(std::span(halves)).data(), count, precision);
    };
    ASSERT_TRUE(finite(runtime::Precision::kF32) && finite(runtime::Precision::kF16));
    for (size_t i = 0; i < count; ++i) {
      for (int kind = 0; kind < 5; ++kind) {
        std::vector<float> kept = floats;
        std::memcpy(&floats[i], &kWords[kind], sizeof(float));
        halves[i] = kHalves[kind];
        ASSERT_FALSE(finite(runtime::Precision::kF32)) << count << ' ' << i << ' ' << kind;
        ASSERT_FALSE(finite(runtime::Precision::kF16)) << count << ' ' << i << ' ' << kind;
        ASSERT_TRUE(finite(runtime::Precision::kI8));
        floats = kept;
        halves[i] = 0xfbff;
      }
    }
  }
}

}  // namespace
}  // namespace sinew
