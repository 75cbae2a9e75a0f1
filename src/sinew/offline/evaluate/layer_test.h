// Test of layers: which share of the points of clothes gets inside the flesh that they lie on.
#ifndef SINEW_OFFLINE_EVALUATE_LAYER_TEST_H_
#define SINEW_OFFLINE_EVALUATE_LAYER_TEST_H_

#include <string>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/evaluate/evaluate.h"

namespace sinew::evaluate {

struct LayerTest {
  int frames = 0;        // number of frames that were tested
  double tolerance = 0;  // depth below which a point does not count as inside, in the character's unit
  // Per level: share of the layers' points that is inside at rest, as the file has it, and number of those that are
  // not, which alone are tested: what was modelled inside the flesh is meant to be hidden there. 0: the level has
  // nothing to test.
  std::vector<double> inside_at_rest;
  std::vector<int> points;
  std::vector<std::string> names;           // "truth", "linear blend", then the methods
  std::vector<std::vector<double>> inside;  // [name][level - 1]: share of the points inside, mean over the frames

  // Whether there is nothing to test: no level has both layers and flesh.
  bool empty() const { return inside.empty(); }

  // Tolerance as a share of the character's size, about 2 mm on a person: cloth that touches skin is as near to it on
  // both sides, because levels and 8-bit correctives move points by that much.
  static constexpr double kTolerance = 1e-3;
};

// Tests ground truth, linear blend skinning and the given methods on up to max_frames of the frames, evenly spread. A
// layer's point is inside if it is inside the flesh, deeper than the tolerance (FindInside() in mesh/inside.h, of the
// flesh posed by the same method), where pieces of flesh that it is inside of at rest do not count: those are its
// cover. A belt between trousers and the jacket over them may touch the jacket from below, but not sink into the
// trousers. A point that came through its cover (FindThrough()) counts as one that is inside. On coarser levels, roles
// are those of RolesOnLevels() and a triangle is flesh if its three points are.
LayerTest TestLayers(const lod::Hierarchy& hierarchy, const dataset::TrainingFrames& frames,
                     const std::vector<Method>& methods, int max_frames = 20);

// Returns {"frames", "tolerance_mm", "levels": [{"level", "points", "rest", and a share per name}]}; null if the test
// is empty.
Json LayerJson(const LayerTest& test, double to_mm);
// Returns the result on the finest level as a sentence without a full stop; empty if the test is.
std::string LayerSentence(const LayerTest& test, double to_mm);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_LAYER_TEST_H_
