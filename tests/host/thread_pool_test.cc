#include "sinew/host/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace sinew::host {
namespace {

void RunTasks(ThreadPool& pool, int count, const std::function<void(int)>& task) {
  pool.Run([](void* opaque, int i) { (*static_cast<const std::function<void(int)>*>(opaque))(i); },
           const_cast<std::function<void(int)>*>(&task), count);
}

TEST(ThreadPool, RunsEveryTaskOnceAndReturnsWhenAllAreDone) {
  for (const int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.concurrency(), threads);
    for (const int count : {0, 1, 2, 7, 64, 1000}) {
      std::vector<int> runs(count, 0);  // not atomic: a task's writes must be seen by the caller
      RunTasks(pool, count, [&](int i) { ++runs[i]; });
      for (const int r : runs) ASSERT_EQ(r, 1);
    }
  }
}

TEST(ThreadPool, TakesBatchesFromManyThreadsAndFromInsideTasks) {
  ThreadPool pool(3);
  constexpr int kCallers = 4, kRounds = 40, kTasks = 20, kInner = 5;
  std::atomic<int> done = 0;
  std::vector<std::thread> callers;
  for (int c = 0; c < kCallers; ++c) {
    callers.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        RunTasks(pool, kTasks, [&](int) { RunTasks(pool, kInner, [&](int) { ++done; }); });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(done, kCallers * kRounds * kTasks * kInner);
}

TEST(ThreadPool, CanBeMadeAndEndedAtAnyTime) {
  for (int i = 0; i < 100; ++i) {
    std::atomic<int> done = 0;
    {
      ThreadPool pool(1 + i % 4);
      if (i % 3 != 0) RunTasks(pool, i, [&](int) { ++done; });
    }
    EXPECT_EQ(done, i % 3 != 0 ? i : 0);
  }
}

}  // namespace
}  // namespace sinew::host
