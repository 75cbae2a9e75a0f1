// Largest distance from the origin that a vertex or a joint may have.
#ifndef SINEW_OFFLINE_MESH_REACH_H_
#define SINEW_OFFLINE_MESH_REACH_H_

#include <Eigen/Core>

namespace sinew {

// Largest coordinate that is worked with, in the file's unit: a thousand kilometres in millimetres. No character is
// larger, a float holds no digits of one that far away, and fourth powers of lengths, such as squared areas, still fit
// into a float; search trees (Embree) fail an assertion from about 1e18 on.
constexpr float kFarthestCoordinate = 1e9f;

// Whether all coordinates are finite and in reach.
inline bool IsInReach(const Eigen::Vector3f& point) { return (point.array().abs() <= kFarthestCoordinate).all(); }

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_REACH_H_
