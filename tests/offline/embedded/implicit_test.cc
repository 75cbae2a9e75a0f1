#include "sinew/offline/embedded/implicit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"
#include "tests/support/gradient_check.h"

namespace sinew::embedded {
namespace {

Vector3d RandomPoint(Random& random, double size) {
  return {random.Uniform(-size, size), random.Uniform(-size, size), random.Uniform(-size, size)};
}

Section RandomSection(Random& random) {
  return {random.Uniform(0.05, 0.1), random.Uniform(0.05, 0.1), random.Uniform(0.05, 0.1), random.Uniform(0.05, 0.1)};
}

Primitive RandomLimb(Random& random) {
  const Vector3d from = RandomPoint(random, 0.2);
  const Section first = RandomSection(random);
  const Vector3d to = RandomPoint(random, 0.2);
  const Section last = RandomSection(random);
  Primitive limb = Limb(from, first, to, last, 0.05);
  limb.bend = RandomPoint(random, 0.02);
  limb.bulge = {random.Uniform(-0.02, 0.02), 0.01, random.Uniform(-0.02, 0.02), 0};
  if (random.Below(2) == 0) {
    for (int i = 0; i < 4; ++i) {
      limb.stations.push_back(
          {i / 3.0, random.Uniform(-0.02, 0.02), random.Uniform(-0.02, 0.02), RandomSection(random)});
    }
  }
  limb.exponent = random.Below(2) == 0 ? 2 : random.Uniform(2.2, 4);
  return limb;
}

// Torso, a mirrored limb with two children, a carved dent and a mirrored pair of primitives.
Sculpture RandomSculpture(Random& random) {
  Sculpture sculpture;
  const int torso = sculpture.AddGroup("torso", -1, 0);
  sculpture.groups[torso].sibling_blend = 0.01;
  sculpture.Add(torso, 0, Ellipsoid({0, 0, 0}, {0.15, 0.2, 0.12}, 0));
  Primitive& pair = sculpture.Add(torso, 0, Ellipsoid({0.05, 0.05, 0.1}, {0.05, 0.05, 0.04}, 0.03));
  pair.mirrored = true;
  Primitive& dent = sculpture.Add(torso, 0, Ellipsoid({0, -0.1, 0.12}, {0.04, 0.03, 0.03}, 0.02));
  dent.operation = Primitive::Operation::kCarve;
  const int arm = sculpture.AddGroup("arm", torso, 0.06, true);
  sculpture.groups[arm].sibling_blend = 0.005;
  sculpture.Add(arm, 0, RandomLimb(random));
  for (int k = 0; k < 2; ++k) {
    const int finger = sculpture.AddGroup("finger", arm, 0.02);
    sculpture.Add(finger, 0, RandomLimb(random));
  }
  return sculpture;
}

double ErrorAt(const std::function<Sample(const Vector3d&)>& f, const Vector3d& point) {
  const auto value = [&](const Eigen::VectorXd& x) { return f(Vector3d(x)).value; };
  return GradientError(value, point, f(point).gradient, 1e-5);
}

// Second derivatives jump on thin sheets of space, where differences are worse: hence a quantile, and a loose limit.
void ExpectGradients(const std::function<Sample(const Vector3d&)>& f, Random& random) {
  int good = 0, near = 0;
  constexpr int kPoints = 400;
  for (int i = 0; i < kPoints; ++i) {
    // Far outside, solids are only bounded, and their gradients may jump.
    Vector3d point = RandomPoint(random, 0.4);
    while (f(point).value > 0.05) point = RandomPoint(random, 0.4);
    const double error = ErrorAt(f, point);
    good += error < 1e-6;
    near += error < 1e-2;
  }
  EXPECT_GE(good, 0.98 * kPoints);
  EXPECT_GE(near, kPoints - 1);
}

TEST(Primitive, GradientIsTheDerivative) {
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const PreparedPrimitive prepared(RandomLimb(random), "test");
    ExpectGradients([&](const Vector3d& p) { return prepared.Evaluate(p); }, random);
  }
}

TEST(Primitive, IsTheDistanceWhereThatIsKnown) {
  const PreparedPrimitive sphere(Ellipsoid({1, 2, 3}, {0.5, 0.5, 0.5}, 0), "test");
  const PreparedPrimitive capsule(Limb({0, 0, 0}, Section::Round(0.1), {1, 0, 0}, Section::Round(0.1), 0), "test");
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const Vector3d p = RandomPoint(random, 4);
    EXPECT_NEAR(sphere.Evaluate(p).value, (p - Vector3d(1, 2, 3)).norm() - 0.5, 1e-9);
    const Vector3d nearest(std::clamp(p.x(), 0.0, 1.0), 0, 0);
    EXPECT_NEAR(capsule.Evaluate(p).value, (p - nearest).norm() - 0.1, 1e-9);
  }
}

TEST(Primitive, SurfacePassesThroughItsWidths) {
  Primitive limb = Limb({0, 0, 0}, {0.1, 0.2, 0.3, 0.4}, {0, 1, 0}, {0.1, 0.2, 0.3, 0.4}, 0);
  limb.cap_b = 0.5;
  const PreparedPrimitive prepared(limb, "test");
  for (const Vector3d& p : {Vector3d(0.1, 0.5, 0), Vector3d(-0.2, 0.5, 0), Vector3d(0, 0.5, -0.3),
                            Vector3d(0, 0.5, 0.4), Vector3d(0, 1.5, 0)}) {
    EXPECT_NEAR(prepared.Evaluate(p).value, 0, 1e-12) << p.transpose();
  }
}

TEST(Primitive, SurfacePassesThroughItsStations) {
  const std::vector<Station> stations = {
      {0, 0, 0, Section::Round(0.1)}, {0.3, 0.05, -0.1, {0.1, 0.2, 0.3, 0.4}}, {1, 0, 0, Section::Round(0.2)}};
  const PreparedPrimitive prepared(Loft({0, 0, 0}, {0, 1, 0}, stations, 0), "test");
  for (const Vector3d& p : {Vector3d(0.15, 0.3, 0.1), Vector3d(-0.15, 0.3, 0.1), Vector3d(0.05, 0.3, -0.2),
                            Vector3d(0.05, 0.3, 0.5), Vector3d(0.1, 0, 0), Vector3d(0, 1.2, 0)}) {
    EXPECT_NEAR(prepared.Evaluate(p).value, 0, 1e-12) << p.transpose();
  }
}

TEST(Primitive, LocalCoordinatesGoThereAndBack) {
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const PreparedPrimitive prepared(RandomLimb(random), "test");
    for (int k = 0; k < 20; ++k) {
      const Vector3d p = RandomPoint(random, 0.4);
      EXPECT_LT((prepared.FromLocal(prepared.ToLocal(p)) - p).norm(), 1e-12);
    }
  }
}

TEST(Primitive, BoxAndReachBoundTheValue) {
  Random random(4);
  for (int i = 0; i < 50; ++i) {
    const PreparedPrimitive prepared(RandomLimb(random), "test");
    for (int k = 0; k < 100; ++k) {
      const Vector3d p = RandomPoint(random, 1);
      if (prepared.box().contains(p)) continue;
      EXPECT_GE(prepared.Evaluate(p).value, prepared.LeastValue(prepared.box().exteriorDistance(p)) - 1e-12);
    }
  }
}

TEST(Implicit, GradientIsTheDerivative) {
  Random random(5);
  for (int i = 0; i < 20; ++i) {
    const Implicit implicit(RandomSculpture(random));
    const auto sample = [&](const Vector3d& p) {
      Sample s;
      s.value = implicit.Evaluate(p, &s.gradient);
      return s;
    };
    ExpectGradients(sample, random);
  }
}

TEST(Implicit, IsMirrorSymmetricToTheLastBit) {
  Random random(6);
  const Implicit implicit(RandomSculpture(random));
  for (int i = 0; i < 1000; ++i) {
    const Vector3d p = RandomPoint(random, 0.4);
    EXPECT_EQ(implicit.Evaluate(p, nullptr), implicit.Evaluate({-p.x(), p.y(), p.z()}, nullptr));
  }
}

TEST(Implicit, ContinuousAcrossCulling) {
  // Along a line, neighbouring values differ by no more than a bounded gradient allows: a wrongly skipped solid jumps.
  // Deep inside, at centrelines, values may jump.
  Random random(7);
  for (int i = 0; i < 30; ++i) {
    const Implicit implicit(RandomSculpture(random));
    const Vector3d from = RandomPoint(random, 0.6), to = RandomPoint(random, 0.6);
    const double step = (to - from).norm() / 20000;
    double before = implicit.Evaluate(from, nullptr);
    for (int k = 1; k <= 20000; ++k) {
      const double now = implicit.Evaluate(from + (to - from) * (k / 20000.0), nullptr);
      const double jump = now > -0.02 ? std::abs(now - before) : 0;
      ASSERT_LT(jump, 6 * step);
      before = now;
    }
  }
}

TEST(Implicit, SiblingsDoNotGrowTogetherButBlendWithTheirParent) {
  Sculpture sculpture;
  const int palm = sculpture.AddGroup("palm", -1, 0);
  sculpture.Add(palm, 0, Ellipsoid({0, 0, 0}, {0.04, 0.04, 0.01}, 0));
  for (const double x : {-0.011, 0.011}) {
    const int finger = sculpture.AddGroup("finger", palm, 0.02);
    sculpture.Add(finger, 0, Limb({x, 0, 0}, Section::Round(0.01), {x, 0.1, 0}, Section::Round(0.01), 0));
  }
  const Implicit implicit(sculpture);
  EXPECT_NEAR(implicit.Evaluate({0, 0.08, 0}, nullptr), 0.001, 1e-9);
  EXPECT_LT(implicit.Evaluate({0, 0.0405, 0}, nullptr), 0);
}

std::string Complaint(const Sculpture& sculpture) {
  try {
    const Implicit implicit(sculpture);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Implicit, SaysWhatIsWrongWithASculpture) {
  EXPECT_EQ(Complaint({}), "sculpture: no group");
  Sculpture sculpture;
  const int root = sculpture.AddGroup("root", -1, 0);
  EXPECT_EQ(Complaint(sculpture), "sculpture: group 'root': it must begin with a primitive that adds");
  sculpture.Add(root, 0, Ellipsoid({0, 0, 0}, {1, 1, 1}, 0));
  EXPECT_EQ(Complaint(sculpture), "");
  const int arm = sculpture.AddGroup("arm", root, 0, true);
  sculpture.Add(arm, 0, Ellipsoid({1, 0, 0}, {1, 0, 1}, 0));
  EXPECT_EQ(Complaint(sculpture), "sculpture: group 'arm': sections and caps must be positive, exponents 2 or more");
  sculpture.groups[arm].primitives[0] = Ellipsoid({1, 0, 0}, {1, 1, 1}, 0);
  sculpture.groups[arm].primitives[0].mirrored = true;
  EXPECT_EQ(Complaint(sculpture), "sculpture: group 'arm': a primitive is mirrored inside a mirrored group");
  sculpture.groups[arm].primitives[0] = Limb({0, 0, 0}, Section::Round(1), {1, 0, 0}, Section::Round(1), 0);
  sculpture.groups[arm].primitives[0].side = Vector3d::UnitX();
  EXPECT_EQ(Complaint(sculpture), "sculpture: group 'arm': a side is parallel to its limb");
  sculpture.groups[arm].primitives[0] = Loft({0, 0, 0}, {0, 1, 0}, {{0, 0, 0, Section::Round(1)}}, 0);
  EXPECT_EQ(Complaint(sculpture),
            "sculpture: group 'arm': stations must go from 0 to 1, increasing, with positive sections");
  sculpture.groups[arm].parent = 1;
  EXPECT_EQ(Complaint(sculpture),
            "sculpture: group 'arm': its parent must be an earlier group, and only the first has none");
}

}  // namespace
}  // namespace sinew::embedded
