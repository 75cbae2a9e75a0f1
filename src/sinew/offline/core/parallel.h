// Parallel loops over the host's thread pool. Chunk boundaries depend on the range and the grain alone, never on the
// number of threads, and reductions add chunks in order: same inputs, same bits, whatever --threads says.
#ifndef SINEW_OFFLINE_CORE_PARALLEL_H_
#define SINEW_OFFLINE_CORE_PARALLEL_H_

#include <functional>
#include <vector>

#include "sinew/host/thread_pool.h"

namespace sinew {

// Sets the number of threads; 0: all cores. Takes effect for loops that start afterwards; call it before any work.
void SetThreads(int threads);
// Returns the pool that those loops run on, for handing to runtime jobs.
host::ThreadPool& Pool();

// Calls body(begin, end) for consecutive chunks of at most `grain` indices of [0, count). The first exception that a
// chunk throws (in order of chunks) is thrown again here.
void ParallelChunks(int count, int grain, const std::function<void(int begin, int end)>& body);

template <typename Body>
void ParallelFor(int count, int grain, const Body& body) {
  ParallelChunks(count, grain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) body(i);
  });
}

// Reduces the range to one value, starting from `total`: chunk(begin, end) returns one chunk's value; add(total, value)
// adds them in order of chunks.
template <typename Value, typename Chunk, typename Add>
Value ParallelReduce(int count, int grain, Value total, const Chunk& chunk, const Add& add) {
  const int chunks = (count + grain - 1) / grain;
  std::vector<Value> values(chunks, total);
  ParallelChunks(count, grain, [&](int begin, int end) { values[begin / grain] = chunk(begin, end); });
  for (const Value& value : values) add(total, value);
  return total;
}

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_PARALLEL_H_
