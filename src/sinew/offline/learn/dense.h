// Products of row-major float matrices by one thread, and tanh: the inner loops of training small networks and of
// finding bases. Callers run many such problems at once, so nothing here is parallel. With the CPU's widest vectors,
// which Eigen uses only where the whole program is compiled for them.
//
// Results are the same bits for the same sizes on the same kind of CPU.
#ifndef SINEW_OFFLINE_LEARN_DENSE_H_
#define SINEW_OFFLINE_LEARN_DENSE_H_

#include <Eigen/Core>
#include <cstddef>

namespace sinew::learn {

using RowMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstRows = Eigen::Ref<const RowMatrix, 0, Eigen::OuterStride<>>;
using Rows = Eigen::Ref<RowMatrix, 0, Eigen::OuterStride<>>;

// A matrix by its first entry and the distance between rows: what the kernels are given.
struct DenseView {
  const float* data;
  size_t stride;
  const float* row(int i) const { return data + static_cast<size_t>(i) * stride; }
};

// C = A B.
void Product(const ConstRows& A, const ConstRows& B, Rows C);
// C = A B'.
void ProductTransposed(const ConstRows& A, const ConstRows& B, Rows C);
// Every entry, within 2e-6.
void Tanh(Rows values);

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_DENSE_H_
