#include "tests/support/run_program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "sinew/offline/core/file.h"
#include "tests/support/temporary_folder.h"

namespace sinew::testing {
namespace {

// Variables of the environment that limit a sanitizer, which cannot live with a limit on its address space. What a
// program leaks as it ends is not watched: the OpenGL driver leaks, too.
std::string SanitizerOptions(const ProgramLimits& limits) {
  return "hard_rss_limit_mb=" + std::to_string(limits.megabytes) + ":quarantine_size_mb=64:detect_leaks=0";
}

void SetLimits(const ProgramLimits& limits) {
  const auto set = [](auto what, rlim_t soft, rlim_t hard) {
    const rlimit limit{soft, hard};
    ::setrlimit(what, &limit);
  };
  set(RLIMIT_CORE, 0, 0);
  // At the soft limit it gets a signal of its own, by which we know it.
  set(RLIMIT_CPU, limits.seconds, limits.seconds + 5);
  const rlim_t file = rlim_t{256} << 20, memory = static_cast<rlim_t>(limits.megabytes) << 20;
  set(RLIMIT_FSIZE, file, file);
  if (!SINEW_SANITIZED) set(RLIMIT_AS, memory, memory);
}

// Starts the program in a folder, with arguments that no shell takes apart; what it prints goes to these files.
pid_t StartSinewIn(const std::filesystem::path& folder, const std::vector<std::string>& words,
                   const std::string& out = "/dev/null", const std::string& err = "/dev/null",
                   const ProgramLimits* limits = nullptr) {
  const std::string program = SINEW_PROGRAM;
  std::vector<char*> arguments = {const_cast<char*>(program.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  // Made before the fork: after it, in a program with threads, nothing may be allocated.
  const std::string options = limits != nullptr ? "ASAN_OPTIONS=" + SanitizerOptions(*limits) : "";
  std::vector<char*> variables;
  if (limits != nullptr) variables.push_back(const_cast<char*>(options.c_str()));
  for (char** variable = environ; *variable != nullptr; ++variable) variables.push_back(*variable);
  variables.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is ended for its time must not leave it running
    const int out_file = ::open(out.c_str(), O_WRONLY | O_CREAT, 0600);
    const int err_file = ::open(err.c_str(), O_WRONLY | O_CREAT, 0600);
    const bool ready = ::dup2(out_file, 1) == 1 && ::dup2(err_file, 2) == 2 && ::chdir(folder.c_str()) == 0;
    if (limits != nullptr) SetLimits(*limits);
    if (ready) ::execve(arguments[0], arguments.data(), variables.data());
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

// Waits for a process for so many seconds and then ends it; whether it had to.
bool WaitOrKill(pid_t child, int seconds, int& status) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
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

LimitedResult RunSinewWithin(const std::filesystem::path& folder, const std::vector<std::string>& words,
                             const ProgramLimits& limits) {
  const TemporaryFolder files;
  const std::string out = files / "out", err = files / "err";
  const ProgramLimits wide{.seconds = (SINEW_SANITIZED ? 5 : 1) * limits.seconds, .megabytes = limits.megabytes};
  int status = 0;
  LimitedResult result;
  result.timed_out = WaitOrKill(StartSinewIn(folder, words, out, err, &wide), 10 * wide.seconds, status);
  if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.timed_out |= result.signal == SIGXCPU;
  result.output = ReadTextFile(out);
  result.errors = ReadTextFile(err);
  return result;
}

}  // namespace sinew::testing
