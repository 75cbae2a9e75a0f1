#include "sinew/offline/learn/layers/mesh_conv.h"

#include <fmt/format.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/learn/layers/linear.h"

namespace sinew::layers {
namespace {

using Row = Eigen::RowVectorXf;

Row RowOrZero(const ConstRows& x, int i) { return i < 0 ? Row(Row::Zero(x.cols())) : Row(x.row(i)); }

// Writes [e, a + c, b + d, |a - c|, |b - d|] of the edges from `begin` on.
void Gather(const EdgeRings& rings, const ConstRows& x, int begin, Rows features) {
  const Eigen::Index n = x.cols();
  for (int i = 0; i < features.rows(); ++i) {
    const auto& [ia, ib, ic, id] = rings.rings[begin + i];
    const Row a = RowOrZero(x, ia), b = RowOrZero(x, ib), c = RowOrZero(x, ic), d = RowOrZero(x, id);
    features.row(i).head(n) = x.row(begin + i);
    features.row(i).segment(n, n) = a + c;
    features.row(i).segment(2 * n, n) = b + d;
    features.row(i).segment(3 * n, n) = (a - c).cwiseAbs();
    features.row(i).segment(4 * n, n) = (b - d).cwiseAbs();
  }
}

// Gradient that entry k of ring e passes on to its edge, whose features are `own`: that of the sum, and that of the
// absolute difference to the entry on the other side.
Row FromRing(const EdgeRings& rings, const ConstRows& x, const ConstRows& dfeatures, int e, int k) {
  const Eigen::Index n = x.cols();
  const int other = rings.rings[e][(k + 2) % 4], pair = k % 2;
  const Row sign = (x.row(rings.rings[e][k]) - RowOrZero(x, other)).cwiseSign();
  return dfeatures.row(e).segment((1 + pair) * n, n) + dfeatures.row(e).segment((3 + pair) * n, n).cwiseProduct(sign);
}

}  // namespace

EdgeRings MakeEdgeRings(std::vector<std::array<int, 4>> rings) {
  EdgeRings result;
  const int count = static_cast<int>(rings.size());
  for (const std::array<int, 4>& ring : rings) {
    for (const int edge : ring) {
      if (edge < -1 || edge >= count) throw UsageError(fmt::format("a ring names edge {} of {}", edge, count));
    }
  }
  result.seen_by = BuildCsr(count, [&](const auto& put) {
    for (int e = 0; e < count; ++e) {
      for (int k = 0; k < 4; ++k) {
        if (rings[e][k] >= 0) put(rings[e][k], 4 * e + k);
      }
    }
  });
  result.rings = std::move(rings);
  return result;
}

EdgeRings RingsOf(const EdgeTable& edges) {
  std::vector<std::array<int, 4>> rings(edges.edge_count(), {-1, -1, -1, -1});
  for (int e = 0; e < edges.edge_count(); ++e) {
    const std::span<const int> sides = edges.half_edges[e];
    for (size_t side = 0; side < sides.size() && side < 2; ++side) {
      const int next = NextAround(sides[side]);
      rings[e][2 * side] = edges.edge_of[next];
      rings[e][2 * side + 1] = edges.edge_of[NextAround(next)];
    }
  }
  return MakeEdgeRings(std::move(rings));
}

void MeshConv(const EdgeRings& rings, const ConstRows& x, const ConstRows& W, std::span<const float> bias, Rows y) {
  const Eigen::Map<const Row> b(bias.data(), static_cast<Eigen::Index>(bias.size()));
  const learn::PackedFactor packed(W);
  ForTiles(x.rows(), [&](int begin, int count) {
    RowMatrix features(count, 5 * x.cols());
    Gather(rings, x, begin, features);
    auto tile = y.middleRows(begin, count);
    learn::Product(features, packed, tile);
    if (!bias.empty()) tile.rowwise() += b;
  });
}

void MeshConvBackward(const EdgeRings& rings, const ConstRows& x, const ConstRows& W, const ConstRows& dy, Rows* dx,
                      Rows dW, std::span<float> dbias) {
  RowMatrix features(x.rows(), 5 * x.cols());
  ForTiles(x.rows(), [&](int begin, int count) { Gather(rings, x, begin, features.middleRows(begin, count)); });
  AddTransposedTimes(features, dy, dW);
  if (!dbias.empty()) AddColumnSums(dy, dbias);
  if (dx == nullptr) return;
  RowMatrix& dfeatures = features;  // the features are not needed any more
  Multiply(dy, RowMatrix(W.transpose()), dfeatures);
  ParallelFor(static_cast<int>(x.rows()), kTileRows, [&](int f) {
    dx->row(f) += dfeatures.row(f).head(x.cols());
    for (const int entry : rings.seen_by[f]) dx->row(f) += FromRing(rings, x, dfeatures, entry / 4, entry % 4);
  });
}

}  // namespace sinew::layers
