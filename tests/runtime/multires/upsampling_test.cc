#include "sinew/runtime/multires/upsampling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "sinew/host/thread_pool.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/tables/upsampling_builder.h"
#include "tests/runtime/skin/meshes.h"
#include "tests/runtime/targets.h"

namespace sinew {
namespace {

using runtime::Float3;
using runtime::Float4;
using runtime::Status;
using runtime::StridedSpan;
using runtime::UpsamplingJob;
using runtime::UpsamplingTable;
using runtime::VertexOrder;
using testing::ForEachTarget;
using testing::Generator;

struct Operator {
  int coarse_count = 0;
  std::vector<uint32_t> corners;
  std::vector<double> weights;

  tables::RawUpsampling raw() const { return {coarse_count, corners, weights}; }
  int fine_count() const { return static_cast<int>(corners.size() / 3); }
};

// Weights of a corner, of an edge's middle, of the centre, of places a hair from these, and of any place.
void AddWeights(Generator& generator, Operator& out) {
  const double hair = generator.Uniform(0, 2e-5f), s = generator.Uniform(0, 1), t = (1 - s) * generator.Uniform(0, 1);
  const double choices[6][3] = {{1, 0, 0},
                                {0.5, 0.5, 0},
                                {1 / 3.0, 1 / 3.0, 1 / 3.0},
                                {1 - hair, hair, 0},
                                {0.5 - hair, 0.5 - hair / 2, 1.5 * hair},
                                {s, t, 1 - s - t}};
  const auto& chosen = choices[std::min(generator.Below(12), 5)];
  const int turn = generator.Below(3);
  for (int c = 0; c < 3; ++c) out.weights.push_back(chosen[(c + turn) % 3]);
}

// Fine vertices on triangles of random coarse ones: no locality at all.
Operator Soup(Generator& generator, int fine, int coarse) {
  Operator out{coarse, {}, {}};
  for (int v = 0; v < fine; ++v) {
    for (int c = 0; c < 3; ++c) out.corners.push_back(static_cast<uint32_t>(generator.Below(coarse)));
    AddWeights(generator, out);
  }
  return out;
}

// Fine vertices anywhere on a grid of n x m coarse ones, in the order in which they are drawn.
Operator OnGrid(Generator& generator, int fine, int n, int m) {
  Operator out{n * m, {}, {}};
  for (int v = 0; v < fine; ++v) {
    const auto corner = static_cast<uint32_t>(generator.Below(n - 1) * m + generator.Below(m - 1));
    const auto row = static_cast<uint32_t>(m);
    const bool upper = generator.Below(2) == 0;
    out.corners.insert(out.corners.end(), {upper ? corner + row + 1 : corner, corner + 1, corner + row});
    AddWeights(generator, out);
  }
  return out;
}

std::vector<Float3> RandomPoints(Generator& generator, int count) {
  std::vector<Float3> points(count);
  for (Float3& p : points) p = generator.Point();
  return points;
}

// What the scalar code makes of a table, in internal order.
std::vector<Float3> Expected(const UpsamplingTable& table, const std::vector<Float3>& coarse) {
  std::vector<Float3> fine;
  for (int t = 0; t < table.tile_count(); ++t) {
    float points[4 * UpsamplingTable::kTileVertices];
    UpsampleTileReference(table, std::span(coarse), t, points);
    for (int i = 0; i < table.vertices(t); ++i) {
      fine.push_back({points[4 * i], points[4 * i + 1], points[4 * i + 2]});
    }
  }
  return fine;
}

std::vector<Float3> Upsample(const UpsamplingTable& table, const std::vector<Float3>& coarse, VertexOrder order) {
  std::vector<Float3> fine(table.fine_count());
  const UpsamplingJob job{.table = &table, .coarse = std::span(coarse), .fine = std::span(fine), .order = order};
  EXPECT_EQ(job.Run(), Status::kOk);
  return fine;
}

float Difference(const Float3& a, const Float3& b) {
  return std::max({std::fabs(a.x - b.x), std::fabs(a.y - b.y), std::fabs(a.z - b.z)});
}

bool SameBits(const std::vector<Float3>& a, const std::vector<Float3>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Float3)) == 0;
}

TEST(Upsampling, EqualsTheReferenceAtEverySize) {
  Generator generator(1);
  for (const int fine : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 255, 256, 257, 1000}) {
    for (const int coarse : {1, 3, 50}) {
      const Operator u = Soup(generator, fine, coarse);
      const tables::BuiltUpsampling built = tables::BuildUpsampling(u.raw(), {}, "soup");
      const std::vector<Float3> points = RandomPoints(generator, coarse);
      const std::vector<Float3> expected = Expected(built.table, points);
      ForEachTarget([&] {
        const std::vector<Float3> actual = Upsample(built.table, points, VertexOrder::kFile);
        for (int v = 0; v < fine; ++v) ASSERT_LE(Difference(actual[v], expected[v]), 1e-6f) << v << " of " << fine;
      });
    }
  }
}

TEST(Upsampling, FarCornersHave32BitsAndTheSameResult) {
  Generator generator(2);
  for (const int coarse : {32768, 32769, 100000}) {
    Operator u = Soup(generator, 700, 1000);
    u.coarse_count = coarse;
    u.corners[0] = static_cast<uint32_t>(coarse - 1);
    u.corners[1] = 0;
    const tables::BuiltUpsampling built = tables::BuildUpsampling(u.raw(), {}, "soup");
    EXPECT_EQ(built.table.narrow(), coarse == 32768);
    const std::vector<Float3> points = RandomPoints(generator, coarse);
    const std::vector<Float3> expected = Expected(built.table, points);
    ForEachTarget([&] {
      const std::vector<Float3> actual = Upsample(built.table, points, VertexOrder::kFile);
      for (int v = 0; v < u.fine_count(); ++v) ASSERT_LE(Difference(actual[v], expected[v]), 1e-6f);
    });
  }
}

TEST(Upsampling, ThePlainLoopDiffersByThePackingErrorAlone) {
  Generator generator(3);
  const Operator u = OnGrid(generator, 5000, 30, 40);
  const std::vector<Float3> points = RandomPoints(generator, u.coarse_count);
  const std::vector<float> weights(u.weights.begin(), u.weights.end());
  std::vector<Float3> plain(u.fine_count());
  runtime::UpsamplingReference({.coarse = std::span(points), .fine = std::span(plain)}, {u.corners, weights});
  const tables::BuiltUpsampling built = tables::BuildUpsampling(u.raw(), {}, "grid");
  const std::vector<Float3> packed = Upsample(built.table, points, VertexOrder::kFile);
  const double bound = tables::LargestPackingError(u.raw(), points) + 1e-6;
  for (int v = 0; v < u.fine_count(); ++v) ASSERT_LE(Difference(packed[v], plain[v]), bound);
}

// The bound that upsampling_table.h derives, over triangles of every shape; and that it is not far from what happens.
TEST(Upsampling, ThePackingErrorIsWithinItsBound) {
  double worst = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    Generator generator(seed);
    const float thin = generator.Uniform(0, 1);
    for (int i = 0; i < 200; ++i) {
      Operator u = Soup(generator, 1, 3);
      u.corners = {0, 1, 2};
      std::vector<Float3> points = RandomPoints(generator, 3);
      for (Float3& p : points) p.y *= thin * thin;
      double longest = 0;
      for (int c = 0; c < 3; ++c) {
        const Float3 &a = points[c], &b = points[(c + 1) % 3];
        longest = std::max(longest, std::hypot(double{a.x} - b.x, double{a.y} - b.y, double{a.z} - b.z));
      }
      const double relative = tables::LargestPackingError(u.raw(), points) / longest;
      ASSERT_LE(relative, 1.5 / (1 << 17) + 1e-9);
      worst = std::max(worst, relative);
    }
  }
  EXPECT_GE(worst, 0.5 / (1 << 17));
}

// A sphere of unit height with a number of vertices as coarse as the paper's coarsest level.
TEST(Upsampling, ABodyOf1300VerticesIsOffByLessThan2MillionthsOfItsHeight) {
  Generator generator(5);
  const int n = 36, m = 36;
  std::vector<Float3> points;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      const float a = 3.1415927f * static_cast<float>(i) / (n - 1), b = 6.2831853f * static_cast<float>(j) / m;
      points.push_back({0.5f * std::sin(a) * std::cos(b), 0.5f * std::cos(a), 0.5f * std::sin(a) * std::sin(b)});
    }
  }
  const Operator u = OnGrid(generator, 20000, n, m);
  EXPECT_LT(tables::LargestPackingError(u.raw(), points), 2e-6);
  const tables::BuiltUpsampling built = tables::BuildUpsampling(u.raw(), {}, "sphere");
  ForEachTarget([&] {
    const std::vector<Float3> fine = Upsample(built.table, points, VertexOrder::kFile);
    for (int v = 0; v < u.fine_count(); ++v) {
      double exact[3] = {};
      for (int c = 0; c < 3; ++c) {
        const Float3& p = points[u.corners[3 * v + c]];
        const double w = u.weights[3 * v + c];
        exact[0] += w * p.x, exact[1] += w * p.y, exact[2] += w * p.z;
      }
      ASSERT_LT(std::hypot(fine[v].x - exact[0], fine[v].y - exact[1], fine[v].z - exact[2]), 2e-6);
    }
  });
}

TEST(Upsampling, AConstantIsExact) {
  Generator generator(6);
  const Operator u = Soup(generator, 3000, 200);
  const tables::BuiltUpsampling built =
      tables::BuildUpsampling(u.raw(), {.fine = tables::FollowingOrder(u.raw(), {})}, "soup");
  for (const float scale : {1e-20f, 1.0f, 3e7f}) {
    const Float3 p = generator.Point(), constant{scale * p.x, scale * p.y, scale * p.z};
    const std::vector<Float3> points(u.coarse_count, constant);
    ForEachTarget([&] {
      for (const auto order : {VertexOrder::kFile, VertexOrder::kInternal}) {
        EXPECT_TRUE(SameBits(Upsample(built.table, points, order), std::vector<Float3>(u.fine_count(), constant)));
      }
    });
  }
}

TEST(Upsampling, AWeightOf1IsExact) {
  Generator generator(7);
  Operator u{50, {}, {}};
  std::vector<Float3> expected;
  const std::vector<Float3> points = RandomPoints(generator, 50);
  for (int v = 0; v < 300; ++v) {
    for (int c = 0; c < 3; ++c) {
      u.corners.push_back(static_cast<uint32_t>(generator.Below(50)));
      u.weights.push_back(c == v % 3 ? 1 : 0);
    }
    expected.push_back(points[u.corners[3 * v + v % 3]]);
  }
  const tables::BuiltUpsampling built = tables::BuildUpsampling(u.raw(), {}, "corners");
  ForEachTarget([&] { EXPECT_TRUE(SameBits(Upsample(built.table, points, VertexOrder::kFile), expected)); });
}

// Whatever the two levels' orders in memory are, the file's vertices are the same.
TEST(Upsampling, OrdersChangeNothingButTheOrder) {
  Generator generator(8);
  const Operator u = OnGrid(generator, 3001, 25, 31);
  const std::vector<Float3> points = RandomPoints(generator, u.coarse_count);
  const tables::BuiltUpsampling plain = tables::BuildUpsampling(u.raw(), {}, "grid");
  const std::vector<uint32_t> coarse = tables::CoarsestOrder(u.raw()), fine = tables::FollowingOrder(u.raw(), coarse);
  const tables::BuiltUpsampling ordered = tables::BuildUpsampling(u.raw(), {.fine = fine, .coarse = coarse}, "grid");
  std::vector<Float3> moved(points.size());
  for (size_t i = 0; i < moved.size(); ++i) moved[i] = points[coarse[i]];
  ForEachTarget([&] {
    const std::vector<Float3> expected = Upsample(plain.table, points, VertexOrder::kFile);
    EXPECT_TRUE(SameBits(Upsample(plain.table, points, VertexOrder::kInternal), expected));
    EXPECT_TRUE(SameBits(Upsample(ordered.table, moved, VertexOrder::kFile), expected));
    const std::vector<Float3> internal = Upsample(ordered.table, moved, VertexOrder::kInternal);
    std::vector<Float3> back(internal.size());
    for (size_t i = 0; i < back.size(); ++i) back[fine[i]] = internal[i];
    EXPECT_TRUE(SameBits(back, expected));
  });
}

TEST(Upsampling, OrdersBringNeighboursTogether) {
  Generator generator(9);
  const int n = 60, m = 60;
  Operator u = OnGrid(generator, 4 * n * m, n, m);
  std::vector<uint32_t> shuffled(u.coarse_count);
  std::iota(shuffled.begin(), shuffled.end(), 0);
  for (int i = u.coarse_count - 1; i > 0; --i) std::swap(shuffled[i], shuffled[generator.Below(i + 1)]);
  for (uint32_t& corner : u.corners) corner = shuffled[corner];
  const std::vector<uint32_t> coarse = tables::CoarsestOrder(u.raw());
  std::vector<uint32_t> sorted = coarse;
  std::sort(sorted.begin(), sorted.end());
  for (uint32_t v = 0; v < sorted.size(); ++v) ASSERT_EQ(sorted[v], v);
  const tables::BuiltUpsampling before = tables::BuildUpsampling(u.raw(), {}, "grid");
  const tables::BuiltUpsampling after =
      tables::BuildUpsampling(u.raw(), {.fine = tables::FollowingOrder(u.raw(), coarse), .coarse = coarse}, "grid");
  for (int t = 0; t < after.table.tile_count(); ++t) {
    EXPECT_GT(before.table.tile(t).last - before.table.tile(t).first, 3000u);
    EXPECT_LT(after.table.tile(t).last - after.table.tile(t).first, 400u);
  }
}

TEST(Upsampling, SameBitsWhateverTheThreadsAndTheStridesAndNothingElseIsWritten) {
  Generator generator(10);
  const Operator u = OnGrid(generator, 9005, 47, 49);
  const std::vector<Float3> points = RandomPoints(generator, u.coarse_count);
  const tables::BuiltUpsampling built =
      tables::BuildUpsampling(u.raw(), {.fine = tables::FollowingOrder(u.raw(), {})}, "grid");
  struct Vertex {
    float before = 5;
    Float3 point;
    float after[3] = {6, 7, 8};
  };
  std::vector<Vertex> coarse(points.size());
  for (size_t v = 0; v < points.size(); ++v) coarse[v].point = points[v];
  std::vector<Float4> padded(points.size());
  for (size_t v = 0; v < points.size(); ++v) padded[v] = {points[v].x, points[v].y, points[v].z, NAN};
  const StridedSpan<const Float3> inputs[] = {
      std::span(points),
      {&coarse[0].point, coarse.size(), sizeof(Vertex)},
      {reinterpret_cast<const Float3*>(padded.data()), padded.size(), sizeof(Float4)}};
  ForEachTarget([&] {
    for (const auto order : {VertexOrder::kFile, VertexOrder::kInternal}) {
      const std::vector<Float3> expected = Upsample(built.table, points, order);
      for (const int threads : {1, 3}) {
        host::ThreadPool pool(threads);
        for (const StridedSpan<const Float3>& input : inputs) {
          std::vector<Float3> packed(u.fine_count() + 1, {9, 9, 9});
          std::vector<Vertex> spread(u.fine_count());
          std::vector<Float4> wide(u.fine_count() + 1, {9, 9, 9, 9});
          UpsamplingJob job{
              .table = &built.table, .coarse = input, .fine = std::span(packed), .order = order, .runner = &pool};
          ASSERT_EQ(job.Run(), Status::kOk);
          job.fine = {&spread[0].point, spread.size(), sizeof(Vertex)};
          ASSERT_EQ(job.Run(), Status::kOk);
          job.fine = {reinterpret_cast<Float3*>(wide.data()), wide.size(), sizeof(Float4)};
          job.overwrite_padding = true;
          ASSERT_EQ(job.Run(), Status::kOk);
          EXPECT_EQ(packed.back().x, 9);
          EXPECT_EQ(wide.back().x, 9);
          packed.pop_back();
          EXPECT_TRUE(SameBits(packed, expected));
          for (int v = 0; v < u.fine_count(); ++v) {
            const Vertex& s = spread[v];
            ASSERT_TRUE(SameBits({s.point, {wide[v].x, wide[v].y, wide[v].z}}, {expected[v], expected[v]}));
            ASSERT_TRUE(s.before == 5 && s.after[0] == 6 && s.after[1] == 7 && s.after[2] == 8);
          }
        }
      }
    }
  });
}

TEST(Upsampling, ValidateSaysNo) {
  Generator generator(11);
  const Operator u = Soup(generator, 20, 10);
  const tables::BuiltUpsampling built = tables::BuildUpsampling(u.raw(), {}, "soup");
  const std::vector<Float3> points(10);
  std::vector<Float3> fine(20);
  const UpsamplingJob good{.table = &built.table, .coarse = std::span(points), .fine = std::span(fine)};
  EXPECT_EQ(good.Validate(), Status::kOk);
  const auto refused = [&](auto change) {
    UpsamplingJob job = good;
    change(job);
    return job.Run() == Status::kInvalidArgument;
  };
  const UpsamplingTable unopened;
  EXPECT_TRUE(refused([](UpsamplingJob& job) { job.table = nullptr; }));
  EXPECT_TRUE(refused([&](UpsamplingJob& job) { job.table = &unopened; }));
  EXPECT_TRUE(refused([&](UpsamplingJob& job) { job.coarse = std::span(points).first(9); }));
  EXPECT_TRUE(refused([&](UpsamplingJob& job) { job.fine = std::span(fine).first(19); }));
  EXPECT_TRUE(refused([&](UpsamplingJob& job) { job.fine = {fine.data(), 20, 8}; }));
  EXPECT_TRUE(refused([&](UpsamplingJob& job) { job.coarse = {points.data(), 10, 13}; }));
  EXPECT_TRUE(refused([](UpsamplingJob& job) { job.overwrite_padding = true; }));
}

TEST(Upsampling, ALevelOfNoVerticesIsALevel) {
  const tables::BuiltUpsampling built = tables::BuildUpsampling({}, {}, "nothing");
  EXPECT_EQ(UpsamplingJob{.table = &built.table}.Run(), Status::kOk);
  EXPECT_TRUE(tables::CoarsestOrder({}).empty());
  EXPECT_TRUE(tables::FollowingOrder({}, {}).empty());
}

template <typename Exception>
std::string ErrorOf(const Operator& u, const tables::UpsamplingOrders& orders) {
  try {
    tables::BuildUpsampling(u.raw(), orders, "levels");
  } catch (const Exception& error) {
    return error.what();
  }
  return "";
}

TEST(UpsamplingBuilder, NamesTheVertexThatIsWrong) {
  const Operator good{4, {0, 1, 2, 1, 2, 3}, {0.5, 0.25, 0.25, 1, 0, 0}};
  const auto error_of = [&](auto change) {
    Operator bad = good;
    change(bad);
    return ErrorOf<InputError>(bad, {});
  };
  EXPECT_EQ(error_of([](Operator&) {}), "");
  EXPECT_EQ(error_of([](Operator& u) { u.corners[4] = 4; }),
            "levels: vertex 1: lies on coarse vertex 4 of 4; make the levels again");
  EXPECT_EQ(error_of([](Operator& u) { u.weights[0] = -0.5; }),
            "levels: vertex 0: has a weight of -0.500000; make the levels again");
  EXPECT_EQ(error_of([](Operator& u) { u.weights[3] = NAN; }),
            "levels: vertex 1: has a weight of nan; make the levels again");
  EXPECT_EQ(error_of([](Operator& u) { u.weights[3] = 0.75; }),
            "levels: vertex 1: has weights with the sum 0.750000; make the levels again");
}

TEST(UpsamplingBuilder, RefusesArraysAndOrdersThatDoNotFit) {
  const Operator good{4, {0, 1, 2, 1, 2, 3}, {0.5, 0.25, 0.25, 1, 0, 0}};
  Operator shorter = good;
  shorter.weights.pop_back();
  EXPECT_EQ(ErrorOf<UsageError>(shorter, {}), "levels: corners and weights must be three for each fine vertex");
  const std::vector<uint32_t> twice{1, 1}, outside{0, 4, 1, 2};
  EXPECT_EQ(ErrorOf<UsageError>(good, {.fine = twice}),
            "the order of the fine level must name each of the 2 vertices once");
  EXPECT_EQ(ErrorOf<UsageError>(good, {.coarse = outside}),
            "the order of the coarse level must name each of the 4 vertices once");
}

}  // namespace
}  // namespace sinew
