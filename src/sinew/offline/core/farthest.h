// Greedy farthest-point selection (T. F. Gonzalez, "Clustering to Minimize the Maximum Intercluster Distance", 1985):
// always the item that is farthest from all that are chosen, so that the chosen ones are spread and the others near to
// one of them.
#ifndef SINEW_OFFLINE_CORE_FARTHEST_H_
#define SINEW_OFFLINE_CORE_FARTHEST_H_

#include <Eigen/Core>
#include <algorithm>
#include <vector>

namespace sinew {

template <typename Scalar>
using Distances = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

// Chooses up to `max` of the items whose distances from a starting place are given; stops where nothing is farther than
// 0. distances_from(i): those of all items from item i. In the end `distance` has how far every item is from the
// nearest place that counts: the start, if keep_start, and all that were chosen. weight: null, or what a distance
// counts for each item; items of weight 0 are not chosen.
template <typename Scalar, typename DistancesFrom>
std::vector<int> ChooseFarthest(int max, bool keep_start, const DistancesFrom& distances_from,
                                Distances<Scalar>& distance, const Distances<Scalar>* weight = nullptr) {
  std::vector<int> chosen;
  while (static_cast<int>(chosen.size()) < max && distance.size() > 0) {
    Eigen::Index next = 0;
    const Scalar farthest =
        weight != nullptr ? distance.cwiseProduct(*weight).maxCoeff(&next) : distance.maxCoeff(&next);
    if (!(farthest > 0)) break;
    const Distances<Scalar> from_next = distances_from(static_cast<int>(next));
    distance = chosen.empty() && !keep_start ? from_next : Distances<Scalar>(distance.cwiseMin(from_next));
    chosen.push_back(static_cast<int>(next));
  }
  return chosen;
}

}  // namespace sinew

#endif  // SINEW_OFFLINE_CORE_FARTHEST_H_
