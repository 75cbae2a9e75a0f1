#include "sinew/offline/pipeline/clocks.h"

#include <ctime>

namespace sinew::pipeline {
namespace {

double Read(clockid_t clock) {
  timespec time = {};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

double WallSeconds() { return Read(CLOCK_MONOTONIC); }
double ThreadSeconds() { return Read(CLOCK_THREAD_CPUTIME_ID); }
double ProcessSeconds() { return Read(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace sinew::pipeline
