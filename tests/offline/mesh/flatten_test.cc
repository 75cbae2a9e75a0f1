#include "sinew/offline/mesh/flatten.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "sinew/offline/core/random.h"

namespace sinew {
namespace {

using Triangle = std::array<int, 3>;

double TwiceArea(const Plane& uv, const Triangle& t) {
  const Eigen::Vector2d a = uv[t[1]] - uv[t[0]], b = uv[t[2]] - uv[t[0]];
  return a.x() * b.y() - a.y() * b.x();
}

// I and J in the middle of a ring of n, V between them; every vertex moved off the plane by up to `rough`.
Patch RingPatch(int n, double rough, uint64_t seed) {
  Random random(seed);
  Patch patch;
  const auto lift = [&] { return random.Uniform(-rough, rough); };
  patch.positions = {{-0.3, 0, lift()}, {0.3, 0, lift()}, {0.02, 0.05, lift()}};
  for (int k = 0; k < n; ++k) {
    const double a = 2 * std::numbers::pi * (k + 0.3 * random.Uniform()) / n;
    patch.positions.emplace_back(std::cos(a), std::sin(a), lift());
  }
  patch.ring_is_cycle = true;
  const auto ring = [&](int k) { return Patch::kRing + (k + n) % n; };
  // J sees the ring from its lower common neighbour to its upper one, I the rest.
  const int upper = n / 4, lower = n - n / 4;
  for (int k = lower; k < n + upper; ++k) patch.before.push_back({Patch::kJ, ring(k), ring(k + 1)});
  for (int k = upper; k < lower; ++k) patch.before.push_back({Patch::kI, ring(k), ring(k + 1)});
  patch.before.push_back({Patch::kI, Patch::kJ, ring(upper)});
  patch.before.push_back({Patch::kJ, Patch::kI, ring(lower)});
  for (int k = 0; k < n; ++k) patch.after.push_back({Patch::kV, ring(k), ring(k + 1)});
  return patch;
}

TEST(Flatten, KeepsEveryTriangleUpright) {
  for (int n = 5; n < 14; ++n) {
    for (uint64_t seed = 0; seed < 40; ++seed) {
      const Patch patch = RingPatch(n, 0.1 * static_cast<double>(seed % 10), seed);
      Plane uv;
      ASSERT_TRUE(Flatten(patch, uv)) << n << " " << seed;
      double before = 0, after = 0;
      for (const Triangle& t : patch.before) {
        EXPECT_GT(TwiceArea(uv, t), 0);
        before += TwiceArea(uv, t);
      }
      for (const Triangle& t : patch.after) {
        EXPECT_GT(TwiceArea(uv, t), 0);
        after += TwiceArea(uv, t);
      }
      EXPECT_NEAR(before, after, 1e-9 * before) << "both cover the same outline";
    }
  }
}

TEST(Flatten, IsASimilarityWhereThePatchIsFlat) {
  const Patch patch = RingPatch(8, 0, 3);
  Plane uv;
  ASSERT_TRUE(Flatten(patch, uv));
  const double scale = (uv[4] - uv[3]).norm() / (patch.positions[4] - patch.positions[3]).norm();
  for (int a = 0; a < patch.vertex_count(); ++a) {
    for (int b = 0; b < a; ++b) {
      EXPECT_NEAR((uv[a] - uv[b]).norm(), scale * (patch.positions[a] - patch.positions[b]).norm(), 1e-9);
    }
  }
}

TEST(Flatten, PutsTheKeptVertexWhereItWas) {
  for (const int same : {Patch::kI, Patch::kJ}) {
    Patch patch = RingPatch(9, 0.2, 5);
    patch.positions[Patch::kV] = patch.positions[same];
    patch.v_is = same;
    Plane uv;
    ASSERT_TRUE(Flatten(patch, uv));
    EXPECT_EQ(uv[Patch::kV], uv[same]);
  }
}

TEST(Flatten, KeepsABoundaryStraight) {
  Patch patch;
  // first, I, J, last along y = 0.1 x^2, one vertex above.
  patch.positions = {{-0.5, 0.025, 0}, {0.5, 0.025, 0}, {0, 0.02, 0}, {-1.5, 0.22, 0}, {1.5, 0.22, 0}, {0, 1, 0.1}};
  patch.first = 3;
  patch.last = 4;
  patch.before = {{Patch::kI, 5, 3}, {Patch::kI, Patch::kJ, 5}, {Patch::kJ, 4, 5}};
  patch.after = {{Patch::kV, 5, 3}, {Patch::kV, 4, 5}};
  Plane uv;
  ASSERT_TRUE(Flatten(patch, uv));
  for (const int v : {Patch::kI, Patch::kJ, Patch::kV, 3, 4}) EXPECT_EQ(uv[v].y(), 0);
  EXPECT_LT(uv[3].x(), uv[Patch::kI].x());
  EXPECT_LT(uv[Patch::kI].x(), uv[Patch::kJ].x());
  EXPECT_LT(uv[Patch::kJ].x(), uv[4].x());
}

TEST(Locate, FindsTheTriangleAndThePlaceInIt) {
  const Patch patch = RingPatch(10, 0.3, 7);
  Plane uv;
  ASSERT_TRUE(Flatten(patch, uv));
  Random random(1);
  for (const Triangle& t : patch.before) {
    for (int i = 0; i < 20; ++i) {
      Eigen::Vector3d b{random.Uniform(), random.Uniform(), random.Uniform()};
      b /= b.sum();
      const Eigen::Vector2d place = b[0] * uv[t[0]] + b[1] * uv[t[1]] + b[2] * uv[t[2]];
      const Place found = Locate(uv, patch.after, place);
      EXPECT_GE(found.barycentric.minCoeff(), 0);
      EXPECT_NEAR(found.barycentric.sum(), 1, 1e-12);
      const Triangle& s = patch.after[found.triangle];
      const Eigen::Vector2d back =
          found.barycentric[0] * uv[s[0]] + found.barycentric[1] * uv[s[1]] + found.barycentric[2] * uv[s[2]];
      EXPECT_LT((back - place).norm(), 1e-9);
    }
  }
}

}  // namespace
}  // namespace sinew
