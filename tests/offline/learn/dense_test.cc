#include "sinew/offline/learn/dense.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "sinew/offline/core/random.h"

namespace sinew::learn {
namespace {

RowMatrix Noise(int rows, int columns, uint64_t seed) {
  Random random(seed);
  RowMatrix matrix(rows, columns);
  for (int i = 0; i < matrix.size(); ++i) matrix.data()[i] = static_cast<float>(random.Normal());
  return matrix;
}

// How far from the exact product rounding may lead.
double Tolerance(int terms) { return 1e-6 * (1 + std::sqrt(terms) * 4); }

RC_GTEST_PROP(Dense, ProductsAreThoseOfDoubles, ()) {
  const int rows = *rc::gen::inRange(1, 40), terms = *rc::gen::inRange(1, 1300), columns = *rc::gen::inRange(1, 90);
  const auto seed = *rc::gen::arbitrary<uint32_t>();
  const RowMatrix A = Noise(rows, terms, seed), B = Noise(terms, columns, seed + 1);
  const Eigen::MatrixXd exact = A.cast<double>() * B.cast<double>();
  RowMatrix C = RowMatrix::Constant(rows, columns, NAN);
  Product(A, B, C);
  RC_ASSERT((C.cast<double>() - exact).cwiseAbs().maxCoeff() < Tolerance(terms) * std::sqrt(terms));
  C.setConstant(NAN);
  Product(A, PackedFactor(B), C);
  RC_ASSERT((C.cast<double>() - exact).cwiseAbs().maxCoeff() < Tolerance(terms) * std::sqrt(terms));
  C.setConstant(NAN);
  ProductTransposed(A, RowMatrix(B.transpose()), C);
  RC_ASSERT((C.cast<double>() - exact).cwiseAbs().maxCoeff() < Tolerance(terms) * std::sqrt(terms));
}

TEST(Dense, PartsOfMatricesStayApart) {
  const RowMatrix A = Noise(7, 20, 1), B = Noise(20, 50, 2);
  RowMatrix C = RowMatrix::Constant(9, 60, 5.0f);
  Product(A, B.middleCols(3, 40), C.block(1, 10, 7, 40));
  EXPECT_EQ((C.array() == 5.0f).count(), 9 * 60 - 7 * 40);
  EXPECT_LT((C.block(1, 10, 7, 40) - A * B.middleCols(3, 40)).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Dense, ARowOfAPackedProductDependsOnItsOwnRowAlone) {
  const RowMatrix A = Noise(29, 70, 1), B = Noise(70, 53, 2);
  const PackedFactor packed(B);
  RowMatrix whole(29, 53);
  Product(A, packed, whole);
  for (const int first : {0, 1, 5, 11, 28}) {
    RowMatrix guarded = RowMatrix::Constant(29, 60, 5.0f);
    Product(A.bottomRows(29 - first), packed, guarded.block(first, 3, 29 - first, 53));
    EXPECT_EQ(guarded.block(first, 3, 29 - first, 53), whole.bottomRows(29 - first)) << first;
    EXPECT_EQ((guarded.array() == 5.0f).count(), 29 * 60 - (29 - first) * 53);
  }
}

TEST(Dense, ExpIsRightEverywhere) {
  RowMatrix x = RowMatrix::Constant(3, 41, 0.0f);
  for (int i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>((i - 80) * 1.31);
  const RowMatrix before = x;
  Exp(x);
  for (int i = 0; i < x.size(); ++i) {
    const double exact = std::exp(static_cast<double>(before.data()[i]));
    EXPECT_NEAR(x.data()[i], exact, 1e-6 * exact + 1e-37) << before.data()[i];
  }
  x.setConstant(-200);
  Exp(x);
  EXPECT_TRUE((x.array() == 0).all());
}

TEST(Dense, TanhIsRightEverywhere) {
  RowMatrix x = RowMatrix::Constant(3, 41, 0.0f);
  for (int i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>((i - 61) * 0.31);
  const RowMatrix before = x;
  Tanh(x);
  for (int i = 0; i < x.size(); ++i) EXPECT_NEAR(x.data()[i], std::tanh(before.data()[i]), 2e-6);
}

}  // namespace
}  // namespace sinew::learn
