#include "sinew/offline/core/console.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace sinew {

bool WriteStandardOutput(std::string_view text) noexcept {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return std::fflush(stdout) == 0 && written;
}

void WriteStandardError(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void OpenClosedStreams() noexcept {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest free number is taken, which is this one: those below it are open. It stays open in programs that this
    // one starts, as a standard stream does.
    [[maybe_unused]] const int opened = ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace sinew
