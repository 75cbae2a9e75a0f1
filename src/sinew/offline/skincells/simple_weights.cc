#include "sinew/offline/skincells/simple_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/voxel_distance.h"
#include "sinew/offline/skincells/field.h"

namespace sinew::skincells {
namespace {

constexpr double kVoxels = 128;      // most cubes along the longest side of a body
constexpr double kMostVoxels = 5e5;  // of its box, about: what is as thick as it is high has fewer along its sides

// Index of each joint of the skeleton in subject.joints; -1 if it carries no weight.
std::vector<int> Columns(const Subject& subject) {
  std::vector<int> column(subject.skeleton.joints.size(), -1);
  for (size_t i = 0; i < subject.joints.size(); ++i) column[subject.joints[i]] = static_cast<int>(i);
  return column;
}

// Index in subject.joints of each joint of the other character.
std::vector<int> MatchColumns(const Subject& subject, const Subject& from, const std::string& file,
                              const std::string& from_file) {
  const std::vector<int> own = Columns(subject);
  std::vector<int> columns(from.skeleton.joints.size(), -1);
  for (const int j : from.joints) {
    const int joint = subject.skeleton.Find(from.skeleton.joints[j].name);
    if (joint < 0 || own[joint] < 0) {
      throw InputError(
          file, "skeleton",
          fmt::format("has no joint '{}', which carries weight in {}", from.skeleton.joints[j].name, from_file),
          "transfer between characters of one skeleton");
    }
    columns[j] = own[joint];
  }
  return columns;
}

// Weights 1 / distance^falloff. fill: writes the distances of a vertex to all joints, infinite at first.
template <typename Fill>
SkinWeights WeightsByDistance(const Subject& subject, int l, double falloff, const Fill& fill) {
  const size_t n = subject.joints.size();
  return StrongestWeights(subject.surface.vertex_count(), subject.joints, l, [&](int v, std::span<double> row) {
    std::vector<double> distance(n, std::numeric_limits<double>::infinity());
    fill(v, distance);
    const double nearest = std::max(*std::min_element(distance.begin(), distance.end()), 1e-6 * subject.size);
    // Relative to the nearest, so that distances in any unit stay in range.
    for (size_t j = 0; j < n; ++j) row[j] = std::pow(nearest / std::max(distance[j], nearest), falloff);
  });
}

double VoxelSize(const Subject& subject) {
  const Eigen::Vector3d box = BoundingBox(subject.surface.positions).cast<double>().sizes();
  return std::max(subject.size / kVoxels, std::cbrt(box.prod() / kMostVoxels));
}

}  // namespace

SkinWeights ProximityWeights(const Subject& subject, std::span<const Bone> bones, int l, double falloff) {
  const std::vector<int> column = Columns(subject);
  return WeightsByDistance(subject, l, falloff, [&](int v, std::span<double> distance) {
    const Eigen::Vector3d x = subject.surface.positions.row(v).transpose().cast<double>();
    for (const Bone& bone : bones) {
      double& least = distance[column[bone.joint]];
      least = std::min(least, ClosestOnBone(bone, x).distance);
    }
  });
}

SkinWeights VoxelWeights(const Subject& subject, std::span<const Bone> bones, int l, double falloff) {
  const VoxelDistance distances(subject.surface, VoxelSize(subject));
  std::vector<std::vector<float>> from(bones.size());
  ParallelFor(static_cast<int>(bones.size()), 1, [&](int k) { from[k] = distances.From(bones[k].a, bones[k].b); });
  const std::vector<int> column = Columns(subject);
  return WeightsByDistance(subject, l, falloff, [&](int v, std::span<double> distance) {
    for (size_t k = 0; k < bones.size(); ++k) {
      double& least = distance[column[bones[k].joint]];
      least = std::min<double>(least, from[k][v]);
    }
  });
}

SkinWeights TransferWeights(const Subject& subject, const Subject& from, const SkinWeights& weights, int l,
                            const std::string& file, const std::string& from_file) {
  const std::vector<int> columns = MatchColumns(subject, from, file, from_file);
  const SurfaceQuery query(from.surface);
  return StrongestWeights(subject.surface.vertex_count(), subject.joints, l, [&](int v, std::span<double> row) {
    const auto nearest = query.Closest(subject.surface.positions.row(v).transpose());
    if (!nearest) return;
    for (int corner = 0; corner < 3; ++corner) {
      const size_t first = static_cast<size_t>(from.surface.triangles(nearest->triangle, corner)) * weights.influences;
      for (int k = 0; k < weights.influences; ++k) {
        const float w = weights.weights[first + k];
        const int column = columns[weights.joints[first + k]];
        if (w > 0 && column >= 0) row[column] += nearest->barycentric[corner] * w;
      }
    }
  });
}

}  // namespace sinew::skincells
