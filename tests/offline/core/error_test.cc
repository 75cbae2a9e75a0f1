#include "sinew/offline/core/error.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "sinew/offline/core/write_error.h"

namespace sinew {
namespace {

TEST(Error, InputErrorIsOneSentenceWithFilePlaceProblemRemedy) {
  const InputError whole("a.glb", "accessor 3", "is too short", "export it again");
  EXPECT_STREQ(whole.what(), "a.glb: accessor 3: is too short; export it again");
  EXPECT_EQ(whole.kind(), ErrorKind::kInput);
  const InputError bare("a.glb", "", "is empty", "");
  EXPECT_STREQ(bare.what(), "a.glb: is empty");
}

TEST(Error, WriteErrorNamesTheFileAndSaysThatTheDiskIsFull) {
  const WriteError full("a.glb", ENOSPC);
  EXPECT_STREQ(full.what(), "a.glb: cannot be written: the disk is full (No space left on device)");
  EXPECT_EQ(full.kind(), ErrorKind::kFailed);
  EXPECT_NE(std::string(WriteError("a.glb", EDQUOT).what()).find("your share of the disk is full"), std::string::npos);
  EXPECT_STREQ(WriteError("a.glb", EACCES).what(), "a.glb: cannot be written: Permission denied");
}

}  // namespace
}  // namespace sinew
