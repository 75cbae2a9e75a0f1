// Small square matrices whose size is known to the compiler, for code that is the same in the plane and in space.
#ifndef SINEW_RUNTIME_KERNELS_SQUARE_MATRIX_H_
#define SINEW_RUNTIME_KERNELS_SQUARE_MATRIX_H_

namespace sinew::runtime {

// at[row][column]; made as zeros.
template <int D>
struct SquareMatrix {
  double at[D][D] = {};

  static SquareMatrix Identity() {
    SquareMatrix I;
    for (int i = 0; i < D; ++i) I.at[i][i] = 1;
    return I;
  }
};

template <int D>
SquareMatrix<D> Multiply(const SquareMatrix<D>& a, const SquareMatrix<D>& b) {
  SquareMatrix<D> product;
  for (int i = 0; i < D; ++i) {
    for (int j = 0; j < D; ++j) {
      for (int k = 0; k < D; ++k) product.at[i][j] += a.at[i][k] * b.at[k][j];
    }
  }
  return product;
}

template <int D>
SquareMatrix<D> Transpose(const SquareMatrix<D>& a) {
  SquareMatrix<D> transposed;
  for (int i = 0; i < D; ++i) {
    for (int j = 0; j < D; ++j) transposed.at[i][j] = a.at[j][i];
  }
  return transposed;
}

}  // namespace sinew::runtime

#endif  // SINEW_RUNTIME_KERNELS_SQUARE_MATRIX_H_
