#include "sinew/offline/mesh/tracker.h"

namespace sinew {
namespace {

// Barycentric coordinate above which a corner owns a place: a little more than one half, so that it is still more after
// rounding to single precision.
constexpr double kOwn = 0.501;

// Corner that owns a place; -1 if none does.
int Owner(const Eigen::Vector3d& barycentric) {
  for (int k = 0; k < 3; ++k) {
    if (barycentric[k] > kOwn) return k;
  }
  return -1;
}

}  // namespace

void Tracker::Reset(int points, int triangles, int vertices) {
  locations_.assign(points, {});
  next_.assign(points, -1);
  head_.assign(triangles, -1);
  owned_.assign(vertices, 0);
}

void Tracker::Put(int point, int triangle, const Eigen::Vector3d& barycentric) {
  locations_[point] = {triangle, barycentric};
  next_[point] = head_[triangle];
  head_[triangle] = point;
}

bool Tracker::Move(const Patch& patch, const Plane& uv, const std::vector<int>& triangles_before,
                   const std::vector<int>& triangles_after, const std::vector<int>& vertices) {
  moved_.clear();
  change_.assign(vertices.size(), 0);
  for (size_t t = 0; t < triangles_before.size(); ++t) {
    const auto& corners = patch.before[t];
    VisitPoints(triangles_before[t], [&](int point) {
      const Eigen::Vector3d& b = locations_[point].barycentric;
      if (const int k = Owner(b); k >= 0) --change_[corners[k]];
      const Eigen::Vector2d place = b[0] * uv[corners[0]] + b[1] * uv[corners[1]] + b[2] * uv[corners[2]];
      const Place after = Locate(uv, patch.after, place);
      if (const int k = Owner(after.barycentric); k >= 0) ++change_[patch.after[after.triangle][k]];
      moved_.push_back({point, after.triangle, after.barycentric});
    });
  }
  const int kept = vertices[Patch::kJ];
  change_[Patch::kV] += change_[Patch::kJ];
  if (owned_[kept] + change_[Patch::kV] < 1) return false;
  for (size_t k = Patch::kRing; k < vertices.size(); ++k) {
    if (owned_[vertices[k]] + change_[k] < 1) return false;
  }
  owned_[kept] += change_[Patch::kV];
  for (size_t k = Patch::kRing; k < vertices.size(); ++k) owned_[vertices[k]] += change_[k];
  for (const int t : triangles_before) head_[t] = -1;
  for (const Moved& moved : moved_) Put(moved.point, triangles_after[moved.triangle], moved.barycentric);
  return true;
}

}  // namespace sinew
