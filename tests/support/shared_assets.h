// Real characters and motions for development. They are not part of the project: their folder is named by the
// environment variable SINEW_ASSETS, or stands beside the checkout; a test that wants them skips without it.
#ifndef SINEW_TESTS_SUPPORT_SHARED_ASSETS_H_
#define SINEW_TESTS_SUPPORT_SHARED_ASSETS_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace sinew::testing {

// Empty if there are none.
inline std::filesystem::path AssetsFolder() {
  const char* named = std::getenv("SINEW_ASSETS");
  const std::filesystem::path folder = named != nullptr ? named : SINEW_SOURCE_DIR "/../shared/assets";
  return std::filesystem::is_directory(folder) ? folder : "";
}

}  // namespace sinew::testing

#define SINEW_REQUIRE_ASSETS()                                                           \
  if (sinew::testing::AssetsFolder().empty()) {                                          \
    GTEST_SKIP() << "needs real characters: set SINEW_ASSETS to a folder that has them"; \
  }

#endif  // SINEW_TESTS_SUPPORT_SHARED_ASSETS_H_
