#include "sinew/offline/learn/layers/linear.h"

namespace sinew::layers {

void Linear(const ConstRows& x, const ConstRows& W, std::span<const float> b, Rows y) {
  const Eigen::Map<const Eigen::RowVectorXf> bias(b.data(), static_cast<Eigen::Index>(b.size()));
  const learn::PackedFactor packed(W);
  ForTiles(x.rows(), [&](int begin, int count) {
    auto tile = y.middleRows(begin, count);
    learn::Product(x.middleRows(begin, count), packed, tile);
    if (!b.empty()) tile.rowwise() += bias;
  });
}

void LinearBackward(const ConstRows& x, const ConstRows& W, const ConstRows& dy, Rows* dx, Rows dW,
                    std::span<float> db) {
  if (dx != nullptr) AddTimesTransposed(dy, W, *dx);
  AddTransposedTimes(x, dy, dW);
  if (!db.empty()) AddColumnSums(dy, db);
}

}  // namespace sinew::layers
