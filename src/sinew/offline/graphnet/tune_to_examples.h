// Tunes a network to one body, a few frames of which have known true shapes.
//
// The network stays as it is; a residual (point_residual.h) is added to its answers. Inputs of that are the features
// that the network sees of a point and the numbers that its last layer reads, which know of the point's surroundings.
#ifndef SINEW_OFFLINE_GRAPHNET_TUNE_TO_EXAMPLES_H_
#define SINEW_OFFLINE_GRAPHNET_TUNE_TO_EXAMPLES_H_

#include <vector>

#include "sinew/offline/graphnet/point_residual.h"
#include "sinew/offline/graphnet/predictor.h"

namespace sinew::graphnet {

// Frame of a body whose true shape is known, per vertex of its file.
struct Example {
  Pose pose;
  Points truth;
};

struct Tuning {
  PointResidual residual;  // for Predictor::Shape(); empty: no residual makes examples better that it has not seen
  // Mean distance to the truth at the points over area and examples, as a share of the body's size: of the network as
  // it is, and of one that is tuned to other examples than those that it is measured on.
  double error_before = 0, error_after = 0;
  // Shapes of the examples by such networks, per vertex of the file.
  std::vector<Points> held_out;
};

// graph: MakeBodyGraph(body). Throws UsageError for fewer than two examples.
Tuning TuneToExamples(const Predictor& predictor, const Body& body, const layers::Graph& graph,
                      const std::vector<Example>& examples);

}  // namespace sinew::graphnet

#endif  // SINEW_OFFLINE_GRAPHNET_TUNE_TO_EXAMPLES_H_
