// Deformer: the result of training. It holds the correctives of every level of detail in full precision, as Zheng and
// Barbic 2024 (sections 4 and 5) define them. bake/ turns it, together with the hierarchy that it was trained on, into
// a bundle.
#ifndef SINEW_OFFLINE_DEFORMER_DEFORMER_H_
#define SINEW_OFFLINE_DEFORMER_DEFORMER_H_

#include <Eigen/Core>
#include <string>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/learn/network.h"
#include "sinew/runtime/pose/features.h"

namespace sinew::deformer {

// Range test: out-of-distribution test of a pose, for a set of joints. It measures the distance from L x to the nearest
// centre, where x are the features of the joints, concatenated. Up to the distance `inner` the correctives that these
// joints drive are applied fully, from `outer` on not at all, and in between they fade by a smooth step.
struct RangeTest {
  std::vector<int> joints;     // increasing
  Eigen::MatrixXf L;           // m rows, one column per feature
  Eigen::MatrixXf centres;     // m rows, one column per centre; at least one
  float inner = 0, outer = 0;  // 0 <= inner < outer
};

// Corrective of region k on level i, where it was not culled: its network N_i^k and basis V_i^k. It adds [V own] z to
// the displacements before skinning, with z = fade * network(features of the joints).
//
// The ground truth of a level is that of the finest level, coarsened in model space, after skinning. The displacement
// before skinning that gives it is not exactly the finer level's displacement coarsened, because the weights of the two
// levels skin differently. The paper coarsens displacements before skinning and accepts the difference as an error of
// the coarse levels. Here the difference is learned as modes of the level's own (`own`): they are added to the
// displayed shape of the level, but not upsampled to finer levels, which would only have to undo them.
struct RegionCorrective {
  int region = 0;           // k: index of the region, a point of level 0, which is never shown (lod/hierarchy.h)
  std::vector<int> joints;  // joints whose features are the network's inputs, increasing
  std::vector<int> points;  // support of the modes: indices of points of the level, increasing
  // Modes that are also upsampled to finer levels if Deformer::incremental: 3 rows (x, y, z) per point of `points`, one
  // column per mode.
  Eigen::MatrixXf V;
  // Modes of this level alone, same rows. The network's outputs are the coefficients of V, then of these.
  Eigen::MatrixXf own;
  learn::Network network;   // gives zero in the bind pose
  std::vector<int> ranges;  // indices into Deformer::ranges; the fade is the smallest of these tests' fades, 1 if none
  // Root mean square, over the training frames, of the coefficient that each output is trained to give: how much its
  // mode contributes, for dropping modes (drop_modes.h).
  Eigen::VectorXf spread;

  Eigen::Index modes() const { return V.cols() + own.cols(); }
};

struct LevelCorrectives {
  std::vector<RegionCorrective> regions;
};

// Value of "method" in the settings of a deformer whose regions are joints (multires/blend_shapes.h): region k of every
// level is joint k.
inline constexpr const char* kBlendShapes = "blend-shapes";

struct Deformer {
  runtime::PoseFeatures features = runtime::PoseFeatures::kQuaternion;
  // Whether a level starts from the upsampled displacements of the coarser one. False: the single-level method (Bailey
  // et al. 2018), for comparison, in which a level consists of its own regions alone.
  bool incremental = true;
  std::vector<LevelCorrectives> levels;  // levels[i - 1] is level i of the hierarchy
  std::vector<RangeTest> ranges;
  std::vector<std::string> trained_frames;  // hashes of the frames used for training or validation
  double height = 0;  // body height: longest side of the unskinned mesh's bounding box, in the character's unit
  Json settings;      // settings of the training
};

}  // namespace sinew::deformer

#endif  // SINEW_OFFLINE_DEFORMER_DEFORMER_H_
