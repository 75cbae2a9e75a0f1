// Ways of drawing sampled poses, to learn from or to judge by, each for a share of them.
#ifndef SINEW_OFFLINE_POSES_DRAWS_H_
#define SINEW_OFFLINE_POSES_DRAWS_H_

#include <cstdint>
#include <vector>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/poses/sample_poses.h"

namespace sinew::poses {

// One kind of samples among the poses.
struct Draw {
  const char* name = "";  // as the poses' file calls them
  SampleOptions options;
};

struct DrawShares {
  double wide = 0.5;       // share over the whole joint limits
  bool human = true;       // whether the others are as people take them, where joints are a person's by their names
  double rare = 0.5;       // share of these that are farther from what people usually do
  double rare_spread = 2;  // how much farther: SampleOptions::human_spread
  double inner = 0.6;      // otherwise the others are over this part of the limits: SampleOptions::amount
};

// Returns how `count` poses are drawn. Every draw has at least one pose and a random stream of its own.
std::vector<Draw> DrawsOf(const DrawShares& shares, const Articulation& articulation, int count, uint64_t seed);

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_DRAWS_H_
