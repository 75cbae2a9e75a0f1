// Interface through which a caller lends its threads: the runtime starts none itself, and hands work that can be split
// to a TaskRunner.
#ifndef SINEW_RUNTIME_BASE_TASK_RUNNER_H_
#define SINEW_RUNTIME_BASE_TASK_RUNNER_H_

namespace sinew::runtime {

// Runs task(context, i) for every i in [0, count), in any order and on any threads, and returns when all are done.
// Results never depend on the order: each task writes memory of its own.
class TaskRunner {
 public:
  using Task = void (*)(void* context, int index);
  virtual void Run(Task task, void* context, int count) = 0;
  // Number of tasks that can run at the same time; at least 1.
  virtual int concurrency() const = 0;

 protected:
  ~TaskRunner() = default;
};

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_BASE_TASK_RUNNER_H_
