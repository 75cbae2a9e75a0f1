// When an evaluation must end before it is complete: its stop flag is set, or its deadline has passed.
#ifndef SINEW_RUNTIME_FRAME_CUTOFF_H_
#define SINEW_RUNTIME_FRAME_CUTOFF_H_

#include <atomic>
#include <cstdint>

#include "sinew/runtime/base/clock.h"

namespace sinew::runtime {

class Cutoff {
 public:
  // stop and clock may be null.
  Cutoff(const std::atomic<bool>* stop, Clock* clock, int64_t deadline)
      : stop_(stop), clock_(deadline == kNoDeadline ? nullptr : clock), deadline_(deadline) {}

  // Whether the deadline counts for what comes next. Not to be called while tasks run.
  void HoldToDeadline(bool hold) { held_ = hold && clock_ != nullptr; }
  bool held() const { return held_; }

  // Looks at the flag and the clock, from any thread: returns whether nothing more is to be begun. Once it has, it
  // always does.
  bool Reached() noexcept {
    if (reached_.load(std::memory_order_relaxed)) return true;
    const bool stopped = stop_ != nullptr && stop_->load(std::memory_order_relaxed);
    if (!stopped && !(held_ && clock_->Now() >= deadline_)) return false;
    reached_.store(true, std::memory_order_relaxed);
    return true;
  }
  // What Reached() last said. If it is false after a batch of tasks that ask before they begin, none was left out.
  bool was_reached() const { return reached_.load(std::memory_order_relaxed); }

 private:
  const std::atomic<bool>* stop_;
  Clock* clock_;
  int64_t deadline_;
  bool held_ = false;
  std::atomic<bool> reached_{false};
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_FRAME_CUTOFF_H_
