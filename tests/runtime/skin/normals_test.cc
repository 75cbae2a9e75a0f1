#include "sinew/runtime/skin/normals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "sinew/host/thread_pool.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/tables/normal_builder.h"
#include "tests/runtime/skin/meshes.h"
#include "tests/runtime/targets.h"

namespace sinew {
namespace {

using runtime::Float3;
using runtime::Float4;
using runtime::NormalsJob;
using runtime::NormalTable;
using runtime::Status;
using testing::ForEachTarget;
using testing::Generator;

struct Surface {
  std::vector<Float3> positions, normals;
  std::vector<uint32_t> triangles;

  tables::RawSurface raw() const { return {positions, normals, triangles, {}}; }
  int count() const { return static_cast<int>(positions.size()); }
};

// A wavy grid of n x m vertices. It has a boundary, corners of valence 1 and 2, and inner vertices of valence 6.
Surface Grid(Generator& generator, int n, int m) {
  Surface s;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      const float x = static_cast<float>(i) * 0.02f, z = static_cast<float>(j) * 0.02f;
      s.positions.push_back({x, 0.1f * std::sin(9 * x) + generator.Uniform(-0.004f, 0.004f), z});
    }
  }
  const auto at = [&](int i, int j) { return static_cast<uint32_t>(i * m + j); };
  for (int i = 0; i + 1 < n; ++i) {
    for (int j = 0; j + 1 < m; ++j) {
      s.triangles.insert(s.triangles.end(), {at(i, j), at(i, j + 1), at(i + 1, j)});
      s.triangles.insert(s.triangles.end(), {at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)});
    }
  }
  return s;
}

// Triangles of random vertices: every valence, no locality at all, no manifold.
Surface Soup(Generator& generator, int vertices, int triangles) {
  Surface s;
  for (int v = 0; v < vertices; ++v) s.positions.push_back(generator.Point());
  for (int c = 0; c < 3 * triangles; ++c) s.triangles.push_back(static_cast<uint32_t>(generator.Below(vertices)));
  return s;
}

// A cone whose tip has `sides` triangles.
Surface Cone(int sides) {
  Surface s;
  s.positions.push_back({0, 1, 0});
  for (int i = 0; i < sides; ++i) {
    const float a = 6.2831853f * static_cast<float>(i) / static_cast<float>(sides);
    s.positions.push_back({std::cos(a), 0, std::sin(a)});
  }
  for (int i = 0; i < sides; ++i) {
    s.triangles.insert(s.triangles.end(),
                       {0, static_cast<uint32_t>(1 + (i + 1) % sides), static_cast<uint32_t>(1 + i)});
  }
  return s;
}

// A cube with its corners split three ways: hard edges everywhere. Each face of two triangles.
Surface Cube() {
  Surface s;
  const float corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (int axis = 0; axis < 3; ++axis) {
    for (const float side : {-1.0f, 1.0f}) {
      const auto first = static_cast<uint32_t>(s.positions.size());
      for (const auto& c : corners) {
        float p[3], n[3] = {};
        p[axis] = n[axis] = side;
        p[(axis + 1) % 3] = c[0];
        p[(axis + 2) % 3] = c[1];
        s.positions.push_back({p[0], p[1], p[2]});
        s.normals.push_back({n[0], n[1], n[2]});
      }
      const bool out = side > 0;
      s.triangles.insert(s.triangles.end(), {first, first + (out ? 1 : 2), first + (out ? 2 : 1)});
      s.triangles.insert(s.triangles.end(), {first, first + (out ? 2 : 3), first + (out ? 3 : 2)});
    }
  }
  return s;
}

std::vector<Float4> Tangents(Generator& generator, int count) {
  std::vector<Float4> tangents;
  for (int v = 0; v < count; ++v) {
    const Float3 t = generator.Direction();
    tangents.push_back({t.x, t.y, t.z, v % 2 == 0 ? 1.0f : -1.0f});
  }
  return tangents;
}

float Difference(const Float3& a, const Float3& b) {
  return std::max({std::fabs(a.x - b.x), std::fabs(a.y - b.y), std::fabs(a.z - b.z)});
}

// By the brute force of the reference, on every target. The tolerance is for sums that nearly cancel.
void CompareWithReference(const Surface& surface, Generator& generator, float tolerance) {
  const std::vector<uint32_t> groups = tables::SmoothingGroups(surface.raw());
  const tables::BuiltNormals built = tables::BuildNormals(surface.raw(), "mesh");
  const std::vector<Float4> tangents = Tangents(generator, surface.count());
  const std::vector<Float3> before(surface.count(), Float3{7, 8, 9});
  std::vector<Float3> expected = before, sums(surface.count());
  std::vector<Float4> expected_tangents = tangents;
  NormalsReference({.positions = std::span(surface.positions),
                    .normals = std::span(expected),
                    .tangents = std::span(expected_tangents)},
                   surface.triangles, groups, sums);
  std::vector<bool> used(surface.count(), false);
  for (const uint32_t v : surface.triangles) used[v] = true;
  ForEachTarget([&] {
    std::vector<Float3> normals = before;
    std::vector<Float4> turned = tangents;
    const NormalsJob job{.table = &built.table,
                         .positions = std::span(surface.positions),
                         .normals = std::span(normals),
                         .tangents = std::span(turned)};
    ASSERT_EQ(job.Run(), Status::kOk);
    for (int v = 0; v < surface.count(); ++v) {
      ASSERT_LE(Difference(normals[v], expected[v]), tolerance) << "vertex " << v;
      if (!used[v]) continue;
      ASSERT_EQ(turned[v].w, tangents[v].w);
      const Float3 &n = normals[v], &t = {turned[v].x, turned[v].y, turned[v].z};
      ASSERT_LE(Difference(t, {expected_tangents[v].x, expected_tangents[v].y, expected_tangents[v].z}),
                20 * tolerance);
      // A random tangent may lie nearly along the normal; what is left of it has few digits.
      ASSERT_NEAR(n.x * t.x + n.y * t.y + n.z * t.z, 0, 2e-4f);
      ASSERT_NEAR(t.x * t.x + t.y * t.y + t.z * t.z, 1, 1e-5f);
    }
  });
}

TEST(Normals, EqualTheReferenceOnGridsOfEverySize) {
  Generator generator(1);
  for (const int n : {2, 3, 4, 9, 16, 17, 40}) {
    for (const int m : {2, 5, 33}) CompareWithReference(Grid(generator, n, m), generator, 1e-5f);
  }
}

TEST(Normals, EqualTheReferenceOnSoup) {
  Generator generator(2);
  for (const int triangles : {1, 2, 50, 3000}) {
    CompareWithReference(Soup(generator, 700, triangles), generator, 2e-5f);
  }
}

TEST(Normals, ATipWithAnyNumberOfTrianglesFits) {
  Generator generator(3);
  for (const int sides : {3, 127, 128, 129, 5000}) {
    const Surface cone = Cone(sides);
    std::vector<Float3> normals(cone.positions.size());
    const tables::BuiltNormals built = tables::BuildNormals(cone.raw(), "cone");
    NormalsJob{.table = &built.table, .positions = std::span(cone.positions), .normals = std::span(normals)}.Run();
    EXPECT_LE(Difference(normals[0], {0, 1, 0}), 1e-4f) << sides;
    CompareWithReference(cone, generator, 1e-4f);
  }
}

TEST(Normals, HardEdgesStayHard) {
  const Surface cube = Cube();
  const tables::BuiltNormals built = tables::BuildNormals(cube.raw(), "cube");
  std::vector<Float3> normals(cube.positions.size());
  NormalsJob{.table = &built.table, .positions = std::span(cube.positions), .normals = std::span(normals)}.Run();
  for (int v = 0; v < cube.count(); ++v) EXPECT_LE(Difference(normals[v], cube.normals[v]), 1e-6f);
}

TEST(Normals, WithoutNormalsEverythingIsSmooth) {
  Surface cube = Cube();
  cube.normals.clear();
  const std::vector<uint32_t> groups = tables::SmoothingGroups(cube.raw());
  EXPECT_EQ(*std::max_element(groups.begin(), groups.end()), 7u);
}

// A grid cut along a UV seam: the vertices of one row doubled, with the same normals. Nothing may change.
TEST(Normals, ASeamIsInvisible) {
  Generator generator(4);
  const int n = 12, m = 9;
  Surface whole = Grid(generator, n, m);
  whole.normals.assign(whole.positions.size(), {0, 1, 0});
  Surface split = whole;
  const int row = 5;
  for (int j = 0; j < m; ++j) {
    split.positions.push_back(whole.positions[row * m + j]);
    split.normals.push_back(whole.normals[row * m + j]);
  }
  for (size_t t = 0; t < split.triangles.size(); t += 3) {
    const auto first_of = [&](size_t c) { return split.triangles[t + c] >= static_cast<uint32_t>(row * m); };
    if (!(first_of(0) && first_of(1) && first_of(2))) continue;
    for (size_t c = 0; c < 3; ++c) {
      uint32_t& v = split.triangles[t + c];
      if (v < static_cast<uint32_t>((row + 1) * m)) v += static_cast<uint32_t>(n * m - row * m);
    }
  }
  const auto normals_of = [](const Surface& surface) {
    const tables::BuiltNormals built = tables::BuildNormals(surface.raw(), "mesh");
    std::vector<Float3> normals(surface.positions.size());
    NormalsJob{.table = &built.table, .positions = std::span(surface.positions), .normals = std::span(normals)}.Run();
    return normals;
  };
  const std::vector<Float3> expected = normals_of(whole), actual = normals_of(split);
  for (int v = 0; v < n * m; ++v) EXPECT_LE(Difference(actual[v], expected[v]), 1e-6f);
  for (int j = 0; j < m; ++j) EXPECT_LE(Difference(actual[n * m + j], expected[row * m + j]), 1e-6f);
}

TEST(Normals, VerticesThatMoveApartAreNotOneGroup) {
  Surface cube = Cube();
  cube.normals.clear();
  std::vector<uint16_t> joints(cube.positions.size(), 0);
  const std::vector<float> weights(cube.positions.size(), 1);
  for (int v = 0; v < 4; ++v) joints[v] = 1;
  tables::RawSurface raw = cube.raw();
  raw.weights = {1, joints, weights};
  const std::vector<uint32_t> groups = tables::SmoothingGroups(raw);
  EXPECT_EQ(*std::max_element(groups.begin(), groups.end()), 11u);
}

TEST(Normals, WhatHasNoTriangleOrNoAreaIsLeftAlone) {
  Surface s;
  s.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {5, 5, 5}};
  s.triangles = {0, 1, 2};
  const tables::BuiltNormals built = tables::BuildNormals(s.raw(), "line");
  ForEachTarget([&] {
    std::vector<Float3> normals(4, {0, 0, 1});
    NormalsJob{.table = &built.table, .positions = std::span(s.positions), .normals = std::span(normals)}.Run();
    for (const Float3& n : normals) EXPECT_LE(Difference(n, {0, 0, 1}), 0);
  });
}

TEST(Normals, ATangentAlongTheNormalBecomesSomePerpendicular) {
  Surface s;
  s.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  s.triangles = {0, 1, 2};
  const tables::BuiltNormals built = tables::BuildNormals(s.raw(), "triangle");
  std::vector<Float3> normals(3);
  std::vector<Float4> tangents(3, {0, 0, -1, -1});
  NormalsJob{.table = &built.table,
             .positions = std::span(s.positions),
             .normals = std::span(normals),
             .tangents = std::span(tangents)}
      .Run();
  for (const Float4& t : tangents) {
    EXPECT_NEAR(t.x * t.x + t.y * t.y, 1, 1e-6f);
    EXPECT_EQ(t.z, 0);
    EXPECT_EQ(t.w, -1);
  }
}

TEST(Normals, SameBitsWhateverTheNumberOfThreadsAndTheStride) {
  Generator generator(5);
  const Surface grid = Grid(generator, 150, 90);
  const tables::BuiltNormals built = tables::BuildNormals(grid.raw(), "grid");
  std::vector<Float3> one(grid.positions.size());
  NormalsJob{.table = &built.table, .positions = std::span(grid.positions), .normals = std::span(one)}.Run();
  struct Vertex {
    Float3 position;
    float guard = 5;
    Float3 normal;
    float other_guard = 6;
  };
  std::vector<Vertex> vertices(grid.positions.size());
  for (int v = 0; v < grid.count(); ++v) vertices[v].position = grid.positions[v];
  for (const int threads : {1, 3}) {
    host::ThreadPool pool(threads);
    const NormalsJob job{.table = &built.table,
                         .positions = {&vertices[0].position, vertices.size(), sizeof(Vertex)},
                         .normals = {&vertices[0].normal, vertices.size(), sizeof(Vertex)},
                         .tangents = {},
                         .runner = &pool};
    ASSERT_EQ(job.Run(), Status::kOk);
    for (int v = 0; v < grid.count(); ++v) {
      ASSERT_EQ(Difference(vertices[v].normal, one[v]), 0);
      ASSERT_TRUE(vertices[v].guard == 5 && vertices[v].other_guard == 6);
    }
  }
}

TEST(Normals, SaysNoForEveryListedReason) {
  Surface s = Cube();
  const tables::BuiltNormals built = tables::BuildNormals(s.raw(), "cube");
  std::vector<Float3> normals(s.positions.size());
  std::vector<Float4> tangents(s.positions.size());
  const NormalTable closed;
  const NormalsJob good{.table = &built.table, .positions = std::span(s.positions), .normals = std::span(normals)};
  EXPECT_EQ(good.Validate(), Status::kOk);
  const auto refuses = [&](const auto& spoil) {
    NormalsJob job = good;
    spoil(job);
    return job.Run() == Status::kInvalidArgument;
  };
  EXPECT_TRUE(refuses([](NormalsJob& job) { job.table = nullptr; }));
  EXPECT_TRUE(refuses([&](NormalsJob& job) { job.table = &closed; }));
  EXPECT_TRUE(refuses([&](NormalsJob& job) { job.positions = std::span<const Float3>(s.positions).first(23); }));
  EXPECT_TRUE(refuses([&](NormalsJob& job) { job.normals = std::span(normals).first(23); }));
  EXPECT_TRUE(refuses([&](NormalsJob& job) { job.tangents = std::span(tangents).first(23); }));
  EXPECT_TRUE(refuses([&](NormalsJob& job) { job.normals = {normals.data(), normals.size(), 8}; }));
  EXPECT_TRUE(refuses([&](NormalsJob& job) { job.normals = {normals.data(), normals.size(), 14}; }));
}

TEST(NormalBuilder, NamesTheTriangleThatIsWrong) {
  Surface s = Cube();
  s.triangles[7] = 24;
  try {
    tables::BuildNormals(s.raw(), "cube.glb");
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "cube.glb: triangle 2: uses vertex 24 of 24; export the mesh again");
  }
}

}  // namespace
}  // namespace sinew
