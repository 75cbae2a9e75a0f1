#include "sinew/offline/io/triangulate.h"

#include <Eigen/Geometry>
#include <numeric>

namespace sinew {
namespace {

constexpr size_t kMaxEars = 200;

// M. Newell's normal: twice the polygon's area vector, right for non-convex and slightly bent polygons too.
Eigen::Vector3d NewellNormal(const std::vector<Eigen::Vector3d>& p) {
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  for (size_t i = 0; i < p.size(); ++i) normal += p[i].cross(p[(i + 1) % p.size()]);
  return normal;
}

// Polygon as seen along its normal.
class Flat {
 public:
  Flat(const std::vector<Eigen::Vector3d>& points, const Eigen::Vector3d& normal) {
    Eigen::Index axis = 0;
    normal.cwiseAbs().maxCoeff(&axis);
    const int u = static_cast<int>(axis + 1) % 3, v = static_cast<int>(axis + 2) % 3;
    const double sign = normal[axis] < 0 ? -1 : 1;
    for (const Eigen::Vector3d& p : points) points_.emplace_back(sign * p[u], p[v]);
  }
  // Positive where a, b, c turn left.
  double Turn(int a, int b, int c) const {
    const Eigen::Vector2d ab = points_[b] - points_[a], ac = points_[c] - points_[a];
    return ab.x() * ac.y() - ab.y() * ac.x();
  }
  bool Inside(int p, int a, int b, int c) const {
    return Turn(a, b, p) >= 0 && Turn(b, c, p) >= 0 && Turn(c, a, p) >= 0;
  }

 private:
  std::vector<Eigen::Vector2d> points_;
};

bool IsConvex(const Flat& flat, int count) {
  for (int i = 0; i < count; ++i) {
    if (flat.Turn(i, (i + 1) % count, (i + 2) % count) < 0) return false;
  }
  return true;
}

bool IsEar(const Flat& flat, const std::vector<int>& ring, size_t at) {
  const size_t n = ring.size();
  const int a = ring[(at + n - 1) % n], b = ring[at], c = ring[(at + 1) % n];
  if (flat.Turn(a, b, c) <= 0) return false;
  for (const int p : ring) {
    if (p != a && p != b && p != c && flat.Inside(p, a, b, c)) return false;
  }
  return true;
}

std::vector<std::array<int, 3>> ClipEars(const Flat& flat, int count) {
  std::vector<std::array<int, 3>> triangles;
  std::vector<int> ring(count);
  std::iota(ring.begin(), ring.end(), 0);
  while (ring.size() > 3) {
    size_t ear = 1;  // a polygon that crosses itself may have none: then any corner goes
    for (size_t at = 0; at < ring.size(); ++at) {
      if (!IsEar(flat, ring, at)) continue;
      ear = at;
      break;
    }
    const size_t n = ring.size();
    triangles.push_back({ring[(ear + n - 1) % n], ring[ear], ring[(ear + 1) % n]});
    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  triangles.push_back({ring[0], ring[1], ring[2]});
  return triangles;
}

}  // namespace

std::vector<std::array<int, 3>> Triangulate(std::span<const Eigen::Vector3f> corners) {
  const int count = static_cast<int>(corners.size());
  if (count > 3 && corners.size() <= kMaxEars) {
    std::vector<Eigen::Vector3d> points;
    for (const Eigen::Vector3f& corner : corners) points.emplace_back((corner - corners[0]).cast<double>());
    const Flat flat(points, NewellNormal(points));
    if (!IsConvex(flat, count)) return ClipEars(flat, count);
  }
  std::vector<std::array<int, 3>> fan;
  for (int i = 2; i < count; ++i) fan.push_back({0, i - 1, i});
  return fan;
}

}  // namespace sinew
