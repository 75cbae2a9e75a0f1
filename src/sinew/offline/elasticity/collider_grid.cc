#include "sinew/offline/elasticity/collider_grid.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"

namespace sinew::elasticity {
namespace {

constexpr double kMaxSamples = 1 << 27;

}  // namespace

DistanceGrid MakeDistanceGrid(const TriMesh& mesh, double spacing, double margin) {
  if (!(spacing > 0) || !(margin >= 0) || !std::isfinite(spacing) || !std::isfinite(margin)) {
    throw UsageError(fmt::format(
        "a grid of spacing {} and margin {}; give a spacing above 0 and a margin of at least 0", spacing, margin));
  }
  const MeshCollider collider(mesh);
  const Box box = BoundingBox(mesh.positions);
  const Eigen::Array3d low = box.min().cast<double>().array() - margin;
  const Eigen::Array3d extent = box.max().cast<double>().array() + margin - low;
  const Eigen::Array3d counts = (extent / spacing).ceil().max(1) + 1;
  if (!(counts.prod() <= kMaxSamples)) {
    throw UsageError(fmt::format("a grid of {:.0f} samples; give a larger spacing than {}", counts.prod(), spacing));
  }
  DistanceGrid grid;
  grid.counts = counts.cast<int>();
  grid.origin = low.matrix();
  grid.spacing.setConstant(spacing);
  const int rows = grid.counts[0] * grid.counts[1], depth = grid.counts[2];
  grid.distances.resize(static_cast<size_t>(rows) * depth);
  ParallelFor(rows, 16, [&](int row) {
    for (int z = 0; z < depth; ++z) {
      const Eigen::Vector3d at(row / grid.counts[1], row % grid.counts[1], z);
      const auto found = collider.Find(grid.origin + spacing * at, std::numeric_limits<double>::infinity());
      grid.distances[static_cast<size_t>(row) * depth + z] = static_cast<float>(found ? found->gap : 0);
    }
  });
  return grid;
}

}  // namespace sinew::elasticity
