// Distance of a posed body from the bodies that a network was trained on, by its features alone.
#ifndef SINEW_OFFLINE_GRAPHNET_FAMILIARITY_H_
#define SINEW_OFFLINE_GRAPHNET_FAMILIARITY_H_

#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/graphnet/frame_set.h"
#include "sinew/offline/graphnet/scaling.h"
#include "sinew/offline/learn/model_file.h"

namespace sinew::graphnet {

// Statistics of the features of all points that were trained on. The distance of a point is its Mahalanobis distance
// from them over the root of the number of features, so that points that were trained on are about 1 away.
struct Familiarity {
  std::vector<float> mean;       // per column of the features
  std::vector<float> whitening;  // columns by columns, row by row: makes features uncorrelated and of variance 1
  float limit = 1;               // frame distance that 95% of the validation frames stay below

  // Distance of every row of a frame's features.
  std::vector<float> PointDistances(const RowMatrix& features) const;
  // Root mean square of the distances of a frame's points, which count by the area that bends (Body::bending()).
  // features: of a frame of the body.
  double FrameDistance(const Body& body, const RowMatrix& features) const;

  bool operator==(const Familiarity&) const = default;
};

// Fits the statistics to the frames that are trained on, the limit to those that are validated with; to an even
// selection of them where there are many. scaling: of the network; its deviations say how much features vary at all.
Familiarity FitFamiliarity(const FrameSet& training, const FrameSet& validation, const Scaling& scaling);

// Puts the statistics into a model as three tensors.
void StoreFamiliarity(const Familiarity& familiarity, learn::Model& model);
// Takes the statistics from a model: nothing from one of an earlier version of Sinew, which has none. Throws
// InputError, naming `file`, for statistics that are not for `columns` features.
std::optional<Familiarity> TakeFamiliarity(const learn::Model& model, int columns, const std::string& file);

}  // namespace sinew::graphnet

#endif  // SINEW_OFFLINE_GRAPHNET_FAMILIARITY_H_
