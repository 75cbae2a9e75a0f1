// Greedy farthest-point selection (T. F. Gonzalez, "Clustering to Minimize the Maximum Intercluster Distance", 1985):
// repeatedly chooses the item that is farthest from all chosen ones, so that these are spread, and every other item is
// near one of them.
#ifndef SINEW_OFFLINE_CORE_FARTHEST_H_
#define SINEW_OFFLINE_CORE_FARTHEST_H_

#include <Eigen/Core>
#include <algorithm>
#include <vector>

namespace sinew {

template <typename Scalar>
using Distances = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

// Chooses up to `max` items; stops early when nothing is farther than 0. distance: on entry, the distance of every item
// from a starting place; on return, its distance from the nearest place that counts, which are the start, if
// keep_start, and all chosen items. distances_from(i): distances of all items from item i. weight: null, or a factor on
// the distance per item; items of weight 0 are not chosen.
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
