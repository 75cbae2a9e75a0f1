// The numbers of a packed body as whole numbers, and their coding: docs/formats/pack.md.
#ifndef SINEW_OFFLINE_CORPUS_PACKED_NUMBERS_H_
#define SINEW_OFFLINE_CORPUS_PACKED_NUMBERS_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::corpus {

inline constexpr int kPackedInfluences = 4;
inline constexpr int kPositionSteps = 65535, kWeightSteps = 4095, kRotationSteps = 1 << 14;

// How many there are of everything.
struct PackedCounts {
  int joints = 0, points = 0, triangles = 0, frames = 0, modes = 0;

  // How many numbers are coded.
  int64_t All() const;
};

struct PackedNumbers {
  // Rotation by its three smaller components, in 1/kRotationSteps; the largest is above 0.
  struct Rotation {
    int largest = 0;
    std::array<int, 3> others = {};
  };

  std::vector<int32_t> positions;  // steps of the grid, three per point, 0 to kPositionSteps
  Triangles triangles;
  std::vector<int> joints;          // kPackedInfluences per point
  std::vector<int> weights;         // in 1/kWeightSteps; those of a point sum to kWeightSteps
  std::vector<Rotation> rotations;  // one per joint and frame, those of a frame together
  std::vector<int> coefficients;    // one per mode and frame, those of a mode together
  std::vector<int32_t> modes;       // three per point and mode, those of a mode together
};

// Rounds a value to whole steps from 0 to most.
int StepsOf(double value, double most);
// Returns the steps of every point's weights, which sum to kWeightSteps: what rounding leaves goes to the strongest,
// which is the first. weights: of kPackedInfluences per point.
std::vector<int> RoundedWeights(const SkinWeights& weights, int points);
std::vector<float> WeightsOf(const std::vector<int>& steps);

Bytes EncodeNumbers(PackedNumbers numbers, const PackedCounts& counts);

// Decodes; counts must not be more than the bytes can hold (kMaxNumbersPerByte). Returns an empty text, or what is
// wrong as the end of a sentence whose subject is the body's numbers.
std::string DecodeNumbers(std::span<const std::byte> bytes, const PackedCounts& counts, PackedNumbers& numbers);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_PACKED_NUMBERS_H_
