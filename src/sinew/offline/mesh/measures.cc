#include "sinew/offline/mesh/measures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/offline/core/parallel.h"

namespace sinew {
namespace {

constexpr int kGrain = 8192;
constexpr double kDegree = 3.14159265358979323846 / 180;

// Sum of value(t) over all triangles.
template <typename Value>
double Sum(const TriMesh& mesh, const Value& value) {
  return ParallelReduce(
      mesh.triangle_count(), kGrain, 0.0,
      [&](int begin, int end) {
        double sum = 0;
        for (int t = begin; t < end; ++t) sum += value(t);
        return sum;
      },
      [](double& total, double part) { total += part; });
}

double TwiceArea(const std::array<Eigen::Vector3d, 3>& p) { return (p[1] - p[0]).cross(p[2] - p[0]).norm(); }

double LongestEdge(const std::array<Eigen::Vector3d, 3>& p) {
  return std::sqrt(std::max({(p[1] - p[0]).squaredNorm(), (p[2] - p[1]).squaredNorm(), (p[0] - p[2]).squaredNorm()}));
}

bool IsDegenerate(const std::array<Eigen::Vector3d, 3>& p, double tolerance) {
  const double longest = LongestEdge(p);
  return TwiceArea(p) <= tolerance * longest * longest;
}

double LargestAngle(const std::array<Eigen::Vector3d, 3>& p) {
  double largest = 0;
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d a = p[(k + 1) % 3] - p[k], b = p[(k + 2) % 3] - p[k];
    largest = std::max(largest, std::atan2(a.cross(b).norm(), a.dot(b)));
  }
  return largest;
}

}  // namespace

std::array<Eigen::Vector3d, 3> Corners(const TriMesh& mesh, int t) {
  std::array<Eigen::Vector3d, 3> corners;
  for (int k = 0; k < 3; ++k) corners[k] = mesh.positions.row(mesh.triangles(t, k)).cast<double>().transpose();
  return corners;
}

TriangleShape ShapeOf(const std::array<Eigen::Vector3d, 3>& p) {
  const double twice_area = TwiceArea(p);
  std::array<double, 3> lengths = {(p[1] - p[0]).norm(), (p[2] - p[1]).norm(), (p[0] - p[2]).norm()};
  std::sort(lengths.begin(), lengths.end());
  TriangleShape shape{.area = twice_area / 2, .longest_edge = lengths[2], .shortest_edge = lengths[0]};
  if (twice_area == 0) {
    shape.aspect = std::numeric_limits<double>::infinity();
    return shape;
  }
  // The smallest angle lies between the two longer edges: twice_area = lengths[1] lengths[2] sin(angle).
  shape.min_angle = std::asin(std::min(1.0, twice_area / (lengths[1] * lengths[2])));
  const double inradius = twice_area / (lengths[0] + lengths[1] + lengths[2]);
  shape.aspect = lengths[2] / (2 * std::sqrt(3.0) * inradius);
  return shape;
}

double SurfaceArea(const TriMesh& mesh) {
  return Sum(mesh, [&](int t) { return TwiceArea(Corners(mesh, t)) / 2; });
}

std::vector<double> VertexAreas(const TriMesh& mesh) {
  std::vector<double> areas(mesh.vertex_count(), 0);
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const double third = TwiceArea(Corners(mesh, t)) / 6;
    for (int k = 0; k < 3; ++k) areas[mesh.triangles(t, k)] += third;
  }
  return areas;
}

double SignedVolume(const TriMesh& mesh) {
  if (mesh.vertex_count() == 0) return 0;
  const Eigen::Vector3d centre = BoundingBox(mesh.positions).center().cast<double>();
  return Sum(mesh, [&](int t) {
    const auto p = Corners(mesh, t);
    return (p[0] - centre).dot((p[1] - centre).cross(p[2] - centre)) / 6;
  });
}

std::vector<int> DegenerateTriangles(const TriMesh& mesh, double tolerance) {
  std::vector<int> found;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    if (IsCollapsed(mesh.triangles, t) || IsDegenerate(Corners(mesh, t), tolerance)) found.push_back(t);
  }
  return found;
}

EdgeLengths MeasureEdges(const TriMesh& mesh, const EdgeTable& edges) {
  if (edges.edge_count() == 0) return {};
  EdgeLengths lengths{.min = std::numeric_limits<double>::infinity()};
  double sum = 0;
  for (const auto& [a, b] : edges.vertices) {
    const double length = (mesh.positions.row(a).cast<double>() - mesh.positions.row(b).cast<double>()).norm();
    lengths.min = std::min(lengths.min, length);
    lengths.max = std::max(lengths.max, length);
    sum += length;
  }
  lengths.mean = sum / edges.edge_count();
  return lengths;
}

TriangleQuality MeasureQuality(const TriMesh& mesh) {
  TriangleQuality quality;
  std::vector<double> aspects;
  double angle_sum = 0, worst = std::numeric_limits<double>::infinity();
  int below_10 = 0, above_120 = 0;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const auto corners = Corners(mesh, t);
    if (IsDegenerate(corners, 1e-6)) continue;
    const TriangleShape shape = ShapeOf(corners);
    aspects.push_back(shape.aspect);
    angle_sum += shape.min_angle;
    below_10 += shape.min_angle < 10 * kDegree;
    above_120 += LargestAngle(corners) > 120 * kDegree;
    if (shape.min_angle < worst) {
      worst = shape.min_angle;
      quality.worst_triangle = t;
    }
  }
  if (aspects.empty()) return quality;
  const auto count = static_cast<double>(aspects.size());
  quality.triangles = static_cast<int>(aspects.size());
  quality.worst_min_angle = worst;
  quality.mean_min_angle = angle_sum / count;
  quality.share_below_10 = below_10 / count;
  quality.share_above_120 = above_120 / count;
  quality.worst_aspect = *std::max_element(aspects.begin(), aspects.end());
  const auto middle = aspects.begin() + static_cast<std::ptrdiff_t>(aspects.size() / 2);
  std::nth_element(aspects.begin(), middle, aspects.end());
  quality.median_aspect = *middle;
  return quality;
}

}  // namespace sinew
