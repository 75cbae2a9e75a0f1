// A bundle under random, extreme and malformed poses, from many threads at once. SINEW_SOAK_SECONDS says how long.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include "sinew/host/mapped_file.h"
#include "sinew/host/thread_pool.h"
#include "tests/runtime/bundle_soak.h"

namespace sinew {
namespace {

TEST(Soak, NoPoseMakesABundleGiveWhatIsNotFinite) {
  const char* asked = std::getenv("SINEW_SOAK_SECONDS");
  const auto length = std::chrono::duration<double>(asked == nullptr ? 2.0 : std::atof(asked));
  host::MappedFile file;
  ASSERT_TRUE(file.Open(SINEW_SOURCE_DIR "/tests/golden/bundle_v1.sinew"));
  runtime::Bundle bundle;
  const char* problem = nullptr;
  ASSERT_EQ(runtime::Bundle::Open(file.bytes(), &bundle, &problem), runtime::Status::kOk) << problem;
  const auto end = std::chrono::steady_clock::now() + length;
  std::atomic<int> frames{0}, bad{0};
  host::ThreadPool pool(2);
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      testing::SoakedInstance instance(bundle, t + 1);
      while (std::chrono::steady_clock::now() < end) {
        bad += instance.Frame(t % 2 == 0 ? nullptr : &pool) ? 0 : 1;
        ++frames;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(bad, 0);
  EXPECT_GT(frames, 10);
  RecordProperty("frames", frames);
}

}  // namespace
}  // namespace sinew
