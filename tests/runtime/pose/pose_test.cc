#include "sinew/runtime/pose/pose.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/runtime/skin/meshes.h"

namespace sinew {
namespace {

using runtime::Affine;
using runtime::Float3;
using runtime::LocalToModelJob;
using runtime::Multiply;
using runtime::SkinningMatricesJob;
using runtime::Status;
using runtime::ToAffine;
using runtime::Transform;
using testing::Generator;

Float3 Apply(const Affine& a, const Float3& p) {
  const float* m = a.m;
  return {m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
          m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14]};
}

void ExpectNear(const Float3& a, const Float3& b, float tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

Transform RandomTransform(Generator& generator) {
  return {generator.Point(),
          generator.Rotation(),
          {generator.Uniform(0.5f, 2), generator.Uniform(0.5f, 2), generator.Uniform(0.5f, 2)}};
}

TEST(ToAffine, ScalesThenRotatesThenMoves) {
  const float r = std::sqrt(0.5f);
  const Affine a = ToAffine({.translation = {10, 20, 30}, .rotation = {0, 0, r, r}, .scale = {2, 3, 4}});
  ExpectNear(Apply(a, {1, 0, 0}), {10, 22, 30}, 1e-5f);
  ExpectNear(Apply(a, {0, 1, 0}), {7, 20, 30}, 1e-5f);
  ExpectNear(Apply(a, {0, 0, 1}), {10, 20, 34}, 1e-5f);
}

TEST(ToAffine, TakesQuaternionsOfAnyLengthAndZeroAsNone) {
  Generator generator(1);
  const runtime::Quaternion q = generator.Rotation();
  const Affine once = ToAffine({.translation = {}, .rotation = q});
  const Affine thrice = ToAffine({.translation = {}, .rotation = {3 * q.x, 3 * q.y, 3 * q.z, 3 * q.w}});
  for (int e = 0; e < 16; ++e) EXPECT_NEAR(once.m[e], thrice.m[e], 1e-6f);
  const Affine none = ToAffine({.translation = {}, .rotation = {0, 0, 0, 0}});
  for (int e = 0; e < 16; ++e) EXPECT_EQ(none.m[e], Affine{}.m[e]);
}

TEST(LocalToModel, EqualsTheProductAlongTheChain) {
  Generator generator(2);
  constexpr int kJoints = 40;
  std::vector<int16_t> parents;
  std::vector<Transform> locals;
  for (int j = 0; j < kJoints; ++j) {
    parents.push_back(static_cast<int16_t>(j % 13 == 0 ? -1 : generator.Below(j)));
    locals.push_back(RandomTransform(generator));
  }
  std::vector<Affine> models(kJoints);
  const Affine root = ToAffine(RandomTransform(generator));
  ASSERT_EQ((LocalToModelJob{.parents = parents, .locals = locals, .root = root, .models = models}.Run()), Status::kOk);
  for (int j = 0; j < kJoints; ++j) {
    Float3 p{0.1f, 0.2f, 0.3f};
    float scale = 1;
    const Float3 start = p;
    for (int k = j; k >= 0; k = parents[k], scale *= 3) p = Apply(ToAffine(locals[k]), p);
    ExpectNear(Apply(models[j], start), Apply(root, p), 1e-5f * scale);
  }
}

TEST(SkinningMatrices, AreModelTimesInverseBindInPlaceToo) {
  Generator generator(3);
  std::vector<Affine> models, binds;
  for (int j = 0; j < 9; ++j) models.push_back(generator.Joint(0.3f)), binds.push_back(generator.Joint(0.3f));
  std::vector<Affine> out(9);
  ASSERT_EQ((SkinningMatricesJob{.models = models, .inverse_binds = binds, .skinning = out}.Run()), Status::kOk);
  for (int j = 0; j < 9; ++j) ExpectNear(Apply(out[j], {1, 2, 3}), Apply(models[j], Apply(binds[j], {1, 2, 3})), 1e-4f);
  ASSERT_EQ((SkinningMatricesJob{.models = models, .inverse_binds = binds, .skinning = models}.Run()), Status::kOk);
  for (int j = 0; j < 9; ++j) {
    for (int e = 0; e < 16; ++e) EXPECT_EQ(models[j].m[e], out[j].m[e]);
  }
}

TEST(PoseJobs, SayNoForEveryListedReason) {
  std::vector<int16_t> parents = {-1, 0, 1};
  std::vector<Transform> locals(3);
  std::vector<Affine> models(3), few(2);
  const LocalToModelJob good{.parents = parents, .locals = locals, .root = {}, .models = models};
  EXPECT_EQ(good.Validate(), Status::kOk);
  LocalToModelJob job = good;
  job.locals = std::span(locals).first(2);
  EXPECT_EQ(job.Run(), Status::kInvalidArgument);
  job = good;
  job.models = few;
  EXPECT_EQ(job.Run(), Status::kInvalidArgument);
  parents[1] = 1;
  EXPECT_EQ(good.Run(), Status::kInvalidArgument);
  EXPECT_EQ((SkinningMatricesJob{.models = models, .inverse_binds = few, .skinning = models}.Run()),
            Status::kInvalidArgument);
  EXPECT_EQ((SkinningMatricesJob{.models = models, .inverse_binds = models, .skinning = few}.Run()),
            Status::kInvalidArgument);
}

}  // namespace
}  // namespace sinew
