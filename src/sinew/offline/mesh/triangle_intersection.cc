#include "sinew/offline/mesh/triangle_intersection.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "sinew/offline/mesh/predicates.h"

namespace sinew {
namespace {

using Eigen::Vector2f;
using Eigen::Vector3f;

Vector2f DropAxis(const Vector3f& p, int axis) { return {p[(axis + 1) % 3], p[(axis + 2) % 3]}; }

int OrientWithout(int axis, const Vector3f& a, const Vector3f& b, const Vector3f& c) {
  return Orient2d(DropAxis(a, axis), DropAxis(b, axis), DropAxis(c, axis));
}

// Axis along which the triangle still has an area when projected; -1 if it has none at all.
int ProjectionAxis(const Corners3f& t) {
  const Eigen::Vector3d normal = (t[1] - t[0]).cast<double>().cross((t[2] - t[0]).cast<double>());
  int best = 0;
  normal.cwiseAbs().maxCoeff(&best);
  for (int i = 0; i < 3; ++i) {
    const int axis = (best + i) % 3;
    if (OrientWithout(axis, t[0], t[1], t[2]) != 0) return axis;
  }
  return -1;
}

// Whether p, a point of the plane on the line ab, is between a and b.
bool Between(const Vector2f& p, const Vector2f& a, const Vector2f& b) {
  return std::min(a.x(), b.x()) <= p.x() && p.x() <= std::max(a.x(), b.x()) && std::min(a.y(), b.y()) <= p.y() &&
         p.y() <= std::max(a.y(), b.y());
}

bool SegmentsMeet(const Vector2f& p, const Vector2f& q, const Vector2f& a, const Vector2f& b) {
  const int pa = Orient2d(p, q, a), pb = Orient2d(p, q, b), ap = Orient2d(a, b, p), aq = Orient2d(a, b, q);
  if (pa * pb < 0 && ap * aq < 0) return true;
  return (pa == 0 && Between(a, p, q)) || (pb == 0 && Between(b, p, q)) || (ap == 0 && Between(p, a, b)) ||
         (aq == 0 && Between(q, a, b));
}

bool Inside(const Vector2f& p, const std::array<Vector2f, 3>& t) {
  const int s0 = Orient2d(t[0], t[1], p), s1 = Orient2d(t[1], t[2], p), s2 = Orient2d(t[2], t[0], p);
  return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

bool CoplanarSegmentMeetsTriangle(const Vector3f& p, const Vector3f& q, const Corners3f& t) {
  const int axis = ProjectionAxis(t);
  if (axis < 0) return false;
  const Vector2f p2 = DropAxis(p, axis), q2 = DropAxis(q, axis);
  const std::array<Vector2f, 3> t2 = {DropAxis(t[0], axis), DropAxis(t[1], axis), DropAxis(t[2], axis)};
  if (Inside(p2, t2) || Inside(q2, t2)) return true;
  for (int k = 0; k < 3; ++k) {
    if (SegmentsMeet(p2, q2, t2[k], t2[(k + 1) % 3])) return true;
  }
  return false;
}

// Whether all of b is strictly on one side of a's plane.
bool PlaneSeparates(const Corners3f& a, const Corners3f& b) {
  const int first = Orient3d(a[0], a[1], a[2], b[0]);
  return first != 0 && Orient3d(a[0], a[1], a[2], b[1]) == first && Orient3d(a[0], a[1], a[2], b[2]) == first;
}

bool AnyEdgeMeets(const Corners3f& a, const Corners3f& b) {
  for (int k = 0; k < 3; ++k) {
    if (SegmentMeetsTriangle(a[k], a[(k + 1) % 3], b)) return true;
  }
  return false;
}

}  // namespace

bool HasArea(const Corners3f& triangle) { return ProjectionAxis(triangle) >= 0; }

bool SegmentMeetsTriangle(const Vector3f& p, const Vector3f& q, const Corners3f& t) {
  const int side_p = Orient3d(t[0], t[1], t[2], p), side_q = Orient3d(t[0], t[1], t[2], q);
  if (side_p == 0 && side_q == 0) return CoplanarSegmentMeetsTriangle(p, q, t);
  if (side_p * side_q > 0) return false;
  // The line crosses the plane in one point; it lies in the triangle if the line passes all edges on the same side.
  const int s0 = Orient3d(p, q, t[0], t[1]), s1 = Orient3d(p, q, t[1], t[2]), s2 = Orient3d(p, q, t[2], t[0]);
  return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

// Where two triangles meet, the common part ends on an edge of one of them.
bool TrianglesMeet(const Corners3f& a, const Corners3f& b) {
  if (PlaneSeparates(a, b) || PlaneSeparates(b, a)) return false;
  return HasArea(a) && HasArea(b) && (AnyEdgeMeets(a, b) || AnyEdgeMeets(b, a));
}

// The common part is convex and holds the corner. Any other point of it, pushed away from the corner, stays in both
// triangles until it reaches the far edge of one of them.
bool TrianglesMeetBeyondCorner(const Corners3f& a, const Corners3f& b) {
  return (SegmentMeetsTriangle(a[1], a[2], b) || SegmentMeetsTriangle(b[1], b[2], a)) && HasArea(a) && HasArea(b);
}

bool TrianglesMeetBeyondEdge(const Corners3f& a, const Corners3f& b) {
  if (Orient3d(a[0], a[1], a[2], b[2]) != 0) return false;
  const int axis = ProjectionAxis(a);
  return axis >= 0 && OrientWithout(axis, a[0], a[1], a[2]) == OrientWithout(axis, a[0], a[1], b[2]);
}

}  // namespace sinew
