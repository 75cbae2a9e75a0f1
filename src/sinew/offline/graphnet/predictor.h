// A trained network as it is used, without libtorch.
#ifndef SINEW_OFFLINE_GRAPHNET_PREDICTOR_H_
#define SINEW_OFFLINE_GRAPHNET_PREDICTOR_H_

#include <set>
#include <string>
#include <vector>

#include "sinew/offline/graphnet/frame_set.h"
#include "sinew/offline/graphnet/point_residual.h"
#include "sinew/offline/graphnet/scaling.h"
#include "sinew/offline/learn/layers/described_network.h"
#include "sinew/offline/learn/model_file.h"

namespace sinew::graphnet {

// Facts that a model file holds beside the network (docs/large-networks.md).
struct ModelCard {
  std::string network;              // name of the description (describe.h)
  BodyOptions body;                 // what it sees of bodies, and answers
  std::vector<std::string> joints;  // Body::joints() of the bodies that it is for; empty: any
  std::vector<std::string> seen;    // hashes of the frames that it was trained on or chosen by, sorted
  Json training = Json::object();   // how it was trained: seed, steps, rates, device
  std::string corpus_hash, recipe_hash, licence;
};

// Puts a network into the form of a file.
learn::Model MakeModel(const layers::DescribedNetwork& network, const std::vector<float>& parameters,
                       const Scaling& scaling, const ModelCard& card, const Json& figures);

class Predictor {
 public:
  // Throws InputError, naming `file`, for a model of another kind or version, or one that is damaged.
  Predictor(const learn::Model& model, const std::string& file);

  const ModelCard& card() const { return card_; }
  const layers::DescribedNetwork& network() const { return network_; }
  const std::vector<float>& parameters() const { return parameters_; }
  const Scaling& scaling() const { return scaling_; }

  // Options that bodies are prepared with for this network.
  const BodyOptions& body_options() const { return card_.body; }
  // Throws InputError, naming `body_file`, if the body has other joints than those that the network is for, or was
  // prepared for another one.
  void RequireSkeleton(const Body& body, const std::string& body_file) const;
  // The same for a body that is not read yet. joints: NetworkJoints() of its skeleton.
  void RequireJoints(const std::vector<std::string>& joints, const std::string& body_file) const;
  // Throws InputError, naming the file of the frames, if the network has seen one of them. hashes: SeenHash() of each.
  void RequireUnseen(const std::vector<std::string>& hashes, const std::string& file) const;
  // Whether the frame was trained on, or the network was chosen by it.
  bool HasSeen(const std::string& hash) const { return seen_.count(hash) > 0; }

  // Returns the shape of a body in a frame, per vertex of its file. graph: MakeBodyGraph(body).
  Points Shape(const Body& body, const layers::Graph& graph, const Body::Frame& frame) const;
  // The same of a network that is tuned to the body (tune_to_examples.h).
  Points Shape(const Body& body, const layers::Graph& graph, const Body::Frame& frame,
               const PointResidual& residual) const;

  // Answer of the network in a frame, and the inputs of a regression of what it misses.
  struct Answer {
    RowMatrix displacements;  // points by 3, over the body's size
    RowMatrix inputs;         // of a residual, per point: features, then the numbers that the last layer reads
    std::vector<int> groups;  // number of columns of each of these
  };
  Answer AnswerOf(const Body& body, const layers::Graph& graph, const Body::Frame& frame) const;

 private:
  std::string file_;
  layers::DescribedNetwork network_;
  std::vector<float> parameters_;
  Scaling scaling_;
  ModelCard card_;
  std::set<std::string> seen_;
};

// Returns the graph of a body's points for layers: neighbours, and every point itself.
layers::Graph MakeBodyGraph(const Body& body);

}  // namespace sinew::graphnet

#endif  // SINEW_OFFLINE_GRAPHNET_PREDICTOR_H_
