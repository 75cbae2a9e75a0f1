// Random, extreme and malformed poses on a bundle from many threads: what scripts/soak does for minutes and the tests
// for a second.
#ifndef SINEW_TESTS_RUNTIME_FRAME_BUNDLE_SOAK_H_
#define SINEW_TESTS_RUNTIME_FRAME_BUNDLE_SOAK_H_

#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "sinew/runtime/frame/evaluate.h"
#include "tests/runtime/allocations.h"

namespace sinew::testing {

// Hands tasks on, and counts what they allocate on other threads than the caller's.
class CountingRunner final : public runtime::TaskRunner {
 public:
  explicit CountingRunner(runtime::TaskRunner& runner) : runner_(runner) {}
  void Run(Task task, void* context, int count) override {
    Counted counted{task, context, this, std::this_thread::get_id()};
    runner_.Run(
        [](void* opaque, int i) {
          const auto& own = *static_cast<const Counted*>(opaque);
          const int before = AllocationsOfThisThread();
          own.task(own.context, i);
          if (std::this_thread::get_id() == own.caller) return;
          own.runner->elsewhere_ += AllocationsOfThisThread() - before;
        },
        &counted, count);
  }
  int concurrency() const override { return runner_.concurrency(); }
  int elsewhere() const { return elsewhere_; }

 private:
  struct Counted {
    Task task;
    void* context;
    CountingRunner* runner;
    std::thread::id caller;
  };
  runtime::TaskRunner& runner_;
  std::atomic<int> elsewhere_{0};
};

// One instance with all outputs of all levels.
class SoakedInstance {
 public:
  explicit SoakedInstance(const runtime::Bundle& bundle, uint32_t seed) : bundle_(bundle), engine_(seed) {
    pose_.assign(bundle.rest_pose().begin(), bundle.rest_pose().end());
    levels_.resize(bundle.level_count());
    for (int i = 1; i <= bundle.level_count(); ++i) {
      const auto n = static_cast<size_t>(bundle.level(i).vertex_count);
      positions_.emplace_back(n);
      normals_.emplace_back(n);
      displacements_.emplace_back(n);
      added_.emplace_back(n);
      for (runtime::Float3& d : added_.back()) d = {Uniform(), Uniform(), Uniform()};
      tangents_.emplace_back(bundle.level(i).rest_tangents.empty() ? 0 : n);
    }
    boxes_.resize(levels_.size());
    coefficients_.resize(bundle.coefficient_count(bundle.level_count()));
    scratch_.resize(runtime::ScratchBytes(bundle));
  }

  // A pose of some kind, outputs of some kind. False if what came out is not finite or not what was asked for, or if
  // something was allocated.
  bool Frame(runtime::TaskRunner* runner) {
    MakePose();
    MakeRoot();
    ChooseOutputs();
    runtime::EvaluateJob job;
    job.bundle = &bundle_;
    job.pose = pose_;
    job.root = root_;
    job.levels = levels_;
    job.coefficients = coefficients_;
    job.coefficient_level = Below(bundle_.level_count() + 1);
    job.scratch = scratch_;
    job.skin_only = Below(8) == 0;
    MakeColliders();
    job.colliders = {colliders_, static_cast<size_t>(Below(runtime::kMaxColliders + 1))};
    const std::atomic<bool> stop(Below(16) == 0);
    job.stop = &stop;
    const runtime::Evaluation done = runner == nullptr ? Alone(job) : Shared(job, *runner);
    if (done.status != runtime::Status::kOk || std::isnan(done.out_of_range)) return false;
    if (!stop && (done.flags & runtime::kInterrupted) != 0) return false;
    bool fine = Finite(coefficients_);
    for (int i = 0; i < done.level; ++i) fine &= LevelIsFine(i);
    return fine;
  }
  // While frames were evaluated.
  int allocations() const { return allocations_; }

 private:
  runtime::Evaluation Alone(const runtime::EvaluateJob& job) {
    const int before = AllocationsOfThisThread();
    const runtime::Evaluation done = job.Run();
    allocations_ += AllocationsOfThisThread() - before;
    return done;
  }

  runtime::Evaluation Shared(runtime::EvaluateJob& job, runtime::TaskRunner& runner) {
    CountingRunner counting(runner);
    job.runner = &counting;
    const int before = AllocationsOfThisThread();
    const runtime::Evaluation done = job.Run();
    allocations_ += AllocationsOfThisThread() - before + counting.elsewhere();
    return done;
  }

  int Below(int n) { return static_cast<int>(engine_() % static_cast<uint32_t>(n)); }
  float Uniform() { return static_cast<float>(engine_() >> 8) / static_cast<float>(1 << 23) - 1; }

  static constexpr float kMalformed[] = {std::numeric_limits<float>::quiet_NaN(),
                                         std::numeric_limits<float>::infinity(),
                                         -std::numeric_limits<float>::infinity(),
                                         std::numeric_limits<float>::denorm_min(),
                                         std::numeric_limits<float>::max(),
                                         1e20f,
                                         -1e-30f,
                                         0.0f,
                                         9e14f};

  void MakePose() {
    const std::span<const runtime::Transform> rest = bundle_.rest_pose();
    const int kind = Below(6);
    for (size_t j = 0; j < pose_.size(); ++j) {
      pose_[j] = rest[j];
      const float size = kind == 0 ? 0.1f : kind == 1 ? 0.5f : 3.0f;
      pose_[j].rotation.x += size * Uniform();
      pose_[j].rotation.y += size * Uniform();
      pose_[j].rotation.z += size * Uniform();
      if (kind == 3) pose_[j].scale = {1 + 0.5f * Uniform(), 2 * Uniform(), 1};
      if (kind == 4) pose_[j].translation.x += 100 * Uniform();
    }
    if (kind < 5) return;
    for (int k = 0; k <= Below(4); ++k) {
      auto* floats = reinterpret_cast<float*>(&pose_[Below(static_cast<int>(pose_.size()))]);
      const float value = kMalformed[Below(static_cast<int>(std::size(kMalformed)))];
      const int field = Below(14);
      // 10 to 13: the whole rotation.
      for (int f = field < 10 ? field : 3; f < (field < 10 ? field + 1 : 7); ++f) floats[f] = value;
    }
  }

  void MakeRoot() {
    root_ = {};
    const int kind = Below(8);
    if (kind < 4) return;
    for (int k = 0; k < 3; ++k) root_.m[12 + k] = 10 * Uniform();
    for (int k = 0; k < 9; ++k) root_.m[k / 3 * 4 + k % 3] += Uniform();
    if (kind == 7) root_.m[Below(4) * 4 + Below(3)] = kMalformed[Below(static_cast<int>(std::size(kMalformed)))];
  }

  // Colliders anywhere around the character, some of them malformed; also of bundles without contact.
  void MakeColliders() {
    for (runtime::Collider& collider : colliders_) {
      collider = {};
      collider.field = Below(2) - (Below(16) == 0 ? 1 : 0);
      collider.joint = Below(3) == 0 ? Below(bundle_.joint_count() + 1) : -1;
      collider.on = Below(4) != 0;
      for (int k = 0; k < 3; ++k) collider.pose.m[12 + k] = Uniform();
      if (Below(8) != 0) continue;
      collider.pose.m[Below(4) * 4 + Below(3)] = kMalformed[Below(static_cast<int>(std::size(kMalformed)))];
    }
  }

  void ChooseOutputs() {
    for (size_t i = 0; i < levels_.size(); ++i) {
      runtime::LevelOutput output;
      const int kind = Below(5);
      if (kind > 0) output.displacements = displacements_[i];
      if (kind > 1) output.positions = positions_[i];
      if (kind > 2) output.normals = normals_[i];
      if (kind > 2) output.bounds = &boxes_[i];
      if (kind > 2 && !tangents_[i].empty()) output.tangents = tangents_[i];
      if (kind > 1 && Below(4) == 0) output.post_displacements = std::span<const runtime::Float3>(added_[i]);
      if (kind == 4) output.normals_from = runtime::NormalSource::kTriangles;
      if (kind == 3 && Below(2) == 0) output.normals_from = runtime::NormalSource::kSkinned;
      if (kind > 1 && i > 0 && Below(4) == 0) output.toward_coarser = 0.5f * (1 - Uniform());
      levels_[i] = output;
    }
  }

  bool LevelIsFine(int i) const {
    const runtime::LevelOutput& asked = levels_[i];
    return (asked.positions.empty() || Finite(Floats(positions_[i]))) &&
           (asked.normals.empty() || Finite(Floats(normals_[i]))) &&
           (asked.tangents.empty() || Finite(Floats(tangents_[i]))) &&
           (asked.displacements.empty() || Finite(Floats(displacements_[i]))) &&
           (asked.bounds == nullptr || Holds(boxes_[i], positions_[i]));
  }

  template <typename Vector>
  static std::span<const float> Floats(const std::vector<Vector>& vectors) {
    return {reinterpret_cast<const float*>(vectors.data()), vectors.size() * sizeof(Vector) / sizeof(float)};
  }
  static bool Finite(std::span<const float> values) {
    bool finite = true;
    for (const float value : values) finite &= std::isfinite(value);
    return finite;
  }
  static bool Holds(const runtime::Bounds& box, const std::vector<runtime::Float3>& points) {
    bool holds = Finite(std::array{box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z});
    for (const runtime::Float3& p : points) {
      holds &= p.x >= box.min.x && p.y >= box.min.y && p.z >= box.min.z;
      holds &= p.x <= box.max.x && p.y <= box.max.y && p.z <= box.max.z;
    }
    return holds;
  }

  const runtime::Bundle& bundle_;
  std::mt19937 engine_;
  std::vector<runtime::Transform> pose_;
  runtime::Affine root_;
  runtime::Collider colliders_[runtime::kMaxColliders];
  std::vector<runtime::LevelOutput> levels_;
  std::vector<std::vector<runtime::Float3>> positions_, normals_, displacements_, added_;
  std::vector<std::vector<runtime::Float4>> tangents_;
  std::vector<runtime::Bounds> boxes_;
  std::vector<float> coefficients_;
  std::vector<std::byte> scratch_;
  int allocations_ = 0;
};

}  // namespace sinew::testing

#endif  // SINEW_TESTS_RUNTIME_FRAME_BUNDLE_SOAK_H_
