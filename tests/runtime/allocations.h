// Counts what operator new is asked for. Linking allocations.cc replaces it.
#ifndef SINEW_TESTS_RUNTIME_ALLOCATIONS_H_
#define SINEW_TESTS_RUNTIME_ALLOCATIONS_H_

namespace sinew::testing {

// By the calling thread, since it began. Always 0 on Windows and in WebAssembly.
int AllocationsOfThisThread();

}  // namespace sinew::testing

#endif  // SINEW_TESTS_RUNTIME_ALLOCATIONS_H_
