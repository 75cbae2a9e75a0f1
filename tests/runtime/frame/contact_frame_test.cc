// Colliders in frames of a bundle: what they change, and that they change nothing else.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "sinew/host/mapped_file.h"
#include "sinew/host/thread_pool.h"
#include "sinew/offline/tables/bundle_writer.h"
#include "sinew/runtime/contact/contact_tile.h"
#include "sinew/runtime/frame/evaluate.h"
#include "sinew/runtime/pose/pose.h"
#include "tests/runtime/skin/meshes.h"
#include "tests/support/contact_fields.h"

namespace sinew {
namespace {

using runtime::Bundle;
using runtime::Collider;
using runtime::Float3;
using runtime::Float4;
using runtime::NormalSource;
using runtime::Status;
using runtime::format::SectionEntry;
using runtime::format::SectionType;
using testing::SphereField;

constexpr float kRadius = 0.2f;

// The golden bundle with contact fields.
struct ContactBundle {
  explicit ContactBundle(bool with_contact = true) {
    EXPECT_TRUE(golden.Open(SINEW_SOURCE_DIR "/tests/golden/bundle_v1.sinew"));
    Bundle plain;
    EXPECT_EQ(Bundle::Open(golden.bytes(), &plain), Status::kOk);
    tables::BundleWriter writer;
    for (const SectionEntry& entry : plain.sections()) {
      writer.Add(static_cast<SectionType>(entry.type), static_cast<int>(entry.level),
                 golden.bytes().subspan(entry.offset, entry.bytes), (entry.flags & runtime::format::kRequired) != 0);
    }
    const tables::RawContactField ball = SphereField({.joints = plain.joint_count(), .radius = kRadius});
    if (with_contact) writer.Add(SectionType::kContact, 0, tables::BuildContact({ball}).block, false);
    file = writer.Write(plain.level_count());
    const char* problem = nullptr;
    EXPECT_EQ(Bundle::Open(file.bytes(), &bundle, &problem), Status::kOk) << problem;
  }
  host::MappedFile golden;
  Block file;
  Bundle bundle;
};

// Everything that a frame gives, of all levels.
struct Outputs {
  std::vector<std::vector<Float3>> positions, normals, displacements;
  std::vector<std::vector<Float4>> tangents;
  std::vector<runtime::Bounds> boxes;
  runtime::Evaluation evaluation;
};

struct FrameOptions {
  NormalSource normals = NormalSource::kSkinned;
  float toward_coarser = 0;
  bool skin_only = false;
  runtime::TaskRunner* runner = nullptr;
  runtime::Affine root = {};
  bool post = false;
  bool bad_pose = false;  // one that is refused
};

std::vector<runtime::Transform> SomePose(const Bundle& bundle) {
  testing::Generator generator(6);
  std::vector<runtime::Transform> pose(bundle.rest_pose().begin(), bundle.rest_pose().end());
  for (runtime::Transform& joint : pose) {
    joint.rotation.x += generator.Uniform(-0.1f, 0.1f);
    joint.rotation.z += generator.Uniform(-0.1f, 0.1f);
  }
  return pose;
}

Outputs Evaluate(const Bundle& bundle, std::span<const Collider> colliders, const FrameOptions& options = {}) {
  Outputs out;
  const auto levels = static_cast<size_t>(bundle.level_count());
  std::vector<runtime::LevelOutput> asked(levels);
  std::vector<std::vector<Float3>> post(levels);
  out.boxes.resize(levels);
  for (size_t i = 0; i < levels; ++i) {
    const auto n = static_cast<size_t>(bundle.level(static_cast<int>(i) + 1).vertex_count);
    out.positions.emplace_back(n);
    out.normals.emplace_back(n);
    out.displacements.emplace_back(n);
    out.tangents.emplace_back(bundle.level(static_cast<int>(i) + 1).rest_tangents.empty() ? 0 : n);
    post[i].assign(n, {0.01f, 0.02f, -0.01f});
  }
  for (size_t i = 0; i < levels; ++i) {
    asked[i] = {.positions = out.positions[i],
                .normals = out.normals[i],
                .tangents = out.tangents[i],
                .displacements = out.displacements[i],
                .normals_from = options.normals,
                .bounds = &out.boxes[i],
                .toward_coarser = i == 0 ? 0 : options.toward_coarser};
    if (options.post) asked[i].post_displacements = std::span<const Float3>(post[i]);
  }
  std::vector<std::byte> scratch(runtime::ScratchBytes(bundle));
  std::vector<runtime::Transform> pose = SomePose(bundle);
  if (options.bad_pose) pose[0].rotation.x = std::numeric_limits<float>::quiet_NaN();
  runtime::EvaluateJob job;
  job.bundle = &bundle;
  job.pose = pose;
  job.root = options.root;
  job.levels = asked;
  job.scratch = scratch;
  job.colliders = colliders;
  job.skin_only = options.skin_only;
  job.runner = options.runner;
  out.evaluation = job.Run();
  EXPECT_EQ(out.evaluation.status, Status::kOk);
  return out;
}

template <typename T>
bool SameBits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
template <typename T>
bool SameBits(const std::vector<std::vector<T>>& a, const std::vector<std::vector<T>>& b) {
  bool same = a.size() == b.size();
  for (size_t i = 0; same && i < a.size(); ++i) {
    same = a[i].size() == b[i].size() &&
           (a[i].empty() || std::memcmp(a[i].data(), b[i].data(), a[i].size() * sizeof(T)) == 0);
  }
  return same;
}
bool SameBits(const Outputs& a, const Outputs& b) {
  bool same = SameBits(a.positions, b.positions) && SameBits(a.normals, b.normals) &&
              SameBits(a.displacements, b.displacements) && SameBits(a.tangents, b.tangents);
  for (size_t i = 0; i < a.boxes.size(); ++i) same &= SameBits(a.boxes[i], b.boxes[i]);
  return same;
}

Collider At(const Float3& place, int joint = -1) {
  return {.pose = runtime::ToAffine({.translation = place, .rotation = {0.1f, 0.3f, -0.2f, 0.8f}}), .joint = joint};
}

float Distance(const Float3& a, const Float3& b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }

// Somewhere on the skin.
Float3 OnSkin(const Outputs& plain) { return plain.positions.back()[plain.positions.back().size() / 3]; }

TEST(ContactFrame, WhatIsOutsideOfEveryWindowKeepsEveryBit) {
  const ContactBundle own;
  for (const bool post : {false, true}) {
    for (const float toward : {0.0f, 0.5f}) {
      const FrameOptions options{.toward_coarser = toward, .post = post};
      const Outputs plain = Evaluate(own.bundle, {}, options);
      const Collider colliders[] = {At(OnSkin(plain)), At(plain.positions.back().front())};
      const Outputs pressed = Evaluate(own.bundle, colliders, options);
      EXPECT_TRUE(SameBits(plain.displacements, pressed.displacements));
      for (size_t i = 0; i < plain.positions.size(); ++i) {
        int moved = 0, outside = 0;
        for (size_t v = 0; v < plain.positions[i].size(); ++v) {
          bool near = false;
          for (const Collider& collider : colliders) {
            const Float3 place{collider.pose.m[12], collider.pose.m[13], collider.pose.m[14]};
            // A blend with the coarser level also takes what moves there.
            near |= Distance(plain.positions[i][v], place) < (toward > 0 ? 4 : 2.02f) * kRadius;
          }
          if (near) {
            moved += SameBits(plain.positions[i][v], pressed.positions[i][v]) ? 0 : 1;
            continue;
          }
          ++outside;
          EXPECT_TRUE(SameBits(plain.positions[i][v], pressed.positions[i][v])) << i << ' ' << v;
          EXPECT_TRUE(SameBits(plain.normals[i][v], pressed.normals[i][v])) << i << ' ' << v;
        }
        EXPECT_GT(moved, 3) << "level " << i + 1;
        EXPECT_GT(outside, 3) << "level " << i + 1;
      }
    }
  }
}

TEST(ContactFrame, CollidersThatAreFarOrOffChangeNoBit) {
  const ContactBundle own;
  for (const NormalSource normals : {NormalSource::kAuto, NormalSource::kSkinned, NormalSource::kTriangles}) {
    const FrameOptions options{.normals = normals, .toward_coarser = 0.25f};
    const Outputs plain = Evaluate(own.bundle, {}, options);
    Collider off = At(OnSkin(plain));
    off.on = false;
    const Collider far[] = {At({50, 0, 0}), off, At({0, -9, 3})};
    const Outputs pressed = Evaluate(own.bundle, far, options);
    EXPECT_TRUE(SameBits(plain, pressed));
    EXPECT_EQ(pressed.evaluation.flags, plain.evaluation.flags);
  }
  const FrameOptions options{.skin_only = true};
  const Outputs plain = Evaluate(own.bundle, {}, options);
  EXPECT_TRUE(SameBits(plain, Evaluate(own.bundle, std::vector{At(OnSkin(plain))}, options)));
}

TEST(ContactFrame, RefusedPosesLeaveCollidersOut) {
  const ContactBundle own;
  const FrameOptions options{.bad_pose = true};
  const Outputs plain = Evaluate(own.bundle, {}, options);
  const Outputs pressed = Evaluate(own.bundle, std::vector{At(OnSkin(plain))}, options);
  EXPECT_EQ(pressed.evaluation.flags, runtime::kPoseRefused);
  EXPECT_TRUE(SameBits(plain, pressed));
}

TEST(ContactFrame, BadCollidersAreFlaggedAndLeaveTheSkinAsItIs) {
  const ContactBundle own;
  const Outputs plain = Evaluate(own.bundle, {});
  const Collider good = At(OnSkin(plain));
  const auto refused = [&](const Bundle& bundle, const Collider& collider, const runtime::Affine& root = {}) {
    const FrameOptions options{.root = root};
    const Outputs pressed = Evaluate(bundle, std::vector{collider}, options);
    EXPECT_NE(pressed.evaluation.flags & runtime::kContactRefused, 0u);
    EXPECT_TRUE(SameBits(Evaluate(bundle, {}, options), pressed));
  };
  EXPECT_FALSE(SameBits(plain, Evaluate(own.bundle, std::vector{good})));
  for (int kind = 0; kind < 5; ++kind) {
    Collider bad = good;
    if (kind == 0) bad.pose.m[12] = std::numeric_limits<float>::quiet_NaN();
    if (kind == 1) bad.pose.m[0] *= 1.2f;
    if (kind == 2) bad.field = 1;
    if (kind == 3) bad.field = -1;
    if (kind == 4) bad.joint = own.bundle.joint_count();
    refused(own.bundle, bad);
  }
  runtime::Affine scaling;
  for (const int entry : {0, 5, 10}) scaling.m[entry] = 1.5f;
  refused(own.bundle, good, scaling);
  const ContactBundle without(false);
  refused(without.bundle, good);
  // One bad collider does not keep the others from pressing.
  Collider bad = good;
  bad.pose.m[0] *= 1.2f;
  const Outputs both = Evaluate(own.bundle, std::vector{bad, good});
  EXPECT_TRUE(SameBits(both, Evaluate(own.bundle, std::vector{good})));
  // More than there is memory for.
  const std::vector<Collider> many(runtime::kMaxColliders + 1, good);
  std::vector<std::byte> scratch(runtime::ScratchBytes(own.bundle));
  runtime::EvaluateJob job;
  job.bundle = &own.bundle;
  job.pose = own.bundle.rest_pose();
  job.scratch = scratch;
  job.colliders = many;
  EXPECT_EQ(job.Validate(), Status::kInvalidArgument);
}

TEST(ContactFrame, ABundleWithoutContactNeedsNoMemoryForIt) {
  const ContactBundle own, without(false);
  host::MappedFile golden;
  ASSERT_TRUE(golden.Open(SINEW_SOURCE_DIR "/tests/golden/bundle_v1.sinew"));
  Bundle plain;
  ASSERT_EQ(Bundle::Open(golden.bytes(), &plain), Status::kOk);
  EXPECT_EQ(runtime::ScratchBytes(without.bundle), runtime::ScratchBytes(plain));
  EXPECT_GT(runtime::ScratchBytes(own.bundle), runtime::ScratchBytes(plain));
  EXPECT_TRUE(SameBits(Evaluate(plain, {}), Evaluate(own.bundle, {})));
}

TEST(ContactFrame, GivesTheSameBitsOnAnyNumberOfThreads) {
  const ContactBundle own;
  const Outputs plain = Evaluate(own.bundle, {});
  const Collider colliders[] = {At(OnSkin(plain)), At(plain.positions.back()[5])};
  host::ThreadPool pool(3);
  for (const NormalSource normals : {NormalSource::kSkinned, NormalSource::kTriangles}) {
    const Outputs alone = Evaluate(own.bundle, colliders, {.normals = normals});
    EXPECT_TRUE(SameBits(alone, Evaluate(own.bundle, colliders, {.normals = normals, .runner = &pool})));
  }
}

TEST(ContactFrame, BoxesHoldTheMovedVertices) {
  const ContactBundle own;
  const Outputs plain = Evaluate(own.bundle, {});
  const Outputs pressed = Evaluate(own.bundle, std::vector{At(OnSkin(plain))});
  for (size_t i = 0; i < pressed.positions.size(); ++i) {
    runtime::Bounds box = runtime::kEmptyBounds;
    for (const Float3& p : pressed.positions[i]) runtime::Extend(box, {p, p});
    // Closing seams may move a vertex by rounding.
    const float least = Distance(box.min, pressed.boxes[i].min), most = Distance(box.max, pressed.boxes[i].max);
    EXPECT_LT(std::max(least, most), 1e-6f);
  }
}

TEST(ContactFrame, AJointCarriesACollider) {
  const ContactBundle own;
  const std::vector<runtime::Transform> pose = SomePose(own.bundle);
  std::vector<runtime::Affine> models(pose.size());
  ASSERT_EQ((runtime::LocalToModelJob{.parents = own.bundle.parents(), .locals = pose, .models = models}.Run()),
            Status::kOk);
  const Outputs plain = Evaluate(own.bundle, {});
  int touching = 0;
  for (int joint = 0; joint < own.bundle.joint_count(); ++joint) {
    const Collider carried = At({0.05f, 0.02f, 0.1f}, joint);
    const Collider placed{.pose = runtime::Multiply(models[joint], carried.pose)};
    const Outputs by_joint = Evaluate(own.bundle, std::vector{carried}),
                  by_pose = Evaluate(own.bundle, std::vector{placed});
    touching += SameBits(plain, by_joint) ? 0 : 1;
    for (size_t v = 0; v < plain.positions.back().size(); ++v) {
      EXPECT_LT(Distance(by_joint.positions.back()[v], by_pose.positions.back()[v]), 1e-6f);
    }
  }
  EXPECT_GT(touching, 0);
}

// The character and its colliders may stand anywhere.
TEST(ContactFrame, TurnsWithTheRoot) {
  const ContactBundle own;
  const Outputs plain = Evaluate(own.bundle, {});
  const Collider collider = At(OnSkin(plain));
  const runtime::Affine root = runtime::ToAffine({.translation = {2, -1, 3}, .rotation = {0.5f, 0.1f, 0.7f, 0.3f}});
  const Collider turned{.pose = runtime::Multiply(root, collider.pose)};
  const Outputs here = Evaluate(own.bundle, std::vector{collider});
  const Outputs there = Evaluate(own.bundle, std::vector{turned}, {.root = root});
  for (size_t v = 0; v < here.positions.back().size(); ++v) {
    const Float3& p = here.positions.back()[v];
    const float* m = root.m;
    const Float3 expected{m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
                          m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14]};
    EXPECT_LT(Distance(there.positions.back()[v], expected), 2e-5f);
  }
}

}  // namespace
}  // namespace sinew
