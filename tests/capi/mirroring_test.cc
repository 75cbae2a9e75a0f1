// Normals under any root or joint, through the C interface: perpendicular to the surface, out of it, never NaN.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/capi/opened_character.h"

namespace sinew {
namespace {

const char* const kGolden = SINEW_SOURCE_DIR "/tests/golden/bundle_v1.sinew";

using Matrix = std::array<float, 16>;
using Vector = std::array<double, 3>;

Matrix Scaled(float x, float y, float z) { return {x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1}; }

Vector Cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double Dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector Column(const Matrix& m, int c) { return {m[4 * c], m[4 * c + 1], m[4 * c + 2]}; }

// The normal of a surface transformed by m, by the definition: the inverse transpose of m.
Vector Transformed(const Matrix& m, const Vector& n) {
  const Vector a = Column(m, 0), b = Column(m, 1), c = Column(m, 2);
  const Vector cofactors[3] = {Cross(b, c), Cross(c, a), Cross(a, b)};
  const double determinant = Dot(a, cofactors[0]);
  Vector out = {};
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) out[k] += cofactors[i][k] * n[i] / determinant;
  }
  const double length = std::sqrt(Dot(out, out));
  return {out[0] / length, out[1] / length, out[2] / length};
}

Vector At(const std::vector<float>& values, size_t v) { return {values[3 * v], values[3 * v + 1], values[3 * v + 2]}; }

class Normals : public ::testing::TestWithParam<bool> {
 protected:
  Normals() : own_(kGolden) {
    for (sinew_output& output : own_.outputs)
      output.normals_from = GetParam() ? SINEW_NORMALS_TRIANGLES : SINEW_NORMALS_SKINNED;
    own_.Evaluate();
    at_rest_ = own_.normals;
  }
  void EvaluateUnder(const Matrix& root) {
    own_.frame.root = root.data();
    own_.Clear();
    EXPECT_EQ(own_.Evaluate().level, own_.finest());
    own_.frame.root = nullptr;
  }

  testing::OpenedCharacter own_;
  std::vector<std::vector<float>> at_rest_;
};

TEST_P(Normals, FollowAnyInvertibleRoot) {
  const std::pair<const char*, Matrix> roots[] = {
      {"even", Scaled(3, 3, 3)},
      {"uneven", Scaled(1, 4, 1)},
      {"sheared", {1, 0.5f, 0, 0, -0.7f, 1, 0.2f, 0, 0, 0.9f, 1, 0, 5, 6, 7, 1}},
      {"mirrored", Scaled(-1, 1, 1)},
      {"mirrored through a point", Scaled(-1, -1, -1)},
      {"mirrored and uneven", {-2, 0.3f, 0, 0, 0.1f, 1, 0, 0, 0, 0.4f, 0.5f, 0, 1, 2, 3, 1}},
      {"small", Scaled(1e-6f, 1e-6f, 2e-6f)},
      {"large", Scaled(1e6f, 2e6f, 1e6f)},
      {"with a bottom row that is not used", {1, 0, 0, 7, 0, 4, 0, 8, 0, 0, 1, 9, 0, 0, 0, 3}}};
  for (const auto& [name, root] : roots) {
    // Triangles of a small character have no area that floats can normalise: then normals are skinned.
    EvaluateUnder(root);
    for (int i = 0; i < own_.finest(); ++i) {
      double least = 1;
      for (size_t v = 0; 3 * v < at_rest_[i].size(); ++v) {
        least = std::min(least, Dot(At(own_.normals[i], v), Transformed(root, At(at_rest_[i], v))));
      }
      EXPECT_GT(least, std::string(name) == "small" ? 0.9 : 1 - 1e-5) << name << ", level " << i + 1;
    }
  }
}

// A joint that mirrors is treated as a root that mirrors: its matrix may come from either.
TEST_P(Normals, AreTheSameForAJointAsForARoot) {
  ASSERT_EQ(sinew_joint_parent(own_.character, 0), -1);
  for (int j = 1; j < sinew_joint_count(own_.character); ++j) ASSERT_GE(sinew_joint_parent(own_.character, j), 0);
  own_.pose[0] = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
  own_.pose[2].rotation[1] += 0.4f;
  for (const Matrix& matrix : {Scaled(-1, 1, 1), Scaled(1, 4, 1), Scaled(-1, 3, -2)}) {
    EvaluateUnder(matrix);
    const std::vector<std::vector<float>> by_root = own_.normals;
    for (int k = 0; k < 3; ++k) own_.pose[0].scale[k] = matrix[5 * k];
    own_.Clear();
    own_.Evaluate();
    for (int i = 0; i < own_.finest(); ++i) {
      for (size_t k = 0; k < by_root[i].size(); ++k) ASSERT_NEAR(own_.normals[i][k], by_root[i][k], 1e-5);
    }
    for (float& scale : own_.pose[0].scale) scale = 1;
  }
}

// One joint of several mirrors: the normals of its vertices keep pointing out of the skin, whichever way they are made.
TEST_P(Normals, OfAMirroredPartPointOutward) {
  const int last = sinew_joint_count(own_.character) - 1;
  const std::vector<float> before = own_.normals.back();
  own_.pose[last].scale[0] = -own_.pose[last].scale[0];
  own_.outputs.back().normals_from = SINEW_NORMALS_SKINNED;
  own_.Evaluate();
  const std::vector<float> skinned = own_.normals.back();
  EXPECT_NE(skinned, before);
  own_.outputs.back().normals_from = GetParam() ? SINEW_NORMALS_TRIANGLES : SINEW_NORMALS_SKINNED;
  own_.Evaluate();
  for (size_t v = 0; 3 * v < skinned.size(); ++v) EXPECT_GE(Dot(At(own_.normals.back(), v), At(skinned, v)), 0) << v;
}

// By default light shows correctives: normals are those of the triangles unless skinning alone moves the surface.
TEST_P(Normals, ByDefaultKnowWhatMovesTheSurface) {
  own_.pose[2].rotation[1] += 0.4f;
  std::vector<float> post(own_.positions.back().size(), 0.0f);
  post[1] = 0.05f;
  sinew_output& output = own_.outputs.back();
  const auto normals = [&](int from, bool skin_only, bool moved) {
    output.normals_from = from;
    output.post = moved ? post.data() : nullptr;
    own_.frame.skin_only = skin_only ? 1 : 0;
    own_.Evaluate();
    return own_.normals.back();
  };
  for (const bool skin_only : {false, true}) {
    for (const bool moved : {false, true}) {
      const std::vector<float> triangles = normals(SINEW_NORMALS_TRIANGLES, skin_only, moved);
      const std::vector<float> skinned = normals(SINEW_NORMALS_SKINNED, skin_only, moved);
      ASSERT_NE(triangles, skinned);
      EXPECT_EQ(normals(SINEW_NORMALS_AUTO, skin_only, moved), skin_only && !moved ? skinned : triangles)
          << skin_only << moved;
    }
  }
}

TEST_P(Normals, AreNumbersWhateverThePose) {
  std::vector<Matrix> roots;
  for (const float size : {1e-20f, 1e-12f, 1e3f, 1e8f, 1e10f, 9e13f, 9e14f, 1e20f}) {
    roots.push_back(Scaled(size, size, size));
    roots.push_back(Scaled(size, 1, 1));
    roots.push_back(Scaled(-size, size, 2 * size));
    roots.push_back(Scaled(0, size, 0));
    Matrix moved = Scaled(1, 1, 1);
    moved[12] = size;
    roots.push_back(moved);
  }
  for (const Matrix& root : roots) {
    EvaluateUnder(root);
    for (int i = 0; i < own_.finest(); ++i) {
      for (size_t v = 0; 3 * v < own_.normals[i].size(); ++v) {
        const Vector n = At(own_.normals[i], v);
        const double length = std::sqrt(Dot(n, n));
        ASSERT_TRUE(length <= 1 + 1e-5) << root[0] << ' ' << root[5] << ' ' << root[10] << ": " << length;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Source, Normals, ::testing::Bool(),
                         [](const auto& of) { return of.param ? "Recomputed" : "Skinned"; });

}  // namespace
}  // namespace sinew
