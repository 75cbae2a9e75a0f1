#include "sinew/offline/core/parallel.h"

#include <algorithm>
#include <exception>
#include <memory>

namespace sinew {
namespace {

std::unique_ptr<host::ThreadPool>& PoolSlot() {
  static auto pool = std::make_unique<host::ThreadPool>(0);
  return pool;
}

struct Loop {
  const std::function<void(int, int)>* body;
  int count;
  int grain;
  std::vector<std::exception_ptr> errors;
};

void RunChunk(void* context, int chunk) {
  Loop& loop = *static_cast<Loop*>(context);
  const int begin = chunk * loop.grain;
  try {
    (*loop.body)(begin, std::min(loop.count, begin + loop.grain));
  } catch (...) {
    loop.errors[chunk] = std::current_exception();
  }
}

}  // namespace

void SetThreads(int threads) { PoolSlot() = std::make_unique<host::ThreadPool>(threads); }

host::ThreadPool& Pool() { return *PoolSlot(); }

void ParallelChunks(int count, int grain, const std::function<void(int, int)>& body) {
  if (count <= 0) return;
  const int chunks = (count - 1) / grain + 1;
  Loop loop{&body, count, grain, std::vector<std::exception_ptr>(chunks)};
  Pool().Run(RunChunk, &loop, chunks);
  for (const std::exception_ptr& error : loop.errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace sinew
