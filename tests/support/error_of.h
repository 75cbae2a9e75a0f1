// Sentence of the error that a call ends with.
#ifndef SINEW_TESTS_SUPPORT_ERROR_OF_H_
#define SINEW_TESTS_SUPPORT_ERROR_OF_H_

#include <functional>
#include <string>

#include "sinew/offline/core/error.h"

namespace sinew::testing {

// Returns "no error" if there was none.
inline std::string ErrorOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace sinew::testing

#endif  // SINEW_TESTS_SUPPORT_ERROR_OF_H_
