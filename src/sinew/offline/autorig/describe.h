// Networks that rig a mesh, as descriptions (learn/layers/described_network.h).
//
// Reference: P. Li et al., "Learning Skeletal Articulations with Neural Blend Shapes", 2021.
#ifndef SINEW_OFFLINE_AUTORIG_DESCRIBE_H_
#define SINEW_OFFLINE_AUTORIG_DESCRIBE_H_

#include <string>
#include <vector>

#include "sinew/offline/autorig/biped_joints.h"
#include "sinew/offline/core/json_box.h"

namespace sinew::autorig {

// Columns of a network's answer for an edge: the share of every joint, which sum to 1; then what is the same for all
// edges: the places of the joints, and kSpreadScale times the spread of the votes for each, in units of VoteScaling
// (rig_network.h).
constexpr int kPlaceColumns = 3 * kJoints, kPooledColumns = kPlaceColumns + kJoints;
constexpr int kAnswerColumns = kJoints + kPooledColumns;
// Weight of the spreads of votes in the loss, whose target for them is zero. At 0, votes of single edges would mean
// nothing; at 1, each vote would have to be right by itself.
constexpr double kSpreadScale = 0.3;

std::vector<std::string> NetworkNames();
// Returns the description of a network. Throws UsageError for a name that does not exist.
Json DescribeNetwork(const std::string& name);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_DESCRIBE_H_
