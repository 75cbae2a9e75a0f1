#include "sinew/offline/mesh/predicates.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "sinew/offline/core/random.h"

namespace sinew {
namespace {

using Eigen::Vector2f;
using Eigen::Vector3f;

__extension__ using Wide = __int128;
int SignOf(Wide x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// Integers that floats hold exactly, and the determinant in 128 bits.
int OracleOrient3d(const Vector3f& a, const Vector3f& b, const Vector3f& c, const Vector3f& d) {
  Wide m[3][3];
  const Vector3f* rows[3] = {&a, &b, &c};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) m[i][k] = static_cast<int64_t>((*rows[i])[k]) - static_cast<int64_t>(d[k]);
  }
  return SignOf(m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]));
}

Vector3f IntegerPoint(Random& random, uint32_t range) {
  Vector3f p;
  for (int k = 0; k < 3; ++k) p[k] = static_cast<float>(random.Below(2 * range + 1)) - static_cast<float>(range);
  return p;
}

RC_GTEST_PROP(Predicates, Orient3dAgreesWithIntegers, (uint64_t seed)) {
  Random random(seed);
  for (const uint32_t range : {1u, 3u, 1000u, 8000000u}) {
    const Vector3f a = IntegerPoint(random, range), b = IntegerPoint(random, range), c = IntegerPoint(random, range),
                   d = IntegerPoint(random, range);
    RC_ASSERT(Orient3d(a, b, c, d) == OracleOrient3d(a, b, c, d));
    RC_ASSERT(Orient3d(b, a, c, d) == -Orient3d(a, b, c, d));
    RC_ASSERT(Orient3d(b, c, a, d) == Orient3d(a, b, c, d));
  }
}

// Points so close to one plane that doubles alone cannot tell the side.
RC_GTEST_PROP(Predicates, Orient3dIsRightNextToThePlane, (uint64_t seed)) {
  Random random(seed);
  const Vector3f a = IntegerPoint(random, 4000000), u = IntegerPoint(random, 1000), v = IntegerPoint(random, 1000);
  Vector3f d = a + 700 * u - 300 * v;
  d[static_cast<int>(random.Below(3))] += static_cast<float>(random.Below(3)) - 1;
  RC_ASSERT(Orient3d(a, a + 900 * u, a + 900 * v, d) == OracleOrient3d(a, a + 900 * u, a + 900 * v, d));
}

// Magnitudes so different that a difference of two coordinates is no double any more.
TEST(Predicates, Orient3dSurvivesAnyMagnitude) {
  const float tiny = 1e-30f, huge = 1e30f;
  EXPECT_EQ(Orient3d({huge, huge, tiny}, {-huge, huge, tiny}, {0, -huge, tiny}, {0, 0, tiny}), 0);
  EXPECT_EQ(Orient3d({huge, huge, tiny}, {-huge, huge, tiny}, {0, -huge, tiny}, {0, 0, 2 * tiny}), -1);
  EXPECT_EQ(Orient3d({huge, huge, tiny}, {-huge, huge, tiny}, {0, -huge, tiny}, {0, 0, 0}), 1);
}

TEST(Predicates, ThePointBehindTheTriangleIsPositive) {
  EXPECT_EQ(Orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}), 1);
  EXPECT_EQ(Orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), -1);
  EXPECT_EQ(Orient2d({0, 0}, {1, 0}, {0, 1}), 1);
}

RC_GTEST_PROP(Predicates, Orient2dAgreesWithIntegers, (uint64_t seed)) {
  Random random(seed);
  for (const uint32_t range : {1u, 4u, 8000000u}) {
    const Vector3f a = IntegerPoint(random, range), b = IntegerPoint(random, range), c = IntegerPoint(random, range);
    const auto at = [](float x) { return static_cast<int64_t>(x); };
    const Wide oracle =
        Wide{at(a.x()) - at(c.x())} * (at(b.y()) - at(c.y())) - Wide{at(a.y()) - at(c.y())} * (at(b.x()) - at(c.x()));
    RC_ASSERT(Orient2d(a.head<2>(), b.head<2>(), c.head<2>()) == SignOf(oracle));
  }
}

// Along a line that no float lies on exactly, the middle point jumps from side to side with every rounding.
TEST(Predicates, Orient2dTurnsAroundOnlyOnce) {
  int turns = 0, last = 1;
  float y = 0.3f - 100 * 1e-8f;
  for (int i = 0; i < 400; ++i, y = std::nextafter(y, 1.0f)) {
    const int side = Orient2d({0, 0}, {0.9f, y}, {0.3f, 0.1f});
    if (side != last) ++turns;
    last = side;
  }
  EXPECT_LE(turns, 2);
}

}  // namespace
}  // namespace sinew
