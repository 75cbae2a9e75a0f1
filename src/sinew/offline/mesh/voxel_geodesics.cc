#include "sinew/offline/mesh/voxel_geodesics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/nearest_point.h"
#include "sinew/offline/mesh/winding_number.h"

namespace sinew {
namespace {

constexpr float kNever = std::numeric_limits<float>::infinity();
using Entry = std::pair<float, int>;  // distance, voxel; equal distances by number

// Steps to the 26 voxels around one.
const std::vector<Eigen::Vector3i>& Steps() {
  static const std::vector<Eigen::Vector3i> steps = [] {
    std::vector<Eigen::Vector3i> made;
    for (int x = -1; x <= 1; ++x) {
      for (int y = -1; y <= 1; ++y) {
        for (int z = -1; z <= 1; ++z) {
          if (x != 0 || y != 0 || z != 0) made.emplace_back(x, y, z);
        }
      }
    }
    return made;
  }();
  return steps;
}

std::vector<Eigen::Vector3d> ToVectors(const Points& points, const std::vector<int>& chosen) {
  std::vector<Eigen::Vector3d> vectors;
  for (const int i : chosen) vectors.emplace_back(points.row(i).transpose().cast<double>());
  return vectors;
}

}  // namespace

VoxelBody::VoxelBody(const TriMesh& mesh, const VoxelOptions& options) : vertices_(mesh.positions) {
  if (options.resolution < 4 || options.resolution > 512) throw UsageError("voxels: a resolution is 4 to 512");
  if (mesh.vertex_count() == 0 || !mesh.positions.allFinite()) {
    throw UsageError("voxels: the mesh has no vertices, or positions that are not finite");
  }
  // A grid around the mesh, with an empty layer on all sides.
  const Eigen::Vector3d low = mesh.positions.colwise().minCoeff().transpose().cast<double>();
  const Eigen::Vector3d extent = mesh.positions.colwise().maxCoeff().transpose().cast<double>() - low;
  size_ = extent.maxCoeff() > 0 ? extent.maxCoeff() / options.resolution : 1;
  origin_ = low - Eigen::Vector3d::Constant(1.5 * size_);
  for (int c = 0; c < 3; ++c) counts_[c] = static_cast<int>(std::ceil(extent[c] / size_)) + 3;

  // Its voxels, and which are beside each other.
  std::vector<char> solid(static_cast<size_t>(counts_[0]) * counts_[1] * counts_[2], 0);
  MarkSurface(mesh, solid);
  MarkInside(mesh, solid);
  voxel_of_.assign(solid.size(), -1);
  for (int x = 0; x < counts_[0]; ++x) {
    for (int y = 0; y < counts_[1]; ++y) {
      for (int z = 0; z < counts_[2]; ++z) {
        const Eigen::Vector3i place(x, y, z);
        if (!solid[IndexOf(place)]) continue;
        voxel_of_[IndexOf(place)] = static_cast<int>(places_.size());
        places_.push_back(place);
      }
    }
  }
  centres_.resize(static_cast<Eigen::Index>(places_.size()), 3);
  neighbours_.resize(places_.size());
  for (size_t v = 0; v < places_.size(); ++v) {
    const Eigen::Vector3d centre = origin_ + size_ * (places_[v].cast<double>() + Eigen::Vector3d::Constant(0.5));
    centres_.row(static_cast<Eigen::Index>(v)) = centre.transpose().cast<float>();
    for (size_t s = 0; s < Steps().size(); ++s) neighbours_[v][s] = VoxelAt(places_[v] + Steps()[s]);
  }
}

size_t VoxelBody::IndexOf(const Eigen::Vector3i& place) const {
  return (static_cast<size_t>(place[0]) * counts_[1] + place[1]) * counts_[2] + place[2];
}

int VoxelBody::VoxelAt(const Eigen::Vector3i& place) const {
  const bool outside = (place.array() < 0).any() || (place.array() >= counts_.array()).any();
  return outside ? -1 : voxel_of_[IndexOf(place)];
}

Eigen::Vector3i VoxelBody::PlaceOf(const Eigen::Vector3d& point) const {
  const Eigen::Vector3d place = ((point - origin_) / size_).array().floor();
  return place.cwiseMax(0).cwiseMin((counts_.array() - 1).cast<double>().matrix()).cast<int>();
}

// Marks the voxels of points so close together on every triangle that hardly a voxel is missed; a corner that is cut
// off by less than half a voxel may be.
void VoxelBody::MarkSurface(const TriMesh& mesh, std::vector<char>& solid) const {
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    solid[IndexOf(PlaceOf(mesh.positions.row(v).transpose().cast<double>()))] = 1;
  }
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const auto corner = [&](int k) -> Eigen::Vector3d {
      return mesh.positions.row(mesh.triangles(t, k)).transpose().cast<double>();
    };
    const Eigen::Vector3d a = corner(0), ab = corner(1) - a, ac = corner(2) - a;
    const double longest = std::max({ab.norm(), ac.norm(), (ac - ab).norm()});
    const int n = static_cast<int>(std::ceil(2 * longest / size_));
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; n > 0 && i + j <= n; ++j) {
        solid[IndexOf(PlaceOf(a + (static_cast<double>(i) / n) * ab + (static_cast<double>(j) / n) * ac))] = 1;
      }
    }
  }
}

void VoxelBody::MarkInside(const TriMesh& mesh, std::vector<char>& solid) const {
  if (mesh.triangle_count() == 0) return;
  const WindingNumber winding(mesh);
  ParallelFor(counts_[0], 1, [&](int x) {
    for (int y = 0; y < counts_[1]; ++y) {
      for (int z = 0; z < counts_[2]; ++z) {
        const Eigen::Vector3i place(x, y, z);
        if (solid[IndexOf(place)]) continue;
        const Eigen::Vector3d centre = origin_ + size_ * (place.cast<double>() + Eigen::Vector3d::Constant(0.5));
        if (winding.Inside(centre.cast<float>())) solid[IndexOf(place)] = 1;
      }
    }
  });
}

std::vector<float> VoxelBody::VoxelDistancesFrom(const Eigen::Vector3d& start) const {
  // The voxel nearest to the start; of several, the first.
  int first = 0;
  (centres_.cast<double>().rowwise() - start.transpose()).rowwise().squaredNorm().minCoeff(&first);
  std::vector<float> distances(places_.size(), kNever);
  distances[first] = static_cast<float>((centres_.row(first).transpose().cast<double>() - start).norm());

  // Dijkstra's algorithm.
  std::array<float, 26> lengths;
  for (size_t s = 0; s < lengths.size(); ++s) lengths[s] = static_cast<float>(size_ * Steps()[s].cast<double>().norm());
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> waiting;
  waiting.push({distances[first], first});
  while (!waiting.empty()) {
    const auto [distance, v] = waiting.top();
    waiting.pop();
    if (distance > distances[v]) continue;
    for (size_t s = 0; s < lengths.size(); ++s) {
      const int w = neighbours_[v][s];
      if (w < 0 || distance + lengths[s] >= distances[w]) continue;
      distances[w] = distance + lengths[s];
      waiting.push({distances[w], w});
    }
  }
  JumpGaps(distances);
  return distances;
}

void VoxelBody::JumpGaps(std::vector<float>& distances) const {
  std::vector<int> reached, missing;
  for (int v = 0; v < voxel_count(); ++v) (distances[v] < kNever ? reached : missing).push_back(v);
  if (missing.empty()) return;
  const NearestPoint nearest(ToVectors(centres_, reached));
  for (const int v : missing) {
    const NearestPoint::Found found = nearest.Find(centres_.row(v).transpose().cast<double>());
    distances[v] = static_cast<float>(found.distance) + distances[reached[found.index]];
  }
}

std::vector<float> VoxelBody::DistancesFrom(const Eigen::Vector3d& start) const {
  const std::vector<float> voxels = VoxelDistancesFrom(start);
  const int home = VoxelAt(PlaceOf(start));
  std::vector<float> distances;
  for (Eigen::Index i = 0; i < vertices_.rows(); ++i) {
    const Eigen::Vector3f x = vertices_.row(i).transpose();
    const int own = VoxelAt(PlaceOf(x.cast<double>()));
    float least = voxels[own] + (centres_.row(own).transpose() - x).norm();
    for (const int w : neighbours_[own]) {
      if (w >= 0) least = std::min(least, voxels[w] + (centres_.row(w).transpose() - x).norm());
    }
    // From within the same voxel, straight.
    if (own == home) least = static_cast<float>((x.cast<double>() - start).norm());
    distances.push_back(least);
  }
  return distances;
}

}  // namespace sinew
