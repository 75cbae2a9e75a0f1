// Parallel loops over the host's thread pool. Chunk boundaries depend on the range and the grain alone, never on the
// number of threads, and reductions add chunks in order: same inputs, same bits, whatever --threads says.
#ifndef SINEW_OFFLINE_CORE_PARALLEL_H_
#define SINEW_OFFLINE_CORE_PARALLEL_H_

#include <functional>
#include <vector>

#include "sinew/host/thread_pool.h"

namespace sinew {

// Sets the number of threads that loops run on, the calling one included; 0: all cores, as without this call. Replaces
// the pool: call it before any work, never while a loop runs.
void SetThreads(int threads);
// Returns the pool that the loops run on, for handing to runtime jobs. Valid until the next SetThreads().
host::ThreadPool& Pool();

// Calls body(begin, end), from several threads at once, for consecutive chunks of [0, count), of `grain` indices each
// but for the last, which may be shorter. Returns when all chunks are done, even if some throw; then rethrows the
// exception of the first of those, in order of chunks. Loops may be nested.
void ParallelChunks(int count, int grain, const std::function<void(int begin, int end)>& body);

// Calls body(i) for every i of [0, count), in the chunks of ParallelChunks().
template <typename Body>
void ParallelFor(int count, int grain, const Body& body) {
  ParallelChunks(count, grain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) body(i);
  });
}

// Reduces [0, count) to one value. chunk(begin, end) returns the value of one chunk, in parallel; then add(total,
// value), called for one chunk after another in their order, adds each to `total` in place. total: value to
// start from.
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
