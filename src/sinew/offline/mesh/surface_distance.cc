#include "sinew/offline/mesh/surface_distance.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew {
namespace {

// Random points, one in each of `count` strips of equal area when triangles are laid end to end, and at a random place
// of its triangle.
std::vector<Eigen::Vector3f> SpreadPoints(const TriMesh& mesh, int count, uint64_t seed) {
  std::vector<double> end(mesh.triangle_count());
  double area = 0;
  for (int t = 0; t < mesh.triangle_count(); ++t) end[t] = area += ShapeOf(Corners(mesh, t)).area;
  std::vector<Eigen::Vector3f> points;
  Random random(seed);
  int t = 0;
  for (int i = 0; i < count; ++i) {
    const double at = area * (i + random.Uniform()) / count;
    while (t + 1 < mesh.triangle_count() && end[t] <= at) ++t;
    const auto corners = Corners(mesh, t);
    const double r = std::sqrt(random.Uniform()), s = random.Uniform();
    points.emplace_back(((1 - r) * corners[0] + r * (1 - s) * corners[1] + r * s * corners[2]).cast<float>());
  }
  return points;
}

// Measures from spread points and from the vertices of a mesh to the nearest point of a surface.
SurfaceDistance Measure(const std::vector<Eigen::Vector3f>& points, const TriMesh& from, const SurfaceQuery& to) {
  struct Sum {
    double squares = 0, max = 0;
  };
  const auto measure = [&](int count, const auto& point) {
    return ParallelReduce(
        count, 1024, Sum{},
        [&](int begin, int end) {
          Sum sum;
          for (int i = begin; i < end; ++i) {
            const double distance = to.Closest(point(i))->distance;
            sum.squares += distance * distance;
            sum.max = std::max(sum.max, distance);
          }
          return sum;
        },
        [](Sum& total, const Sum& sum) {
          total.squares += sum.squares;
          total.max = std::max(total.max, sum.max);
        });
  };
  const int samples = static_cast<int>(points.size());
  const Sum spread = measure(samples, [&](int i) { return points[i]; });
  // Vertices stick out, so they show the largest distance; they are not spread evenly, so they do not count for the
  // mean.
  const Sum vertices =
      measure(from.vertex_count(), [&](int v) { return Eigen::Vector3f(from.positions.row(v).transpose()); });
  return {std::sqrt(spread.squares / std::max(1, samples)), std::max(spread.max, vertices.max)};
}

SurfaceDistance Both(const SurfaceDistance& there, const SurfaceDistance& back) {
  return {std::sqrt((there.rms * there.rms + back.rms * back.rms) / 2), std::max(there.max, back.max)};
}

}  // namespace

SampledSurface::SampledSurface(TriMesh mesh, int samples, uint64_t seed)
    : mesh_(std::move(mesh)), query_(mesh_), points_(SpreadPoints(mesh_, samples, seed)) {}

SurfaceDistance OneSidedDistance(const TriMesh& from, const TriMesh& to, int samples, uint64_t seed) {
  return Measure(SpreadPoints(from, samples, seed), from, SurfaceQuery(to));
}

SurfaceDistance TwoSidedDistance(const SampledSurface& a, const SampledSurface& b) {
  return Both(Measure(a.points(), a.mesh(), b.query()), Measure(b.points(), b.mesh(), a.query()));
}

SurfaceDistance TwoSidedDistance(const TriMesh& a, const TriMesh& b, int samples, uint64_t seed) {
  return Both(OneSidedDistance(a, b, samples, seed), OneSidedDistance(b, a, samples, seed));
}

}  // namespace sinew
