// A worm of a few hundred triangles and a handful of samples, which take a second.
#ifndef SINEW_TESTS_OFFLINE_CONTACT_SMALL_WORM_H_
#define SINEW_TESTS_OFFLINE_CONTACT_SMALL_WORM_H_

#include "sinew/offline/contact/contact_bench.h"
#include "sinew/offline/contact/make_samples.h"
#include "sinew/offline/contact/plane_object.h"

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

// Makes a bench so small that it takes seconds.
inline void MakeTiny(BenchOptions& options) {
  options.plan = {.places = 2, .rotations = 2, .depths = 2};
  options.states = {1, 2};
  options.test_chains = 2;
  options.width = 16;
  options.object_centric.width = 16;
  options.rows = {.samples = 4, .nodes = 16, .edges = 8};
  options.steps = 20;
}

}  // namespace sinew::contact

#endif  // SINEW_TESTS_OFFLINE_CONTACT_SMALL_WORM_H_
