#include "sinew/offline/core/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <regex>
#include <set>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/read_below.h"
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

std::set<std::string> Temporaries(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".tmp") names.insert(entry.path().filename().string());
  }
  return names;
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
  EXPECT_EQ(FailureOf([&] { write(2000); }), (folder / "out/large").string() + ": cannot be written: File too large");
  EXPECT_EQ(ReadTextFile(folder / "out/large").size(), 100u);
  EXPECT_EQ(EntryCount(folder.path()), 1);
}

std::string RefusalOf(const fs::path& folder, const fs::path& relative) {
  try {
    ReadFileBelow(folder, relative);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no refusal";
}

TEST(File, ReadsBelowAFolderOnly) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "in/deep");
  WriteFileAtomic(folder / "secret", "secret");
  WriteFileAtomic(folder / "in/a", "a");
  WriteFileAtomic(folder / "in/deep/b", "b");
  const fs::path in = folder / "in";
  EXPECT_EQ(ReadFileBelow(in, "a").size(), 1u);
  EXPECT_EQ(ReadFileBelow(in, "deep/b").size(), 1u);
  EXPECT_EQ(ReadFileBelow(in, "./deep/./b").size(), 1u);
  for (const fs::path& out : {fs::path("../secret"), fs::path("deep/../../secret"), folder / "secret"}) {
    EXPECT_NE(RefusalOf(in, out).find("leads out of its folder"), std::string::npos) << RefusalOf(in, out);
  }
  // Links, to a file, to a folder and to nothing, also where they stay inside.
  fs::create_symlink(folder / "secret", in / "link");
  fs::create_symlink("a", in / "inside");
  fs::create_directory_symlink(folder.path(), in / "up");
  fs::create_symlink("nowhere", in / "dangling");
  for (const char* link : {"link", "inside", "up/secret", "up/in/a", "dangling"}) {
    EXPECT_NE(RefusalOf(in, link).find("is a link, which is not followed"), std::string::npos) << RefusalOf(in, link);
  }
  // The folder itself is the user's own word.
  EXPECT_EQ(ReadFileBelow(in / "up", "secret").size(), 6u);
  EXPECT_NE(RefusalOf(in, "deep").find("is not a regular file"), std::string::npos) << RefusalOf(in, "deep");
  EXPECT_NE(RefusalOf(in, "missing").find("No such file"), std::string::npos);
  EXPECT_NE(RefusalOf(in, "a/b").find("Not a directory"), std::string::npos);
}

// Nobody writes to the pipe: a reader that opened it as a file would wait for ever.
TEST(File, DoesNotWaitForAPipe) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_NE(RefusalOf(folder.path(), "pipe").find("is not a regular file"), std::string::npos);
  EXPECT_THROW(ReadFile(folder / "pipe"), InputError);
}

// A child writes the file over and over, and is killed at some moment.
TEST(File, AKillLeavesTheOldFileOrTheNewOne) {
  const TemporaryFolder folder;
  const std::string texts[2] = {std::string(3000000, 'a'), std::string(2000000, 'b')};
  WriteFileAtomic(folder / "a.txt", texts[0]);
  std::set<std::string> left_over;
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
    while (attempt % 2 == 0 && Temporaries(folder.path()).size() <= left_over.size()) continue;
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    ::close(pipe[0]);
    ::close(pipe[1]);
    const std::string left = ReadTextFile(folder / "a.txt");
    EXPECT_TRUE(left == texts[0] || left == texts[1]) << left.size() << " bytes";
    // What a kill leaves has a name that nobody could foresee, and that is known to be temporary.
    left_over = Temporaries(folder.path());
    for (const std::string& name : left_over) {
      EXPECT_TRUE(std::regex_match(name, std::regex("\\.a\\.txt\\.[0-9a-f]{16}\\.tmp"))) << name;
    }
    EXPECT_EQ(static_cast<size_t>(EntryCount(folder.path())), 1 + left_over.size());
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
