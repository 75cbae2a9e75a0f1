// Progress bar: shows what is being done, how fast, and how long it will still take. It goes to standard error, as a
// bar that redraws itself on a terminal, as a plain line every few seconds elsewhere; nothing with --quiet.
#ifndef SINEW_OFFLINE_CORE_PROGRESS_H_
#define SINEW_OFFLINE_CORE_PROGRESS_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace sinew {

// "12 s", "3 min 05 s", "2 h 10 min".
std::string DurationText(double seconds);

class Progress {
 public:
  // unit: what is counted, in the plural ("frames").
  Progress(std::string label, int64_t total, std::string unit);
  // Leaves one finished line behind, unless nothing was ever shown.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // May be called from any thread.
  void Advance(int64_t count = 1);

 private:
  using Clock = std::chrono::steady_clock;
  std::string Line(Clock::time_point now) const;
  void Show(Clock::time_point now);

  const std::string label_;
  const int64_t total_;
  const std::string unit_;
  const bool terminal_;
  const Clock::time_point start_;
  std::atomic<int64_t> done_{0};
  std::mutex mutex_;
  Clock::time_point next_show_;
  bool shown_ = false;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_PROGRESS_H_
