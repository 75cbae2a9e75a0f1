#include "sinew/offline/dataset/split_frames.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/random.h"

namespace sinew::dataset {
namespace {

// Motions of random lengths with missing frames, and samples, in any order.
std::vector<FramePlace> RandomPlaces(uint64_t seed) {
  Random random(seed);
  std::vector<FramePlace> places;
  for (int motion = 0; motion < 4; ++motion) {
    const bool timed = motion > 0;
    const int count = 20 + static_cast<int>(random.Below(200));
    for (int f = 0; f < count; ++f) {
      if (random.Uniform() < 0.9) places.push_back({motion, f, timed});
    }
  }
  for (size_t k = places.size(); k > 1; --k) {
    std::swap(places[k - 1], places[random.Below(static_cast<uint32_t>(k))]);
  }
  return places;
}

TEST(DealFrames, NeighboursAreNeverOnDifferentSidesAndSharesAreKept) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<FramePlace> places = RandomPlaces(seed);
    const DealOptions options{.shares = {0.7, 0.2, 0.1}, .gap = 1 + static_cast<int>(seed % 3), .seed = seed};
    const Deal deal = DealFrames(places, options);
    EXPECT_EQ(deal.sides, DealFrames(places, options).sides);
    int left_out = 0, validation = 0;
    for (size_t i = 0; i < places.size(); ++i) {
      left_out += deal.sides[i] < 0;
      validation += deal.sides[i] == static_cast<int>(Side::kValidation);
      if (deal.sides[i] < 0 || !places[i].timed) continue;
      for (size_t k = 0; k < places.size(); ++k) {
        const bool near =
            places[k].motion == places[i].motion && std::abs(places[k].number - places[i].number) <= options.gap;
        if (near && deal.sides[k] >= 0) {
          ASSERT_EQ(deal.sides[k], deal.sides[i]) << seed;
        }
      }
    }
    EXPECT_EQ(left_out, deal.between);
    EXPECT_LT(left_out, 0.25 * static_cast<double>(places.size()));
    EXPECT_NEAR(validation, 0.2 * static_cast<double>(places.size()), 0.1 * static_cast<double>(places.size()));
  }
}

TEST(DealFrames, MotionsCanStayWholeOrGoToOneSide) {
  const std::vector<FramePlace> places = RandomPlaces(7);
  const Deal deal = DealFrames(places, {.by_motion = true}, {-1, -1, static_cast<int>(Side::kTest), -1});
  std::vector<int> side_of(4, -2);
  for (size_t i = 0; i < places.size(); ++i) {
    if (!places[i].timed) continue;
    int& side = side_of[places[i].motion];
    if (side == -2) side = deal.sides[i];
    EXPECT_EQ(deal.sides[i], side);
  }
  EXPECT_EQ(side_of[2], static_cast<int>(Side::kTest));
}

}  // namespace
}  // namespace sinew::dataset
