// Counts what operator new is asked for, and makes it fail. Linking allocations.cc replaces it.
#ifndef SINEW_TESTS_RUNTIME_ALLOCATIONS_H_
#define SINEW_TESTS_RUNTIME_ALLOCATIONS_H_

namespace sinew::testing {

// By the calling thread, since it began. Always 0 on Windows and in WebAssembly.
int AllocationsOfThisThread();
// By all threads, since the program began.
int AllocationsOfAllThreads();
// Lets the calling thread allocate `count` times more and then throws std::bad_alloc; a negative number: no limit.
// Returns whether that is possible here: not on Windows, in WebAssembly and under TSan.
bool LimitAllocations(int count);

}  // namespace sinew::testing

#endif  // SINEW_TESTS_RUNTIME_ALLOCATIONS_H_
