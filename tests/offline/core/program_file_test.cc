#include "sinew/offline/core/program_file.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace sinew {
namespace {

// A packed program sets SINEW_STARTER, and programs that it starts inherit that. They are not packed for it.
TEST(ProgramFile, IsTheRunningProgramWhoeverStartedIt) {
  const std::filesystem::path own = ProgramFile();
  EXPECT_EQ(own.filename(), "test_core");
  EXPECT_TRUE(std::filesystem::exists(own));
  ASSERT_EQ(::setenv("SINEW_STARTER", "/no/such/sinew", 1), 0);
  EXPECT_EQ(ProgramFile(), own);
  ::unsetenv("SINEW_STARTER");
}

}  // namespace
}  // namespace sinew
