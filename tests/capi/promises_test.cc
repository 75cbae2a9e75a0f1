// What include/sinew.h promises about memory and locks.
#include <atomic>
#include <vector>

#include "tests/capi/opened_character.h"
#include "tests/runtime/allocations.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SINEW_THREAD_SANITIZER 1
#endif
#endif

// Counts the locks that are taken, by standing before the C library's function. TSan stands there itself.
#if defined(__linux__) && !defined(SINEW_THREAD_SANITIZER) && !defined(__SANITIZE_THREAD__)
#include <dlfcn.h>
#include <pthread.h>
#define SINEW_LOCKS_ARE_COUNTED 1

namespace {
std::atomic<int> locks{0};
}  // namespace

extern "C" int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  using Lock = int (*)(pthread_mutex_t*);
  static const auto next = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  locks.fetch_add(1, std::memory_order_relaxed);
  return next(mutex);
}
#endif

namespace sinew {
namespace {

const char* const kGolden = SINEW_SOURCE_DIR "/tests/golden/bundle_contact_v2.sinew";

class Pool {
 public:
  explicit Pool(int threads) { EXPECT_EQ(sinew_create_pool(threads, &pool_), SINEW_OK); }
  ~Pool() { sinew_destroy_pool(pool_); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  sinew_pool* get() const { return pool_; }

 private:
  sinew_pool* pool_ = nullptr;
};

TEST(CPromises, EvaluatingAllocatesNothingOnAnyThread) {
  testing::OpenedCharacter own(kGolden);
  const Pool pool(3);
  const sinew_collider collider = {0, 1, -1, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1}, 0};
  for (const int threads : {1, 3}) {
    own.frame.pool = threads == 1 ? nullptr : pool.get();
    const int before = testing::AllocationsOfAllThreads();
    bool right = true;
    for (int i = 0; i < 300; ++i) {
      own.frame.budget_ns = i % 3 == 0 ? 50000 : 0;
      own.outputs.back().normals_from = i % 3;
      own.frame.colliders = &collider;
      own.frame.collider_count = i % 2;
      right &= sinew_evaluate(own.instance, &own.frame, nullptr) == SINEW_OK;
    }
    const int after = testing::AllocationsOfAllThreads();
    EXPECT_TRUE(right);
    EXPECT_EQ(after, before) << threads << " threads";
  }
}

// Threads that are not used for a while sleep, and waking them takes a lock: so not every evaluation is without one,
// but those that follow another at once are, unless the system gives the threads no time.
TEST(CPromises, EvaluationsThatFollowEachOtherTakeNoLock) {
#if defined(SINEW_LOCKS_ARE_COUNTED)
  testing::OpenedCharacter own(kGolden);
  const Pool pool(2);
  own.frame.pool = pool.get();
  int without = 0;
  for (int i = 0; i < 2000; ++i) {
    const int before = locks.load();
    sinew_evaluate(own.instance, &own.frame, nullptr);
    without += locks.load() == before ? 1 : 0;
  }
  EXPECT_GT(without, 0);
  RecordProperty("evaluations_without_a_lock", without);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  const int before = locks.load();
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  EXPECT_GT(locks.load(), before) << "the counter does not count";
#else
  GTEST_SKIP() << "locks are not counted here";
#endif
}

// Allows one allocation more each time, until there are enough.
template <typename Create>
int FailuresOf(const Create& create) {
  for (int allowed = 0;; ++allowed) {
    if (!testing::LimitAllocations(allowed)) return -1;
    const sinew_status status = create();
    testing::LimitAllocations(-1);
    if (status == SINEW_OK) return allowed;
    EXPECT_EQ(status, SINEW_OUT_OF_MEMORY);
    if (allowed > 1000) return allowed;
  }
}

TEST(CPromises, CreatingWithoutMemoryIsAnError) {
  if (!testing::LimitAllocations(-1)) GTEST_SKIP() << "allocations cannot be made to fail here";
  const testing::OpenedCharacter own(kGolden);
  const int pools = FailuresOf([&] {
    sinew_pool* pool = nullptr;
    const sinew_status status = sinew_create_pool(4, &pool);
    EXPECT_EQ(pool == nullptr, status != SINEW_OK);
    sinew_destroy_pool(pool);
    return status;
  });
  EXPECT_GE(pools, 5) << "the pool, its parts and three threads";
  const int instances = FailuresOf([&] {
    sinew_instance* instance = nullptr;
    const sinew_status status = sinew_create_instance(own.character, &instance);
    EXPECT_EQ(instance == nullptr, status != SINEW_OK);
    sinew_destroy_instance(instance);
    return status;
  });
  EXPECT_GE(instances, 2);
}

}  // namespace
}  // namespace sinew
