// Bundles under random, extreme and malformed poses, from many threads at once. SINEW_SOAK_SECONDS says how long,
// SINEW_SOAK_BUNDLES which besides the golden one, with a colon between them.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "sinew/host/mapped_file.h"
#include "sinew/host/thread_pool.h"
#include "tests/runtime/frame/bundle_soak.h"

namespace sinew {
namespace {

std::string Setting(const char* name, const char* otherwise) {
  const char* asked = std::getenv(name);
  return asked == nullptr ? otherwise : asked;
}

struct OpenBundle {
  explicit OpenBundle(const std::string& path) {
    EXPECT_TRUE(file.Open(path.c_str())) << path;
    const char* problem = "";
    opened = runtime::Bundle::Open(file.bytes(), &bundle, &problem) == runtime::Status::kOk;
    EXPECT_TRUE(opened) << path << ": " << problem;
  }
  host::MappedFile file;
  runtime::Bundle bundle;
  bool opened = false;
};

std::vector<std::unique_ptr<OpenBundle>> Bundles() {
  std::vector<std::unique_ptr<OpenBundle>> bundles;
  for (const char* name : {"bundle_v1", "bundle_contact_v2"}) {
    bundles.push_back(std::make_unique<OpenBundle>(std::string(SINEW_SOURCE_DIR "/tests/golden/") + name + ".sinew"));
  }
  std::istringstream more(Setting("SINEW_SOAK_BUNDLES", ""));
  for (std::string path; std::getline(more, path, ':');) bundles.push_back(std::make_unique<OpenBundle>(path));
  return bundles;
}

// What the soak's count is worth.
TEST(Soak, AllocationsOfTasksAreCountedAndThePoolMakesNone) {
#if !defined(__unix__) || defined(__EMSCRIPTEN__)
  GTEST_SKIP() << "allocations are not counted here";
#endif
  host::ThreadPool pool(2);
  testing::CountingRunner runner(pool);
  const auto counted = [&](runtime::TaskRunner::Task task) {
    const int here = testing::AllocationsOfThisThread(), elsewhere = runner.elsewhere();
    const int all = testing::AllocationsOfAllThreads();
    runner.Run(task, nullptr, 100);
    const int sum = testing::AllocationsOfThisThread() - here + runner.elsewhere() - elsewhere;
    EXPECT_EQ(testing::AllocationsOfAllThreads() - all, sum) << "an idle thread of the pool allocated";
    return sum;
  };
  EXPECT_EQ(counted([](void*, int i) { ::operator delete(::operator new(i % 2 == 0 ? 8 : 64)); }), 100);
  EXPECT_EQ(counted([](void*, int) {}), 0);
}

TEST(Soak, NoPoseMakesABundleGiveWhatIsNotFinite) {
  const auto length = std::chrono::duration<double>(std::stod(Setting("SINEW_SOAK_SECONDS", "2")));
  const std::vector<std::unique_ptr<OpenBundle>> bundles = Bundles();
  for (const auto& own : bundles) ASSERT_TRUE(own->opened);
  const auto end = std::chrono::steady_clock::now() + length;
  std::atomic<int> frames{0}, bad{0}, allocations{0};
  host::ThreadPool pool(2);
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      // One of every bundle, so that each is evaluated by all threads at once.
      std::vector<testing::SoakedInstance> instances;
      for (const auto& own : bundles) instances.emplace_back(own->bundle, t + 1);
      while (std::chrono::steady_clock::now() < end) {
        for (testing::SoakedInstance& instance : instances) {
          bad += instance.Frame(t % 2 == 0 ? nullptr : &pool) ? 0 : 1;
          ++frames;
        }
      }
      for (const testing::SoakedInstance& instance : instances) allocations += instance.allocations();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(bad, 0);
  EXPECT_EQ(allocations, 0);
  EXPECT_GT(frames, 10);
  std::printf("%d frames of %zu bundles on %zu threads in %.0f s: %d not as promised, %d allocations\n", frames.load(),
              bundles.size(), threads.size(), length.count(), bad.load(), allocations.load());
}

}  // namespace
}  // namespace sinew
