// product_bench [--rounds N] [--threads N]: our product of float matrices against Eigen's, and OpenBLAS's and oneDNN's
// where they are installed, on the shapes that networks on meshes have: many rows, few hundred columns.
#include <Eigen/Core>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>
#if SINEW_BENCH_OPENBLAS
#include <cblas.h>
#endif
#if SINEW_BENCH_DNNL
#include <dnnl.h>
#endif

#include "bench/harness.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/learn/layers/matrix.h"

#if SINEW_BENCH_OPENBLAS
extern "C" void openblas_set_num_threads(int);
#endif

namespace {

using namespace sinew;
using layers::RowMatrix;

struct Shape {
  int rows, terms, columns;
};

RowMatrix Noise(int rows, int columns, uint64_t seed) {
  Random random(seed);
  RowMatrix matrix(rows, columns);
  for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = static_cast<float>(random.Uniform(-1, 1));
  return matrix;
}

// Calls one-threaded products for blocks of rows from all threads, as the layers do with ours.
template <typename Product>
void InTiles(const Shape& s, int tile, const Product& product) {
  ParallelChunks(s.rows, tile, [&](int begin, int end) { product(begin, end - begin); });
}

std::vector<bench::Variant> Variants(const Shape& s, const RowMatrix& A, const RowMatrix& B, RowMatrix& C) {
  constexpr int kTile = 960;  // of the others: large enough that they are not hampered
  const auto hash = [] { return uint64_t{1}; };
  std::vector<bench::Variant> variants;
  variants.push_back({"ours", [&] { layers::Multiply(A, B, C); }, hash});
  variants.push_back({"Eigen",
                      [&, s] {
                        InTiles(s, kTile, [&](int begin, int count) {
                          C.middleRows(begin, count).noalias() = A.middleRows(begin, count) * B;
                        });
                      },
                      hash});
#if SINEW_BENCH_OPENBLAS
  variants.push_back({"OpenBLAS",
                      [&, s] {
                        InTiles(s, kTile, [&](int begin, int count) {
                          cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, count, s.columns, s.terms, 1,
                                      &A(begin, 0), s.terms, B.data(), s.columns, 0, &C(begin, 0), s.columns);
                        });
                      },
                      hash});
#endif
#if SINEW_BENCH_DNNL
  variants.push_back({"oneDNN",
                      [&, s] {
                        InTiles(s, kTile, [&](int begin, int count) {
                          dnnl_sgemm('N', 'N', count, s.columns, s.terms, 1, &A(begin, 0), s.terms, B.data(), s.columns,
                                     0, &C(begin, 0), s.columns);
                        });
                      },
                      hash});
#endif
  return variants;
}

void Compare(const Shape& s, int rounds) {
  const RowMatrix A = Noise(s.rows, s.terms, 1), B = Noise(s.terms, s.columns, 2);
  RowMatrix C(s.rows, s.columns);
  const double operations = 2.0 * s.rows * s.terms * s.columns;
  std::string line = fmt::format("{:6} x {:4} x {:4}", s.rows, s.terms, s.columns);
  // The fastest round counts: a product takes longer than a slice of a busy machine's time, so that most rounds also
  // measure the neighbours.
  double ours = 0;
  for (const bench::Measurement& m : bench::Measure(Variants(s, A, B, C), rounds)) {
    if (ours == 0) ours = m.fastest_ns;
    line += fmt::format("  {:>8} {:6.1f} ({:4.2f})", m.name, operations / m.fastest_ns, ours / m.fastest_ns);
  }
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

int Option(int argc, char** argv, const char* name, int value) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], name) == 0) value = std::atoi(argv[i + 1]);
  }
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = Option(argc, argv, "--rounds", 7);
  SetThreads(Option(argc, argv, "--threads", 0));
#if SINEW_BENCH_OPENBLAS
  openblas_set_num_threads(1);
#endif
  fmt::print("{} threads; 10^9 operations per second, and speed relative to ours\n", Pool().concurrency());
  const Shape shapes[] = {{5000, 288, 256},   {13380, 32, 128},  {13380, 288, 256}, {13380, 1056, 256},
                          {13380, 1312, 256}, {13380, 256, 64},  {40000, 320, 64},  {40000, 640, 128},
                          {15000, 1280, 256}, {15000, 1280, 512}};
  for (const Shape& shape : shapes) Compare(shape, rounds);
  return 0;
}
