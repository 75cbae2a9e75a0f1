#include "tests/support/small_graph_model.h"

#include "sinew/offline/graphnet/describe.h"
#include "sinew/offline/graphnet/predictor.h"

namespace sinew::testing {

learn::Model SmallGraphModel(const graphnet::Body& body, const std::vector<std::string>& seen,
                             const std::string& name) {
  const layers::DescribedNetwork network(graphnet::DescribeNetwork(name, body.columns()), name);
  Random random(5);
  graphnet::ModelCard card;
  card.network = name;
  card.body = body.options();
  if (card.body.features == graphnet::Features::kPaper) card.joints = body.joints();
  card.seen = seen;
  card.licence = "test";
  const graphnet::Scaling scaling{std::vector<float>(body.columns(), 0.0f), std::vector<float>(body.columns(), 1.0f),
                                  0.01f};
  return graphnet::MakeModel(network, network.InitialParameters(random), scaling, card, Json::object());
}

}  // namespace sinew::testing
