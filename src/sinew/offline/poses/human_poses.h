// Samples of how people hold themselves, for any skeleton whose joints are known by name: poses drawn from the
// statistics of recorded motion (anatomy/human_motion.h) and carried over as motions are (retarget/retarget.h).
//
// Recorded skeletons and rigs share a turn among joints in different ways, and motions keep the shares of the rig that
// they come from. So samples vary them: how much of the arm's elevation the collar has (from none to the third that a
// shoulder blade has), how a bend of the trunk is shared by the spine's joints (from as recorded to evenly), and how
// much of the forearm's twist the elbow has (from none to all).
#ifndef SINEW_OFFLINE_POSES_HUMAN_POSES_H_
#define SINEW_OFFLINE_POSES_HUMAN_POSES_H_

#include <vector>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/poses/sample_poses.h"

namespace sinew::poses {

// Whether the skeleton is a person's as far as its joints' names tell: it stands on two legs, and at least half of the
// joints that were recorded are among its own.
bool IsHuman(const Articulation& articulation);

// Samples options.count poses from index `first` on, with options.human_spread above 0. Joints that were not recorded
// (fingers, jaws, tails), and the bend of wrists, follow SamplePosesFrom() inside half of their limits. Every joint is
// inside its limit. The first n poses of a longer run are the run of n.
std::vector<Pose> SampleHumanPosesFrom(int first, const Articulation& articulation, const JointLimits& limits,
                                       const SampleOptions& options);

// Samples as options say: SampleHumanPosesFrom() with human_spread above 0, SamplePosesFrom() otherwise.
std::vector<Pose> DrawPosesFrom(int first, const Articulation& articulation, const JointLimits& limits,
                                const SampleOptions& options);

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_HUMAN_POSES_H_
