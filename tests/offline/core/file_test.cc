#include "sinew/offline/core/file.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "tests/support/temporary_folder.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

int EntryCount(const fs::path& folder) {
  return static_cast<int>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(File, WritesAndReadsBack) {
  const TemporaryFolder folder;
  WriteFileAtomic(folder / "a.txt", "first");
  WriteFileAtomic(folder / "a.txt", "second");
  EXPECT_EQ(ReadTextFile(folder / "a.txt"), "second");
  EXPECT_EQ(EntryCount(folder.path()), 1) << "a temporary file was left behind";
}

TEST(File, SaysWhichFileIsMissing) {
  const TemporaryFolder folder;
  try {
    ReadFile(folder / "missing.glb");
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("missing.glb: No such file"), std::string::npos) << error.what();
  }
  EXPECT_THROW(ReadFile(folder.path()), InputError);
}

TEST(File, ADeviceThatIsFullIsAnErrorAndLeavesTheOldFile) {
  const TemporaryFolder folder;
  WriteFileAtomic(folder / "a.txt", "old");
  EXPECT_THROW(WriteFileAtomic(folder / "no/such/folder/a.txt", "new"), FailedError);
  EXPECT_EQ(ReadTextFile(folder / "a.txt"), "old");
}

TEST(Folder, TakesTheTargetsPlaceWhole) {
  const TemporaryFolder folder;
  const auto fill = [](const std::string& text) {
    return [text](const fs::path& at) { WriteFileAtomic(at / "x", text); };
  };
  const auto yes = [](const fs::path&) { return true; };
  WriteFolderAtomic(folder / "out", yes, fill("one"));
  WriteFolderAtomic(folder / "out", yes, fill("two"));
  EXPECT_EQ(ReadTextFile(folder / "out/x"), "two");
  EXPECT_EQ(EntryCount(folder.path()), 1);
}

TEST(Folder, AFailureLeavesTheOldOne) {
  const TemporaryFolder folder;
  const auto yes = [](const fs::path&) { return true; };
  WriteFolderAtomic(folder / "out", yes, [](const fs::path& at) { WriteFileAtomic(at / "x", "old"); });
  EXPECT_THROW(WriteFolderAtomic(folder / "out", yes,
                                 [](const fs::path& at) {
                                   WriteFileAtomic(at / "x", "half");
                                   throw FailedError("stopped");
                                 }),
               FailedError);
  EXPECT_EQ(ReadTextFile(folder / "out/x"), "old");
  EXPECT_EQ(EntryCount(folder.path()), 1);
}

TEST(Folder, DoesNotReplaceWhatItDoesNotKnow) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "precious");
  EXPECT_THROW(WriteFolderAtomic(
                   folder / "precious", [](const fs::path&) { return false; }, [](const fs::path&) {}),
               FailedError);
  EXPECT_TRUE(fs::exists(folder / "precious"));
}

}  // namespace
}  // namespace sinew
