// Which contacts are simulated (contact-centric deformation learning, doi 10.1145/3528223.3530182, section 4.2): states
// of the object x places on its surface x rotations of the collider x depths.
//
// Samples are made in shards, one per state and place, each of which becomes one file.
#ifndef SINEW_OFFLINE_CONTACT_SAMPLE_PLAN_H_
#define SINEW_OFFLINE_CONTACT_SAMPLE_PLAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/offline/contact/solve_contact.h"

namespace sinew::contact {

// One collider on its way into the body.
struct ChainPlan {
  Approach approach;
  std::vector<double> depths;  // shares of the largest depth of the line, increasing, in (0, 1]
  std::vector<double> gaps;  // heights above the first touch, as shares of the collider's size: samples without contact
};

struct ShardPlan {
  int state_index = 0;
  Eigen::VectorXd state;
  std::vector<ChainPlan> chains;
};

struct PlanOptions {
  int states = 7, places = 32, rotations = 16, depths = 5;
  uint64_t seed = 1;
};

// Plans for training. States by ChooseStates() from drawn ones. Places by greedy farthest points along the surface,
// rotations by greedy farthest angles, depths in even steps; then every chain's place and rotation are moved
// at random by up to half the distance to the next one, and its depths by up to a quarter of a step, so that the chains
// of two states are never the same. A tenth of all samples does not touch. Shards are ordered by states, so that those
// of fewer states are the first ones. Throws UsageError for counts below 1 and for more states or places than there
// are.
std::vector<ShardPlan> PlanTraining(const PlanOptions& options, const ContactObject& object);

// Plans for testing, one chain per shard, each with a state, a place and a rotation of its own, at `depths` even
// depths. No state is nearer to a training state than a quarter of the largest distance between a drawn state and the
// training states. options: of the training.
std::vector<ShardPlan> PlanTest(const PlanOptions& options, const ContactObject& object, int chains);

// Hash of all that a shard's samples depend on.
std::string HashOf(const ShardPlan& plan, const ContactObject& object);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_SAMPLE_PLAN_H_
