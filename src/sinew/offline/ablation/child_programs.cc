#include "sinew/offline/ablation/child_programs.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "sinew/offline/core/descriptor.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"

namespace sinew::ablation {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks(20);

int CodeOf(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

int ChildPrograms::Start(const std::vector<std::string>& words, const std::filesystem::path& log) {
  WriteFileAtomic(log, "");
  const Descriptor output(log, O_WRONLY | O_APPEND), nothing("/dev/null", O_RDONLY);
  // Made before the fork: after it, in a program with threads, nothing may be allocated.
  std::vector<char*> arguments = {const_cast<char*>(program_.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t own = ::getpid(), child = ::fork();
  if (child == 0) {
    // The second test is for a parent that ended before the first call.
    const bool bound = ::prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && ::getppid() == own;
    const bool ready = ::dup2(nothing.get(), 0) == 0 && ::dup2(output.get(), 1) == 1 && ::dup2(output.get(), 2) == 2;
    if (bound && ready) ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  if (child < 0) throw FailedError(fmt::format("cannot start {}: {}", program_.string(), std::strerror(errno)));
  numbers_[child] = started_;
  return started_++;
}

std::optional<ChildPrograms::Ended> ChildPrograms::Wait(double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (!numbers_.empty()) {
    for (const auto& [child, number] : numbers_) {
      int status = 0;
      if (::waitpid(child, &status, WNOHANG) == 0) continue;
      const Ended ended{number, CodeOf(status)};
      numbers_.erase(child);
      return ended;
    }
    if (Clock::now() >= end) break;
    std::this_thread::sleep_for(kBetweenLooks);
  }
  return std::nullopt;
}

void ChildPrograms::End() {
  for (const auto& [child, number] : numbers_) ::kill(child, SIGTERM);
  for (const auto& [child, number] : numbers_) ::waitpid(child, nullptr, 0);
  numbers_.clear();
}

}  // namespace sinew::ablation
