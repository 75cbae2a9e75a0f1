// Single-threaded products of row-major float matrices, tanh and exp: the inner loops of training small networks and of
// finding bases. Callers run many such problems at once, so nothing here is parallel. The code uses the widest vectors
// of the CPU, which Eigen does only if the whole program is compiled for them.
//
// Results are the same bits for the same sizes on the same kind of CPU.
#ifndef SINEW_OFFLINE_LEARN_DENSE_H_
#define SINEW_OFFLINE_LEARN_DENSE_H_

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace sinew::learn {

using RowMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstRows = Eigen::Ref<const RowMatrix, 0, Eigen::OuterStride<>>;
using Rows = Eigen::Ref<RowMatrix, 0, Eigen::OuterStride<>>;

// View of a row-major matrix, as the kernels take it: first entry, and distance between rows in floats.
struct DenseView {
  const float* data;
  size_t stride;
  const float* row(int i) const { return data + static_cast<size_t>(i) * stride; }
};

// Sets C = A B. C must have the right size.
void Product(const ConstRows& A, const ConstRows& B, Rows C);
// Right factor of many products, in the order in which they read it: panels as wide as the products' blocks, one behind
// the other, the last one filled up with zeros. Worth it for about 100 rows of A and more.
class PackedFactor {
 public:
  explicit PackedFactor(const ConstRows& B);
  int terms() const { return terms_; }      // rows of B
  int columns() const { return columns_; }  // columns of B
  const float* panels() const { return panels_.data(); }

 private:
  std::vector<float> panels_;
  int terms_ = 0, columns_ = 0;
};
// Sets C = A B. C must have the right size. A row of C depends on the same row of A alone, whatever the other rows.
void Product(const ConstRows& A, const PackedFactor& B, Rows C);
// Sets C = A B', with B' the transpose of B. C must have the right size.
void ProductTransposed(const ConstRows& A, const ConstRows& B, Rows C);
// Replaces every entry by its tanh, with an error of at most 2e-6.
void Tanh(Rows values);
// Replaces every entry by its exponential, with a relative error of at most 1e-6. Entries below -104 give 0.
void Exp(Rows values);

}  // namespace sinew::learn

#endif  // SINEW_OFFLINE_LEARN_DENSE_H_
