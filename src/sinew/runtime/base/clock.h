// Interface of the clock that a caller provides where a deadline matters; the runtime itself makes no system call.
#ifndef SINEW_RUNTIME_BASE_CLOCK_H_
#define SINEW_RUNTIME_BASE_CLOCK_H_

#include <cstdint>

namespace sinew::runtime {

// A deadline that no clock reaches.
constexpr int64_t kNoDeadline = INT64_MAX;

class Clock {
 public:
  // Returns nanoseconds since an arbitrary fixed moment; never decreases. With a task runner it is called from the
  // runner's threads, several at a time.
  virtual int64_t Now() = 0;

 protected:
  ~Clock() = default;
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_BASE_CLOCK_H_
