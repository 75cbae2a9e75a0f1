#include "sinew/offline/corpus/packed_numbers.h"

#include <algorithm>
#include <numeric>

#include "sinew/offline/core/range_coder.h"
#include "sinew/offline/corpus/field_coder.h"
#include "sinew/offline/corpus/point_guesses.h"

namespace sinew::corpus {
namespace {

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
bool CodeWeights(Coder& coder, const PointGuesses& guesses, int joint_count, PackedNumbers& numbers) {
  std::array<BitModel, kPackedInfluences> same;
  std::array<NumberModel, kPackedInfluences> joint_models;
  std::array<std::array<NumberModel, kPackedInfluences>, 2> weight_models;
  const std::vector<int> none(kPackedInfluences, 0);
  for (size_t place = 0; place < guesses.order.size(); ++place) {
    const std::span<const int> sources = guesses.sources[static_cast<int>(place)];
    const auto row = [](std::vector<int>& all, int point) {
      return &all[static_cast<size_t>(point) * kPackedInfluences];
    };
    int* joints = row(numbers.joints, guesses.order[place]);
    int* weights = row(numbers.weights, guesses.order[place]);
    const int* near_joints = sources.empty() ? none.data() : row(numbers.joints, sources[0]);
    const int* near_weights = sources.empty() ? none.data() : row(numbers.weights, sources[0]);
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

template <typename Coder>
bool CodeRotations(Coder& coder, int joints, std::vector<PackedNumbers::Rotation>& rotations) {
  struct Models {
    NumberModel largest;
    std::array<NumberModel, 3> others;
  };
  std::vector<Models> models(joints);
  for (size_t i = 0; i < rotations.size(); ++i) {
    Models& of_joint = models[i % models.size()];
    PackedNumbers::Rotation& rotation = rotations[i];
    rotation.largest = static_cast<int>(coder.Unsigned(of_joint.largest, static_cast<uint32_t>(rotation.largest)));
    if (rotation.largest > 3) return false;
    int64_t squares = 0;
    for (int k = 0; k < 3; ++k) {
      rotation.others[k] = coder.Signed(of_joint.others[k], rotation.others[k]);
      squares += int64_t{rotation.others[k]} * rotation.others[k];
    }
    if (squares > int64_t{kRotationSteps} * kRotationSteps) return false;
  }
  return true;
}

template <typename Coder>
bool CodeCoefficients(Coder& coder, int frames, std::vector<int>& coefficients) {
  NumberModel model;
  for (size_t i = 0; i < coefficients.size(); ++i) {
    if (i % frames == 0) model = NumberModel();  // of the next mode
    coefficients[i] = coder.Signed(model, coefficients[i]);
  }
  return true;
}

template <typename Coder>
bool CodeModes(Coder& coder, int count, PackedNumbers& numbers) {
  const std::vector<uint16_t> grid(numbers.positions.begin(), numbers.positions.end());
  const PointGuesses guesses = MakePointGuesses(CoarseToFine(grid), numbers.triangles);
  FieldCoder fields(guesses);
  bool fits = true;
  for (int k = 0; k < count && fits; ++k) {
    fits = fields.Code(coder, &numbers.modes[static_cast<size_t>(k) * numbers.positions.size()]);
  }
  return fits;
}

template <typename Coder>
std::string CodeNumbers(Coder& coder, const PackedCounts& counts, PackedNumbers& numbers) {
  if (!CodeTriangles(coder, counts.points, numbers.triangles)) return "name a point beyond the last in a triangle";
  std::vector<int> order(counts.points);
  std::iota(order.begin(), order.end(), 0);
  const PointGuesses guesses = MakePointGuesses(std::move(order), numbers.triangles);
  if (!CodePositions(coder, guesses, numbers.positions)) return "have a position outside of the grid";
  if (!CodeWeights(coder, guesses, counts.joints, numbers)) {
    return "name a joint beyond the last, or have weights that do not sum to 1";
  }
  if (!CodeRotations(coder, counts.joints, numbers.rotations)) return "have a rotation that is none";
  CodeCoefficients(coder, counts.frames, numbers.coefficients);
  if (!CodeModes(coder, counts.modes, numbers)) return "have a mode that is too large";
  return "";
}

}  // namespace

int64_t PackedCounts::All() const {
  const int64_t at_points = int64_t{points} * (3 + 2 * kPackedInfluences - 1 + 3 * int64_t{modes});
  return at_points + 3 * int64_t{triangles} + int64_t{frames} * (4 * int64_t{joints} + modes);
}

Bytes EncodeNumbers(PackedNumbers numbers, const PackedCounts& counts) {
  RangeEncoder encoder;
  CodeNumbers(encoder, counts, numbers);
  return encoder.Finish();
}

std::string DecodeNumbers(std::span<const std::byte> bytes, const PackedCounts& counts, PackedNumbers& numbers) {
  const auto points = static_cast<size_t>(counts.points), frames = static_cast<size_t>(counts.frames);
  numbers.positions.assign(3 * points, 0);
  numbers.triangles = Triangles::Zero(counts.triangles, 3);
  numbers.joints.assign(points * kPackedInfluences, 0);
  numbers.weights.assign(points * kPackedInfluences, 0);
  numbers.rotations.assign(frames * static_cast<size_t>(counts.joints), {});
  numbers.coefficients.assign(frames * static_cast<size_t>(counts.modes), 0);
  numbers.modes.assign(3 * points * static_cast<size_t>(counts.modes), 0);
  RangeDecoder decoder(bytes);
  const std::string problem = CodeNumbers(decoder, counts, numbers);
  if (!problem.empty()) return problem;
  return decoder.AtEnd() ? "" : "are not as many as there should be";
}

}  // namespace sinew::corpus
