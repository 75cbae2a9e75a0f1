// Cutting a polygon of a file into triangles.
#ifndef SINEW_OFFLINE_IO_TRIANGULATE_H_
#define SINEW_OFFLINE_IO_TRIANGULATE_H_

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

namespace sinew {

// Indices into `corners` of size() - 2 triangles with the polygon's own sense of rotation. A convex polygon becomes a
// fan around its first corner, as other programs cut it; others lose ears one by one. Whatever is given (flat, crossing
// itself, not planar), every corner is used. Over 200 corners: a fan always, which bounds the time.
std::vector<std::array<int, 3>> Triangulate(std::span<const Eigen::Vector3f> corners);

}  // namespace sinew

#endif  // SINEW_OFFLINE_IO_TRIANGULATE_H_
