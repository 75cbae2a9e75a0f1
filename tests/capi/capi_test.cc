// The plain C interface against the C++ one.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "sinew.h"
#include "sinew/offline/bundle/bundle_file.h"
#include "sinew/offline/core/file.h"
#include "tests/capi/opened_character.h"

namespace sinew {
namespace {

const char* const kWithContact = SINEW_SOURCE_DIR "/tests/golden/bundle_contact_v2.sinew";
const char* const kGolden = SINEW_SOURCE_DIR "/tests/golden/bundle_v1.sinew";

class CInterface : public ::testing::Test {
 protected:
  CInterface() {
    const char* problem = nullptr;
    EXPECT_EQ(sinew_open_file(kGolden, &character_, &problem), SINEW_OK) << problem;
    EXPECT_EQ(sinew_create_instance(character_, &instance_), SINEW_OK);
    pose_.resize(sinew_joint_count(character_));
    sinew_rest_pose(character_, pose_.data());
    pose_[2].rotation[1] += 0.4f;
    outputs_.resize(sinew_level_count(character_));
    positions_.resize(3 * static_cast<size_t>(sinew_vertex_count(character_, 2)));
    outputs_[1].positions = {positions_.data(), 0};
    frame_.pose = pose_.data();
    frame_.levels = outputs_.data();
    frame_.level_count = 2;
  }
  ~CInterface() override {
    sinew_destroy_instance(instance_);
    sinew_close(character_);
  }

  sinew_character* character_ = nullptr;
  sinew_instance* instance_ = nullptr;
  std::vector<sinew_transform> pose_;
  std::vector<sinew_output> outputs_;
  std::vector<float> positions_;
  sinew_frame frame_ = {};
};

TEST_F(CInterface, GivesWhatTheRuntimeGives) {
  const bundle::LoadedBundle loaded = bundle::ReadBundle(kGolden);
  Pose pose(pose_.size());
  std::memcpy(static_cast<void*>(pose.data()), pose_.data(), pose.size() * sizeof(Transform));
  const Points truth = bake::Deform(loaded.bundle, pose, 2).positions;
  sinew_result result;
  ASSERT_EQ(sinew_evaluate(instance_, &frame_, &result), SINEW_OK);
  EXPECT_EQ(result.level, 2);
  ASSERT_EQ(static_cast<size_t>(truth.size()), positions_.size());
  for (size_t i = 0; i < positions_.size(); ++i) ASSERT_NEAR(truth.data()[i], positions_[i], 1e-6);

  sinew_pool* pool = nullptr;
  ASSERT_EQ(sinew_create_pool(3, &pool), SINEW_OK);
  const std::vector<float> alone = positions_;
  frame_.pool = pool;
  ASSERT_EQ(sinew_evaluate(instance_, &frame_, nullptr), SINEW_OK);
  EXPECT_EQ(positions_, alone);
  float box[6] = {};
  outputs_[1].bounds = box;
  ASSERT_EQ(sinew_evaluate(instance_, &frame_, nullptr), SINEW_OK);
  EXPECT_LT(box[1], box[4]);
  EXPECT_NEAR(box[4], truth.col(1).maxCoeff(), 1e-6);
  sinew_destroy_pool(pool);
}

TEST_F(CInterface, RunsOnAnEnginesOwnThreads) {
  int ran = 0;
  frame_.run = [](void* user, sinew_task task, void* context, int count) {
    for (int i = count - 1; i >= 0; --i) task(context, i);
    *static_cast<int*>(user) += count;
  };
  frame_.run_user = &ran;
  std::vector<float> coefficients(sinew_coefficient_count(character_, 2), NAN);
  frame_.coefficients = coefficients.data();
  frame_.coefficient_level = 2;
  ASSERT_EQ(sinew_evaluate(instance_, &frame_, nullptr), SINEW_OK);
  EXPECT_GT(ran, 0);
  for (const float coefficient : coefficients) EXPECT_TRUE(std::isfinite(coefficient));
  pose_[0].rotation[0] = NAN;
  sinew_result result;
  ASSERT_EQ(sinew_evaluate(instance_, &frame_, &result), SINEW_OK);
  EXPECT_NE(result.flags & SINEW_POSE_REFUSED, 0u);
}

// Every instance with a pose and a fade toward the coarser level of its own.
TEST_F(CInterface, ACrowdIsTheSameAsOneByOne) {
  constexpr int kCount = 7;
  std::vector<std::vector<sinew_transform>> poses(kCount, pose_);
  std::vector<std::vector<sinew_output>> outputs(kCount, outputs_);
  std::vector<std::vector<float>> positions(kCount, positions_), alone(kCount);
  std::vector<sinew_instance*> instances(kCount);
  std::vector<sinew_frame> frames(kCount, frame_);
  for (int i = 0; i < kCount; ++i) {
    ASSERT_EQ(sinew_create_instance(character_, &instances[i]), SINEW_OK);
    poses[i][2].rotation[0] += 0.1f * static_cast<float>(i);
    outputs[i][1].positions.data = positions[i].data();
    outputs[i][1].toward_coarser = static_cast<float>(i) / (kCount - 1);
    frames[i].pose = poses[i].data();
    frames[i].levels = outputs[i].data();
    ASSERT_EQ(sinew_evaluate(instance_, &frames[i], nullptr), SINEW_OK);
    alone[i] = positions[i];
  }
  for (int i = 1; i < kCount; ++i) EXPECT_NE(alone[i], alone[i - 1]);
  const auto evaluate = [&](sinew_pool* pool, sinew_run run, void* user) {
    for (std::vector<float>& p : positions) p.assign(p.size(), NAN);
    std::vector<sinew_result> results(kCount);
    ASSERT_EQ(sinew_evaluate_many(instances.data(), frames.data(), kCount, results.data(), pool, run, user), SINEW_OK);
    EXPECT_EQ(positions, alone);
    for (const sinew_result& result : results) EXPECT_EQ(result.level, 2);
  };
  sinew_pool* pool = nullptr;
  ASSERT_EQ(sinew_create_pool(3, &pool), SINEW_OK);
  evaluate(pool, nullptr, nullptr);
  evaluate(nullptr, nullptr, nullptr);
  int ran = 0;
  const sinew_run backwards = [](void* user, sinew_task task, void* context, int count) {
    for (int i = count - 1; i >= 0; --i) task(context, i);
    *static_cast<int*>(user) += count;
  };
  evaluate(nullptr, backwards, &ran);
  EXPECT_EQ(ran, kCount);

  // One that is refused does not keep the others from being done.
  frames[3].pose = nullptr;
  for (std::vector<float>& p : positions) p.assign(p.size(), 0);
  std::vector<sinew_result> results(kCount);
  EXPECT_EQ(sinew_evaluate_many(instances.data(), frames.data(), kCount, results.data(), pool, nullptr, nullptr),
            SINEW_INVALID_ARGUMENT);
  for (int i = 0; i < kCount; ++i) {
    EXPECT_EQ(results[i].level, i == 3 ? 0 : 2);
    EXPECT_EQ(positions[i] == alone[i], i != 3);
  }
  EXPECT_EQ(sinew_evaluate_many(nullptr, nullptr, 0, nullptr, pool, nullptr, nullptr), SINEW_OK);
  EXPECT_EQ(sinew_evaluate_many(nullptr, nullptr, 1, nullptr, pool, nullptr, nullptr), SINEW_INVALID_ARGUMENT);
  EXPECT_EQ(sinew_evaluate_many(instances.data(), frames.data(), -1, nullptr, pool, nullptr, nullptr),
            SINEW_INVALID_ARGUMENT);
  sinew_destroy_pool(pool);
  for (sinew_instance* instance : instances) sinew_destroy_instance(instance);
}

TEST_F(CInterface, AnswersQuestionsAboutTheCharacter) {
  const bundle::LoadedBundle loaded = bundle::ReadBundle(kGolden);
  const Skeleton skeleton = bundle::SkeletonOf(loaded.bundle);
  ASSERT_EQ(sinew_joint_count(character_), skeleton.joint_count());
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    char name[64];
    EXPECT_EQ(sinew_joint_name(character_, j, name, sizeof(name)), skeleton.joints[j].name.size());
    EXPECT_EQ(name, skeleton.joints[j].name);
    EXPECT_EQ(sinew_find_joint(character_, name), j);
    EXPECT_EQ(sinew_joint_parent(character_, j), skeleton.joints[j].parent);
  }
  char cut[4];
  EXPECT_EQ(sinew_joint_name(character_, 0, cut, sizeof(cut)), skeleton.joints[0].name.size());
  EXPECT_EQ(std::string(cut), skeleton.joints[0].name.substr(0, 3));
  std::vector<uint32_t> triangles(3 * static_cast<size_t>(sinew_triangle_count(character_, 1)));
  EXPECT_EQ(sinew_triangles(character_, 1, triangles.data()), SINEW_OK);
  for (const uint32_t v : triangles) EXPECT_LT(v, static_cast<uint32_t>(sinew_vertex_count(character_, 1)));
  std::vector<float> uv(2 * static_cast<size_t>(sinew_vertex_count(character_, 1)));
  EXPECT_EQ(sinew_texcoords(character_, 1, uv.data()), SINEW_OK);
  EXPECT_GT(sinew_height(character_), 1);
  size_t size = 0;
  EXPECT_NE(sinew_info(character_, &size), nullptr);
  EXPECT_GT(size, 10u);
}

TEST_F(CInterface, SaysNoWithAReason) {
  const Bytes file = ReadFile(kGolden);
  sinew_character* other = nullptr;
  const char* problem = nullptr;
  std::vector<std::byte> shifted(file.size() + 64);
  std::byte* odd = shifted.data() + 1;
  std::memcpy(odd, file.data(), file.size());
  EXPECT_EQ(sinew_open_memory(odd, file.size(), &other, &problem), SINEW_OK);
  sinew_close(other);
  EXPECT_EQ(sinew_open_memory(odd, file.size() - 1, &other, &problem), SINEW_BAD_FILE);
  EXPECT_EQ(other, nullptr);
  ASSERT_NE(problem, nullptr);
  EXPECT_EQ(sinew_open_file("/no/such/file", &other, &problem), SINEW_BAD_FILE);
  EXPECT_EQ(sinew_open_memory(nullptr, 0, &other, nullptr), SINEW_INVALID_ARGUMENT);
  EXPECT_EQ(sinew_evaluate(nullptr, &frame_, nullptr), SINEW_INVALID_ARGUMENT);
  frame_.level_count = 3;
  EXPECT_EQ(sinew_evaluate(instance_, &frame_, nullptr), SINEW_INVALID_ARGUMENT);
  frame_.level_count = 2;
  outputs_[1].toward_coarser = 2;
  EXPECT_EQ(sinew_evaluate(instance_, &frame_, nullptr), SINEW_INVALID_ARGUMENT);
  outputs_[1].toward_coarser = 0;
  for (const int unknown : {-1, 3}) {
    outputs_[1].normals_from = unknown;
    EXPECT_EQ(sinew_evaluate(instance_, &frame_, nullptr), SINEW_INVALID_ARGUMENT) << unknown;
  }
  EXPECT_EQ(sinew_vertex_count(character_, 3), 0);
  EXPECT_STREQ(sinew_status_text(SINEW_OK), "ok");
}

TEST(CApi, CollidersPressTheSkin) {
  testing::OpenedCharacter own(kWithContact), without(kGolden);
  ASSERT_EQ(sinew_contact_count(own.character), 1);
  EXPECT_EQ(sinew_contact_count(without.character), 0);
  char name[8];
  EXPECT_EQ(sinew_contact_name(own.character, 0, name, sizeof(name)), 4u);
  EXPECT_STREQ(name, "ball");
  EXPECT_EQ(sinew_contact_name(own.character, 1, name, sizeof(name)), 0u);
  EXPECT_EQ(sinew_find_contact(own.character, "ball"), 0);
  EXPECT_EQ(sinew_find_contact(own.character, "stool"), -1);
  EXPECT_EQ(own.Evaluate().flags & (SINEW_CONTACT_REFUSED | SINEW_CONTACT_BEYOND), 0u);
  const std::vector<float> plain = own.positions.back();
  sinew_collider collider = {0, 1, -1, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, 0};
  std::copy_n(plain.begin(), 3, collider.pose + 12);
  for (testing::OpenedCharacter* each : {&own, &without}) {
    each->frame.colliders = &collider;
    each->frame.collider_count = 1;
  }
  EXPECT_EQ(own.Evaluate().flags & SINEW_CONTACT_REFUSED, 0u);
  EXPECT_NE(own.positions.back(), plain);
  collider.on = 0;
  own.Evaluate();
  EXPECT_EQ(own.positions.back(), plain);
  // What cannot be used is flagged, and the skin is as without it.
  collider.on = 1;
  EXPECT_NE(without.Evaluate().flags & SINEW_CONTACT_REFUSED, 0u);
  collider.pose[0] = 2;
  EXPECT_NE(own.Evaluate().flags & SINEW_CONTACT_REFUSED, 0u);
  EXPECT_EQ(own.positions.back(), plain);
  own.frame.collider_count = SINEW_MAX_COLLIDERS + 1;
  EXPECT_EQ(sinew_evaluate(own.instance, &own.frame, nullptr), SINEW_INVALID_ARGUMENT);
  own.frame.collider_count = 1;
  own.frame.colliders = nullptr;
  EXPECT_EQ(sinew_evaluate(own.instance, &own.frame, nullptr), SINEW_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace sinew
