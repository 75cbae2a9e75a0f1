// A fixed set of worker threads behind the runtime's TaskRunner.
#ifndef SINEW_HOST_THREAD_POOL_H_
#define SINEW_HOST_THREAD_POOL_H_

#include <memory>

#include "sinew/runtime/base/task_runner.h"

namespace sinew::host {

// A thread pool. Run() may be called from several threads at once, and from inside a task: the calling thread always
// works on its own batch, so nesting cannot deadlock. Tasks must not throw.
class ThreadPool final : public runtime::TaskRunner {
 public:
  // threads: number of threads that work on a batch, the caller included; 0 means as many as there are cores.
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
