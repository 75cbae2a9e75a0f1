// Runs the built `sinew` as a user would. A target that includes this needs SINEW_PROGRAM, the program's path
// (tests/tools/CMakeLists.txt).
#ifndef SINEW_TESTS_SUPPORT_RUN_PROGRAM_H_
#define SINEW_TESTS_SUPPORT_RUN_PROGRAM_H_

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/core/file.h"
#include "tests/support/temporary_folder.h"

namespace sinew::testing {

struct ProgramResult {
  int code = -1;       // exit code; -1 if it was killed
  std::string output;  // standard output
  std::string errors;  // standard error
};

// `arguments` and `environment` ("NAME=VALUE ") as a shell takes them.
inline ProgramResult RunSinew(const std::string& arguments, const std::string& environment = "") {
  const TemporaryFolder folder;
  const std::string out = (folder / "out").string(), err = (folder / "err").string();
  const int status = std::system((environment + SINEW_PROGRAM " " + arguments + " >" + out + " 2>" + err).c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadTextFile(out), ReadTextFile(err)};
}

// The same in a folder, with arguments that no shell takes apart.
inline ProgramResult RunSinewIn(const std::filesystem::path& folder, const std::vector<std::string>& words) {
  const TemporaryFolder files;
  const std::string out = files / "out", err = files / "err", program = SINEW_PROGRAM;
  std::vector<char*> arguments = {const_cast<char*>(program.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    const int out_file = ::open(out.c_str(), O_WRONLY | O_CREAT, 0600);
    const int err_file = ::open(err.c_str(), O_WRONLY | O_CREAT, 0600);
    const bool ready = ::dup2(out_file, 1) == 1 && ::dup2(err_file, 2) == 2 && ::chdir(folder.c_str()) == 0;
    if (ready) ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadTextFile(out), ReadTextFile(err)};
}

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_RUN_PROGRAM_H_
