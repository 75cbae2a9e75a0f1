// Tests whether triangles meet. Exact for float coordinates: every decision is a sign from predicates.h.
//
// All sets are closed: touching is meeting. Triangles without area (all corners on one line) meet nothing.
#ifndef SINEW_OFFLINE_MESH_TRIANGLE_INTERSECTION_H_
#define SINEW_OFFLINE_MESH_TRIANGLE_INTERSECTION_H_

#include <Eigen/Core>
#include <array>

namespace sinew {

using Corners3f = std::array<Eigen::Vector3f, 3>;

bool HasArea(const Corners3f& triangle);

bool SegmentMeetsTriangle(const Eigen::Vector3f& p, const Eigen::Vector3f& q, const Corners3f& triangle);

bool TrianglesMeet(const Corners3f& a, const Corners3f& b);

// Returns whether triangles that share a[0] = b[0] meet anywhere else.
bool TrianglesMeetBeyondCorner(const Corners3f& a, const Corners3f& b);

// Returns whether triangles that share the edge a[0] = b[0], a[1] = b[1] meet anywhere else: only if they are folded
// onto each other in one plane.
bool TrianglesMeetBeyondEdge(const Corners3f& a, const Corners3f& b);

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_TRIANGLE_INTERSECTION_H_
