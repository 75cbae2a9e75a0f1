#include "sinew/offline/graphnet/joint_distances.h"

#include <limits>

#include "sinew/offline/mesh/edge_distance.h"

namespace sinew::graphnet {
namespace {

constexpr float kNever = std::numeric_limits<float>::infinity();

// Other islands, as eyes: over the gap.
void JumpGaps(const Points& positions, std::vector<float>& distances) {
  std::vector<int> reached, missing;
  for (int i = 0; i < static_cast<int>(distances.size()); ++i) (distances[i] < kNever ? reached : missing).push_back(i);
  for (const int i : missing) {
    float nearest = kNever;
    for (const int j : reached) {
      const float gap = (positions.row(j) - positions.row(i)).norm();
      if (gap >= nearest) continue;
      nearest = gap;
      distances[i] = gap + distances[j];
    }
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
