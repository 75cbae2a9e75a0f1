#include "sinew/offline/learn/loaded_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/core/error.h"
#include "tests/support/error_of.h"

namespace sinew::learn {
namespace {

using testing::ErrorOf;

TEST(LoadedLibrary, FindsFunctions) {
  const LoadedLibrary math("libm.so.6", "this test", "install it");
  EXPECT_EQ(math.Find<double (*)(double)>("cos")(0.0), 1.0);
  EXPECT_EQ(ErrorOf([&] { math.Find<void (*)()>("no_such_function"); }),
            "libm.so.6 has no no_such_function; install it");
}

TEST(LoadedLibrary, SaysWhatToDoWithoutIt) {
  EXPECT_EQ(ErrorOf([] { LoadedLibrary("libno_such.so", "training", "build it with `scripts/none`"); }),
            "training needs libno_such.so, which is not there; build it with `scripts/none`");
}

}  // namespace
}  // namespace sinew::learn
