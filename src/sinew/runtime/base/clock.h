// The runtime asks no system for the time. Where a deadline matters the caller provides a clock.
#ifndef SINEW_RUNTIME_BASE_CLOCK_H_
#define SINEW_RUNTIME_BASE_CLOCK_H_

#include <cstdint>

namespace sinew::runtime {

class Clock {
 public:
  // Nanoseconds since any moment; never goes back.
  virtual int64_t Now() = 0;

 protected:
  ~Clock() = default;
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_BASE_CLOCK_H_
