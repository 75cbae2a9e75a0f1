// The variants of skinning and normals, each for 75,000 vertices.
#ifndef SINEW_BENCH_SKINNING_H_
#define SINEW_BENCH_SKINNING_H_

#include <memory>
#include <string>
#include <vector>

#include "bench/harness.h"

namespace sinew::bench {

class Skinning {
 public:
  Skinning();
  ~Skinning();

  // The first entry is the floor.
  std::vector<Entry> Entries();
  static int vertex_count();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::bench

#endif  // SINEW_BENCH_SKINNING_H_
