#include "sinew/host/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace sinew::host {
namespace {

// One call of Run(). Indices are claimed by an atomic counter; the last finished index wakes the caller.
struct Batch {
  runtime::TaskRunner::Task task;
  void* context;
  int count;
  std::atomic<int> next{0};
  std::atomic<int> finished{0};

  // Works until no index is left; true if this call finished the batch's last index.
  bool Work() {
    int done = 0;
    for (int i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
      task(context, i);
      ++done;
    }
    return done > 0 && finished.fetch_add(done) + done == count;
  }
  bool exhausted() const { return next.load() >= count; }
};

}  // namespace

struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable work_available;
  std::condition_variable batch_done;
  std::deque<std::shared_ptr<Batch>> batches;
  bool stopping = false;
  std::vector<std::thread> workers;

  void WorkerLoop() {
    std::unique_lock lock(mutex);
    for (;;) {
      work_available.wait(lock, [&] { return stopping || !batches.empty(); });
      if (stopping) return;
      std::shared_ptr<Batch> batch = batches.front();
      if (batch->exhausted()) {
        batches.pop_front();
        continue;
      }
      lock.unlock();
      const bool last = batch->Work();
      lock.lock();
      if (last) batch_done.notify_all();
    }
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  if (threads <= 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  for (int i = 1; i < threads; ++i) state_->workers.emplace_back([state = state_.get()] { state->WorkerLoop(); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->work_available.notify_all();
  for (std::thread& worker : state_->workers) worker.join();
}

void ThreadPool::Run(Task task, void* context, int count) {
  if (count <= 0) return;
  if (count == 1 || state_->workers.empty()) {
    for (int i = 0; i < count; ++i) task(context, i);
    return;
  }
  auto batch = std::make_shared<Batch>();
  batch->task = task;
  batch->context = context;
  batch->count = count;
  {
    const std::lock_guard lock(state_->mutex);
    state_->batches.push_back(batch);
  }
  state_->work_available.notify_all();
  const bool last = batch->Work();
  std::unique_lock lock(state_->mutex);
  if (!last) state_->batch_done.wait(lock, [&] { return batch->finished.load() == batch->count; });
  std::erase(state_->batches, batch);
}

int ThreadPool::concurrency() const { return static_cast<int>(state_->workers.size()) + 1; }

}  // namespace sinew::host
