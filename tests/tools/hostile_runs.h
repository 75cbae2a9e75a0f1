// Runs commands on hostile files and checks what every run must keep: it ends by itself within its limits, with a
// documented exit code, and either with what it was asked for, whole, or with one sentence and nothing written.
#ifndef SINEW_TESTS_TOOLS_HOSTILE_RUNS_H_
#define SINEW_TESTS_TOOLS_HOSTILE_RUNS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/run_program.h"
#include "tests/tools/hostile_files.h"

namespace sinew::testing {

using Words = std::vector<std::string>;

// One call of the program on one file, in a folder that it has for itself.
struct HostileRun {
  HostileFile file;
  std::string name;              // of the file in the folder; may have folders in it
  Words words;                   // the call
  Words outputs;                 // what it must have written if it says that it succeeded
  std::filesystem::path beside;  // a folder whose files lie there, too; may be empty
};

// Runs them on all cores and reports as failures of the running test which of them broke what. With the variable
// SINEW_KEEP_HOSTILE set to a folder, files that break something are left there, each with its call.
void RunHostile(const std::vector<HostileRun>& runs);

// Returns a sentence about what is wrong with the output of a run; empty if nothing is. Public for its own test.
std::string WhatIsWrong(const LimitedResult& result, bool as_json);

}  // namespace sinew::testing

#endif  // SINEW_TESTS_TOOLS_HOSTILE_RUNS_H_
