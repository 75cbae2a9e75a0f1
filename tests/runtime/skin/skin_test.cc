#include "sinew/runtime/skin/skin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "sinew/host/thread_pool.h"
#include "sinew/offline/tables/skin_builder.h"
#include "sinew/runtime/skin/reference.h"
#include "tests/runtime/skin/meshes.h"
#include "tests/runtime/targets.h"

namespace sinew {
namespace {

using runtime::Affine;
using runtime::Bounds;
using runtime::DualQuaternionJob;
using runtime::Float3;
using runtime::Float4;
using runtime::LinearBlendJob;
using runtime::NormalMatrix;
using runtime::RigidStretch;
using runtime::RigidStretchJob;
using runtime::SkinStreams;
using runtime::Status;
using runtime::StridedSpan;
using testing::ForEachTarget;
using testing::Generator;

constexpr int kJoints = 11;
constexpr float kGuard = 12345.0f;

// One stream with a stride, in a buffer that ends with its last element and is filled with a known value between them,
// so that a test sees every float that should not have been written. The buffer's end is the allocation's end: the
// address sanitizer sees reads past it.
template <typename T>
class Stream {
 public:
  Stream(int count, int stride_floats)
      : floats_(count == 0 ? 0 : static_cast<size_t>(count - 1) * stride_floats + kWidth, kGuard),
        count_(count),
        stride_(stride_floats) {}

  StridedSpan<T> span() {
    return {reinterpret_cast<T*>(floats_.data()), static_cast<size_t>(count_), stride_ * sizeof(float)};
  }
  T& operator[](int i) { return span()[i]; }
  bool GapsAreUntouched() const {
    for (size_t i = 0; i < floats_.size(); ++i) {
      if (i % stride_ >= kWidth && floats_[i] != kGuard) return false;
    }
    return true;
  }
  const std::vector<float>& floats() const { return floats_; }

 private:
  static constexpr size_t kWidth = sizeof(T) / sizeof(float);
  std::vector<float> floats_;
  int count_;
  size_t stride_;
};

struct Layout {
  int extra_in = 0, extra_out = 0;  // floats between elements
  bool normals = true, tangents = true, pre = false, post = false;
};

// Inputs and outputs of one job.
struct Buffers {
  Buffers(Generator& generator, int count, const Layout& l)
      : rest_positions(count, 3 + l.extra_in),
        rest_normals(count, 3 + l.extra_in),
        pre(count, 3 + l.extra_in),
        post(count, 3 + l.extra_in),
        rest_tangents(count, 4 + l.extra_in),
        positions(count, 3 + l.extra_out),
        normals(count, 3 + l.extra_out),
        tangents(count, 4 + l.extra_out),
        layout(l) {
    for (int v = 0; v < count; ++v) {
      rest_positions[v] = generator.Point();
      rest_normals[v] = generator.Direction();
      const Float3 t = generator.Direction();
      rest_tangents[v] = {t.x, t.y, t.z, v % 2 == 0 ? 1.0f : -1.0f};
      pre[v] = generator.Point();
      post[v] = generator.Point();
    }
  }

  SkinStreams streams() {
    SkinStreams s;
    s.rest_positions = rest_positions.span();
    s.positions = positions.span();
    if (layout.normals) s.rest_normals = rest_normals.span(), s.normals = normals.span();
    if (layout.tangents) s.rest_tangents = rest_tangents.span(), s.tangents = tangents.span();
    if (layout.pre) s.pre_displacements = pre.span();
    if (layout.post) s.post_displacements = post.span();
    return s;
  }

  Stream<Float3> rest_positions, rest_normals, pre, post;
  Stream<Float4> rest_tangents;
  Stream<Float3> positions, normals;
  Stream<Float4> tangents;
  Layout layout;
};

float LargestDifference(const std::vector<float>& a, const std::vector<float>& b) {
  float largest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const float difference = std::fabs(a[i] - b[i]);
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

void ExpectSame(const Buffers& a, const Buffers& b, float tolerance) {
  EXPECT_LE(LargestDifference(a.positions.floats(), b.positions.floats()), tolerance);
  EXPECT_LE(LargestDifference(a.normals.floats(), b.normals.floats()), tolerance);
  EXPECT_LE(LargestDifference(a.tangents.floats(), b.tangents.floats()), tolerance);
  EXPECT_TRUE(a.positions.GapsAreUntouched());
  EXPECT_TRUE(a.normals.GapsAreUntouched());
  EXPECT_TRUE(a.tangents.GapsAreUntouched());
}

void ExpectSame(const Bounds& a, const Bounds& b, float tolerance) {
  EXPECT_NEAR(a.min.x, b.min.x, tolerance);
  EXPECT_NEAR(a.min.y, b.min.y, tolerance);
  EXPECT_NEAR(a.min.z, b.min.z, tolerance);
  EXPECT_NEAR(a.max.x, b.max.x, tolerance);
  EXPECT_NEAR(a.max.y, b.max.y, tolerance);
  EXPECT_NEAR(a.max.z, b.max.z, tolerance);
}

std::vector<Affine> Joints(Generator& generator, float scale) {
  std::vector<Affine> joints;
  for (int j = 0; j < kJoints; ++j) joints.push_back(generator.Joint(scale));
  return joints;
}

std::vector<RigidStretch> Split(const std::vector<Affine>& matrices) {
  std::vector<RigidStretch> joints(matrices.size());
  EXPECT_EQ((RigidStretchJob{.matrices = matrices, .joints = joints}.Run()), Status::kOk);
  return joints;
}

// The kernels equal the reference on every target: one case.
void CompareLinearBlend(uint32_t seed, int vertices, int slots, bool full, const Layout& layout, NormalMatrix matrix) {
  Generator generator(seed);
  const testing::RandomSkin skin = testing::MakeSkin(generator, vertices, kJoints, slots, full);
  const tables::BuiltSkin built = tables::BuildSkin(skin.plain(), kJoints, "mesh");
  const std::vector<Affine> matrices = Joints(generator, matrix == NormalMatrix::kCofactor ? 0.3f : 0.0f);
  const Buffers inputs(generator, vertices, layout);
  Buffers expected = inputs;
  Bounds expected_box;
  LinearBlendReference({.table = &built.table,
                        .matrices = matrices,
                        .streams = expected.streams(),
                        .normal_matrix = matrix,
                        .bounds = &expected_box},
                       skin.plain());
  ForEachTarget([&] {
    Buffers actual = inputs;
    Bounds box;
    const LinearBlendJob job{.table = &built.table,
                             .matrices = matrices,
                             .streams = actual.streams(),
                             .normal_matrix = matrix,
                             .bounds = &box};
    ASSERT_EQ(job.Run(), Status::kOk);
    ExpectSame(actual, expected, 1e-5f);
    if (vertices > 0) ExpectSame(box, expected_box, 1e-5f);
    // Without a box there are shorter ways.
    Buffers unbounded = inputs;
    ASSERT_EQ((LinearBlendJob{
                  .table = &built.table, .matrices = matrices, .streams = unbounded.streams(), .normal_matrix = matrix}
                   .Run()),
              Status::kOk);
    ExpectSame(unbounded, expected, 1e-5f);
  });
}

void CompareDualQuaternion(uint32_t seed, int vertices, int slots, bool full, const Layout& layout, float scale) {
  Generator generator(seed);
  const testing::RandomSkin skin = testing::MakeSkin(generator, vertices, kJoints, slots, full);
  const tables::BuiltSkin built = tables::BuildSkin(skin.plain(), kJoints, "mesh");
  const std::vector<RigidStretch> joints = Split(Joints(generator, scale));
  const Buffers inputs(generator, vertices, layout);
  Buffers expected = inputs;
  Bounds expected_box;
  DualQuaternionReference(
      {.table = &built.table, .joints = joints, .streams = expected.streams(), .bounds = &expected_box}, skin.plain());
  ForEachTarget([&] {
    Buffers actual = inputs;
    Bounds box;
    const DualQuaternionJob job{.table = &built.table, .joints = joints, .streams = actual.streams(), .bounds = &box};
    ASSERT_EQ(job.Run(), Status::kOk);
    ExpectSame(actual, expected, 1e-5f);
    if (vertices > 0) ExpectSame(box, expected_box, 1e-5f);
  });
}

// Around the vectors' widths, and around a tile.
const int kSizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 255, 256, 257, 600};

TEST(LinearBlend, EqualsTheReferenceAtEverySizeAndNumberOfInfluences) {
  for (const int size : kSizes) {
    for (int slots = 1; slots <= 8; ++slots) {
      SCOPED_TRACE(::testing::Message() << size << " vertices, " << slots << " influences");
      CompareLinearBlend(1, size, slots, true, {}, NormalMatrix::kLinear);
      CompareLinearBlend(2, size, slots, false, {}, NormalMatrix::kLinear);
      for (const bool pre : {false, true}) {
        const Layout plain{.tangents = false, .pre = pre};
        CompareLinearBlend(1, size, slots, true, plain, NormalMatrix::kLinear);
        CompareLinearBlend(2, size, slots, false, plain, NormalMatrix::kLinear);
      }
    }
  }
}

TEST(DualQuaternion, EqualsTheReferenceAtEverySizeAndNumberOfInfluences) {
  for (const int size : kSizes) {
    for (int slots = 1; slots <= 8; ++slots) {
      SCOPED_TRACE(::testing::Message() << size << " vertices, " << slots << " influences");
      CompareDualQuaternion(3, size, slots, true, {}, 0);
      CompareDualQuaternion(4, size, slots, false, {}, 0.3f);
    }
  }
}

TEST(Skinning, EqualsTheReferenceForEveryLayout) {
  for (int bits = 0; bits < 64; ++bits) {
    const Layout layout{.extra_in = (bits & 1) != 0 ? 5 : 0,
                        .extra_out = (bits & 2) != 0 ? 3 : 0,
                        .normals = (bits & 4) != 0,
                        .tangents = (bits & 8) != 0,
                        .pre = (bits & 16) != 0,
                        .post = (bits & 32) != 0};
    SCOPED_TRACE(::testing::Message() << "layout " << bits);
    for (const bool full : {true, false}) {
      CompareLinearBlend(5, 300, 4, full, layout, NormalMatrix::kLinear);
      CompareLinearBlend(6, 300, 6, full, layout, NormalMatrix::kCofactor);
      CompareDualQuaternion(7, 300, 4, full, layout, 0);
      CompareDualQuaternion(8, 300, 5, full, layout, 0.3f);
    }
  }
}

TEST(Skinning, StreamsInterleavedInOneBufferDoNotTouchEachOther) {
  Generator generator(9);
  constexpr int kVertices = 77, kFloats = 11;  // position, normal, tangent, one float of the caller's
  const testing::RandomSkin skin = testing::MakeSkin(generator, kVertices, kJoints, 4, true);
  const tables::BuiltSkin built = tables::BuildSkin(skin.plain(), kJoints, "mesh");
  const std::vector<Affine> matrices = Joints(generator, 0);
  Buffers expected(generator, kVertices, {});
  LinearBlendJob job{.table = &built.table, .matrices = matrices, .streams = expected.streams()};
  ASSERT_EQ(job.Run(), Status::kOk);
  std::vector<float> vertices(kVertices * kFloats, kGuard);
  constexpr size_t kStride = kFloats * sizeof(float);
  job.streams.positions = {reinterpret_cast<Float3*>(&vertices[0]), kVertices, kStride};
  job.streams.normals = {reinterpret_cast<Float3*>(&vertices[3]), kVertices, kStride};
  job.streams.tangents = {reinterpret_cast<Float4*>(&vertices[6]), kVertices, kStride};
  ASSERT_EQ(job.Run(), Status::kOk);
  for (int v = 0; v < kVertices; ++v) {
    EXPECT_EQ(vertices[v * kFloats], expected.positions[v].x);
    EXPECT_EQ(vertices[v * kFloats + 5], expected.normals[v].z);
    EXPECT_EQ(vertices[v * kFloats + 9], expected.tangents[v].w);
    EXPECT_EQ(vertices[v * kFloats + 10], kGuard);
  }
}

TEST(Skinning, SameBitsWhateverTheNumberOfThreads) {
  Generator generator(10);
  constexpr int kVertices = 70000;
  const testing::RandomSkin skin = testing::MakeSkin(generator, kVertices, kJoints, 4, false);
  const tables::BuiltSkin built = tables::BuildSkin(skin.plain(), kJoints, "mesh");
  const std::vector<Affine> matrices = Joints(generator, 0);
  const std::vector<RigidStretch> joints = Split(matrices);
  Buffers linear(generator, kVertices, {});
  Buffers dual = linear;
  Bounds linear_box, dual_box;
  LinearBlendJob{.table = &built.table, .matrices = matrices, .streams = linear.streams(), .bounds = &linear_box}.Run();
  DualQuaternionJob{.table = &built.table, .joints = joints, .streams = dual.streams(), .bounds = &dual_box}.Run();
  for (const int threads : {1, 2, 5}) {
    host::ThreadPool pool(threads);
    Buffers again = linear;
    std::fill_n(&again.positions[0].x, 3 * kVertices, 0.0f);
    Bounds box;
    const LinearBlendJob job{
        .table = &built.table, .matrices = matrices, .streams = again.streams(), .bounds = &box, .runner = &pool};
    job.Run();
    EXPECT_EQ(again.positions.floats(), linear.positions.floats());
    EXPECT_EQ(again.normals.floats(), linear.normals.floats());
    EXPECT_EQ(box.min.x, linear_box.min.x);
    EXPECT_EQ(box.max.z, linear_box.max.z);
    const DualQuaternionJob dual_job{
        .table = &built.table, .joints = joints, .streams = again.streams(), .bounds = &box, .runner = &pool};
    dual_job.Run();
    EXPECT_EQ(again.positions.floats(), dual.positions.floats());
    EXPECT_EQ(box.max.y, dual_box.max.y);
  }
}

TEST(LinearBlend, CofactorsKeepNormalsPerpendicularUnderAnyScale) {
  Generator generator(11);
  constexpr int kVertices = 200;
  const testing::RandomSkin skin = testing::MakeSkin(generator, kVertices, kJoints, 1, true);
  const tables::BuiltSkin built = tables::BuildSkin(skin.plain(), kJoints, "mesh");
  const std::vector<Affine> matrices = Joints(generator, 0.6f);
  Buffers buffers(generator, kVertices, {});
  for (int v = 0; v < kVertices; ++v) {
    const Float3 n = buffers.rest_normals[v];
    const Float3 t = std::fabs(n.x) < 0.9f ? Float3{0, n.z, -n.y} : Float3{-n.z, 0, n.x};
    buffers.rest_tangents[v] = {t.x, t.y, t.z, 1};
  }
  const LinearBlendJob job{.table = &built.table,
                           .matrices = matrices,
                           .streams = buffers.streams(),
                           .normal_matrix = NormalMatrix::kCofactor};
  ASSERT_EQ(job.Run(), Status::kOk);
  for (int v = 0; v < kVertices; ++v) {
    const Float3 n = buffers.normals[v];
    const Float4 t = buffers.tangents[v];
    EXPECT_NEAR(n.x * t.x + n.y * t.y + n.z * t.z, 0, 1e-5f);
    EXPECT_NEAR(n.x * n.x + n.y * n.y + n.z * n.z, 1, 1e-5f);
  }
}

// Normals point out of the mirrored surface, and the bitangent, w * cross(normal, tangent), is mirrored with it.
TEST(Mirroring, TurnsNormalsAndBitangentsWithTheSurface) {
  Generator generator(12);
  constexpr int kVertices = 70;
  const testing::RandomSkin skin = testing::MakeSkin(generator, kVertices, kJoints, 1, true);
  const tables::BuiltSkin built = tables::BuildSkin(skin.plain(), kJoints, "mesh");
  const std::vector<Affine> matrices(kJoints, Affine{{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}});
  const std::vector<RigidStretch> joints = Split(matrices);
  Buffers inputs(generator, kVertices, {});
  ForEachTarget([&] {
    for (const bool dual : {false, true}) {
      Buffers buffers = inputs;
      const LinearBlendJob linear{.table = &built.table,
                                  .matrices = matrices,
                                  .streams = buffers.streams(),
                                  .normal_matrix = NormalMatrix::kCofactor};
      const DualQuaternionJob quaternions{.table = &built.table, .joints = joints, .streams = buffers.streams()};
      ASSERT_EQ(dual ? quaternions.Run() : linear.Run(), Status::kOk);
      for (int v = 0; v < kVertices; ++v) {
        EXPECT_NEAR(buffers.normals[v].x, -inputs.rest_normals[v].x, 1e-5f);
        EXPECT_NEAR(buffers.normals[v].y, inputs.rest_normals[v].y, 1e-5f);
        EXPECT_NEAR(buffers.normals[v].z, inputs.rest_normals[v].z, 1e-5f);
        EXPECT_EQ(buffers.tangents[v].w, -inputs.rest_tangents[v].w);
      }
    }
  });
}

TEST(DualQuaternion, ATwistedRodKeepsItsRadiusWhereLinearBlendingLosesIt) {
  // A ring of radius 1 around x, half of it each of two joints of which one is turned by 170 degrees about x.
  const float half = 85.0f / 180 * 3.14159265f;
  const std::vector<Affine> matrices = {
      Affine{}, runtime::ToAffine({.translation = {}, .rotation = {std::sin(half), 0, 0, std::cos(half)}})};
  const std::vector<RigidStretch> joints = Split(matrices);
  const std::vector<uint16_t> both = {0, 1};
  const std::vector<float> halves = {0.5f, 0.5f};
  const tables::BuiltSkin built = tables::BuildSkin({2, both, halves}, 2, "rod");
  const std::vector<Float3> rest = {{0, 1, 0}};
  std::vector<Float3> out(1);
  SkinStreams streams;
  streams.rest_positions = std::span<const Float3>(rest);
  streams.positions = std::span<Float3>(out);
  ASSERT_EQ((DualQuaternionJob{.table = &built.table, .joints = joints, .streams = streams}.Run()), Status::kOk);
  EXPECT_NEAR(std::hypot(out[0].y, out[0].z), 1, 1e-5f);
  ASSERT_EQ((LinearBlendJob{.table = &built.table, .matrices = matrices, .streams = streams}.Run()), Status::kOk);
  EXPECT_LT(std::hypot(out[0].y, out[0].z), 0.1f);
}

TEST(DualQuaternion, TheSignOfAQuaternionDoesNotMatter) {
  Generator generator(12);
  constexpr int kVertices = 64;
  const testing::RandomSkin skin = testing::MakeSkin(generator, kVertices, kJoints, 4, true);
  const tables::BuiltSkin built = tables::BuildSkin(skin.plain(), kJoints, "mesh");
  std::vector<RigidStretch> joints = Split(Joints(generator, 0.2f));
  Buffers before(generator, kVertices, {});
  Buffers after = before;
  DualQuaternionJob{.table = &built.table, .joints = joints, .streams = before.streams()}.Run();
  for (int j = 0; j < kJoints; j += 2) {
    joints[j].real = {-joints[j].real.x, -joints[j].real.y, -joints[j].real.z, -joints[j].real.w};
    for (float& d : joints[j].dual) d = -d;
  }
  DualQuaternionJob{.table = &built.table, .joints = joints, .streams = after.streams()}.Run();
  ExpectSame(after, before, 1e-5f);
}

// stretch, then rotate, then translate: the matrix that was split.
void ExpectPartsMakeTheMatrix(const RigidStretch& joint, const Affine& matrix) {
  RigidStretch unit = joint;
  const std::vector<uint16_t> one = {0};
  const std::vector<float> weight = {1};
  const tables::BuiltSkin built = tables::BuildSkin({1, one, weight}, 1, "point");
  const std::vector<RigidStretch> joints = {unit};
  const std::vector<Float3> rest = {{0.3f, -0.7f, 0.5f}};
  std::vector<Float3> out(1);
  SkinStreams streams;
  streams.rest_positions = std::span<const Float3>(rest);
  streams.positions = std::span<Float3>(out);
  ASSERT_EQ((DualQuaternionJob{.table = &built.table, .joints = joints, .streams = streams}.Run()), Status::kOk);
  const float* m = matrix.m;
  const Float3& p = rest[0];
  EXPECT_NEAR(out[0].x, m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], 1e-5f);
  EXPECT_NEAR(out[0].y, m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13], 1e-5f);
  EXPECT_NEAR(out[0].z, m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14], 1e-5f);
}

TEST(RigidStretch, SplitsEveryMatrixMirroredAndSingularOnesToo) {
  Generator generator(13);
  const Float3 scales[] = {{1, 1, 1},    {2, 2, 2}, {0.5f, 1, 3}, {-1, 1, 1}, {-2, -1, 1},
                           {-1, -1, -1}, {0, 1, 1}, {0, 0, 1},    {0, 0, 0},  {1e-3f, 1, 1}};
  for (const Float3& scale : scales) {
    for (int i = 0; i < 50; ++i) {
      const Affine shear = runtime::ToAffine({.translation = {}, .rotation = generator.Rotation(), .scale = scale});
      const Affine matrix = runtime::Multiply(generator.Joint(0), shear);
      const std::vector<RigidStretch> split = Split({matrix});
      const runtime::Quaternion& q = split[0].real;
      EXPECT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-5f);
      ExpectPartsMakeTheMatrix(split[0], matrix);
    }
  }
}

TEST(RigidStretch, TheStretchOfAProperMatrixIsSymmetric) {
  Generator generator(14);
  for (int i = 0; i < 100; ++i) {
    const std::vector<RigidStretch> split = Split({generator.Joint(0.5f)});
    const float* s = split[0].stretch;
    const float symmetric[] = {s[1] - s[4], s[2] - s[8], s[6] - s[9]};
    for (const float difference : symmetric) EXPECT_NEAR(difference, 0, 2e-6f);
    EXPECT_GT(s[0], 0);
  }
}

// Every reason that Validate() lists, each alone.
TEST(Skinning, SaysNoForEveryListedReason) {
  Generator generator(15);
  constexpr int kVertices = 20;
  const testing::RandomSkin skin = testing::MakeSkin(generator, kVertices, kJoints, 2, true);
  const tables::BuiltSkin built = tables::BuildSkin(skin.plain(), kJoints, "mesh");
  const std::vector<Affine> matrices = Joints(generator, 0);
  const std::vector<RigidStretch> joints = Split(matrices);
  Buffers buffers(generator, kVertices, {});
  std::vector<float> few(3 * (kVertices - 1) + 1);
  const StridedSpan<Float3> short_span{reinterpret_cast<Float3*>(few.data()), kVertices - 1};
  const StridedSpan<Float3> overlapping{&buffers.positions[0], kVertices, 8};
  const StridedSpan<Float3> misaligned{reinterpret_cast<Float3*>(reinterpret_cast<char*>(&buffers.positions[0]) + 2),
                                       kVertices - 1, 12};
  const runtime::SkinTable closed;

  const LinearBlendJob good{.table = &built.table, .matrices = matrices, .streams = buffers.streams()};
  const DualQuaternionJob good_dual{.table = &built.table, .joints = joints, .streams = buffers.streams()};
  EXPECT_EQ(good.Validate(), Status::kOk);
  EXPECT_EQ(good_dual.Validate(), Status::kOk);
  const auto refuses = [&](const auto& spoil) {
    LinearBlendJob linear = good;
    DualQuaternionJob dual = good_dual;
    spoil(linear);
    spoil(dual);
    return linear.Run() == Status::kInvalidArgument && dual.Run() == Status::kInvalidArgument;
  };
  EXPECT_TRUE(refuses([](auto& job) { job.table = nullptr; }));
  EXPECT_TRUE(refuses([&](auto& job) { job.table = &closed; }));
  EXPECT_TRUE(refuses([](auto& job) { job.streams.rest_positions = {}; }));
  EXPECT_TRUE(refuses([](auto& job) { job.streams.positions = {}; }));
  EXPECT_TRUE(refuses([&](auto& job) { job.streams.positions = short_span; }));
  EXPECT_TRUE(refuses([&](auto& job) { job.streams.rest_positions = short_span; }));
  EXPECT_TRUE(refuses([&](auto& job) { job.streams.normals = short_span; }));
  EXPECT_TRUE(refuses([](auto& job) { job.streams.rest_normals = {}; }));
  EXPECT_TRUE(refuses([](auto& job) { job.streams.rest_tangents = {}; }));
  EXPECT_TRUE(refuses([&](auto& job) { job.streams.pre_displacements = short_span; }));
  EXPECT_TRUE(refuses([&](auto& job) { job.streams.post_displacements = short_span; }));
  EXPECT_TRUE(refuses([&](auto& job) { job.streams.positions = overlapping; }));
  EXPECT_TRUE(refuses([&](auto& job) { job.streams.positions = misaligned; }));
  LinearBlendJob few_matrices = good;
  few_matrices.matrices = std::span(matrices).first(kJoints - 1);
  EXPECT_EQ(few_matrices.Run(), Status::kInvalidArgument);
  DualQuaternionJob few_joints = good_dual;
  few_joints.joints = std::span(joints).first(kJoints - 1);
  EXPECT_EQ(few_joints.Run(), Status::kInvalidArgument);
  std::vector<RigidStretch> one(1);
  EXPECT_EQ((RigidStretchJob{.matrices = matrices, .joints = one}.Run()), Status::kInvalidArgument);
}

}  // namespace
}  // namespace sinew
