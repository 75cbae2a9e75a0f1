#include "sinew/host/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace sinew::host {
namespace {

// Time that a thread without work polls for more before it sleeps: the batches of one frame follow each other within
// microseconds, and waking a sleeping thread costs tens of them.
constexpr std::chrono::microseconds kLookout{50};

// Polls ready() until it is true, for at most kLookout; returns whether it was.
template <typename Ready>
bool LookOut(const Ready& ready) {
  constexpr int kLooksPerClock = 32;  // polls per reading of the clock, which costs more than a poll
  const auto end = std::chrono::steady_clock::now() + kLookout;
  do {
    for (int look = 0; look < kLooksPerClock; ++look) {
      if (ready()) return true;
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

// The tasks of one call of Run(). Every participant begins with its own share of the indices, the same one in every
// batch of that size, so that its core's caches are used again; then it helps with the shares of the others.
class Batch {
 public:
  Batch(runtime::TaskRunner::Task task, void* context, int count, int participants)
      : task_(task), context_(context), count_(count), shares_(static_cast<size_t>(participants)) {
    for (int i = 0; i < participants; ++i) {
      shares_[i].next = Begin(i);
      shares_[i].end = Begin(i + 1);
    }
  }

  // Runs tasks until no index is left. Returns whether this call finished the last task of the batch.
  bool Work(int participant) {
    int done = 0;
    for (int i = 0; i < participants(); ++i) {
      Share& share = shares_[(participant + i) % participants()];
      for (int index = share.next++; index < share.end; index = share.next++, ++done) task_(context_, index);
    }
    return done > 0 && finished_.fetch_add(done) + done == count_;
  }
  bool exhausted() const {
    return std::all_of(shares_.begin(), shares_.end(), [](const Share& share) { return share.next >= share.end; });
  }
  bool complete() const { return finished_ == count_; }

 private:
  struct alignas(64) Share {  // one cache line each, to avoid false sharing
    std::atomic<int> next{0};
    int end = 0;
  };
  int participants() const { return static_cast<int>(shares_.size()); }
  int Begin(int participant) const {
    return static_cast<int>(static_cast<int64_t>(count_) * participant / participants());
  }

  runtime::TaskRunner::Task task_;
  void* context_;
  int count_;
  std::vector<Share> shares_;
  std::atomic<int> finished_{0};
};

}  // namespace

struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable work_available;
  std::condition_variable batch_done;
  std::deque<std::shared_ptr<Batch>> batches;
  std::atomic<unsigned> posted{0};  // number of batches ever queued; changed under the mutex, read without it
  bool stopping = false;
  std::vector<std::thread> workers;

  void WorkerLoop(int participant) {
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
      const unsigned seen = posted.load();
      if (batch->Work(participant)) {
        // Notifies under the mutex, so that a caller about to sleep either sees the batch complete or is woken.
        const std::lock_guard done(mutex);
        batch_done.notify_all();
      }
      LookOut([&] { return posted.load() != seen; });
      lock.lock();
    }
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  if (threads <= 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  try {
    for (int i = 1; i < threads; ++i) state_->workers.emplace_back([state = state_.get(), i] { state->WorkerLoop(i); });
  } catch (const std::system_error&) {
    // The system gives no more threads, or none at all, as WebAssembly: the threads that exist do the work.
  }
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
  const auto batch = std::make_shared<Batch>(task, context, count, concurrency());
  {
    const std::lock_guard lock(state_->mutex);
    state_->batches.push_back(batch);
    state_->posted.fetch_add(1);
  }
  state_->work_available.notify_all();
  constexpr int kCaller = 0;
  if (!batch->Work(kCaller)) LookOut([&] { return batch->complete(); });
  std::unique_lock lock(state_->mutex);
  state_->batch_done.wait(lock, [&] { return batch->complete(); });
  std::erase(state_->batches, batch);
}

int ThreadPool::concurrency() const { return static_cast<int>(state_->workers.size()) + 1; }

}  // namespace sinew::host
