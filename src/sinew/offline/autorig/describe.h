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

// Columns of a network's answer for an edge: the share of every joint, which sum to 1, and then the edge's votes: where
// it thinks that every joint is, in units of Scaling (rig_network.h).
constexpr int kVoteColumns = 3 * kJoints;
constexpr int kAnswerColumns = kJoints + kVoteColumns;

std::vector<std::string> NetworkNames();
// Returns the description of a network. Throws UsageError for a name that does not exist.
Json DescribeNetwork(const std::string& name);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_DESCRIBE_H_
