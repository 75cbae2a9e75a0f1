#include "sinew/offline/learn/layers/segments.h"

namespace sinew::layers {
namespace {

// Calls body(s, begin, end) for every segment, from several threads at once.
template <typename Body>
void ForSegments(std::span<const int> offsets, const Body& body) {
  const int count = offsets.empty() ? 0 : static_cast<int>(offsets.size()) - 1;
  ParallelFor(count, kTileRows, [&](int s) { body(s, offsets[s], offsets[s + 1]); });
}

}  // namespace

void SegmentSoftmax(std::span<const int> offsets, const ConstRows& x, Rows y) {
  ForSegments(offsets, [&](int, int begin, int end) {
    if (begin == end) return;
    Eigen::RowVectorXf most = x.row(begin), sum = Eigen::RowVectorXf::Zero(x.cols());
    for (int i = begin + 1; i < end; ++i) most = most.cwiseMax(x.row(i));
    for (int i = begin; i < end; ++i) y.row(i) = x.row(i) - most;
    learn::Exp(y.middleRows(begin, end - begin));
    for (int i = begin; i < end; ++i) sum += y.row(i);
    for (int i = begin; i < end; ++i) y.row(i).array() /= sum.array();
  });
}

void SegmentSoftmaxBackward(std::span<const int> offsets, const ConstRows& y, const ConstRows& dy, Rows dx) {
  ForSegments(offsets, [&](int, int begin, int end) {
    Eigen::RowVectorXf sum = Eigen::RowVectorXf::Zero(y.cols());
    for (int i = begin; i < end; ++i) sum += y.row(i).cwiseProduct(dy.row(i));
    for (int i = begin; i < end; ++i) dx.row(i) += y.row(i).cwiseProduct(dy.row(i) - sum);
  });
}

void SegmentSum(std::span<const int> offsets, const ConstRows& x, Rows y) {
  ForSegments(offsets, [&](int s, int begin, int end) {
    y.row(s).setZero();
    for (int i = begin; i < end; ++i) y.row(s) += x.row(i);
  });
}

void SegmentSumBackward(std::span<const int> offsets, const ConstRows& dy, Rows dx) {
  ForSegments(offsets, [&](int s, int begin, int end) {
    for (int i = begin; i < end; ++i) dx.row(i) += dy.row(s);
  });
}

std::vector<int> SegmentMax(std::span<const int> offsets, const ConstRows& x, Rows y) {
  const Eigen::Index columns = x.cols();
  std::vector<int> chosen(static_cast<size_t>(y.rows() * columns), -1);
  ForSegments(offsets, [&](int s, int begin, int end) {
    int* from = chosen.data() + s * columns;
    y.row(s).setZero();
    for (int i = begin; i < end; ++i) {
      for (Eigen::Index c = 0; c < columns; ++c) {
        if (from[c] >= 0 && !(x(i, c) > y(s, c))) continue;
        y(s, c) = x(i, c);
        from[c] = i;
      }
    }
  });
  return chosen;
}

void SegmentMaxBackward(std::span<const int> chosen, const ConstRows& dy, Rows dx) {
  // Segments are apart, so no two threads write to one row.
  ForTiles(dy.rows(), [&](int begin, int count) {
    for (int s = begin; s < begin + count; ++s) {
      for (Eigen::Index c = 0; c < dy.cols(); ++c) {
        const int from = chosen[static_cast<size_t>(s * dy.cols() + c)];
        if (from >= 0) dx(from, c) += dy(s, c);
      }
    }
  });
}

}  // namespace sinew::layers
