// What tests of long commands share: a folder with a small character in it, in which the program is run.
#ifndef SINEW_TESTS_TOOLS_EGG_COMMAND_H_
#define SINEW_TESTS_TOOLS_EGG_COMMAND_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/io/character_file.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_character.h"

namespace sinew::testing {

using Words = std::vector<std::string>;

class EggCommand : public ::testing::Test {
 protected:
  EggCommand() { WriteCharacter(TestCharacter(), folder_ / "egg.glb"); }

  ProgramResult Run(const Words& words) const { return RunSinewIn(folder_.path(), words); }
  Json RunWell(const Words& words) const {
    const ProgramResult run = Run(words);
    EXPECT_EQ(run.code, 0) << run.errors;
    return Json::parse(run.output, nullptr, false);
  }
  // One sentence with all these parts in it.
  void ExpectRefused(const Words& words, int code, const Words& parts) const {
    const ProgramResult run = Run(words);
    EXPECT_EQ(run.code, code) << run.errors;
    for (const std::string& part : parts) EXPECT_NE(run.errors.find(part), std::string::npos) << run.errors;
    EXPECT_EQ(std::count(run.errors.begin(), run.errors.end(), '\n'), 1) << run.errors;
  }

  // The same, and with --json the same sentence in an object.
  void ExpectRefusedInBothForms(Words words, int code, const Words& parts) const {
    ExpectRefused(words, code, parts);
    words.emplace_back("--json");
    const ProgramResult run = Run(words);
    EXPECT_EQ(run.code, code) << run.errors;
    const Json json = Json::parse(run.output, nullptr, false);
    ASSERT_TRUE(json.is_object()) << run.output;
    EXPECT_EQ(json.value("code", 0), code);
    EXPECT_EQ("sinew: " + json.value("error", "") + "\n", run.errors);
  }

  const TemporaryFolder folder_;
};

}  // namespace sinew::testing

#endif  // SINEW_TESTS_TOOLS_EGG_COMMAND_H_
