#include "sinew/offline/graphnet/joint_distances.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sinew/offline/mesh/edge_distance.h"
#include "sinew/offline/mesh/nearest_point.h"

namespace sinew::graphnet {
namespace {

constexpr float kNever = std::numeric_limits<float>::infinity();

// Other islands, as eyes: over the gap, from the nearest point that was reached; of several that are equally near, the
// first. Of a figure in layers most points can be missing, so that comparing all with all would take seconds per joint.
void JumpGaps(const Points& positions, std::vector<float>& distances) {
  constexpr int kEquallyNear = 4;  // more are taken for equally near by the tree's rounding alone
  std::vector<int> reached, missing;
  for (int i = 0; i < static_cast<int>(distances.size()); ++i) (distances[i] < kNever ? reached : missing).push_back(i);
  if (missing.empty() || reached.empty()) return;
  std::vector<Eigen::Vector3d> places;
  for (const int j : reached) places.emplace_back(positions.row(j).cast<double>());
  const NearestPoint tree(std::move(places));
  for (const int i : missing) {
    std::pair<float, int> nearest(kNever, 0);
    for (const NearestPoint::Found& found : tree.FindSeveral(positions.row(i).cast<double>(), kEquallyNear)) {
      const int j = reached[found.index];
      nearest = std::min(nearest, std::pair((positions.row(j) - positions.row(i)).norm(), j));
    }
    distances[i] = nearest.first + distances[nearest.second];
  }
}

}  // namespace

std::vector<float> JointDistances(const Points& positions, const Csr& neighbours, const Eigen::Vector3f& joint,
                                  const std::vector<int>& starts) {
  std::vector<float> distances(positions.rows(), kNever);
  for (const int i : starts) distances[i] = (positions.row(i).transpose() - joint).norm();
  WalkEdges(positions, neighbours, distances);
  JumpGaps(positions, distances);
  return distances;
}

}  // namespace sinew::graphnet
