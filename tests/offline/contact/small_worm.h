// A worm of a few hundred triangles and a handful of samples, which take a second.
#ifndef SINEW_TESTS_OFFLINE_CONTACT_SMALL_WORM_H_
#define SINEW_TESTS_OFFLINE_CONTACT_SMALL_WORM_H_

#include "sinew/offline/contact/make_samples.h"

namespace sinew::contact {

inline const PlaneObject& SmallWorm() {
  static const PlaneObject worm = MakeWorm({.triangles = 400, .collider = "cube"});
  return worm;
}

inline PlanOptions SmallPlan() { return {.states = 2, .places = 3, .rotations = 3, .depths = 3}; }

inline const std::vector<ContactShard>& SmallShards() {
  static const std::vector<ContactShard> shards = [] {
    std::vector<ContactShard> made;
    for (const ShardPlan& plan : PlanTraining(SmallPlan(), SmallWorm())) {
      made.push_back(SolveShard(SmallWorm(), plan, RelaxState(SmallWorm(), plan.state)));
    }
    return made;
  }();
  return shards;
}

}  // namespace sinew::contact

#endif  // SINEW_TESTS_OFFLINE_CONTACT_SMALL_WORM_H_
