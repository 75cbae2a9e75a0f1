// What training makes: the correctives of every level, in full precision, as Zheng and Barbic 2024 (sections 4 and 5)
// define them. bake/ turns it, with the hierarchy that it was trained on, into a bundle.
#ifndef SINEW_OFFLINE_DEFORMER_DEFORMER_H_
#define SINEW_OFFLINE_DEFORMER_DEFORMER_H_

#include <Eigen/Core>
#include <string>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/learn/network.h"
#include "sinew/runtime/pose/features.h"

namespace sinew::deformer {

// How far a pose is from what was trained, for some joints together: the distance from L x to the nearest of the
// centres, where x are the features of the joints one after another. Up to `inner` the correctives that these joints
// drive stay whole, from `outer` on they are gone, and between the two they fade by a smooth step.
struct RangeTest {
  std::vector<int> joints;  // increasing
  Eigen::MatrixXf L;        // m rows, a column per feature
  Eigen::MatrixXf centres;  // m rows, one column each, one at least
  float inner = 0, outer = 0;
};

// N_i^k and V_i^k of one region that was not culled: what it adds is V z, z = fade * network(features of the joints).
//
// A level's truth is coarsened in the world, after skinning, and what leads there before skinning is not quite what
// leads the finer level there, coarsened: two levels' weights skin differently. The paper coarsens before skinning, and
// accepts the difference as an error of the coarse levels; here it is learned apart, as modes of the level's own, which
// are added to what is shown of the level and not handed on to the finer ones, which would only have to take it back.
struct RegionCorrective {
  int region = 0;           // k, a point of level 0
  std::vector<int> joints;  // those that the network sees, increasing
  std::vector<int> points;  // where V is not zero: points of the level, increasing
  Eigen::MatrixXf V;        // 3 rows (x, y, z) for each of `points`, d columns: handed on to the finer levels
  Eigen::MatrixXf own;      // likewise: of this level alone. The network's outputs are V's, then these
  learn::Network network;   // is zero at rest, where all features are zero
  std::vector<int> ranges;  // the fade is the least of these tests'
  Eigen::VectorXf spread;   // of each output: root mean square over the training frames: what precision is worth

  Eigen::Index modes() const { return V.cols() + own.cols(); }
};

struct LevelCorrectives {
  std::vector<RegionCorrective> regions;
};

struct Deformer {
  runtime::PoseFeatures features = runtime::PoseFeatures::kQuaternion;
  // False: the single-level method (Bailey et al. 2018), for comparison; a level is what its regions say, and nothing
  // comes from the coarser one.
  bool incremental = true;
  std::vector<LevelCorrectives> levels;  // levels[i - 1] is level i of the hierarchy
  std::vector<RangeTest> ranges;
  std::vector<std::string> trained_frames;  // hashes of the frames that were trained on or validated with
  double height = 0;                        // of the body, in the character's unit
  Json settings;                            // what it was made with
};

}  // namespace sinew::deformer

#endif  // SINEW_OFFLINE_DEFORMER_DEFORMER_H_
