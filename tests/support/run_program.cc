#include "tests/support/run_program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "sinew/offline/core/file.h"
#include "tests/support/temporary_folder.h"

namespace sinew::testing {
namespace {

// Starts the program in a folder, with arguments that no shell takes apart; what it prints goes to these files.
pid_t StartSinewIn(const std::filesystem::path& folder, const std::vector<std::string>& words,
                   const std::string& out = "/dev/null", const std::string& err = "/dev/null") {
  const std::string program = SINEW_PROGRAM;
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
  return child;
}

}  // namespace

ProgramResult RunSinew(const std::string& arguments, const std::string& environment) {
  const TemporaryFolder folder;
  const std::string out = (folder / "out").string(), err = (folder / "err").string();
  const int status = std::system((environment + SINEW_PROGRAM " " + arguments + " >" + out + " 2>" + err).c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadTextFile(out), ReadTextFile(err)};
}

ProgramResult RunSinewIn(const std::filesystem::path& folder, const std::vector<std::string>& words) {
  const TemporaryFolder files;
  const std::string out = files / "out", err = files / "err";
  int status = 0;
  ::waitpid(StartSinewIn(folder, words, out, err), &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadTextFile(out), ReadTextFile(err)};
}

int RunAndKillSinewIn(const std::filesystem::path& folder, const std::vector<std::string>& words,
                      const std::function<bool()>& now) {
  const pid_t child = StartSinewIn(folder, words);
  int status = 0;
  while (!now()) {
    if (::waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace sinew::testing
