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

// Waits for the program to end, and sends it a signal as soon as `now` says so. Its exit code; -1 if the signal killed
// it.
int WaitOrSignal(pid_t child, int signal, const std::function<bool()>& now) {
  int status = 0;
  bool sent = false;
  while (::waitpid(child, &status, WNOHANG) != child) {
    if (!sent && now()) sent = ::kill(child, signal) == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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
  return WaitOrSignal(StartSinewIn(folder, words), SIGKILL, now);
}

ProgramResult RunAndInterruptSinewIn(const std::filesystem::path& folder, const std::vector<std::string>& words,
                                     const std::function<bool()>& now) {
  const TemporaryFolder files;
  const std::string out = files / "out", err = files / "err";
  const int code = WaitOrSignal(StartSinewIn(folder, words, out, err), SIGINT, now);
  return {code, ReadTextFile(out), ReadTextFile(err)};
}

}  // namespace sinew::testing
