#include "tests/runtime/allocations.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SINEW_THREAD_SANITIZER 1
#endif
#endif

namespace {

thread_local int allocations = 0;
std::atomic<int> all_allocations{0};

}  // namespace

int sinew::testing::AllocationsOfThisThread() { return allocations; }
int sinew::testing::AllocationsOfAllThreads() { return all_allocations.load(); }

#if defined(SINEW_THREAD_SANITIZER)

// Its operator new cannot be replaced, but it tells of every malloc.
extern "C" void __sanitizer_malloc_hook(const volatile void* memory, size_t bytes);
extern "C" __attribute__((no_sanitize("thread"))) void __sanitizer_malloc_hook(const volatile void*, size_t) {
  ++allocations;
  all_allocations.fetch_add(1, std::memory_order_relaxed);
}

bool sinew::testing::LimitAllocations(int) { return false; }

#elif defined(__unix__) && !defined(__EMSCRIPTEN__)

namespace {

thread_local int allowed = -1;

void* Allocate(std::size_t bytes, std::size_t alignment) {
  if (allowed == 0) throw std::bad_alloc();
  if (allowed > 0) --allowed;
  ++allocations;
  all_allocations.fetch_add(1, std::memory_order_relaxed);
  void* memory = nullptr;
  if (posix_memalign(&memory, std::max(alignment, sizeof(void*)), bytes == 0 ? 1 : bytes) != 0) {
    throw std::bad_alloc();
  }
  return memory;
}

}  // namespace

bool sinew::testing::LimitAllocations(int count) {
  allowed = count;
  return true;
}

void* operator new(std::size_t bytes) { return Allocate(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return Allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

#else

bool sinew::testing::LimitAllocations(int) { return false; }

#endif
