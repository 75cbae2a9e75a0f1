// What every fuzz target does: any bytes are a value or an Error; anything else is a finding.
#ifndef SINEW_TESTS_FUZZ_FUZZ_H_
#define SINEW_TESTS_FUZZ_FUZZ_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/offline/core/error.h"

namespace sinew::fuzz {

// Calls read(bytes); an exception that is not ours ends the process, which libFuzzer reports.
template <typename Read>
int Run(const uint8_t* data, size_t size, const Read& read) {
  try {
    read(std::as_bytes(std::span(data, size)));
  } catch (const Error&) {
    return 0;
  }
  return 0;
}

}  // namespace sinew::fuzz

#endif  // SINEW_TESTS_FUZZ_FUZZ_H_
