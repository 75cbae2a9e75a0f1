// A trained rigging network as it is used, without libtorch: weights and joints of a mesh that was never seen.
//
// Reference: P. Li et al., "Learning Skeletal Articulations with Neural Blend Shapes", 2021, section 4.1. The paper
// pools features of the surface to joints by their weights (Eq. 1) and makes offsets of them in a block of 21 million
// weights; networks of that kind are used like all others. In the one that ships every edge votes for all joints and
// says how sure it is; the joint is the mean of the votes, weighted by the softmax of that. Every network looks twice:
// the first skeleton gives the frame of the second look.
#ifndef SINEW_OFFLINE_AUTORIG_RIG_NETWORK_H_
#define SINEW_OFFLINE_AUTORIG_RIG_NETWORK_H_

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/autorig/describe.h"
#include "sinew/offline/autorig/example.h"
#include "sinew/offline/autorig/joint_refiner.h"
#include "sinew/offline/autorig/weight_refiner.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/learn/layers/described_network.h"
#include "sinew/offline/learn/model_file.h"

namespace sinew::autorig {

// Scaling of votes: a joint's distance from its mean place in training, divided by `deviation`.
struct VoteScaling {
  JointPositions mean = JointPositions::Zero();
  double deviation = 1;
};
// Fits to the joints of examples that are trained on.
VoteScaling FitVotes(const std::vector<const JointPositions*>& joints);

// Doubts about an answer: measures that are large for what is no biped. Distances are shares of the height.
struct Doubts {
  double spread = 0;    // mean over joints of the spread of votes
  double moved = 0;     // mean distance of joints between the first look and the second
  double sides = 0;     // mean distance of joints between the answers for the body and for its mirror image
  double distance = 0;  // mean distance of the surface from the nearest bone
  double outside = 0;   // share of the joints that are not inside of the body
};

// Ranges of known bodies, by which an unknown one is judged.
struct Usual {
  std::array<double, kJoints> shortest = {}, longest = {};  // bone from the parent to each joint, share of the height
  Doubts doubts;     // of validation bodies, each measure by itself: 99 of 100 are below it
  double limit = 3;  // of Doubt() for what is still taken for a biped
};
// Returns how many times as large as usual the doubts are, in the geometric mean of all measures.
double Doubt(const Doubts& doubts, const Usual& usual);
// Lengths of the bones from every joint's parent to it; 0 for the pelvis.
std::array<double, kJoints> BoneLengths(const JointPositions& joints);
Usual FitBones(const std::vector<const JointPositions*>& joints);

// Returns kPooledColumns numbers that a network should answer for joints in the space of its input.
std::vector<float> PlacesOf(const JointPositions& joints, const VoteScaling& scaling);

// A rig in canonical space.
struct RigAnswer {
  RowMatrix weights;  // per edge
  JointPositions joints = JointPositions::Zero();
  std::array<double, kJoints> spreads = {};  // of votes, roots of mean squares; large where the network is unsure
  double moved = 0, sides = 0;               // as in Doubts
  std::optional<BodyFrame> frame;            // of the second look, in the space of the input; if there was one

  double MeanSpread() const;
};

// Card of a model: facts that its file holds beside the network.
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
  const layers::DescribedNetwork& network() const { return network_; }
  const std::vector<float>& parameters() const { return parameters_; }
  const VoteScaling& scaling() const { return scaling_; }
  // Corrects the joints that the network finds; untrained if the model has none.
  const JointRefiner& refiner() const { return refiner_; }
  // Corrects the weights that it finds, at the vertices of the file; untrained if the model has none.
  const WeightRefiner& weight_refiner() const { return weight_refiner_; }
  // Evaluates the network once. input: what InFrame() returns.
  RigAnswer Look(const EdgeInput& input) const;
  // Returns the mean of the answers for the body and for its mirror image: what is symmetric gets a symmetric rig.
  RigAnswer LookBothWays(const EdgeInput& input) const;
  // Looks both ways, and once more in the frame that the joints found give. input: what MakeEdgeInput() returns of a
  // surface in canonical space, which the answer is in as well.
  RigAnswer Rig(const EdgeInput& input) const;
  // Looks both ways in a frame that is known from another mesh of the same body (RigAnswer::frame), without looking
  // for it: half the work of Rig(). RigAnswer::moved stays zero.
  RigAnswer RigInFrame(const EdgeInput& input, const BodyFrame& frame) const;

 private:
  layers::DescribedNetwork network_;
  std::vector<float> parameters_;
  VoteScaling scaling_;
  Usual usual_;
  JointRefiner refiner_;
  WeightRefiner weight_refiner_;
  RigCard card_;
};

// Returns what a network of so many input columns sees: the features of edges, and their areas behind them if it wants
// these, too.
RowMatrix NetworkInput(const EdgeInput& input, int columns);

// Takes an answer of a network apart. Spreads are zero for a network that does not vote.
RigAnswer ReadAnswer(const RowMatrix& answer, const VoteScaling& scaling);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_RIG_NETWORK_H_
