#include "sinew/offline/learn/dense.h"

#include <algorithm>
#include <cassert>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/offline/learn/dense.cc"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::learn::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;
using Vector = hn::Vec<Tag>;

using View = DenseView;

// Size of the block that is computed at once, in rows and in vectors of columns: what the registers hold.
#if HWY_TARGET == HWY_NEON
constexpr int kRows = 4, kVectors = 4;
#else
constexpr int kRows = 6, kVectors = 2;
#endif

template <int R, int V>
using Sums = Vector[R][V];

// Calls body(r, v) for every row and vector of a block, without a loop: compilers keep an array in registers only if
// all of its indices are constants from the start.
#define SINEW_UNROLLED HWY_ATTR __attribute__((always_inline))
template <int V, typename Body, int... i>
HWY_INLINE HWY_ATTR void ForIndices(std::integer_sequence<int, i...> /*indices*/, const Body& body) {
  (body(i / V, i % V), ...);
}
template <int R, int V, typename Body>
HWY_INLINE HWY_ATTR void ForBlock(const Body& body) {
  ForIndices<V>(std::make_integer_sequence<int, R * V>(), body);
}

#if HWY_TARGET == HWY_NEON
// Adds lane `lane` of each a[r] times a row of B. The compiler fuses the broadcast into the multiplication, where
// loading one number into all lanes would take as long as a multiplication.
template <int lane, int R, int V>
HWY_INLINE HWY_ATTR void AddLane(const Vector (&a)[R], const float* b, Sums<R, V>& sums) {
  ForBlock<R, V>([&](int r, int v) SINEW_UNROLLED {
    sums[r][v] = hn::MulAdd(hn::LoadU(Tag(), b + v * hn::Lanes(Tag())), hn::Broadcast<lane>(a[r]), sums[r][v]);
  });
}
#endif

// Adds the terms [begin, end) of A B, R rows by V vectors of columns, each sum in the order of its terms.
template <int R, int V>
HWY_INLINE HWY_ATTR void AddTerms(const View& A, const View& B, int begin, int end, Sums<R, V>& sums) {
  const float* b = B.row(begin);
  const size_t stride = B.stride;
  int k = begin;
#if HWY_TARGET == HWY_NEON
  for (; k + 4 <= end; k += 4, b += 4 * stride) {
    Vector a[R];
    ForBlock<R, V>([&](int r, int v) SINEW_UNROLLED {
      if (v == 0) a[r] = hn::LoadU(Tag(), A.row(r) + k);
    });
    AddLane<0, R, V>(a, b, sums);
    AddLane<1, R, V>(a, b + stride, sums);
    AddLane<2, R, V>(a, b + 2 * stride, sums);
    AddLane<3, R, V>(a, b + 3 * stride, sums);
  }
#endif
  for (; k < end; ++k, b += stride) {
    ForBlock<R, V>([&](int r, int v) SINEW_UNROLLED {
      const Vector a = hn::Set(Tag(), A.row(r)[k]);
      sums[r][v] = hn::MulAdd(a, hn::LoadU(Tag(), b + v * hn::Lanes(Tag())), sums[r][v]);
    });
  }
}

// Computes a block of A B, R rows by V vectors of columns, over the terms [begin, end). The result is added to C, or
// replaces it if `first`.
template <int R, int V>
HWY_ATTR void ProductBlock(const View& A, const View& B, float* C, size_t c_stride, int begin, int end, bool first) {
  Sums<R, V> sums;
  ForBlock<R, V>([&](int r, int v) SINEW_UNROLLED {
    sums[r][v] = first ? hn::Zero(Tag()) : hn::LoadU(Tag(), C + r * c_stride + v * hn::Lanes(Tag()));
  });
  AddTerms<R, V>(A, B, begin, end, sums);
  ForBlock<R, V>([&](int r, int v)
                     SINEW_UNROLLED { hn::StoreU(sums[r][v], Tag(), C + r * c_stride + v * hn::Lanes(Tag())); });
}
#undef SINEW_UNROLLED

HWY_ATTR int PanelColumns() { return kVectors * static_cast<int>(hn::Lanes(Tag())); }

// Computes the columns [first, last) of A B, which do not fill two vectors.
HWY_ATTR void ProductColumns(const View& A, const View& B, float* C, size_t c_stride, int rows, int terms, int first,
                             int last) {
  for (int i = 0; i < rows; ++i) {
    float* c = C + i * c_stride;
    std::fill(c + first, c + last, 0.0f);
    for (int k = 0; k < terms; ++k) {
      const float a = A.row(i)[k];
      const float* b = B.row(k);
      for (int j = first; j < last; ++j) c[j] += a * b[j];
    }
  }
}

// Computes V vectors of columns over the terms [begin, end). b: those columns of B.
template <int V>
HWY_ATTR void ProductPanel(const View& A, const View& b, float* C, size_t c_stride, int rows, int begin, int end) {
  int i = 0;
  for (; i + kRows <= rows; i += kRows) {
    ProductBlock<kRows, V>({A.row(i), A.stride}, b, C + i * c_stride, c_stride, begin, end, begin == 0);
  }
  for (; i < rows; ++i) ProductBlock<1, V>({A.row(i), A.stride}, b, C + i * c_stride, c_stride, begin, end, begin == 0);
}

constexpr int kTerms = 256;  // so that a panel of B stays in the first-level cache

HWY_ATTR void ProductOf(const View& A, const View& B, float* C, size_t c_stride, int rows, int terms, int columns) {
  // Columns that do not fill a panel are computed two vectors at a time as long as they fill those.
  const int block = PanelColumns(), pair = block / kVectors * 2;
  const int panels = columns / block * block, whole = columns / pair * pair;
  for (int begin = 0; begin < terms; begin += kTerms) {
    const int end = std::min(terms, begin + kTerms);
    for (int j = 0; j < panels; j += block) {
      ProductPanel<kVectors>(A, {B.data + j, B.stride}, C + j, c_stride, rows, begin, end);
    }
    for (int j = panels; j < whole; j += pair) {
      ProductPanel<2>(A, {B.data + j, B.stride}, C + j, c_stride, rows, begin, end);
    }
  }
  ProductColumns(A, B, C, c_stride, rows, terms, whole, columns);
}

// The same for panels one behind the other (PackedFactor). The last panel, which may be wider than what is left of C,
// goes through memory of its own.
HWY_ATTR void PackedProductOf(const View& A, const float* panels, float* C, size_t c_stride, int rows, int terms,
                              int columns) {
  const int block = PanelColumns();
  HWY_ALIGN float last[kRows * kVectors * HWY_MAX_BYTES / sizeof(float)];
  for (int begin = 0; begin < terms; begin += kTerms) {
    const int end = std::min(terms, begin + kTerms);
    for (int j = 0; j + block <= columns; j += block) {
      const View b{panels + static_cast<size_t>(j) * terms, static_cast<size_t>(block)};
      ProductPanel<kVectors>(A, b, C + j, c_stride, rows, begin, end);
    }
  }
  const int whole = columns / block * block;
  if (whole == columns) return;
  const View b{panels + static_cast<size_t>(whole) * terms, static_cast<size_t>(block)};
  for (int i = 0; i < rows; i += kRows) {
    const int count = std::min(kRows, rows - i);
    ProductPanel<kVectors>({A.row(i), A.stride}, b, last, static_cast<size_t>(block), count, 0, terms);
    for (int r = 0; r < count; ++r) std::copy_n(last + r * block, columns - whole, C + (i + r) * c_stride + whole);
  }
}

// Computes R by S dot products of rows of A with rows of B.
template <int R, int S>
HWY_ATTR void DotBlock(const View& A, const View& B, float* C, size_t c_stride, int terms) {
  const Tag tag;
  const int lanes = static_cast<int>(hn::Lanes(tag));
  Vector sums[R][S];
  for (int r = 0; r < R; ++r) {
    for (int s = 0; s < S; ++s) sums[r][s] = hn::Zero(tag);
  }
  int k = 0;
  for (; k + lanes <= terms; k += lanes) {
    Vector b[S];
    for (int s = 0; s < S; ++s) b[s] = hn::LoadU(tag, B.row(s) + k);
    for (int r = 0; r < R; ++r) {
      const Vector a = hn::LoadU(tag, A.row(r) + k);
      for (int s = 0; s < S; ++s) sums[r][s] = hn::MulAdd(a, b[s], sums[r][s]);
    }
  }
  for (int r = 0; r < R; ++r) {
    for (int s = 0; s < S; ++s) {
      float sum = hn::GetLane(hn::SumOfLanes(tag, sums[r][s]));
      for (int rest = k; rest < terms; ++rest) sum += A.row(r)[rest] * B.row(s)[rest];
      C[r * c_stride + s] = sum;
    }
  }
}

HWY_ATTR void ProductTransposedOf(const View& A, const View& B, float* C, size_t c_stride, int rows, int terms,
                                  int columns) {
  for (int i = 0; i < rows;) {
    const bool wide_rows = i + 4 <= rows;
    for (int j = 0; j < columns;) {
      const bool wide_columns = j + 4 <= columns;
      const View a{A.row(i), A.stride}, b{B.row(j), B.stride};
      float* c = C + i * c_stride + j;
      if (wide_rows && wide_columns) {
        DotBlock<4, 4>(a, b, c, c_stride, terms);
      } else if (wide_rows) {
        DotBlock<4, 1>(a, b, c, c_stride, terms);
      } else if (wide_columns) {
        DotBlock<1, 4>(a, b, c, c_stride, terms);
      } else {
        DotBlock<1, 1>(a, b, c, c_stride, terms);
      }
      j += wide_columns ? 4 : 1;
    }
    i += wide_rows ? 4 : 1;
  }
}

struct TanhFunction {
  HWY_ATTR Vector operator()(Vector x) const { return hn::Tanh(Tag(), x); }
};
struct ExpFunction {
  HWY_ATTR Vector operator()(Vector x) const { return hn::Exp(Tag(), x); }
};

// Replaces every value by f(value). An entry's result does not depend on its place: the last ones, which do not fill a
// vector, go through the same function.
template <typename Function>
HWY_ATTR void Replace(const Function& f, float* values, int count) {
  const Tag tag;
  const int lanes = static_cast<int>(hn::Lanes(tag));
  int i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(f(hn::LoadU(tag, values + i)), tag, values + i);
  if (i == count) return;
  HWY_ALIGN float last[HWY_MAX_BYTES / sizeof(float)] = {};
  for (int k = i; k < count; ++k) last[k - i] = values[k];
  hn::Store(f(hn::Load(tag, last)), tag, last);
  for (int k = i; k < count; ++k) values[k] = last[k - i];
}

HWY_ATTR void TanhOf(float* values, int count) { Replace(TanhFunction(), values, count); }
HWY_ATTR void ExpOf(float* values, int count) { Replace(ExpFunction(), values, count); }

}  // namespace sinew::learn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::learn {

HWY_EXPORT(ProductOf);
HWY_EXPORT(PackedProductOf);
HWY_EXPORT(PanelColumns);
HWY_EXPORT(ProductTransposedOf);
HWY_EXPORT(TanhOf);
HWY_EXPORT(ExpOf);

namespace {

DenseView ViewOf(const ConstRows& matrix) { return {matrix.data(), static_cast<size_t>(matrix.outerStride())}; }
int ToInt(Eigen::Index index) { return static_cast<int>(index); }

}  // namespace

void Product(const ConstRows& A, const ConstRows& B, Rows C) {
  assert(A.cols() == B.rows() && C.rows() == A.rows() && C.cols() == B.cols());
  HWY_DYNAMIC_DISPATCH(ProductOf)
  (ViewOf(A), ViewOf(B), C.data(), static_cast<size_t>(C.outerStride()), ToInt(A.rows()), ToInt(A.cols()),
   ToInt(B.cols()));
}

PackedFactor::PackedFactor(const ConstRows& B) : terms_(ToInt(B.rows())), columns_(ToInt(B.cols())) {
  const int block = HWY_DYNAMIC_DISPATCH(PanelColumns)();
  const int panels = (columns_ + block - 1) / block;
  panels_.assign(static_cast<size_t>(panels) * block * terms_, 0.0f);
  float* to = panels_.data();
  for (int j = 0; j < columns_; j += block) {
    const int count = std::min(block, columns_ - j);
    for (int k = 0; k < terms_; ++k, to += block) std::copy_n(B.data() + k * B.outerStride() + j, count, to);
  }
}

void Product(const ConstRows& A, const PackedFactor& B, Rows C) {
  assert(A.cols() == B.terms() && C.rows() == A.rows() && C.cols() == B.columns());
  HWY_DYNAMIC_DISPATCH(PackedProductOf)
  (ViewOf(A), B.panels(), C.data(), static_cast<size_t>(C.outerStride()), ToInt(A.rows()), B.terms(), B.columns());
}

void ProductTransposed(const ConstRows& A, const ConstRows& B, Rows C) {
  assert(A.cols() == B.cols() && C.rows() == A.rows() && C.cols() == B.rows());
  HWY_DYNAMIC_DISPATCH(ProductTransposedOf)
  (ViewOf(A), ViewOf(B), C.data(), static_cast<size_t>(C.outerStride()), ToInt(A.rows()), ToInt(A.cols()),
   ToInt(B.rows()));
}

void Tanh(Rows values) {
  for (int i = 0; i < values.rows(); ++i) {
    HWY_DYNAMIC_DISPATCH(TanhOf)(values.data() + i * values.outerStride(), ToInt(values.cols()));
  }
}

void Exp(Rows values) {
  for (int i = 0; i < values.rows(); ++i) {
    HWY_DYNAMIC_DISPATCH(ExpOf)(values.data() + i * values.outerStride(), ToInt(values.cols()));
  }
}

}  // namespace sinew::learn
#endif
