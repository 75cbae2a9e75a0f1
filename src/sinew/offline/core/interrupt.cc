#include "sinew/offline/core/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <deque>

namespace sinew {
namespace {

// A signal handler may neither allocate nor lock, so the whole line is ready before a signal comes.
std::string LineOf(const std::string& sentence) { return "\nsinew: stopped: " + sentence + "\n"; }

const std::string& DefaultLine() {
  static const std::string line = LineOf("outputs are written whole or not at all, so nothing half-done is left");
  return line;
}

std::atomic<const std::string*> current = nullptr;

// Lines are never freed, since a handler may be reading one: a run has a few dozen of them.
const std::string* Keep(const std::string& sentence) {
  static std::deque<std::string> lines;
  return &lines.emplace_back(LineOf(sentence));
}

void EndWithSentence(int signal) {
  const std::string* line = current;
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line->data(), line->size());
  ::_exit(128 + signal);
}

}  // namespace

void CatchInterrupts() {
  if (current == nullptr) current = &DefaultLine();
  std::signal(SIGINT, EndWithSentence);
  std::signal(SIGTERM, EndWithSentence);
}

OnInterrupt::OnInterrupt(const std::string& sentence) : before_(current) { current = Keep(sentence); }

OnInterrupt::~OnInterrupt() { current = before_; }

}  // namespace sinew
