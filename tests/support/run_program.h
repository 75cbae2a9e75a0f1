// Runs the built `sinew` as a user would. A target that includes this needs SINEW_PROGRAM, the program's path
// (tests/tools/CMakeLists.txt).
#ifndef SINEW_TESTS_SUPPORT_RUN_PROGRAM_H_
#define SINEW_TESTS_SUPPORT_RUN_PROGRAM_H_

#include <sys/wait.h>

#include <cstdlib>
#include <string>

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

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_RUN_PROGRAM_H_
