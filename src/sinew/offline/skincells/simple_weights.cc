#include "sinew/offline/skincells/simple_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

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

// Distances through the body, per entry of subject.joints and vertex: those of the joint's nearest bone.
std::vector<std::vector<float>> JointDistances(const Subject& subject, std::span<const Bone> bones,
                                               const VoxelDistance& distances) {
  std::vector<std::vector<float>> of_bone(bones.size());
  ParallelFor(static_cast<int>(bones.size()), 1, [&](int k) { of_bone[k] = distances.From(bones[k].a, bones[k].b); });
  const std::vector<float> never(subject.surface.vertex_count(), std::numeric_limits<float>::infinity());
  std::vector<std::vector<float>> of_joint(subject.joints.size(), never);
  const std::vector<int> column = Columns(subject);
  for (size_t k = 0; k < bones.size(); ++k) {
    std::vector<float>& least = of_joint[column[bones[k].joint]];
    for (size_t v = 0; v < least.size(); ++v) least[v] = std::min(least[v], of_bone[k][v]);
  }
  return of_joint;
}

// Distance with the area that is that far away.
using Stretch = std::pair<float, double>;

// Distance that a quarter of the area stays below; 0 without any.
double LowerQuartile(std::vector<Stretch>& stretches) {
  std::sort(stretches.begin(), stretches.end());
  double all = 0, below = 0;
  for (const Stretch& each : stretches) all += each.second;
  for (const Stretch& each : stretches) {
    below += each.second;
    if (4 * below >= all) return each.first;
  }
  return 0;
}

// Returns the thickness of the body around each joint's bones, at least `least`. It is the lower quartile, by area, of
// the distances of the skin that is nearest to these bones. Not the mean: a chin that hangs over the neck is nearest to
// the neck's bone, and would make a thick neck of a thin one. A joint that no skin is nearest to is as thick as the
// body is on the whole.
std::vector<double> Thicknesses(const Subject& subject, const std::vector<std::vector<float>>& distances,
                                double least) {
  const std::vector<double> areas = VertexAreas(subject.surface);
  std::vector<std::vector<Stretch>> nearest(distances.size());
  std::vector<Stretch> all;
  for (size_t v = 0; v < areas.size(); ++v) {
    size_t best = 0;
    for (size_t j = 1; j < distances.size(); ++j) best = distances[j][v] < distances[best][v] ? j : best;
    nearest[best].emplace_back(distances[best][v], areas[v]);
    all.push_back(nearest[best].back());
  }
  const double usual = LowerQuartile(all);
  std::vector<double> thickness;
  for (std::vector<Stretch>& each : nearest) {
    thickness.push_back(std::max(each.empty() ? usual : LowerQuartile(each), least));
  }
  return thickness;
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
  const double cube = VoxelSize(subject);
  const std::vector<std::vector<float>> from = JointDistances(subject, bones, VoxelDistance(subject.surface, cube));
  std::vector<double> scale = Thicknesses(subject, from, cube);
  for (double& each : scale) each = 1 / std::sqrt(each);
  return WeightsByDistance(subject, l, falloff, [&](int v, std::span<double> distance) {
    for (size_t j = 0; j < from.size(); ++j) distance[j] = scale[j] * from[j][v];
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
