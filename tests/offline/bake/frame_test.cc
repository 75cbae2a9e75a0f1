// Bundles evaluated by the runtime, against the plain prediction of the deformer that they were baked from.
#include "sinew/runtime/frame/evaluate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "sinew/host/thread_pool.h"
#include "sinew/offline/character/posing.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/multires/predict.h"
#include "tests/offline/bake/baking.h"
#include "tests/runtime/targets.h"

namespace sinew::bake {
namespace {

using runtime::Bundle;
using runtime::EvaluateJob;
using runtime::Evaluation;
using runtime::Float3;
using runtime::Float4;
using runtime::LevelOutput;
using runtime::Precision;
using runtime::Status;
using runtime::StridedSpan;
using testing::RandomPose;
using testing::SmallCharacter;

constexpr Precision kPrecisions[] = {Precision::kF32, Precision::kF16, Precision::kI8};

const SmallCharacter& Small() {
  static const SmallCharacter small = testing::MakeSmallCharacter();
  return small;
}
const Skeleton& SkeletonOf(const SmallCharacter& small) { return small.hierarchy.levels.back().character.skeleton; }

// A row a point. own: with the modes of the level alone, as it is shown; else as the next level starts from it.
Points Predicted(const SmallCharacter& small, const Pose& pose, int level, bool own = true) {
  const learn::RowMatrix features = multires::FeaturesOfPoses(small.deformer.features, SkeletonOf(small), {pose});
  learn::RowMatrix F;
  for (int i = 1; i <= level; ++i) F = multires::PredictLevel(small.deformer, small.hierarchy, i, features, F);
  if (own) F = multires::WithOwn(small.deformer, level, features, std::move(F));
  return Eigen::Map<const Points>(F.data(), F.cols() / 3, 3);
}

double Largest(const Points& a, const Points& b) { return (a - b).rowwise().norm().maxCoeff(); }

// Outputs of all levels in vectors.
struct Outputs {
  explicit Outputs(const Bundle& bundle) : scratch(runtime::ScratchBytes(bundle)) {
    levels.resize(bundle.level_count());
    for (int i = 1; i <= bundle.level_count(); ++i) {
      const auto n = static_cast<size_t>(bundle.level(i).vertex_count);
      positions.emplace_back(n);
      normals.emplace_back(n);
      displacements.emplace_back(n);
      levels[i - 1].positions = positions.back();
      levels[i - 1].normals = normals.back();
      levels[i - 1].displacements = displacements.back();
    }
    boxes.resize(levels.size());
    for (size_t i = 0; i < levels.size(); ++i) levels[i].bounds = &boxes[i];
    coefficients.resize(bundle.coefficient_count(bundle.level_count()));
  }
  EvaluateJob Job(const Bundle& bundle, const Pose& pose) {
    EvaluateJob job;
    job.bundle = &bundle;
    job.pose = pose;
    job.levels = levels;
    job.coefficients = coefficients;
    job.coefficient_level = bundle.level_count();
    job.scratch = scratch;
    return job;
  }
  bool SameBitsAs(const Outputs& other) const {
    bool same = coefficients == other.coefficients;
    const auto equal = [](const std::vector<Float3>& a, const std::vector<Float3>& b) {
      return std::memcmp(a.data(), b.data(), a.size() * sizeof(Float3)) == 0;
    };
    for (size_t i = 0; i < levels.size(); ++i) {
      same &= equal(positions[i], other.positions[i]) && equal(normals[i], other.normals[i]) &&
              equal(displacements[i], other.displacements[i]) &&
              std::memcmp(&boxes[i], &other.boxes[i], sizeof(boxes[i])) == 0;
    }
    return same;
  }
  Points Positions(int level) const {
    const std::vector<Float3>& p = positions[level - 1];
    return Eigen::Map<const Points>(&p[0].x, static_cast<Eigen::Index>(p.size()), 3);
  }

  std::vector<std::byte> scratch;
  std::vector<LevelOutput> levels;
  std::vector<std::vector<Float3>> positions, normals, displacements;
  std::vector<runtime::Bounds> boxes;
  std::vector<float> coefficients;
};

TEST(Evaluate, AgreesWithThePlainPrediction) {
  const SmallCharacter& small = Small();
  for (const Precision precision : kPrecisions) {
    const DeformerEvaluator evaluator(small.hierarchy, small.deformer, precision);
    const double tolerance = (precision == Precision::kF32   ? 1e-5
                              : precision == Precision::kF16 ? 1e-4
                                                             : 3e-3) *
                             small.deformer.height;
    for (uint64_t seed = 1; seed <= 6; ++seed) {
      const Pose pose = RandomPose(SkeletonOf(small), seed, seed > 4 ? 3.0 : 0.6);
      for (int level = 1; level <= 3; ++level) {
        const Points predicted = Predicted(small, pose, level);
        const Points evaluated = evaluator.Displacements(pose, level);
        ASSERT_EQ(evaluated.rows(), small.hierarchy.level(level).point_count);
        EXPECT_LT(Largest(evaluated, predicted), tolerance) << static_cast<int>(precision) << " level " << level;
        if (seed > 4) continue;
        EXPECT_GT(predicted.rowwise().norm().maxCoeff(), 3 * tolerance) << "nothing was compared";
      }
    }
  }
}

// Joints that stand side by side are seen against each other, by training as by the runtime; turned as a whole, they
// change nothing.
TEST(Evaluate, JointsSideBySideAreSeenAsInTraining) {
  const SmallCharacter small = testing::SideBySide(Small());
  const DeformerEvaluator evaluator(small.hierarchy, small.deformer, Precision::kF32);
  const auto hands = static_cast<Eigen::Index>(testing::MakeFlatHand().joints.size());
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    Pose pose = RandomPose(SkeletonOf(small), seed);
    const Points predicted = Predicted(small, pose, 2);
    EXPECT_GT(Largest(predicted, Predicted(Small(), pose, 2)), 1e-3) << "nothing was compared";
    EXPECT_LT(Largest(evaluator.Displacements(pose, 2), predicted), 2e-5);
    const learn::RowMatrix before = multires::FeaturesOfPoses(small.deformer.features, SkeletonOf(small), {pose});
    const Eigen::Quaternionf turn(Eigen::AngleAxisf(1.0f, Eigen::Vector3f(1, 2, 3).normalized()));
    for (Transform& joint : pose) joint.rotation = ToQuaternion(turn * ToEigen(joint.rotation));
    const learn::RowMatrix after = multires::FeaturesOfPoses(small.deformer.features, SkeletonOf(small), {pose});
    const Eigen::Index rows = (hands - 1) * before.rows() / SkeletonOf(small).joint_count();
    EXPECT_LT((before - after).topRows(rows).cwiseAbs().maxCoeff(), 1e-4);
  }
}

TEST(Evaluate, LevelsThatAreNotTrainedYetAddNothing) {
  SmallCharacter small = Small();
  small.deformer.levels.resize(1);
  const DeformerEvaluator evaluator(small.hierarchy, small.deformer, Precision::kF32);
  const Pose pose = RandomPose(SkeletonOf(small), 3);
  const Points coarse = Predicted(small, pose, 1, false);
  EXPECT_GT(Largest(evaluator.Displacements(pose, 1), coarse), 1e-3) << "the level has no modes of its own";
  const Eigen::MatrixXd upsampled = lod::Upsample(small.hierarchy.U[1], coarse.cast<double>());
  EXPECT_LT(Largest(evaluator.Displacements(pose, 2), upsampled.cast<float>()), 1e-5);
}

TEST(Evaluate, SingleLevelsStandByThemselves) {
  SmallCharacter small = Small();
  small.deformer.incremental = false;
  const DeformerEvaluator evaluator(small.hierarchy, small.deformer, Precision::kF32);
  const Pose pose = RandomPose(SkeletonOf(small), 3);
  for (int level = 1; level <= 3; ++level) {
    EXPECT_LT(Largest(evaluator.Displacements(pose, level), Predicted(small, pose, level)), 2e-5);
  }
}

TEST(Evaluate, FinishedVerticesAreTheDisplacedCharacterSkinned) {
  const SmallCharacter& small = Small();
  const BakedBundle baked = BuildBundle(small.hierarchy, small.deformer, {}, {.precision = Precision::kF32});
  const Pose pose = RandomPose(SkeletonOf(small), 2);
  for (int level = 1; level <= 3; ++level) {
    Character character = small.hierarchy.level(level).character;
    const Points plain = PoseCharacter(character, pose).parts[0].positions;
    EXPECT_LT(Largest(Deform(baked.bundle, pose, level, true).positions, plain), 1e-6);
    character.parts[0].mesh.positions += Displacements(baked.bundle, pose, level);
    const Points truth = PoseCharacter(character, pose).parts[0].positions;
    EXPECT_GT(Largest(plain, truth), 1e-3);
    EXPECT_LT(Largest(Deform(baked.bundle, pose, level).positions, truth), 1e-5);
  }
}

TEST(Evaluate, AtRestNothingIsAdded) {
  const SmallCharacter& small = Small();
  for (const Precision precision : kPrecisions) {
    const BakedBundle baked = BuildBundle(small.hierarchy, small.deformer, {}, {.precision = precision});
    Evaluation evaluation;
    for (int level = 1; level <= 3; ++level) {
      const Points off = Displacements(baked.bundle, SkeletonOf(small).RestPose(), level, &evaluation);
      EXPECT_EQ(off.cwiseAbs().maxCoeff(), 0);
    }
    EXPECT_EQ(evaluation.flags, 0u);
    EXPECT_LE(evaluation.out_of_range, 0);
  }
}

TEST(Evaluate, OrderOfMemoryChangesNothing) {
  const SmallCharacter& small = Small();
  const BakedBundle file =
      BuildBundle(small.hierarchy, small.deformer, {}, {.precision = Precision::kF32, .order = BakeOrder::kFile});
  const BakedBundle own =
      BuildBundle(small.hierarchy, small.deformer, {}, {.precision = Precision::kF32, .order = BakeOrder::kInternal});
  ASSERT_TRUE(file.bundle.level(3).order.empty());
  ASSERT_FALSE(own.bundle.level(3).order.empty());
  const Pose pose = RandomPose(SkeletonOf(small), 5);
  Outputs a(file.bundle), b(own.bundle);
  std::vector<Float3> post(a.positions[2].size(), Float3{0.1f, 0.2f, 0.3f});
  for (Outputs* outputs : {&a, &b}) outputs->levels[2].post_displacements = post;
  ASSERT_EQ(a.Job(file.bundle, pose).Run().level, 3);
  ASSERT_EQ(b.Job(own.bundle, pose).Run().level, 3);
  for (int level = 1; level <= 3; ++level) {
    EXPECT_LT(Largest(a.Positions(level), b.Positions(level)), 1e-6);
    EXPECT_NEAR(a.boxes[level - 1].max.y, b.boxes[level - 1].max.y, 1e-6);
    EXPECT_NEAR(a.boxes[level - 1].min.x, b.boxes[level - 1].min.x, 1e-6);
  }
}

TEST(Evaluate, SameBitsWithAnyNumberOfThreadsAndCloseOnEveryTarget) {
  const SmallCharacter& small = Small();
  for (const Precision precision : kPrecisions) {
    const BakedBundle baked = BuildBundle(small.hierarchy, small.deformer, {}, {.precision = precision});
    const Pose pose = RandomPose(SkeletonOf(small), 7);
    Outputs reference(baked.bundle);
    reference.Job(baked.bundle, pose).Run();
    for (const int threads : {1, 2, 5}) {
      host::ThreadPool pool(threads);
      Outputs outputs(baked.bundle);
      EvaluateJob job = outputs.Job(baked.bundle, pose);
      job.runner = &pool;
      EXPECT_EQ(job.Run().status, Status::kOk);
      EXPECT_TRUE(outputs.SameBitsAs(reference)) << threads;
    }
    testing::ForEachTarget([&] {
      Outputs outputs(baked.bundle);
      outputs.Job(baked.bundle, pose).Run();
      for (int level = 1; level <= 3; ++level) {
        EXPECT_LT(Largest(outputs.Positions(level), reference.Positions(level)), 1e-5 * small.deformer.height);
      }
    });
  }
}

TEST(Evaluate, SeamsStayClosed) {
  const SmallCharacter& small = Small();
  const lod::Level& finest = small.hierarchy.levels.back();
  ASSERT_GT(finest.vertex_count(), finest.point_count);
  for (const Precision precision : kPrecisions) {
    for (const BakeOrder order : {BakeOrder::kFile, BakeOrder::kInternal}) {
      const BakedBundle baked =
          BuildBundle(small.hierarchy, small.deformer, {}, {.precision = precision, .order = order});
      const Points positions = Deform(baked.bundle, RandomPose(SkeletonOf(small), 8), 3).positions;
      std::vector<int> first(finest.point_count, -1);
      for (int v = 0; v < finest.vertex_count(); ++v) {
        int& other = first[finest.point_of_vertex[v]];
        const double apart = other >= 0 ? (positions.row(v) - positions.row(other)).norm() : 0;
        EXPECT_LT(apart, 1e-7);
        other = v;
      }
    }
  }
}

TEST(Evaluate, RefusesPosesThatAreNotFinite) {
  const SmallCharacter& small = Small();
  const BakedBundle baked = BuildBundle(small.hierarchy, small.deformer, {}, {});
  const Pose rest = SkeletonOf(small).RestPose();
  const Points at_rest = Deform(baked.bundle, rest, 3).positions;
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e30f}) {
    for (int field = 0; field < 10; ++field) {
      Pose pose = RandomPose(SkeletonOf(small), 9);
      Transform& joint = pose[3];
      float* fields[] = {&joint.translation.x, &joint.translation.y, &joint.translation.z, &joint.rotation.x,
                         &joint.rotation.y,    &joint.rotation.z,    &joint.rotation.w,    &joint.scale.x,
                         &joint.scale.y,       &joint.scale.z};
      *fields[field] = bad;
      const DeformedLevel deformed = Deform(baked.bundle, pose, 3);
      EXPECT_EQ(deformed.evaluation.flags & runtime::kPoseRefused, runtime::kPoseRefused) << bad << ' ' << field;
      EXPECT_EQ(deformed.positions, at_rest);
    }
  }
}

TEST(Evaluate, FadesAndSaysSoBeyondWhatWasTrained) {
  const SmallCharacter& small = Small();
  const BakedBundle baked = BuildBundle(small.hierarchy, small.deformer, {}, {.precision = Precision::kF32});
  const DeformerEvaluator evaluator(small.hierarchy, small.deformer, Precision::kF32);
  const Pose rest = SkeletonOf(small).RestPose();
  Pose pose = rest;
  double last = -1;
  bool whole = false, partly = false, gone = false;
  for (int step = 0; step <= 60; ++step) {
    // Somewhere on the way to half a turn every test is left.
    for (size_t j = 0; j < pose.size(); ++j) {
      const Eigen::Quaternionf turn(Eigen::AngleAxisf(0.05f * static_cast<float>(step), Eigen::Vector3f::UnitX()));
      pose[j].rotation = ToQuaternion(ToEigen(rest[j].rotation) * turn);
    }
    Evaluation evaluation;
    Displacements(baked.bundle, pose, 1, &evaluation);
    EXPECT_LT(Largest(evaluator.Displacements(pose, 1), Predicted(small, pose, 1)), 3e-5);
    EXPECT_EQ((evaluation.flags & runtime::kFaded) != 0, evaluation.out_of_range > 0);
    whole |= evaluation.out_of_range <= 0;
    partly |= evaluation.out_of_range > 0 && evaluation.out_of_range < 1;
    gone |= evaluation.out_of_range >= 1;
    last = evaluation.out_of_range;
  }
  EXPECT_TRUE(whole && partly && gone) << last;
}

// A nanosecond passes whenever it is read.
class CountingClock final : public runtime::Clock {
 public:
  int64_t Now() override { return now++; }
  int64_t now = 0;
};

TEST(Evaluate, ADeadlineDecidesWhichLevelIsReachedAndNotItsValues) {
  const SmallCharacter& small = Small();
  const BakedBundle baked = BuildBundle(small.hierarchy, small.deformer, {}, {.precision = Precision::kF32});
  const Pose pose = RandomPose(SkeletonOf(small), 10);
  Outputs reference(baked.bundle);
  reference.Job(baked.bundle, pose).Run();
  // How long everything takes, and when each level is complete.
  CountingClock whole;
  std::vector<int64_t> times(4, -1);
  Outputs timed(baked.bundle);
  EvaluateJob first = timed.Job(baked.bundle, pose);
  first.clock = &whole;
  first.deadline = 1000000;
  first.times = times;
  ASSERT_EQ(first.Run().level, 3);
  for (int i = 1; i <= 3; ++i) EXPECT_GT(times[i], times[i - 1]);
  bool reached[4] = {};
  for (int64_t deadline = 0; deadline <= whole.now + 1; ++deadline) {
    CountingClock clock;
    Outputs outputs(baked.bundle);
    EvaluateJob job = outputs.Job(baked.bundle, pose);
    job.clock = &clock;
    job.deadline = deadline;
    const Evaluation evaluation = job.Run();
    reached[evaluation.level] = true;
    EXPECT_LE(clock.now, deadline + 2) << "something was begun after the deadline";
    EXPECT_LE(evaluation.level == 0 ? 0 : times[evaluation.level], deadline + 1);
    EXPECT_EQ((evaluation.flags & runtime::kInterrupted) != 0, evaluation.level < 3);
    for (int level = 1; level <= evaluation.level; ++level) {
      EXPECT_EQ(outputs.Positions(level), reference.Positions(level));
    }
    for (int complete = 1; complete <= 3; ++complete) {
      job.complete_level = complete;
      EXPECT_GE(job.Run().level, complete);
    }
  }
  EXPECT_TRUE(reached[0] && reached[1] && reached[3]);
}

TEST(Evaluate, AStopFlagEndsEverything) {
  const SmallCharacter& small = Small();
  const BakedBundle baked = BuildBundle(small.hierarchy, small.deformer, {}, {.precision = Precision::kF32});
  const Pose pose = RandomPose(SkeletonOf(small), 10);
  const std::atomic<bool> stop{true};
  Outputs outputs(baked.bundle);
  EvaluateJob job = outputs.Job(baked.bundle, pose);
  job.stop = &stop;
  job.complete_level = 3;
  const Evaluation evaluation = job.Run();
  EXPECT_EQ(evaluation.level, 0);
  EXPECT_EQ(evaluation.flags, runtime::kInterrupted);
}

// Every joint turned by an angle away from rest.
Pose Turned(const SmallCharacter& small, float angle) {
  Pose pose = SkeletonOf(small).RestPose();
  for (auto& joint : pose) {
    joint.rotation = ToQuaternion(ToEigen(joint.rotation) * Eigen::AngleAxisf(angle, Eigen::Vector3f::UnitX()));
  }
  return pose;
}

class StandingClock final : public runtime::Clock {
 public:
  int64_t Now() override { return 0; }
};

// Networks of finer levels are evaluated in other batches, depending on what is wanted and whether there is a deadline.
TEST(Evaluate, IsTheSameWhateverIsAskedForBesides) {
  SmallCharacter small = Small();
  host::ThreadPool pool(2);
  StandingClock clock;
  unsigned flags = 0;
  for (const bool incremental : {true, false}) {
    small.deformer.incremental = incremental;
    const BakedBundle baked = BuildBundle(small.hierarchy, small.deformer, {}, {});
    for (const float angle : {0.2f, 0.8f, 1.4f}) {
      const Pose pose = Turned(small, angle);
      Outputs all(baked.bundle);
      flags |= all.Job(baked.bundle, pose).Run().flags;
      for (int asked = 0; asked < 8 * 4 * 4; ++asked) {
        Outputs some(baked.bundle);
        for (int i = 0; i < 3; ++i) {
          if (((asked >> i) & 1) == 0) some.levels[i] = {};
        }
        EvaluateJob job = some.Job(baked.bundle, pose);
        job.coefficient_level = (asked >> 3) & 3;
        job.runner = (asked & 32) != 0 ? &pool : nullptr;
        job.clock = (asked & 64) != 0 ? &clock : nullptr;
        ASSERT_EQ(job.Run().status, Status::kOk);
        const int count = job.coefficient_level == 0 ? 0 : baked.bundle.coefficient_count(job.coefficient_level);
        EXPECT_TRUE(std::equal(some.coefficients.begin(), some.coefficients.begin() + count, all.coefficients.begin()))
            << asked;
        for (int i = 1; i <= 3; ++i) {
          const bool wanted = ((asked >> (i - 1)) & 1) != 0;
          EXPECT_TRUE(!wanted || some.Positions(i) == all.Positions(i)) << asked;
        }
      }
    }
  }
  EXPECT_TRUE(flags & runtime::kFaded) << "no pose was out of range";
}

TEST(Evaluate, AnyLevelAloneIsTheSame) {
  const SmallCharacter& small = Small();
  const BakedBundle baked = BuildBundle(small.hierarchy, small.deformer, {}, {});
  const Pose pose = RandomPose(SkeletonOf(small), 11);
  Outputs all(baked.bundle);
  all.Job(baked.bundle, pose).Run();
  for (int level = 1; level <= 3; ++level) {
    EXPECT_EQ(Deform(baked.bundle, pose, level).positions, all.Positions(level));
  }
}

TEST(Evaluate, MixesALevelWithTheSurfaceOfTheCoarserOne) {
  const SmallCharacter& small = Small();
  for (const BakeOrder order : {BakeOrder::kFile, BakeOrder::kInternal}) {
    const BakedBundle baked =
        BuildBundle(small.hierarchy, small.deformer, {}, {.precision = Precision::kF32, .order = order});
    const Pose pose = RandomPose(SkeletonOf(small), 12);
    Outputs all(baked.bundle);
    all.Job(baked.bundle, pose).Run();
    const lod::Level& coarse = small.hierarchy.level(2);
    Points coarse_points(coarse.point_count, 3);
    for (int v = 0; v < coarse.vertex_count(); ++v)
      coarse_points.row(coarse.point_of_vertex[v]) = all.Positions(2).row(v);
    const Points on_surface = lod::Upsample(small.hierarchy.U[2], coarse_points.cast<double>()).cast<float>();
    for (const float own : {0.0f, 0.25f}) {
      Outputs mixed(baked.bundle);
      mixed.levels[0] = mixed.levels[1] = {};
      mixed.levels[2].toward_coarser = 1 - own;
      ASSERT_EQ(mixed.Job(baked.bundle, pose).Run().status, Status::kOk);
      const lod::Level& finest = small.hierarchy.level(3);
      for (int v = 0; v < finest.vertex_count(); ++v) {
        const Eigen::RowVector3f expected =
            own * all.Positions(3).row(v) + (1 - own) * on_surface.row(finest.point_of_vertex[v]);
        ASSERT_LT((mixed.Positions(3).row(v) - expected).norm(), 1e-5);
      }
    }
  }
}

TEST(Evaluate, MixesNeighbouringLevelsInOneCallAsEachAlone) {
  const SmallCharacter& small = Small();
  const BakedBundle baked = BuildBundle(small.hierarchy, small.deformer, {}, {});
  const Pose pose = RandomPose(SkeletonOf(small), 13);
  host::ThreadPool pool(3);
  for (runtime::TaskRunner* runner :
       {static_cast<runtime::TaskRunner*>(nullptr), static_cast<runtime::TaskRunner*>(&pool)}) {
    Outputs both(baked.bundle);
    both.levels[1].toward_coarser = both.levels[2].toward_coarser = 0.75f;
    EvaluateJob job = both.Job(baked.bundle, pose);
    job.runner = runner;
    ASSERT_EQ(job.Run().status, Status::kOk);
    for (const int level : {2, 3}) {
      Outputs alone(baked.bundle);
      for (int i = 1; i <= 3; ++i) {
        if (i != level) alone.levels[i - 1] = {};
      }
      alone.levels[level - 1].toward_coarser = 0.75f;
      ASSERT_EQ(alone.Job(baked.bundle, pose).Run().status, Status::kOk);
      EXPECT_EQ(both.Positions(level), alone.Positions(level)) << "level " << level;
    }
  }
}

TEST(Evaluate, ManyInstancesInOneCall) {
  const SmallCharacter& small = Small();
  const BakedBundle baked = BuildBundle(small.hierarchy, small.deformer, {}, {});
  std::vector<Pose> poses;
  std::vector<Outputs> outputs;
  for (uint64_t i = 0; i < 9; ++i) {
    poses.push_back(RandomPose(SkeletonOf(small), 20 + i));
    outputs.emplace_back(baked.bundle);
    for (size_t l = 0; l < 3; ++l) outputs.back().levels[l].bounds = nullptr;
  }
  std::vector<EvaluateJob> jobs;
  for (size_t i = 0; i < poses.size(); ++i) jobs.push_back(outputs[i].Job(baked.bundle, poses[i]));
  std::vector<Evaluation> evaluations(jobs.size());
  host::ThreadPool pool(3);
  runtime::EvaluateInstances(jobs, evaluations, &pool);
  for (size_t i = 0; i < poses.size(); ++i) {
    EXPECT_EQ(evaluations[i].level, 3);
    EXPECT_EQ(outputs[i].Positions(3), Deform(baked.bundle, poses[i], 3).positions);
  }
}

TEST(Evaluate, SaysNoToWhatDoesNotFit) {
  const SmallCharacter& small = Small();
  const BakedBundle baked = BuildBundle(small.hierarchy, small.deformer, {}, {});
  const Pose pose = SkeletonOf(small).RestPose();
  Outputs outputs(baked.bundle);
  const auto refused = [&](const EvaluateJob& job, Status status = Status::kInvalidArgument) {
    EXPECT_EQ(job.Validate(), status);
    EXPECT_EQ(job.Run().status, status);
  };
  EvaluateJob job = outputs.Job(baked.bundle, pose);
  EXPECT_EQ(job.Validate(), Status::kOk);
  job.bundle = nullptr;
  refused(job);
  job = outputs.Job(baked.bundle, pose);
  job.pose = job.pose.subspan(1);
  refused(job);
  job = outputs.Job(baked.bundle, pose);
  job.scratch = job.scratch.subspan(1);
  refused(job, Status::kInsufficientSpace);
  job = outputs.Job(baked.bundle, pose);
  job.coefficients = job.coefficients.subspan(1);
  refused(job);
  const auto changed = [&](const auto& change) {
    std::vector<LevelOutput> levels = outputs.levels;
    change(levels);
    job = outputs.Job(baked.bundle, pose);
    job.levels = levels;
    refused(job);
  };
  changed([](auto& levels) { levels.resize(4); });
  changed([](auto& levels) { levels[0].toward_coarser = 0.5f; });
  changed([](auto& levels) { levels[1].toward_coarser = -0.5f; });
  changed([](auto& levels) { levels[1].positions = {}; });
  changed([](auto& levels) { levels[2].positions = levels[1].positions; });
  std::vector<Float4> tangents(outputs.positions[2].size());
  changed([&](auto& levels) { levels[2].tangents = tangents; });
  EXPECT_THROW(Displacements(baked.bundle, Pose(2), 1), UsageError);
  EXPECT_THROW(Displacements(baked.bundle, pose, 4), UsageError);
}

}  // namespace
}  // namespace sinew::bake
