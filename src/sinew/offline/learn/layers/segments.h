// Softmax, sum and maximum over segments of rows, each segment in the order of its rows: rows offsets[s] to
// offsets[s + 1] - 1 are segment s, as the entries of a row are in mesh/csr.h.
#ifndef SINEW_OFFLINE_LEARN_LAYERS_SEGMENTS_H_
#define SINEW_OFFLINE_LEARN_LAYERS_SEGMENTS_H_

#include <vector>

#include "sinew/offline/learn/layers/matrix.h"

namespace sinew::layers {

// offsets, in all functions: one more than there are segments, from 0 to the number of rows of x, never decreasing.

// Sets y to the softmax over each segment, per column. y may be x.
void SegmentSoftmax(std::span<const int> offsets, const ConstRows& x, Rows y);
// Adds the gradient of x. y: what SegmentSoftmax() returned.
void SegmentSoftmaxBackward(std::span<const int> offsets, const ConstRows& y, const ConstRows& dy, Rows dx);

// Sets row s of y to the sum of segment s; zero for an empty one.
void SegmentSum(std::span<const int> offsets, const ConstRows& x, Rows y);
void SegmentSumBackward(std::span<const int> offsets, const ConstRows& dy, Rows dx);

// Sets row s of y to the maximum of segment s, per column; zero for an empty one. Returns the row that each maximum
// comes from, the first of equal ones, as segments by columns; -1 for an empty segment.
std::vector<int> SegmentMax(std::span<const int> offsets, const ConstRows& x, Rows y);
// chosen: what SegmentMax() returned.
void SegmentMaxBackward(std::span<const int> chosen, const ConstRows& dy, Rows dx);

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_SEGMENTS_H_
