// The embedded hand (sinew character hand), filled with tetrahedra: its sixteen joints, as many as MANO's, are frame
// handles with the hand's skinning weights.
#ifndef SINEW_OFFLINE_CONTACT_HAND_H_
#define SINEW_OFFLINE_CONTACT_HAND_H_

#include <string>
#include <vector>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/contact/solid_object.h"

namespace sinew::contact {

struct HandParts;

// States are poses within half of the joint limits, the wrist at rest. A frame's numbers are the turn of its joint away
// from rest and the place of the bone's middle.
struct Hand : SolidObject {
  // options: of the collider's radius, 0.03 m is about that of a matchbox. Throws FailedError for so few tetrahedra
  // that fingers come off.
  explicit Hand(const SolidOptions& options);

  Skeleton skeleton;
  JointLimits limits;
  // Palm, thumb, index, middle, ring and little finger, and the one that each node belongs to: that of the bone with
  // the largest weight.
  std::vector<std::string> regions;
  std::vector<int> region_of;

  Eigen::VectorXd StateOf(const Pose& pose) const;
  // Where the body has no equilibrium in a pose, all joints are turned half as far, up to five times.
  Eigen::VectorXd DrawState(Random& random) const override;
  int candidate_count() const override { return 32; }

 private:
  Hand(HandParts parts, const SolidOptions& options);
};

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_HAND_H_
