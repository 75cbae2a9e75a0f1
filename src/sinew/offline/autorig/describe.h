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
// edges: the places of the joints, and, for a network that votes, kSpreadScale times the spread of the votes for each,
// in units of VoteScaling (rig_network.h).
constexpr int kPlaceColumns = 3 * kJoints, kPooledColumns = kPlaceColumns + kJoints;
constexpr int kAnswerColumns = kJoints + kPooledColumns, kOffsetAnswerColumns = kJoints + kPlaceColumns;
// Weight of the spreads of votes in the loss, whose target for them is zero. At 0, votes of single edges would mean
// nothing; at 1, each vote would have to be right by itself.
constexpr double kSpreadScale = 0.3;

// The part of a network that computes joints from the features of edges.
enum class OffsetBlock {
  kVotes,  // every edge votes for all joints
  kSmall,  // the paper's block with 128 channels per joint before it works along the tree
  kPaper,  // pooling by skin weights (Eq. 1), then offsets from the parents by convolutions along the tree
};

// Names of these, in that order, and the one of a name. Throws UsageError for a name that does not exist.
std::vector<std::string> OffsetNames();
OffsetBlock OffsetBlockOf(const std::string& name);

// Parts of a network, each of which can be chosen by itself.
struct NetworkChoice {
  std::string blocks = "reaching";  // of NetworkNames(): what makes weights, and the features that joints are made of
  OffsetBlock offsets = OffsetBlock::kVotes;
  bool by_area = true;  // whether pooling by skin weights counts edges by their area, rather than each alike
};

// Names of blocks: "reaching" and "small", which are ours, "paper" and "paper-small", which is the paper's with few
// channels, for tests.
std::vector<std::string> NetworkNames();
// Returns the description of a network. Throws UsageError for blocks that do not exist.
Json DescribeNetwork(const NetworkChoice& choice);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_DESCRIBE_H_
