#include "sinew/offline/core/file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "sinew/offline/core/error.h"
#include "tests/support/full_disk.h"
#include "tests/support/temporary_folder.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::FullDisk;
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

std::string FailureOf(const std::function<void()>& write) {
  try {
    write();
  } catch (const FailedError& error) {
    return error.what();
  }
  return "no failure";
}

TEST(File, AFullDiskIsOneSentenceAndLeavesTheOldFile) {
  const TemporaryFolder folder;
  WriteFileAtomic(folder / "a.txt", "old");
  for (const rlim_t room : {0, 1, 4096}) {
    const FullDisk disk(room);
    const std::string failure = FailureOf([&] { WriteFileAtomic(folder / "a.txt", std::string(10000, 'x')); });
    EXPECT_TRUE(failure.ends_with("a.txt: cannot be written: File too large")) << failure;
    EXPECT_EQ(ReadTextFile(folder / "a.txt"), "old");
    EXPECT_EQ(EntryCount(folder.path()), 1) << "half a file was left behind";
  }
}

TEST(File, AFolderThatDoesNotExistIsOneSentence) {
  const TemporaryFolder folder;
  const std::string failure = FailureOf([&] { WriteFileAtomic(folder / "no/such/folder/a.txt", "new"); });
  EXPECT_TRUE(failure.ends_with("a.txt: cannot be written: No such file or directory")) << failure;
}

TEST(Folder, AFullDiskLeavesTheOldOne) {
  const TemporaryFolder folder;
  const auto yes = [](const fs::path&) { return true; };
  const auto write = [&](size_t bytes) {
    WriteFolderAtomic(folder / "out", yes, [&](const fs::path& at) {
      WriteFileAtomic(at / "small", "x");
      WriteFileAtomic(at / "large", std::string(bytes, 'x'));
    });
  };
  write(100);
  const FullDisk disk(1000);
  EXPECT_NE(FailureOf([&] { write(2000); }).find("cannot be written: File too large"), std::string::npos);
  EXPECT_EQ(ReadTextFile(folder / "out/large").size(), 100u);
  EXPECT_EQ(EntryCount(folder.path()), 1);
}

// A child writes the file over and over, and is killed at some moment.
TEST(File, AKillLeavesTheOldFileOrTheNewOne) {
  const TemporaryFolder folder;
  const std::string texts[2] = {std::string(3000000, 'a'), std::string(2000000, 'b')};
  WriteFileAtomic(folder / "a.txt", texts[0]);
  for (int attempt = 0; attempt < 20; ++attempt) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (int i = 1;; ++i) {
        WriteFileAtomic(folder / "a.txt", texts[i % 2]);
        if (::write(pipe[1], "x", 1) != 1) ::_exit(1);
      }
    }
    // As many whole writes as this attempt's number, and then into the middle of another.
    for (int i = 0; i <= attempt % 3; ++i) {
      char written = 0;
      ASSERT_EQ(::read(pipe[0], &written, 1), 1);
    }
    const fs::path temporary = folder / fmt::format(".a.txt.{}.tmp", child);
    while (attempt % 2 == 0 && !fs::exists(temporary)) continue;
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    ::close(pipe[0]);
    ::close(pipe[1]);
    const std::string left = ReadTextFile(folder / "a.txt");
    EXPECT_TRUE(left == texts[0] || left == texts[1]) << left.size() << " bytes";
  }
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
