// Runs the built `sinew` as a user would.
#ifndef SINEW_TESTS_SUPPORT_RUN_PROGRAM_H_
#define SINEW_TESTS_SUPPORT_RUN_PROGRAM_H_

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sinew::testing {

struct ProgramResult {
  int code = -1;       // exit code; -1 if it was killed
  std::string output;  // standard output
  std::string errors;  // standard error
};

// `arguments` and `environment` ("NAME=VALUE ") as a shell takes them.
ProgramResult RunSinew(const std::string& arguments, const std::string& environment = "");

// Runs the program in a folder, with arguments that no shell takes apart, until it ends by itself.
ProgramResult RunSinewIn(const std::filesystem::path& folder, const std::vector<std::string>& words);

// The same, killed without warning as soon as `now` says so, which is asked all the time. Its exit code, or -1 if it
// was killed before it was done.
int RunAndKillSinewIn(const std::filesystem::path& folder, const std::vector<std::string>& words,
                      const std::function<bool()>& now);

// The same, interrupted (SIGINT, as by Ctrl-C) instead of killed, with what it prints.
ProgramResult RunAndInterruptSinewIn(const std::filesystem::path& folder, const std::vector<std::string>& words,
                                     const std::function<bool()>& now);

// Limits of a run. They are wider for a program built with a sanitizer, whose tables need address space and time, and
// its memory is then what is resident instead of what is mapped.
struct ProgramLimits {
  int seconds = 20;      // of all threads together
  int megabytes = 2000;  // mapped
};
struct LimitedResult : ProgramResult {
  int signal = 0;          // that ended it; 0 if it ended by itself
  bool timed_out = false;  // ended by us, for it used its seconds or waited ten times as long
};

// The same as RunSinewIn(), within limits.
LimitedResult RunSinewWithin(const std::filesystem::path& folder, const std::vector<std::string>& words,
                             const ProgramLimits& limits = {});

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_RUN_PROGRAM_H_
