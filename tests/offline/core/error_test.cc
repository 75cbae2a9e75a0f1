#include "sinew/offline/core/error.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(Error, InputErrorIsOneSentenceWithFilePlaceProblemRemedy) {
  const InputError whole("a.glb", "accessor 3", "is too short", "export it again");
  EXPECT_STREQ(whole.what(), "a.glb: accessor 3: is too short; export it again");
  EXPECT_EQ(whole.kind(), ErrorKind::kInput);
  const InputError bare("a.glb", "", "is empty", "");
  EXPECT_STREQ(bare.what(), "a.glb: is empty");
}

}  // namespace
}  // namespace sinew
