#include "sinew/offline/core/program_file.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace sinew {
namespace {

// What a program inherits that a packed one started does not make it that one.
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
