// The variants of upsampling, each from 18,048 to 75,000 vertices.
#ifndef SINEW_BENCH_UPSAMPLING_H_
#define SINEW_BENCH_UPSAMPLING_H_

#include <memory>
#include <vector>

#include "bench/harness.h"

namespace sinew::bench {

class Upsampling {
 public:
  Upsampling();
  ~Upsampling();

  std::vector<Entry> Entries();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::bench

#endif  // SINEW_BENCH_UPSAMPLING_H_
