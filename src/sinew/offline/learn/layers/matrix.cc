#include "sinew/offline/learn/layers/matrix.h"

namespace sinew::layers {
namespace {

constexpr int kSumRows = 1024;  // rows per partial sum

// Sums term(row, column) over all rows, in double: partial sums of fixed chunks, added in order.
template <typename Term>
void AddSums(int rows, std::span<float> sums, const Term& term) {
  using Sums = Eigen::VectorXd;
  const auto columns = static_cast<Eigen::Index>(sums.size());
  const auto chunk = [&](int begin, int end) {
    Sums part = Sums::Zero(columns);
    for (int i = begin; i < end; ++i) {
      for (Eigen::Index c = 0; c < columns; ++c) part[c] += term(i, c);
    }
    return part;
  };
  const Sums total = ParallelReduce(rows, kSumRows, Sums(Sums::Zero(columns)), chunk,
                                    [](Sums& all, const Sums& part) { all += part; });
  for (Eigen::Index c = 0; c < columns; ++c) sums[c] += static_cast<float>(total[c]);
}

}  // namespace

void Multiply(const ConstRows& A, const ConstRows& B, Rows C) {
  const learn::PackedFactor packed(B);
  ForTiles(A.rows(), [&](int begin, int count) {
    learn::Product(A.middleRows(begin, count), packed, C.middleRows(begin, count));
  });
}

void AddTimesTransposed(const ConstRows& A, const ConstRows& B, Rows C) {
  const learn::PackedFactor packed(RowMatrix(B.transpose()));
  ForTiles(A.rows(), [&](int begin, int count) {
    RowMatrix product(count, C.cols());
    learn::Product(A.middleRows(begin, count), packed, product);
    C.middleRows(begin, count) += product;
  });
}

void AddTransposedTimes(const ConstRows& A, const ConstRows& B, Rows C) {
  const learn::PackedFactor packed(B);
  ForTiles(A.cols(), [&](int begin, int count) {
    const RowMatrix transposed = A.middleCols(begin, count).transpose();
    RowMatrix product(count, B.cols());
    learn::Product(transposed, packed, product);
    C.middleRows(begin, count) += product;
  });
}

void AddColumnSums(const ConstRows& x, std::span<float> sums) {
  AddSums(static_cast<int>(x.rows()), sums, [&](int i, Eigen::Index c) { return static_cast<double>(x(i, c)); });
}

void AddColumnProductSums(const ConstRows& x, const ConstRows& y, std::span<float> sums) {
  AddSums(static_cast<int>(x.rows()), sums,
          [&](int i, Eigen::Index c) { return static_cast<double>(x(i, c)) * static_cast<double>(y(i, c)); });
}

}  // namespace sinew::layers
