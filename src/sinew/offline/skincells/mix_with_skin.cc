#include "sinew/offline/skincells/mix_with_skin.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/skincells/field.h"

namespace sinew::skincells {
namespace {

// Number of shares of the skin's weights that are tried beside none: 1/4, 1/2 ... 1.
constexpr int kShares = 4;
// Number of averages over neighbours in each of the smoothed versions of the skin's weights that are tried.
constexpr int kSmooth[] = {0, 2, 10, 26};
// Number of poses that mixtures are compared in, spread over the training set.
constexpr int kPoses = 128;
// mu, and delta in the unit box. delta is much smaller than collider.h's kDeep: there a gradient must reach across a
// fold, here it only counts whether a vertex is inside at all.
constexpr double kStretch = 0.25, kDelta = 0.001;
// Upper limit of the margins that cloth has to keep from the body, in the unit box.
constexpr double kClear = 0.004;
// Number of times that every vertex chooses again, given its neighbours' choices; these hardly change after that.
constexpr int kSweeps = 4;

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
// Positions of a vertex, one column per pose that is tried.
using Places = Eigen::Matrix3Xf;

// Dense weights: one row per vertex, one column per joint that may carry weight.
Rows Dense(const Subject& garment, const SkinWeights& weights) {
  std::vector<int> column(garment.skeleton.joint_count(), -1);
  for (size_t j = 0; j < garment.joints.size(); ++j) column[garment.joints[j]] = static_cast<int>(j);
  Rows rows = Rows::Zero(garment.surface.vertex_count(), static_cast<Eigen::Index>(garment.joints.size()));
  for (size_t slot = 0; slot < weights.weights.size(); ++slot) {
    if (weights.weights[slot] == 0) continue;
    rows(static_cast<Eigen::Index>(slot / weights.influences), column[weights.joints[slot]]) += weights.weights[slot];
  }
  return rows;
}

Rows Smoothed(const Csr& neighbors, Rows rows, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const Rows before = rows;
    for (Eigen::Index v = 0; v < rows.rows(); ++v) {
      const std::span<const int> around = neighbors[static_cast<int>(v)];
      for (const int k : around) rows.row(v) += before.row(k);
      rows.row(v) /= static_cast<double>(1 + around.size());
    }
  }
  return rows;
}

class Mixer {
 public:
  Mixer(const Subject& garment, const TrainingSet& set, const SkinWeights& weights, const std::vector<Guide>& skin,
        int l)
      : set_(set), l_(l), poses_(std::min(kPoses, static_cast<int>(set.poses.size()))) {
    std::vector<bool> on_skin(set.vertex_count(), false);
    const Rows own = Dense(garment, weights);
    std::vector<Rows> skins(1, own);
    for (const Guide& guide : skin) {
      on_skin[guide.vertex] = true;
      skins[0](guide.vertex, guide.joint) = guide.target;
    }
    for (size_t i = 1; i < std::size(kSmooth); ++i) {
      skins.push_back(Smoothed(set.neighbors, skins.back(), kSmooth[i] - kSmooth[i - 1]));
    }
    tried_.resize(set.vertex_count());
    depth_.resize(set.vertex_count());
    choice_.assign(set.vertex_count(), 0);
    places_.resize(set.vertex_count());
    ParallelFor(set.vertex_count(), 16, [&](int v) { Try(v, own, on_skin[v] ? skins : std::vector<Rows>()); });
  }

  // Lets the vertices choose one after the other, in the mesh's order: the result must not depend on the number of
  // threads.
  void Agree() {
    bool changed = true;
    for (int sweep = 0; sweep < kSweeps && changed; ++sweep) {
      changed = false;
      for (int v = 0; v < set_.vertex_count(); ++v) changed = Choose(v) || changed;
    }
  }

  SkinWeights Chosen(std::span<const int> joints) const {
    SkinWeights out{.influences = l_, .joints = {}, .weights = {}};
    for (int v = 0; v < set_.vertex_count(); ++v) {
      const auto first = static_cast<size_t>(choice_[v]) * l_;
      for (int k = 0; k < l_; ++k) {
        out.joints.push_back(static_cast<uint16_t>(joints[tried_[v].joints[first + k]]));
        out.weights.push_back(tried_[v].weights[first + k]);
      }
    }
    return out;
  }

 private:
  // Makes the mixtures of one vertex, the field's own first, each with no more influences than will be shipped, and
  // chooses the least deep one to begin with.
  void Try(int v, const Rows& own, const std::vector<Rows>& skins) {
    std::vector<double> dense(own.row(v).begin(), own.row(v).end());
    for (const Rows& skin : skins) {
      for (int k = 1; k <= kShares; ++k) {
        const double share = static_cast<double>(k) / kShares;
        for (Eigen::Index j = 0; j < own.cols(); ++j) {
          dense.push_back((1 - share) * own(v, j) + share * skin(v, j));
        }
      }
    }
    std::vector<int> columns(own.cols());
    std::iota(columns.begin(), columns.end(), 0);
    tried_[v] = StrongestWeights(dense, columns, l_);
    const int count = static_cast<int>(tried_[v].weights.size()) / l_;
    for (int c = 0; c < count; ++c) depth_[v].push_back(count > 1 ? Depth(v, Place(v, c)) : 0);
    choice_[v] = static_cast<int>(std::min_element(depth_[v].begin(), depth_[v].end()) - depth_[v].begin());
    places_[v] = Place(v, choice_[v]);
  }

  int PoseOf(int i) const { return static_cast<int>(static_cast<int64_t>(i) * set_.poses.size() / poses_); }

  Places Place(int v, int c) const {
    Places out = Places::Zero(3, poses_);
    const Eigen::Vector3d x = set_.points.col(v);
    for (int k = 0; k < l_; ++k) {
      const size_t slot = static_cast<size_t>(c) * l_ + k;
      const float weight = tried_[v].weights[slot];
      if (weight == 0) continue;
      const int j = tried_[v].joints[slot];
      for (int i = 0; i < poses_; ++i) out.col(i) += weight * (set_.poses[PoseOf(i)].T[j] * x).cast<float>();
    }
    return out;
  }

  double Depth(int v, const Places& places) const {
    const double margin = std::min(set_.collider->margins[v], kClear);
    double loss = 0;
    for (int i = 0; i < poses_; ++i) {
      const double depth = margin - set_.collider->bodies[PoseOf(i)].At(places.col(i).cast<double>()).height;
      if (depth > 0) loss += std::log1p(depth * depth / (kDelta * kDelta));
    }
    return loss;
  }

  // Stretch term of the edges from a vertex at `places` to its neighbours, where these are now.
  double Stretch(int v, const Places& places) const {
    double loss = 0;
    for (const int k : set_.neighbors[v]) {
      const auto rest = static_cast<float>((set_.points.col(v) - set_.points.col(k)).norm());
      if (rest == 0) continue;
      const Eigen::ArrayXf ratio = ((places - places_[k]).colwise().norm() / rest).array().max(1e-3f);
      loss += static_cast<double>((ratio.max(ratio.inverse()) - 1).square().sum());
    }
    return loss;
  }

  // Chooses the best mixture of a vertex, given its neighbours'. Returns whether it is another than before.
  bool Choose(int v) {
    const int count = static_cast<int>(depth_[v].size()), before = choice_[v];
    if (count == 1) return false;
    double least = depth_[v][before] + kStretch * Stretch(v, places_[v]);
    for (int c = 0; c < count; ++c) {
      if (c == before || depth_[v][c] >= least) continue;
      const Places places = Place(v, c);
      const double loss = depth_[v][c] + kStretch * Stretch(v, places);
      if (loss >= least) continue;
      least = loss;
      choice_[v] = c;
    }
    if (choice_[v] != before) places_[v] = Place(v, choice_[v]);
    return choice_[v] != before;
  }

  const TrainingSet& set_;
  const int l_, poses_;
  // Per vertex:
  std::vector<SkinWeights> tried_;          // one row per mixture; joints are columns of Dense()
  std::vector<std::vector<double>> depth_;  // depth term of each mixture
  std::vector<int> choice_;                 // index of the chosen mixture
  std::vector<Places> places_;              // positions with the chosen mixture
};

}  // namespace

SkinWeights MixWithSkin(const Subject& garment, const TrainingSet& set, const SkinWeights& weights,
                        const std::vector<Guide>& skin, int l) {
  Mixer mixer(garment, set, weights, skin, l);
  mixer.Agree();
  return mixer.Chosen(garment.joints);
}

}  // namespace sinew::skincells
