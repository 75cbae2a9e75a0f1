// Standardisation of what goes into a network and comes out of it, fitted to the frames that are trained on.
#ifndef SINEW_OFFLINE_GRAPHNET_SCALING_H_
#define SINEW_OFFLINE_GRAPHNET_SCALING_H_

#include <vector>

#include "sinew/offline/graphnet/frame_set.h"

namespace sinew::graphnet {

struct Scaling {
  std::vector<float> mean, deviation;  // per column of the features
  float answer = 1;                    // root mean square of the targets' components, over area

  void Standardise(RowMatrix& features) const;
  bool operator==(const Scaling&) const = default;
};

// Fits to all frames of the set. Columns that do not vary get a deviation of 1.
Scaling FitScaling(const FrameSet& frames);

}  // namespace sinew::graphnet

#endif  // SINEW_OFFLINE_GRAPHNET_SCALING_H_
