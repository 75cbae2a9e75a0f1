// Learned contact on the torus of the skinning benchmarks: a collider whose window holds a share of the vertices.
#ifndef SINEW_BENCH_CONTACT_H_
#define SINEW_BENCH_CONTACT_H_

#include <memory>
#include <vector>

#include "bench/harness.h"

namespace sinew::bench {

class Contact {
 public:
  Contact();
  ~Contact();

  std::vector<Entry> Entries();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::bench

#endif  // SINEW_BENCH_CONTACT_H_
