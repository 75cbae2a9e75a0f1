// Matrices of networks, one row per vertex or edge, and their products on all threads.
//
// All layers of this folder keep two rules. Results are the same bits whatever the number of threads: rows are cut into
// tiles of a fixed size, and sums over rows add in a fixed order. And a function whose name ends in Backward adds to
// the gradients that it is given, so that a value with several users needs no special care; set them to zero first.
#ifndef SINEW_OFFLINE_LEARN_LAYERS_MATRIX_H_
#define SINEW_OFFLINE_LEARN_LAYERS_MATRIX_H_

#include <Eigen/Core>
#include <span>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/learn/dense.h"

namespace sinew::layers {

using learn::ConstRows;
using learn::RowMatrix;
using learn::Rows;

inline constexpr int kTileRows = 96;  // rows per tile of work, a multiple of the rows that products take at once

// Calls body(begin, count) for all tiles of rows, from several threads at once.
template <typename Body>
void ForTiles(Eigen::Index rows, const Body& body) {
  ParallelChunks(static_cast<int>(rows), kTileRows, [&](int begin, int end) { body(begin, end - begin); });
}

// Sets C = A B. C must have the right size.
void Multiply(const ConstRows& A, const ConstRows& B, Rows C);
// Adds A B' to C, with B' the transpose of B.
void AddTimesTransposed(const ConstRows& A, const ConstRows& B, Rows C);
// Adds A' B to C, with A' the transpose of A: the gradient of weights, a sum over all rows.
void AddTransposedTimes(const ConstRows& A, const ConstRows& B, Rows C);
// Adds the sum of each column of x to `sums`, which has one number per column.
void AddColumnSums(const ConstRows& x, std::span<float> sums);
// Adds the sum of each column of the entrywise product of x and y to `sums`.
void AddColumnProductSums(const ConstRows& x, const ConstRows& y, std::span<float> sums);

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_MATRIX_H_
