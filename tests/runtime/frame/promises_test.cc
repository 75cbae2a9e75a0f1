// What the runtime promises about a frame: no allocation, and a bounded stack.
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

#include "sinew/host/mapped_file.h"
#include "sinew/offline/tables/normal_builder.h"
#include "sinew/offline/tables/skin_builder.h"
#include "sinew/offline/tables/upsampling_builder.h"
#include "sinew/runtime/multires/upsampling.h"
#include "sinew/runtime/pose/pose.h"
#include "sinew/runtime/skin/normals.h"
#include "sinew/runtime/skin/skin.h"
#include "tests/runtime/allocations.h"
#include "tests/runtime/frame/bundle_soak.h"
#include "tests/runtime/skin/meshes.h"
#include "tests/runtime/targets.h"

namespace sinew {
namespace {

using runtime::Affine;
using runtime::Float3;
using runtime::Float4;
using runtime::RigidStretch;
using runtime::Status;
using testing::Generator;

// A character's frame: pose, upsampling in both orders, skinning by both methods with both correctives, normals and
// tangents.
class Frame {
 public:
  Frame() : generator_(1) {
    for (int v = 0; v < kVertices; ++v)
      rest_.push_back(generator_.Point()), rest_normals_.push_back(generator_.Direction());
    for (uint32_t v = 0; v + 2 < kVertices; ++v) triangles_.insert(triangles_.end(), {v, v + 1, v + 2});
    skin_ = tables::BuildSkin(testing::MakeSkin(generator_, kVertices, kJoints, 8, false).plain(), kJoints, "mesh");
    table_ = tables::BuildNormals({rest_, {}, triangles_, {}}, "mesh");
    for (uint32_t v = 0; v < kVertices; ++v) {
      corners_.insert(corners_.end(), {v / 4, (v + 37) % kCoarse, (v + 91) % kCoarse});
      weights_.insert(weights_.end(), {0.25, 0.5, 0.25});
    }
    const tables::RawUpsampling raw{kCoarse, corners_, weights_};
    const std::vector<uint32_t> order = tables::FollowingOrder(raw, {});
    upsampling_ = tables::BuildUpsampling(raw, {.fine = order}, "mesh");
    for (int j = 0; j < kJoints; ++j)
      locals_[j] = {.translation = generator_.Point(), .rotation = generator_.Rotation()};
    locals_[3].scale = {1, 2, 3};
  }

  bool Run() {
    bool ok =
        runtime::LocalToModelJob{.parents = parents_, .locals = locals_, .models = matrices_}.Run() == Status::kOk;
    ok &= runtime::SkinningMatricesJob{.models = matrices_, .inverse_binds = binds_, .skinning = matrices_}.Run() ==
          Status::kOk;
    ok &= runtime::RigidStretchJob{.matrices = matrices_, .joints = joints_}.Run() == Status::kOk;
    for (const auto order : {runtime::VertexOrder::kFile, runtime::VertexOrder::kInternal}) {
      ok &= runtime::UpsamplingJob{.table = &upsampling_.table, .coarse = rest_, .fine = displacements_, .order = order}
                .Run() == Status::kOk;
    }
    runtime::Bounds box;
    runtime::SkinStreams streams{.rest_positions = rest_,
                                 .rest_normals = rest_normals_,
                                 .rest_tangents = rest_tangents_,
                                 .pre_displacements = displacements_,
                                 .post_displacements = rest_normals_,
                                 .positions = positions_,
                                 .normals = normals_,
                                 .tangents = tangents_};
    for (const auto matrix : {runtime::NormalMatrix::kLinear, runtime::NormalMatrix::kCofactor}) {
      ok &=
          runtime::LinearBlendJob{
              .table = &skin_.table, .matrices = matrices_, .streams = streams, .normal_matrix = matrix, .bounds = &box}
              .Run() == Status::kOk;
    }
    ok &= runtime::DualQuaternionJob{.table = &skin_.table, .joints = joints_, .streams = streams, .bounds = &box}
              .Run() == Status::kOk;
    ok &=
        runtime::NormalsJob{.table = &table_.table, .positions = positions_, .normals = normals_, .tangents = tangents_}
            .Run() == Status::kOk;
    return ok;
  }

 private:
  static constexpr int kVertices = 5000, kCoarse = 1250, kJoints = 12;
  Generator generator_;
  std::vector<Float3> rest_, rest_normals_;
  std::vector<Float4> rest_tangents_{kVertices, Float4{1, 0, 0, 1}};
  std::vector<uint32_t> triangles_, corners_;
  std::vector<double> weights_;
  std::vector<int16_t> parents_ = {-1, 0, 1, 2, 3, 0, 5, 6, 1, 8, 9, 10};
  std::vector<runtime::Transform> locals_{kJoints};
  std::vector<Affine> matrices_{kJoints}, binds_{kJoints};
  std::vector<RigidStretch> joints_{kJoints};
  std::vector<Float3> displacements_{kVertices}, positions_{kVertices}, normals_{kVertices};
  std::vector<Float4> tangents_{kVertices};
  tables::BuiltSkin skin_;
  tables::BuiltNormals table_;
  tables::BuiltUpsampling upsampling_;
};

TEST(Promises, AFrameDoesNotAllocate) {
  Frame frame;
  testing::ForEachTarget([&] {
    const int before = testing::AllocationsOfThisThread();
    const bool ok = frame.Run();
    const int after = testing::AllocationsOfThisThread();
    EXPECT_TRUE(ok);
    EXPECT_EQ(after, before);
  });
  const int before = testing::AllocationsOfThisThread();
  ::operator delete(::operator new(1));
  EXPECT_EQ(testing::AllocationsOfThisThread(), before + 1) << "the counter does not count";
}

// Frames of a bundle in all kinds of poses, with all kinds of outputs.
class BundleFrames {
 public:
  BundleFrames() {
    EXPECT_TRUE(file_.Open(SINEW_SOURCE_DIR "/tests/golden/bundle_contact_v2.sinew"));
    EXPECT_EQ(runtime::Bundle::Open(file_.bytes(), &bundle_), Status::kOk);
    instance_ = std::make_unique<testing::SoakedInstance>(bundle_, 1);
  }
  bool Run() {
    bool ok = true;
    for (int i = 0; i < 200; ++i) ok &= instance_->Frame(nullptr);
    return ok;
  }

 private:
  host::MappedFile file_;
  runtime::Bundle bundle_;
  std::unique_ptr<testing::SoakedInstance> instance_;
};

TEST(Promises, ABundlesFramesDoNotAllocate) {
  BundleFrames frames;
  testing::ForEachTarget([&] {
    const int before = testing::AllocationsOfThisThread();
    const bool ok = frames.Run();
    const int after = testing::AllocationsOfThisThread();
    EXPECT_TRUE(ok);
    EXPECT_EQ(after, before);
  });
}

// The frame on a thread whose stack is ours and painted: what is no longer painted has been used.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kPaintable = false;
#else
constexpr bool kPaintable = true;
#endif

// How much more stack frame->Run() uses than nothing does.
template <typename Runs>
size_t StackOf(Runs* frame) {
  constexpr size_t kStack = 1 << 18;
  static constexpr unsigned char kPaint = 0xA5;
  alignas(4096) static unsigned char stack[kStack];
  // An empty thread first: what the C library itself uses is not the runtime's.
  const auto used_by = [&](void* (*body)(void*)) {
    std::fill(std::begin(stack), std::end(stack), kPaint);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, kStack);
    pthread_t thread;
    EXPECT_EQ(pthread_create(&thread, &attributes, body, frame), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
    return static_cast<size_t>(std::end(stack) -
                               std::find_if(std::begin(stack), std::end(stack), [](auto b) { return b != kPaint; }));
  };
  const auto frame_body = [](void* opaque) -> void* {
    static_cast<Runs*>(opaque)->Run();
    return nullptr;
  };
  const size_t empty = used_by([](void*) -> void* { return nullptr; });
  return used_by(frame_body) - empty;
}

TEST(Promises, StackStaysUnder32Kilobytes) {
  if (!kPaintable) GTEST_SKIP() << "sanitizers use stack of their own";
  Frame frame;
  const size_t used = StackOf(&frame);
  EXPECT_LT(used, 32u * 1024);
  EXPECT_GT(used, 1024u) << "the paint was not touched: nothing was measured";
  RecordProperty("stack_bytes", static_cast<int>(used));
  BundleFrames frames;
  EXPECT_LT(StackOf(&frames), 32u * 1024);
}

}  // namespace
}  // namespace sinew
