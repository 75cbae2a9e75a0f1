#include "sinew/offline/corpus/packed_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "sinew/offline/core/range_coder.h"
#include "sinew/offline/corpus/code_surface.h"
#include "sinew/offline/corpus/point_guesses.h"

namespace sinew::corpus {
namespace {

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
  const PointGuesses guesses = GuessesInOrder(counts.points, numbers.triangles);
  if (!CodePositions(coder, guesses, numbers.positions)) return "have a position outside of the grid";
  if (!CodeWeights(coder, guesses, counts.joints, numbers.joints, numbers.weights)) {
    return "name a joint beyond the last, or have weights that do not sum to 1";
  }
  if (!CodeRotations(coder, counts.joints, numbers.rotations)) return "have a rotation that is none";
  CodeCoefficients(coder, counts.frames, numbers.coefficients);
  if (!CodeModes(coder, counts.modes, numbers)) return "have a mode that is too large";
  return "";
}

}  // namespace

int StepsOf(double value, double most) { return static_cast<int>(std::lround(std::clamp(value, 0.0, most))); }

std::vector<int> RoundedWeights(const SkinWeights& weights, int points) {
  std::vector<int> steps;
  for (int i = 0; i < points; ++i) {
    const float* row = &weights.weights[static_cast<size_t>(i) * kPackedInfluences];
    const double sum = std::accumulate(row, row + kPackedInfluences, 0.0);
    int left = kWeightSteps;
    for (int k = 1; k < kPackedInfluences; ++k) {
      steps.push_back(StepsOf(kWeightSteps * row[k] / sum, left));
      left -= steps.back();
    }
    steps.insert(steps.end() - (kPackedInfluences - 1), left);
  }
  return steps;
}

std::vector<float> WeightsOf(const std::vector<int>& steps) {
  std::vector<float> weights;
  for (const int step : steps) weights.push_back(static_cast<float>(step) / kWeightSteps);
  return weights;
}

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
