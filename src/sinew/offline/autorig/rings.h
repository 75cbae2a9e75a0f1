// Surfaces of rings beside the skin of a body, of which costumes (costume.h) and props (props.h) are made.
#ifndef SINEW_OFFLINE_AUTORIG_RINGS_H_
#define SINEW_OFFLINE_AUTORIG_RINGS_H_

#include <Eigen/Core>
#include <array>
#include <functional>
#include <vector>

#include "sinew/offline/autorig/example.h"

namespace sinew::autorig {

using JointWeights = Eigen::Matrix<float, 1, kJoints>;

constexpr int kSectors = 48;  // of a ring

// A closed curve of kSectors points. Around an upright body it goes from the left to the front.
using Ring = std::array<Eigen::Vector3d, kSectors>;

double AngleOf(int sector);

// A level ring.
Ring Ellipse(const Eigen::Vector3d& middle, double wide, double deep);

// Adds a surface through rings that follow each other from the top to the bottom, seen from outside. around: whether
// the first follows the last, as in a skirt with an inside; otherwise both ends are closed by a point in their middle.
WeightedBody AddRings(WeightedBody body, const std::vector<Ring>& rings, bool around,
                      const std::function<JointWeights(const Eigen::Vector3d&)>& weights);

// All of the weight at one joint.
JointWeights AloneWith(int joint);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_RINGS_H_
