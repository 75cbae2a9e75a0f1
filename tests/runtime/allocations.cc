#include "tests/runtime/allocations.h"

#include <algorithm>
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

}  // namespace

int sinew::testing::AllocationsOfThisThread() { return allocations; }

#if defined(SINEW_THREAD_SANITIZER)

// Its operator new cannot be replaced, but it tells of every malloc.
extern "C" void __sanitizer_malloc_hook(const volatile void* memory, size_t bytes);
extern "C" __attribute__((no_sanitize("thread"))) void __sanitizer_malloc_hook(const volatile void*, size_t) {
  ++allocations;
}

#elif defined(__unix__) && !defined(__EMSCRIPTEN__)

namespace {

void* Allocate(std::size_t bytes, std::size_t alignment) {
  ++allocations;
  void* memory = nullptr;
  if (posix_memalign(&memory, std::max(alignment, sizeof(void*)), bytes == 0 ? 1 : bytes) != 0) {
    throw std::bad_alloc();
  }
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) { return Allocate(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return Allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

#endif
