#include "sinew/offline/learn/layers/activation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/offline/learn/layers/layer_checks.h"

namespace sinew::layers {
namespace {

using Kind = ActivationKind;

double Exact(Kind kind, double x) {
  switch (kind) {
    case Kind::kTanh:
      return std::tanh(x);
    case Kind::kTanhShrink:
      return x - std::tanh(x);
    case Kind::kElu:
      return x > 0 ? x : std::expm1(x);
    case Kind::kLeakyRelu:
      return x > 0 ? x : 0.2 * x;
    case Kind::kRelu:
      break;
  }
  return x > 0 ? x : 0;
}

constexpr Kind kAll[] = {Kind::kTanh, Kind::kTanhShrink, Kind::kElu, Kind::kLeakyRelu, Kind::kRelu};

RowMatrix Activated(Kind kind, const RowMatrix& x) {
  RowMatrix y(x.rows(), x.cols());
  Activate({.kind = kind}, x, y);
  return y;
}

// No entry within the checker's reach of the kink at zero.
RowMatrix AwayFromZero(const RowMatrix& x) {
  return x.unaryExpr([](float v) { return v > 0 ? v + 0.1f : v - 0.1f; });
}

TEST(Activation, IsTheFormula) {
  RowMatrix x = Noise(130, 7, 1) * 4;
  x(0, 0) = 0;
  x(1, 0) = -200;
  x(2, 0) = 200;
  for (const Kind kind : kAll) {
    const RowMatrix y = Activated(kind, x);
    for (Eigen::Index i = 0; i < x.size(); ++i) EXPECT_NEAR(y.data()[i], Exact(kind, x.data()[i]), 3e-6);
  }
}

TEST(Activation, GradientsAreRight) {
  const RowMatrix x = AwayFromZero(Noise(6, 5, 1)), dy = Noise(6, 5, 2);
  for (const Kind kind : kAll) {
    RowMatrix dx = RowMatrix::Zero(6, 5);
    ActivateBackward({.kind = kind}, x, dy, dx);
    EXPECT_LT(FloatGradientError([&](const RowMatrix& m) { return Weighted(Activated(kind, m), dy); }, x, dx),
              kGradientTolerance)
        << static_cast<int>(kind);
  }
}

TEST(Activation, InPlaceAndOnAllThreadsTheSameBits) {
  const RowMatrix x = Noise(500, 33, 1);
  for (const Kind kind : kAll) {
    RowMatrix own = x;
    Activate({.kind = kind}, own, own);
    EXPECT_EQ(own, Activated(kind, x));
    EXPECT_TRUE(SameOnAllThreads([&] { return Activated(kind, x); }));
  }
}

TEST(RowSoftmax, RowsSumToOneAndLargeNumbersAreNoDanger) {
  RowMatrix x = Noise(200, 9, 1) * 50, y(200, 9);
  x.row(3).setConstant(1e30f);
  RowSoftmax(x, y);
  for (int i = 0; i < 200; ++i) EXPECT_NEAR(y.row(i).sum(), 1, 1e-5);
  EXPECT_NEAR(y(3, 4), 1.0 / 9, 1e-6);
}

TEST(RowSoftmax, GradientIsRight) {
  const RowMatrix x = Noise(6, 5, 1), dy = Noise(6, 5, 2);
  RowMatrix y(6, 5), dx = RowMatrix::Zero(6, 5);
  const auto f = [&](const RowMatrix& m) {
    RowSoftmax(m, y);
    return Weighted(y, dy);
  };
  f(x);
  RowSoftmaxBackward(y, dy, dx);
  EXPECT_LT(FloatGradientError(f, x, dx), kGradientTolerance);
}

}  // namespace
}  // namespace sinew::layers
