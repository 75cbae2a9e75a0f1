// Coding of numbers at the points of a mesh, several fields of three numbers per point one after the other.
#ifndef SINEW_OFFLINE_CORPUS_FIELD_CODER_H_
#define SINEW_OFFLINE_CORPUS_FIELD_CODER_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "sinew/offline/core/range_coder.h"
#include "sinew/offline/corpus/point_guesses.h"

namespace sinew::corpus {

// Codes fields one after the other. A number is coded as its difference from the guess, with the statistics of numbers
// whose guesses were about as wrong: at the points around it, at the other numbers of its point, and in the fields
// before.
class FieldCoder {
 public:
  explicit FieldCoder(const PointGuesses& guesses)
      : guesses_(guesses), wrong_(guesses.order.size(), 0), before_(guesses.order.size(), 0) {}

  // field: three numbers per point, read by an encoder and written by a decoder. Returns whether all of them are
  // within 24 bits, as an encoder's must be.
  template <typename Coder>
  bool Code(Coder& coder, int32_t* field) {
    bool fits = true;
    for (size_t place = 0; place < guesses_.order.size(); ++place) {
      const int point = guesses_.order[place];
      const int around = Around(place);
      int own = 0;
      for (int axis = 0; axis < 3; ++axis) {
        int32_t& number = field[3 * static_cast<size_t>(point) + axis];
        const int guess = Guess(place, field, axis);
        NumberModel& model = models_[axis > 0][Level(axis == 0 ? around : around + own * (axis == 1 ? 2 : 1))]
                                    [std::min<int>(Level(before_[point]), kHistories - 1)];
        const int difference = coder.Signed(model, number - guess);
        number = guess + difference;
        fits &= std::abs(number) < kLimit;
        if (!fits) number = 0;
        own += std::min(std::abs(difference), kMostWrong);
      }
      wrong_[point] = own;
    }
    for (size_t i = 0; i < before_.size(); ++i) before_[i] += (4 * wrong_[i] - before_[i]) / 4;
    return fits;
  }

  static constexpr int32_t kLimit = 1 << (kMaxNumberBits - 1);

 private:
  static constexpr int kLevels = 24, kHistories = 12, kMostWrong = 1 << 20;

  // Two levels per doubling.
  static int Level(int wrong) {
    const auto value = static_cast<uint32_t>(wrong);
    const int bits = std::bit_width(value);
    const int half = bits > 1 ? static_cast<int>(value >> (bits - 2) & 1) : 0;
    return std::min(bits < 2 ? bits : 2 * bits - 2 + half, kLevels - 1);
  }

  // How wrong the guesses around were: four times the mean over sources of what their three numbers differed by.
  int Around(size_t place) const {
    int64_t sum = 0, weights = 0;
    for (int k = guesses_.sources.offsets[place]; k < guesses_.sources.offsets[place + 1]; ++k) {
      sum += int64_t{guesses_.weights[k]} * wrong_[guesses_.sources.items[k]];
      weights += guesses_.weights[k];
    }
    return weights > 0 ? static_cast<int>(4 * sum / weights) : kMostWrong;
  }

  int Guess(size_t place, const int32_t* field, int axis) const {
    int64_t sum = 0, weights = 0;
    for (int k = guesses_.sources.offsets[place]; k < guesses_.sources.offsets[place + 1]; ++k) {
      sum += int64_t{guesses_.weights[k]} * field[3 * static_cast<size_t>(guesses_.sources.items[k]) + axis];
      weights += guesses_.weights[k];
    }
    if (weights == 0) return 0;
    // Rounded to the nearest, halves away from zero.
    return static_cast<int>((sum + (sum < 0 ? -weights : weights) / 2) / weights);
  }

  const PointGuesses& guesses_;
  std::vector<int> wrong_, before_;  // per point: differences in this field, and in those before
  std::array<std::array<std::array<NumberModel, kHistories>, kLevels>, 2> models_;
};

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_FIELD_CODER_H_
