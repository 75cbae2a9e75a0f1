#include "sinew/host/mapped_file.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

namespace sinew::host {
namespace {

TEST(MappedFile, HoldsTheBytesOfAFileAndRefusesWhatIsNone) {
  const std::string path = ::testing::TempDir() + "mapped_file_test.bin";
  const std::string content(5000, 'x');
  std::ofstream(path) << content;
  MappedFile file;
  ASSERT_TRUE(file.Open(path.c_str()));
  ASSERT_EQ(file.bytes().size(), content.size());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(file.bytes().data()) % 64, 0u);
  EXPECT_EQ(std::memcmp(file.bytes().data(), content.data(), content.size()), 0);

  MappedFile moved = std::move(file);
  EXPECT_TRUE(file.bytes().empty()) << "NOLINT(bugprone-use-after-move): promised";
  EXPECT_EQ(moved.bytes().size(), content.size());
  moved = MappedFile();
  EXPECT_TRUE(moved.bytes().empty());

  std::ofstream(path, std::ios::trunc).flush();
  EXPECT_FALSE(moved.Open(path.c_str())) << "empty";
  EXPECT_FALSE(moved.Open("/nowhere/at/all"));
  EXPECT_FALSE(moved.Open(::testing::TempDir().c_str())) << "a folder";
  std::remove(path.c_str());
}

}  // namespace
}  // namespace sinew::host
