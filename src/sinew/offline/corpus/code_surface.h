// Coding of triangles, positions and weights of packed bodies. Internal to this folder.
#ifndef SINEW_OFFLINE_CORPUS_CODE_SURFACE_H_
#define SINEW_OFFLINE_CORPUS_CODE_SURFACE_H_

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <vector>

#include "sinew/offline/core/range_coder.h"
#include "sinew/offline/corpus/field_coder.h"
#include "sinew/offline/corpus/packed_numbers.h"
#include "sinew/offline/corpus/point_guesses.h"

namespace sinew::corpus {

// Every Code function walks through its numbers for an encoder and for a decoder alike, and returns whether they are
// valid.

// A corner is coded as its difference from another that is near if points are numbered along the surface.
template <typename Coder>
bool CodeTriangles(Coder& coder, int points, Triangles& triangles) {
  std::array<NumberModel, 3> models;
  int first = 0;
  for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
    int near = first;
    for (int c = 0; c < 3; ++c) {
      near += coder.Signed(models[c], triangles(t, c) - near);
      if (near < 0 || near >= points) return false;
      triangles(t, c) = near;
      if (c == 0) first = near;
    }
  }
  return true;
}

template <typename Coder>
bool CodePositions(Coder& coder, const PointGuesses& guesses, std::vector<int32_t>& positions) {
  FieldCoder fields(guesses);
  const bool fits = fields.Code(coder, positions.data());
  return fits &&
         std::all_of(positions.begin(), positions.end(), [](int32_t p) { return p >= 0 && p <= kPositionSteps; });
}

// Joints and weights of a point are coded as what differs from those of the nearest point before it.
template <typename Coder>
bool CodeWeights(Coder& coder, const PointGuesses& guesses, int joint_count, std::vector<int>& all_joints,
                 std::vector<int>& all_weights) {
  std::array<BitModel, kPackedInfluences> same;
  std::array<NumberModel, kPackedInfluences> joint_models;
  std::array<std::array<NumberModel, kPackedInfluences>, 2> weight_models;
  const std::vector<int> none(kPackedInfluences, 0);
  for (size_t place = 0; place < guesses.order.size(); ++place) {
    const std::span<const int> sources = guesses.sources[static_cast<int>(place)];
    const auto row = [](std::vector<int>& all, int point) {
      return &all[static_cast<size_t>(point) * kPackedInfluences];
    };
    int* joints = row(all_joints, guesses.order[place]);
    int* weights = row(all_weights, guesses.order[place]);
    const int* near_joints = sources.empty() ? none.data() : row(all_joints, sources[0]);
    const int* near_weights = sources.empty() ? none.data() : row(all_weights, sources[0]);
    int left = kWeightSteps;
    for (int k = 0; k < kPackedInfluences; ++k) {
      const int alike = coder.Bit(same[k], joints[k] == near_joints[k] ? 1 : 0);
      joints[k] = alike != 0 ? near_joints[k]
                             : static_cast<int>(coder.Unsigned(joint_models[k], static_cast<uint32_t>(joints[k])));
      if (joints[k] >= joint_count) return false;
      if (k == 0) continue;
      const int guess = alike != 0 ? near_weights[k] : 0;
      weights[k] = guess + coder.Signed(weight_models[alike][k], weights[k] - guess);
      if (weights[k] < 0 || weights[k] > left) return false;
      left -= weights[k];
    }
    weights[0] = left;
  }
  return true;
}

// Guesses for points in the order of their numbers, which needs no positions.
inline PointGuesses GuessesInOrder(int points, const Triangles& triangles) {
  std::vector<int> order(points);
  std::iota(order.begin(), order.end(), 0);
  return MakePointGuesses(std::move(order), triangles);
}

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_CODE_SURFACE_H_
