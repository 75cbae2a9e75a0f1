// Signed distance to a collider, and its gradient.
#ifndef SINEW_DYNAMICS_DISTANCE_SAMPLE_H_
#define SINEW_DYNAMICS_DISTANCE_SAMPLE_H_

namespace sinew::dynamics {

// D: number of dimensions.
template <int D>
struct DistanceSample {
  double distance = 0;  // negative inside
  double gradient[D] = {};
};

}  // namespace sinew::dynamics

#endif  // SINEW_DYNAMICS_DISTANCE_SAMPLE_H_
