// Number of triangles of a posed surface that cross each other and do not at rest.
#ifndef SINEW_OFFLINE_EVALUATE_CROSSINGS_H_
#define SINEW_OFFLINE_EVALUATE_CROSSINGS_H_

#include <vector>

#include "sinew/offline/mesh/self_intersection.h"

namespace sinew::evaluate {

// Pairs of crossing triangles on the finest level, less those that cross at rest: means over the measured frames.
struct Crossings {
  int frames = 0;               // number of frames that were measured; 0: none
  size_t at_rest = 0;           // number of pairs at rest
  double truth = 0;             // of the ground truth
  std::vector<double> methods;  // per method
};

class CrossingCounter {
 public:
  CrossingCounter(Triangles triangles, const Points& rest);

  size_t at_rest() const { return at_rest_.size(); }
  // Returns the number of pairs that cross in the shape and not at rest. May be called from several threads.
  size_t Count(const Points& shape) const;

 private:
  // A shape with more pairs than this is broken, whatever their number: the others are not looked for.
  static constexpr int kMaxPairs = 1'000'000;

  Triangles triangles_;
  TrianglePairs at_rest_;  // sorted
};

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_CROSSINGS_H_
