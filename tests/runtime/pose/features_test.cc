// What networks see of a pose.
#include "sinew/runtime/pose/features.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/runtime/skin/meshes.h"

namespace sinew {
namespace {

using runtime::FeatureCount;
using runtime::JointFeatures;
using runtime::PoseFeatures;
using runtime::Quaternion;
using testing::Generator;

constexpr PoseFeatures kKinds[] = {PoseFeatures::kEuler, PoseFeatures::kQuaternion, PoseFeatures::kColumns};

Quaternion Product(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
Quaternion About(int axis, double angle) {
  Quaternion q{0, 0, 0, static_cast<float>(std::cos(angle / 2))};
  (axis == 0 ? q.x : axis == 1 ? q.y : q.z) = static_cast<float>(std::sin(angle / 2));
  return q;
}

// 1 if they are the same rotation, whatever their sign and length.
double Likeness(const Quaternion& a, const Quaternion& b) {
  const auto dot = [](const Quaternion& p, const Quaternion& q) {
    return double{p.x} * q.x + double{p.y} * q.y + double{p.z} * q.z + double{p.w} * q.w;
  };
  return std::fabs(dot(a, b)) / std::sqrt(dot(a, a) * dot(b, b));
}

TEST(Features, AreZeroAtRestAndForWhatIsNoRotation) {
  Generator generator(1);
  for (const PoseFeatures kind : kKinds) {
    const Quaternion rest = generator.Rotation();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const Quaternion& local : {rest, Quaternion{0, 0, 0, 0}, Quaternion{nan, 0, 0, 1}}) {
      float features[6];
      JointFeatures(kind, rest, local, features);
      for (int k = 0; k < FeatureCount(kind); ++k) EXPECT_NEAR(features[k], 0, 1e-6);
    }
  }
}

TEST(Features, DoNotDependOnTheQuaternionsSignAndLength) {
  Generator generator(2);
  for (const PoseFeatures kind : kKinds) {
    for (int trial = 0; trial < 50; ++trial) {
      const Quaternion rest = generator.Rotation(), q = generator.Rotation();
      float a[6], b[6];
      JointFeatures(kind, rest, q, a);
      JointFeatures(kind, rest, {-3 * q.x, -3 * q.y, -3 * q.z, -3 * q.w}, b);
      for (int k = 0; k < FeatureCount(kind); ++k) EXPECT_NEAR(a[k], b[k], 2e-5);
    }
  }
}

// R = Rz Ry Rx.
TEST(Features, EulerAnglesAreThoseOfTheRotation) {
  Generator generator(3);
  for (int trial = 0; trial < 50; ++trial) {
    const double x = generator.Uniform(-1.4f, 1.4f), y = generator.Uniform(-1.4f, 1.4f),
                 z = generator.Uniform(-1.4f, 1.4f);
    const Quaternion rest = generator.Rotation();
    float features[3];
    JointFeatures(PoseFeatures::kEuler, rest, Product(rest, Product(About(2, z), Product(About(1, y), About(0, x)))),
                  features);
    EXPECT_NEAR(features[0], x, 1e-4);
    EXPECT_NEAR(features[1], y, 1e-4);
    EXPECT_NEAR(features[2], z, 1e-4);
  }
}

TEST(Features, ColumnsAreTheMatrixAndQuaternionsItsHalfTurnVector) {
  Generator generator(4);
  for (int trial = 0; trial < 50; ++trial) {
    const Quaternion rest = generator.Rotation(), turn = generator.Rotation();
    const Quaternion local = Product(rest, turn);
    const runtime::Affine matrix = runtime::ToAffine({.rotation = turn});
    float columns[6], vector[3];
    JointFeatures(PoseFeatures::kColumns, rest, local, columns);
    JointFeatures(PoseFeatures::kQuaternion, rest, local, vector);
    for (int c = 0; c < 2; ++c) {
      for (int r = 0; r < 3; ++r) EXPECT_NEAR(columns[3 * c + r], matrix.m[4 * c + r] - (r == c ? 1 : 0), 1e-5);
    }
    const double trace = matrix.m[0] + matrix.m[5] + matrix.m[10];
    const double angle = std::acos(std::fmin(1, std::fmax(-1, (trace - 1) / 2)));
    EXPECT_NEAR(std::sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]),
                2 * std::sin(angle / 2), 1e-3);
  }
}

// Joints side by side: what one is against another does not change when both are turned.
TEST(Features, SeenAgainstAJointBesideThemDoNotChangeWithTheWhole) {
  Generator generator(6);
  const int16_t references[] = {1, 2, -1}, parents[] = {-1, -1, -2};
  for (int trial = 0; trial < 50; ++trial) {
    runtime::Transform pose[3], turned[3];
    const Quaternion whole = generator.Rotation();
    for (int j = 0; j < 3; ++j) {
      pose[j].rotation = generator.Rotation();
      turned[j].rotation = Product(whole, pose[j].rotation);
    }
    for (size_t j = 0; j < 3; ++j) {
      const Quaternion a = runtime::SeenRotation(references, parents, pose, j);
      const Quaternion b = runtime::SeenRotation(references, parents, turned, j);
      if (j < 2) {
        EXPECT_NEAR(Likeness(a, b), 1, 1e-5);
        // The joint it hangs from, turned by what is seen, is the joint.
        const Quaternion back = Product(pose[j + 1].rotation, a), &own = pose[j].rotation;
        EXPECT_NEAR(Likeness(back, own), 1, 1e-5);
      }
      const Quaternion alone = runtime::SeenRotation({}, parents, pose, j);
      EXPECT_EQ(alone.x, pose[j].rotation.x);
      EXPECT_EQ(alone.w, pose[j].rotation.w);
    }
  }
}

// Any joint against any other, in any tree: the rotation between them in the model.
TEST(Features, SeenAgainstAnyJointAreTheRotationBetweenThem) {
  Generator generator(7);
  constexpr int kJoints = 12;
  for (int trial = 0; trial < 200; ++trial) {
    runtime::Transform pose[kJoints];
    int16_t parents[kJoints], references[kJoints];
    Quaternion models[kJoints];
    for (int j = 0; j < kJoints; ++j) {
      pose[j].rotation = generator.Rotation();
      parents[j] = static_cast<int16_t>((trial * 7 + j * j * 5 + j) % (j + 1) - 1);
      references[j] = static_cast<int16_t>((trial * 3 + j * 5 + 1) % kJoints);
      models[j] = parents[j] < 0 ? pose[j].rotation : Product(models[parents[j]], pose[j].rotation);
    }
    for (int j = 0; j < kJoints; ++j) {
      const Quaternion seen = runtime::SeenRotation(references, parents, pose, j);
      EXPECT_NEAR(Likeness(Product(models[references[j]], seen), models[j]), 1, 1e-5);
    }
  }
}

}  // namespace
}  // namespace sinew
