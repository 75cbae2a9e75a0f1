#include "sinew/host/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace sinew::host {
namespace {

// Time that a thread without work polls for more before it sleeps: the batches of one frame follow each other within
// microseconds, and waking a sleeping thread costs tens of them.
constexpr std::chrono::microseconds kLookout{50};

// Number of calls of Run() that can share the threads at one time; the others work on their tasks alone.
constexpr int kBatches = 32;

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

// A participant's own part of a batch. One cache line each, to avoid false sharing.
struct alignas(64) Share {
  std::atomic<int> next{0};
  int end = 0;
};

// Place for the tasks of one call of Run(), used again by later calls. Every participant begins with its own share of
// the indices, the same one in every batch of that size, so that its core's caches are used again; then it helps with
// the shares of the others.
class alignas(64) Batch {
 public:
  // shares: one per participant; they stay where they are.
  void UseShares(Share* shares, int participants) {
    shares_ = shares;
    participants_ = participants;
  }

  // Takes the place for the calling thread. False if another call has it, or a worker is still about to leave it.
  bool Claim() {
    uint32_t free = 0;
    return state_.compare_exchange_strong(free, kClaimed);
  }
  // Fills the claimed place; from now on workers may join.
  void Open(runtime::TaskRunner::Task task, void* context, int count) {
    task_ = task;
    context_ = context;
    count_ = count;
    finished_.store(0);
    for (int i = 0; i < participants_; ++i) {
      shares_[i].next.store(Begin(i));
      shares_[i].end = Begin(i + 1);
    }
    state_.store(kOpen);
  }
  // Gives the place back; the batch must be complete. It is free once all workers have left.
  void Close() { state_.fetch_and(~kOpen); }

  // A worker joins before it looks at anything else, and leaves as the last thing: the batch cannot change meanwhile.
  bool Join() {
    uint32_t state = state_.load();
    while ((state & kOpen) != 0) {
      if (state_.compare_exchange_weak(state, state + 1)) return true;
    }
    return false;
  }
  void Leave() { state_.fetch_sub(1); }

  // Runs tasks until no index is left. Returns how many.
  int Work(int participant) {
    int done = 0;
    for (int i = 0; i < participants_; ++i) {
      Share& share = shares_[(participant + i) % participants_];
      for (int index = share.next++; index < share.end; index = share.next++, ++done) task_(context_, index);
    }
    return done;
  }
  // Counts tasks that are done. Returns whether those were the batch's last.
  bool Finish(int done) { return done > 0 && finished_.fetch_add(done) + done == count_; }
  bool complete() const { return finished_.load() == count_; }

 private:
  // state_: 0, the place is free; kClaimed, it is being filled; kOpen, workers may join. Besides, the number of workers
  // that have joined.
  static constexpr uint32_t kOpen = 1u << 31, kClaimed = 1u << 30;

  int Begin(int participant) const {
    return static_cast<int>(static_cast<int64_t>(count_) * participant / participants_);
  }

  std::atomic<uint32_t> state_{0};
  std::atomic<int> finished_{0};
  runtime::TaskRunner::Task task_ = nullptr;
  void* context_ = nullptr;
  int count_ = 0;
  int participants_ = 0;
  Share* shares_ = nullptr;
};

// A place to sleep at until something becomes true. Whoever makes it true calls Wake() afterwards, which costs one load
// while nobody sleeps.
class Bed {
 public:
  template <typename Ready>
  void SleepUntil(const Ready& ready) {
    std::unique_lock lock(mutex_);
    for (;;) {
      // Either the waker sees this, or ready() sees what the waker did before: both are sequentially consistent.
      occupied_.store(true);
      if (ready()) return;
      woken_.wait(lock);
    }
  }
  void Wake() {
    if (!occupied_.load()) return;
    {
      const std::lock_guard lock(mutex_);
      occupied_.store(false);
    }
    woken_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable woken_;
  std::atomic<bool> occupied_{false};
};

}  // namespace

struct ThreadPool::State {
  explicit State(int threads) : shares(new Share[static_cast<size_t>(kBatches) * threads]) {
    for (int b = 0; b < kBatches; ++b) batches[b].UseShares(shares.get() + static_cast<size_t>(b) * threads, threads);
    workers.reserve(threads);
  }
  ~State() {
    stopping.store(true);
    posted.fetch_add(1);
    idle.Wake();
    for (std::thread& worker : workers) worker.join();
  }

  void WorkerLoop(int participant) {
    for (;;) {
      // Read before looking for batches, so that one that comes in between is not slept over.
      const unsigned seen = posted.load();
      if (stopping.load()) return;
      if (WorkOnOpenBatches(participant)) continue;
      const auto more = [&] { return posted.load() != seen; };
      if (!LookOut(more)) idle.SleepUntil(more);
    }
  }

  bool WorkOnOpenBatches(int participant) {
    bool worked = false;
    for (uint32_t left = open.load(); left != 0; left &= left - 1) {
      Batch& batch = batches[std::countr_zero(left)];
      if (!batch.Join()) continue;
      const int done = batch.Work(participant);
      if (batch.Finish(done)) waiting.Wake();
      batch.Leave();
      worked |= done > 0;
    }
    return worked;
  }

  // Returns the index of a batch that the calling thread now has, or -1 if all are in use.
  int Claim() {
    for (int b = 0; b < kBatches; ++b) {
      if (batches[b].Claim()) return b;
    }
    return -1;
  }

  std::unique_ptr<Share[]> shares;
  Batch batches[kBatches];
  std::atomic<uint32_t> open{0};    // bit b: batches[b] may be joined
  std::atomic<unsigned> posted{0};  // number of batches ever opened
  std::atomic<bool> stopping{false};
  Bed idle;     // where workers sleep
  Bed waiting;  // where callers sleep until their batch is complete
  std::vector<std::thread> workers;
};

ThreadPool::ThreadPool(int threads) {
  if (threads <= 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  state_ = std::make_unique<State>(threads);
  try {
    for (int i = 1; i < threads; ++i) state_->workers.emplace_back([state = state_.get(), i] { state->WorkerLoop(i); });
  } catch (const std::system_error&) {
    // The system gives no more threads, or none at all, as WebAssembly: the threads that exist do the work.
  }
}

ThreadPool::~ThreadPool() = default;

void ThreadPool::Run(Task task, void* context, int count) {
  const int place = count <= 1 || state_->workers.empty() ? -1 : state_->Claim();
  if (place < 0) {
    for (int i = 0; i < count; ++i) task(context, i);
    return;
  }
  Batch& batch = state_->batches[place];
  const uint32_t bit = uint32_t{1} << place;
  batch.Open(task, context, count);
  state_->open.fetch_or(bit);
  state_->posted.fetch_add(1);
  state_->idle.Wake();
  constexpr int kCaller = 0;
  const auto complete = [&] { return batch.complete(); };
  if (!batch.Finish(batch.Work(kCaller)) && !LookOut(complete)) state_->waiting.SleepUntil(complete);
  state_->open.fetch_and(~bit);
  batch.Close();
}

int ThreadPool::concurrency() const { return static_cast<int>(state_->workers.size()) + 1; }

}  // namespace sinew::host
