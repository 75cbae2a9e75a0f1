// Crafted files through the C interface: refused, with a sentence.
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "sinew/runtime/asset/format.h"
#include "sinew/runtime/base/checksum.h"
#include "tests/capi/opened_character.h"

namespace sinew {
namespace {

namespace format = runtime::format;

const char* const kGolden = SINEW_SOURCE_DIR "/tests/golden/bundle_v1.sinew";

std::vector<char> GoldenFile() {
  std::ifstream file(kGolden, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

struct Table {
  explicit Table(std::vector<char>& bytes) : file(bytes) {
    std::memcpy(&header, file.data(), sizeof(header));
    entries.resize(header.section_count);
    std::memcpy(entries.data(), file.data() + sizeof(header), entries.size() * sizeof(entries[0]));
  }
  // Puts the table back with right checksums.
  void Store() {
    for (format::SectionEntry& entry : entries) {
      entry.checksum = runtime::Checksum(std::as_bytes(std::span(file)).subspan(entry.offset, entry.bytes));
    }
    header.table_checksum = runtime::Checksum(std::as_bytes(std::span(entries)));
    std::memcpy(file.data(), &header, sizeof(header));
    std::memcpy(file.data() + sizeof(header), entries.data(), entries.size() * sizeof(entries[0]));
  }
  format::SectionEntry& Find(format::SectionType type, uint32_t level) {
    for (format::SectionEntry& entry : entries) {
      if (entry.type == static_cast<uint32_t>(type) && entry.level == level) return entry;
    }
    ADD_FAILURE() << "no such section";
    return entries[0];
  }

  std::vector<char>& file;
  format::FileHeader header;
  std::vector<format::SectionEntry> entries;
};

std::string ProblemOf(const std::vector<char>& file) {
  sinew_character* character = nullptr;
  const char* problem = nullptr;
  const sinew_status status = sinew_open_memory(file.data(), file.size(), &character, &problem);
  EXPECT_EQ(status, problem == nullptr ? SINEW_OK : SINEW_BAD_FILE);
  EXPECT_EQ(character == nullptr, status != SINEW_OK);
  sinew_close(character);
  return problem == nullptr ? "" : problem;
}

TEST(CraftedFiles, WithASectionTwiceAreRefused) {
  std::vector<char> file = GoldenFile();
  Table table(file);
  table.Store();
  EXPECT_EQ(ProblemOf(file), "");
  table.Find(format::SectionType::kTexcoords, 2).type = static_cast<uint32_t>(format::SectionType::kRest);
  table.Store();
  EXPECT_EQ(ProblemOf(file), "the bundle has a section twice");
}

TEST(CraftedFiles, WithNumbersThatAreNotFiniteAreRefused) {
  std::vector<char> file = GoldenFile();
  Table table(file);
  const format::SectionEntry& rest = table.Find(format::SectionType::kRest, 1);
  format::RestHeader header;
  std::memcpy(&header, file.data() + rest.offset, sizeof(header));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(file.data() + rest.offset + header.normals_offset + 4, &nan, sizeof(nan));
  table.Store();
  EXPECT_EQ(ProblemOf(file), "a level's rest shape has a number that is not finite");
}

}  // namespace
}  // namespace sinew
