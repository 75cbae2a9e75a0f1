// Cuts a polygon of a file into triangles.
#ifndef SINEW_OFFLINE_IO_TRIANGULATE_H_
#define SINEW_OFFLINE_IO_TRIANGULATE_H_

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

namespace sinew {

// Returns size() - 2 triangles, as indices into `corners`, with the polygon's own sense of rotation. A convex polygon
// becomes a fan around its first corner, as in other programs; others are cut ear by ear. Every corner is used,
// whatever the polygon is like (flat, crossing itself, not planar). Polygons of over 200 corners always become a fan,
// which bounds the time.
std::vector<std::array<int, 3>> Triangulate(std::span<const Eigen::Vector3f> corners);

}  // namespace sinew

#endif  // SINEW_OFFLINE_IO_TRIANGULATE_H_
