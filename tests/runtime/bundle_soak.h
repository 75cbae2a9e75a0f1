// Random, extreme and malformed poses on a bundle from many threads: what scripts/soak does for minutes and the tests
// for a second.
#ifndef SINEW_TESTS_RUNTIME_BUNDLE_SOAK_H_
#define SINEW_TESTS_RUNTIME_BUNDLE_SOAK_H_

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "sinew/runtime/multires/evaluate.h"

namespace sinew::testing {

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
    }
    boxes_.resize(levels_.size());
    coefficients_.resize(bundle.coefficient_count(bundle.level_count()));
    scratch_.resize(runtime::ScratchBytes(bundle));
  }

  // A pose of some kind, outputs of some kind. False if what came out is not finite, or not what was asked for.
  bool Frame(runtime::TaskRunner* runner) {
    MakePose();
    ChooseOutputs();
    runtime::EvaluateJob job;
    job.bundle = &bundle_;
    job.pose = pose_;
    job.levels = levels_;
    job.coefficients = coefficients_;
    job.coefficient_level = Below(bundle_.level_count() + 1);
    job.scratch = scratch_;
    job.skin_only = Below(8) == 0;
    job.runner = runner;
    const runtime::Evaluation done = job.Run();
    if (done.status != runtime::Status::kOk || std::isnan(done.out_of_range)) return false;
    bool finite = true;
    for (size_t i = 0; i < levels_.size(); ++i) {
      if (!levels_[i].positions.empty()) finite &= Finite(positions_[i]);
      if (!levels_[i].normals.empty()) finite &= Finite(normals_[i]);
      if (!levels_[i].displacements.empty()) finite &= Finite(displacements_[i]);
    }
    return finite;
  }

 private:
  int Below(int n) { return static_cast<int>(engine_() % static_cast<uint32_t>(n)); }
  float Uniform() { return static_cast<float>(engine_() >> 8) / static_cast<float>(1 << 23) - 1; }

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
    static constexpr float kMalformed[] = {std::numeric_limits<float>::quiet_NaN(),
                                           std::numeric_limits<float>::infinity(),
                                           -std::numeric_limits<float>::infinity(),
                                           std::numeric_limits<float>::denorm_min(),
                                           std::numeric_limits<float>::max(),
                                           1e20f,
                                           -1e-30f,
                                           0.0f};
    for (int k = 0; k <= Below(4); ++k) {
      auto* floats = reinterpret_cast<float*>(&pose_[Below(static_cast<int>(pose_.size()))]);
      const float value = kMalformed[Below(8)];
      const int field = Below(14);
      // 10 to 13: the whole rotation.
      for (int f = field < 10 ? field : 3; f < (field < 10 ? field + 1 : 7); ++f) floats[f] = value;
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
      if (kind == 4) output.normals_from = runtime::NormalSource::kTriangles;
      if (kind > 1 && i > 0 && Below(4) == 0) output.own_shape = 0.5f * (1 + Uniform());
      levels_[i] = output;
    }
  }

  static bool Finite(const std::vector<runtime::Float3>& points) {
    bool finite = true;
    for (const runtime::Float3& p : points) finite &= std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
    return finite;
  }

  const runtime::Bundle& bundle_;
  std::mt19937 engine_;
  std::vector<runtime::Transform> pose_;
  std::vector<runtime::LevelOutput> levels_;
  std::vector<std::vector<runtime::Float3>> positions_, normals_, displacements_;
  std::vector<runtime::Bounds> boxes_;
  std::vector<float> coefficients_;
  std::vector<std::byte> scratch_;
};

}  // namespace sinew::testing

#endif  // SINEW_TESTS_RUNTIME_BUNDLE_SOAK_H_
