// Fits the last layer of a network to a few frames of one body whose true shapes are known, in closed form.
//
// The answer of a network is linear in the rows that its last layer reads: y = h W + b. With what is missing to the
// truth r, the change D of W and b solves the ridge regression
//
//   min over D of  sum over points of area |r - (h, 1) D|^2 + lambda sum over rows k of s_k |D_k|^2,
//
// with s_k the mean square of column k of (h, 1). lambda is chosen by cross-validation over frames; if no lambda makes
// held-out frames better, the network stays as it is.
#ifndef SINEW_OFFLINE_GRAPHNET_TUNE_LAST_LAYER_H_
#define SINEW_OFFLINE_GRAPHNET_TUNE_LAST_LAYER_H_

#include <vector>

#include "sinew/offline/graphnet/predictor.h"

namespace sinew::graphnet {

// Frame of a body whose true shape is known, per vertex of its file.
struct Example {
  Pose pose;
  Points truth;
};

struct Tuning {
  std::vector<float> parameters;  // of the network, to be used in place of its own
  double ridge = 0;               // lambda; 0: the parameters are the network's own
  // Root mean square of what is missing to the truth at the points, over the body's size: of the network as it is, and
  // of one that is fitted to other examples than those that it is measured on.
  double error_before = 0, error_after = 0;
};

// graph: MakeBodyGraph(body). Throws UsageError for fewer than two examples, or a network whose last layer is not a
// linear one on the layer before it.
Tuning TuneLastLayer(const Predictor& predictor, const Body& body, const layers::Graph& graph,
                     const std::vector<Example>& examples);

}  // namespace sinew::graphnet

#endif  // SINEW_OFFLINE_GRAPHNET_TUNE_LAST_LAYER_H_
