// A fixed set of worker threads behind the runtime's TaskRunner.
#ifndef SINEW_HOST_THREAD_POOL_H_
#define SINEW_HOST_THREAD_POOL_H_

#include <memory>

#include "sinew/runtime/base/task_runner.h"

namespace sinew::host {

// A thread pool. Run() may be called from several threads at once, and from inside a task: the calling thread always
// works on its own batch, so nesting cannot deadlock. Tasks must not throw.
//
// Run() allocates nothing and, while the pool's threads are awake, takes no lock and calls no system function but the
// clock: tasks are handed out through atomic numbers. A thread that finds no work for some tens of microseconds sleeps,
// and waking it takes a lock and a system call. Of very many calls at one time some run all tasks on their own thread.
class ThreadPool final : public runtime::TaskRunner {
 public:
  // threads: number of threads that work on a batch, the caller included; 0 means as many as there are cores. There are
  // fewer if the system gives no more. Throws std::bad_alloc if there is no memory for them.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  void Run(Task task, void* context, int count) override;
  int concurrency() const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::host

#endif  // SINEW_HOST_THREAD_POOL_H_
