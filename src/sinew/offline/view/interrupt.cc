#include "sinew/offline/view/interrupt.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "sinew/offline/core/error.h"

namespace sinew::view {
namespace {

// Pipe from the signal handler, which may do little more than write to it, to Wait().
int pipe_ends[2] = {-1, -1};

extern "C" void OnSignal(int) {
  const int saved = errno;
  const char byte = 0;
  [[maybe_unused]] const ssize_t written = ::write(pipe_ends[1], &byte, 1);
  errno = saved;
}

}  // namespace

Interrupt::Interrupt() {
  if (::pipe(pipe_ends) != 0) throw FailedError("cannot wait for Ctrl-C: too many files are open");
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  ::close(pipe_ends[0]);
  ::close(pipe_ends[1]);
}

void Interrupt::Wait() const {
  char byte = 0;
  while (::read(pipe_ends[0], &byte, 1) < 0 && errno == EINTR) {
  }
}

}  // namespace sinew::view
