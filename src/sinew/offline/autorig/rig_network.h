// A trained rigging network as it is used, without libtorch: weights and joints of a mesh that was never seen.
//
// Reference: P. Li et al., "Learning Skeletal Articulations with Neural Blend Shapes", 2021, section 3.2. Deviation:
// the paper pools features of the surface to joints by their weights (Eq. 1) and makes offsets of them in a block of 21
// million weights. Here every edge votes for all joints, and the votes are pooled by Eq. 1, by area as well: the same
// sum, a thirtieth of the weights, and votes that disagree tell that the network does not know the body.
#ifndef SINEW_OFFLINE_AUTORIG_RIG_NETWORK_H_
#define SINEW_OFFLINE_AUTORIG_RIG_NETWORK_H_

#include <array>
#include <string>
#include <vector>

#include "sinew/offline/autorig/describe.h"
#include "sinew/offline/autorig/example.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/learn/layers/described_network.h"
#include "sinew/offline/learn/model_file.h"

namespace sinew::autorig {

// Unit of votes: a joint's distance from its mean place, in `deviation`.
struct VoteScaling {
  JointPositions mean = JointPositions::Zero();
  double deviation = 1;
};
// Fits to the joints of examples that are trained on.
VoteScaling FitVotes(const std::vector<const JointPositions*>& joints);

// What is usual for bodies that a network knows, to tell what it does not know.
struct Usual {
  std::array<double, kJoints> shortest = {}, longest = {};  // bone from the parent to each joint, share of the height
  double spread = 0;  // mean over joints of the spread of votes (RigAnswer): 99 of 100 validation bodies are below it
};
// Lengths of the bones from every joint's parent to it; 0 for the pelvis.
std::array<double, kJoints> BoneLengths(const JointPositions& joints);
Usual FitBones(const std::vector<const JointPositions*>& joints);

// What a network should answer for an example: edges by kAnswerColumns.
RowMatrix TargetsOf(const Example& example, const VoteScaling& scaling);

// A rig in canonical space.
struct RigAnswer {
  RowMatrix weights;  // per edge
  JointPositions joints = JointPositions::Zero();
  // How far votes are from the joint that they make, root of their mean square; large where the network is unsure.
  std::array<double, kJoints> spreads = {};

  double MeanSpread() const;
};

// Facts that a model file holds beside the network.
struct RigCard {
  std::string network = {};        // name of the description (describe.h)
  Json training = Json::object();  // how it was trained
  std::string recipe_hash = {}, licence = "not stated";
};

learn::Model MakeRigModel(const layers::DescribedNetwork& network, const std::vector<float>& parameters,
                          const VoteScaling& scaling, const Usual& usual, const RigCard& card, const Json& figures);

class RigNetwork {
 public:
  // Throws InputError, naming `file`, for a model of another kind or version, or one that is damaged.
  RigNetwork(const learn::Model& model, const std::string& file);

  const RigCard& card() const { return card_; }
  const Usual& usual() const { return usual_; }
  RigAnswer Evaluate(const EdgeInput& input) const;
  // The mean of the answers for the body and for its mirror image: what is symmetric gets a symmetric rig.
  RigAnswer EvaluateBothWays(const EdgeInput& input) const;

 private:
  layers::DescribedNetwork network_;
  std::vector<float> parameters_;
  VoteScaling scaling_;
  Usual usual_;
  RigCard card_;
};

// Pools an answer of a network: Eq. 1, by area and by the weights of the joint and of its parent.
RigAnswer PoolVotes(const RowMatrix& answer, const EdgeInput& input, const VoteScaling& scaling);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_RIG_NETWORK_H_
