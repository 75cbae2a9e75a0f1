#include "sinew/offline/core/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/console.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/text.h"

namespace sinew {
namespace {

using Seconds = std::chrono::duration<double>;

// A terminal is redrawn often; a log file gets a line now and then. Short work shows nothing at all.
constexpr auto kTerminalInterval = std::chrono::milliseconds(100);
constexpr auto kPlainInterval = std::chrono::seconds(5);

// Number of characters that fit on a line of the terminal. A longer line would continue on the next one, which "\r"
// does not erase.
size_t TerminalWidth() {
  winsize size = {};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return (known ? size.ws_col : 80) - 1;
}

// Cuts a line to at most `width` bytes, without cutting a character of several bytes in half.
std::string Cut(std::string line, size_t width) {
  if (line.size() <= width) return line;
  while (width > 0 && (static_cast<unsigned char>(line[width]) & 0xC0) == 0x80) --width;
  line.resize(width);
  return line;
}

}  // namespace

std::string DurationText(double seconds) {
  const auto whole = static_cast<int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

Progress::Progress(std::string label, int64_t total, std::string unit)
    : label_(PrintableLine(label)),
      total_(total),
      unit_(std::move(unit)),
      terminal_(::isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      next_show_(start_ + (terminal_ ? Clock::duration(kTerminalInterval) : Clock::duration(kPlainInterval))) {}

Progress::~Progress() {
  if (!shown_) return;
  Show(Clock::now());
  if (terminal_) WriteStandardError("\n");
}

void Progress::Advance(int64_t count) {
  done_ += count;
  const Clock::time_point now = Clock::now();
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || now < next_show_ || quiet()) return;
  next_show_ = now + (terminal_ ? Clock::duration(kTerminalInterval) : Clock::duration(kPlainInterval));
  shown_ = true;
  Show(now);
}

std::string Progress::Line(Clock::time_point now) const {
  const int64_t done = done_;
  const double seconds = std::max(1e-9, Seconds(now - start_).count());
  const double rate = static_cast<double>(done) / seconds;
  std::string line = fmt::format("{}: {} of {} {}, {:.3g} {}/s", label_, done, total_, unit_, rate, unit_);
  if (done < total_ && done > 0)
    line += fmt::format(", {} left", DurationText(static_cast<double>(total_ - done) / rate));
  if (done >= total_) line += fmt::format(", took {}", DurationText(seconds));
  return line;
}

void Progress::Show(Clock::time_point now) {
  if (!terminal_) {
    WriteStandardError(Line(now) + "\n");
    return;
  }
  constexpr int kWidth = 24;
  const double part = total_ > 0 ? static_cast<double>(done_) / static_cast<double>(total_) : 1;
  const int filled = static_cast<int>(std::clamp(part, 0.0, 1.0) * kWidth);
  const std::string line = fmt::format("[{:#<{}}{:.<{}}] {}", "", filled, "", kWidth - filled, Line(now));
  WriteStandardError("\r\033[K" + Cut(line, TerminalWidth()));
}

}  // namespace sinew
