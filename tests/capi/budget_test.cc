// Budgets and stops through the C interface: what is not complete is never said to be.
#include <atomic>
#include <cmath>
#include <cstdint>
#include <thread>
#include <vector>

#include "tests/capi/opened_character.h"

namespace sinew {
namespace {

const char* const kGolden = SINEW_SOURCE_DIR "/tests/golden/bundle_v1.sinew";

// Runs tasks on the calling thread, and stops the instance once some have run.
struct StoppingRunner {
  sinew_instance* instance = nullptr;
  int stop_after = 0;  // negative: never
  int ran = 0;
  bool stopped = false;

  static void Run(void* user, sinew_task task, void* context, int count) {
    auto& own = *static_cast<StoppingRunner*>(user);
    for (int i = 0; i < count; ++i) {
      if (own.ran++ == own.stop_after) {
        own.stopped = true;
        sinew_stop(own.instance);
      }
      task(context, i);
    }
  }
};

class Budget : public ::testing::TestWithParam<bool> {
 protected:
  Budget() : own_(kGolden) {
    own_.pose[2].rotation[1] += 0.4f;
    AskForNormals();
    own_.Evaluate();
    expected_positions_ = own_.positions;
    expected_normals_ = own_.normals;
  }

  void AskForNormals() {
    for (sinew_output& output : own_.outputs) {
      output.normals_from = GetParam() ? SINEW_NORMALS_TRIANGLES : SINEW_NORMALS_SKINNED;
    }
  }
  // Expects that the levels up to the one that was reached are whole.
  void ExpectWholeLevels(const sinew_result& result) {
    for (int i = 1; i <= own_.finest(); ++i) {
      if (own_.outputs[i - 1].positions.data == nullptr) continue;
      const bool whole =
          own_.positions[i - 1] == expected_positions_[i - 1] && own_.normals[i - 1] == expected_normals_[i - 1];
      EXPECT_TRUE(whole || i > result.level) << i;
    }
    EXPECT_EQ((result.flags & SINEW_INTERRUPTED) != 0, result.level < own_.finest());
  }
  bool Untouched(int level) const {
    for (const float value : own_.positions[level - 1]) {
      if (!std::isnan(value)) return false;
    }
    return true;
  }

  testing::OpenedCharacter own_;
  std::vector<std::vector<float>> expected_positions_, expected_normals_;
};

TEST_P(Budget, OneThatIsSpentComputesNothing) {
  for (const bool all : {true, false}) {
    own_.AskForNothing();
    all ? own_.AskForAll() : own_.AskFor(own_.finest());
    for (const int64_t budget : {int64_t{1}, int64_t{-1}, INT64_MIN}) {
      own_.Clear();
      own_.frame.budget_ns = budget;
      const sinew_result result = own_.Evaluate();
      EXPECT_EQ(result.level, 0);
      EXPECT_EQ(result.flags, static_cast<unsigned>(SINEW_INTERRUPTED));
      EXPECT_TRUE(Untouched(own_.finest()));
    }
  }
}

TEST_P(Budget, OneThatIsLongIsNoLimit) {
  for (const int64_t budget : {INT64_MAX, INT64_MAX - 1, int64_t{3600} * 1000 * 1000 * 1000}) {
    own_.Clear();
    own_.frame.budget_ns = budget;
    const sinew_result result = own_.Evaluate();
    EXPECT_EQ(result.level, own_.finest()) << budget;
    ExpectWholeLevels(result);
  }
}

TEST_P(Budget, LevelsThatMustBeCompleteAre) {
  own_.frame.budget_ns = 1;
  for (int level = 1; level <= own_.finest(); ++level) {
    own_.Clear();
    own_.frame.complete_level = level;
    const sinew_result result = own_.Evaluate();
    EXPECT_EQ(result.level, level);
    ExpectWholeLevels(result);
  }
  own_.frame.complete_level = -1;
  EXPECT_EQ(sinew_evaluate(own_.instance, &own_.frame, nullptr), SINEW_INVALID_ARGUMENT);
}

TEST_P(Budget, AStopEndsAnEvaluationBetweenAnyTwoTasks) {
  StoppingRunner counted{.instance = own_.instance, .stop_after = -1};
  own_.frame.run = &StoppingRunner::Run;
  own_.frame.run_user = &counted;
  own_.Evaluate();
  ASSERT_GT(counted.ran, 5);
  int heard = 0;
  for (const bool all : {true, false}) {
    own_.AskForNothing();
    all ? own_.AskForAll() : own_.AskFor(own_.finest());
    AskForNormals();
    for (int after = 0; after <= counted.ran; ++after) {
      own_.Clear();
      StoppingRunner runner{.instance = own_.instance, .stop_after = after};
      own_.frame.run_user = &runner;
      const sinew_result result = own_.Evaluate();
      ExpectWholeLevels(result);
      EXPECT_EQ(runner.stopped, result.level < own_.finest()) << "after " << after << " tasks";
      heard += result.level < own_.finest() ? 1 : 0;
      EXPECT_TRUE(after > 0 || Untouched(own_.finest()));
      // The stop is taken away: the next evaluation is whole.
      StoppingRunner never{.instance = own_.instance, .stop_after = -1};
      own_.frame.run_user = &never;
      EXPECT_EQ(own_.Evaluate().level, own_.finest());
    }
  }
  EXPECT_GT(heard, counted.ran);
}

TEST_P(Budget, AStopBeforeAnEvaluationIsHonouredOnce) {
  for (const bool all : {true, false}) {
    own_.AskForNothing();
    all ? own_.AskForAll() : own_.AskFor(own_.finest());
    sinew_stop(own_.instance);
    own_.Clear();
    // A call that is refused does not use it up.
    own_.frame.pose = nullptr;
    EXPECT_EQ(sinew_evaluate(own_.instance, &own_.frame, nullptr), SINEW_INVALID_ARGUMENT);
    own_.frame.pose = own_.pose.data();
    const sinew_result stopped = own_.Evaluate();
    EXPECT_EQ(stopped.level, 0);
    EXPECT_EQ(stopped.flags, static_cast<unsigned>(SINEW_INTERRUPTED));
    EXPECT_TRUE(Untouched(own_.finest()));
    EXPECT_EQ(own_.Evaluate().level, own_.finest());
  }
}

TEST_P(Budget, StopsFromAnotherThreadAndBudgetsLeaveWholeLevels) {
  sinew_pool* pool = nullptr;
  ASSERT_EQ(sinew_create_pool(3, &pool), SINEW_OK);
  own_.frame.pool = pool;
  std::atomic<bool> done{false};
  std::thread stopper([&] {
    while (!done.load()) sinew_stop(own_.instance), std::this_thread::yield();
  });
  for (int i = 0; i < 200; ++i) {
    own_.Clear();
    own_.frame.budget_ns = i % 2 == 0 ? 0 : 1000 * i;
    ExpectWholeLevels(own_.Evaluate());
  }
  done.store(true);
  stopper.join();
  sinew_destroy_pool(pool);
}

INSTANTIATE_TEST_SUITE_P(Normals, Budget, ::testing::Bool(),
                         [](const auto& of) { return of.param ? "Recomputed" : "Skinned"; });

}  // namespace
}  // namespace sinew
