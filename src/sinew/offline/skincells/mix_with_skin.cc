#include "sinew/offline/skincells/mix_with_skin.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/skincells/field.h"

namespace sinew::skincells {
namespace {

// Mixtures that are tried: 0, 1/4 ... 1 of the skin.
constexpr int kTried = 4;
// Poses that they are tried in, spread over the training set.
constexpr int kPoses = 96;
// How often a vertex takes the mean of its own and its neighbours' share.
constexpr int kAgree = 3;

using Row = Eigen::VectorXd;

// Two rows of weights per vertex, over the joints that carry any.
class Mixer {
 public:
  Mixer(const Subject& garment, const TrainingSet& set, const SkinWeights& weights, const std::vector<Guide>& skin,
        int l)
      : set_(set),
        l_(l),
        columns_(set.joint_count),
        own_(set.vertex_count(), Row::Zero(set.joint_count)),
        skin_(set.vertex_count()) {
    std::iota(columns_.begin(), columns_.end(), 0);
    std::vector<int> column(garment.skeleton.joint_count(), -1);
    for (size_t j = 0; j < garment.joints.size(); ++j) column[garment.joints[j]] = static_cast<int>(j);
    for (size_t slot = 0; slot < weights.weights.size(); ++slot) {
      if (weights.weights[slot] > 0)
        own_[slot / weights.influences][column[weights.joints[slot]]] += weights.weights[slot];
    }
    for (const Guide& guide : skin) {
      Row& row = skin_[guide.vertex];
      if (row.size() == 0) row = Row::Zero(set.joint_count);
      row[guide.joint] = guide.target;
    }
  }

  bool on_skin(int v) const { return skin_[v].size() > 0; }

  Row Mixed(int v, double share) const { return on_skin(v) ? Row((1 - share) * own_[v] + share * skin_[v]) : own_[v]; }

  // How deep in the body that mixture is over the poses; the collision loss of objective.h.
  double Depth(int v, double share) const {
    const Row row = Mixed(v, share);
    const SkinWeights shipped = StrongestWeights({row.data(), columns_.size()}, columns_, l_);
    const auto count = static_cast<int>(set_.poses.size());
    const int step = std::max(1, count / kPoses);
    double loss = 0;
    for (int p = 0; p < count; p += step) {
      Eigen::Vector3d x = Eigen::Vector3d::Zero();
      for (size_t k = 0; k < shipped.weights.size(); ++k) {
        if (shipped.weights[k] > 0) x += shipped.weights[k] * (set_.poses[p].T[shipped.joints[k]] * set_.points.col(v));
      }
      const double depth = set_.collider->margins[v] - set_.collider->bodies[p].At(x).height;
      if (depth > 0) loss += std::log1p(depth * depth / (kDeep * kDeep));
    }
    return loss;
  }

  // The least share of the skin that no other beats.
  double BestShare(int v) const {
    double best = 0, least = std::numeric_limits<double>::infinity();
    for (int k = 0; k <= kTried; ++k) {
      const double share = static_cast<double>(k) / kTried, depth = Depth(v, share);
      if (depth < least) least = depth, best = share;
    }
    return best;
  }

 private:
  const TrainingSet& set_;
  const int l_;
  std::vector<int> columns_;     // 0, 1, 2...: of the rows
  std::vector<Row> own_, skin_;  // skin_: empty where the garment is not on it
};

}  // namespace

SkinWeights MixWithSkin(const Subject& garment, const TrainingSet& set, const SkinWeights& weights,
                        const std::vector<Guide>& skin, int l) {
  const Mixer mixer(garment, set, weights, skin, l);
  const int count = set.vertex_count();
  std::vector<double> shares(count, 0.0);
  ParallelFor(count, 16, [&](int v) {
    if (mixer.on_skin(v)) shares[v] = mixer.BestShare(v);
  });
  for (int round = 0; round < kAgree; ++round) {
    const std::vector<double> before = shares;
    for (int v = 0; v < count; ++v) {
      double sum = before[v];
      for (const int k : set.neighbors[v]) sum += before[k];
      shares[v] = sum / static_cast<double>(1 + set.neighbors[v].size());
    }
  }
  std::vector<double> dense;
  dense.reserve(static_cast<size_t>(count) * set.joint_count);
  for (int v = 0; v < count; ++v) {
    const Row row = mixer.Mixed(v, shares[v]);
    dense.insert(dense.end(), row.begin(), row.end());
  }
  return StrongestWeights(dense, garment.joints, l);
}

}  // namespace sinew::skincells
