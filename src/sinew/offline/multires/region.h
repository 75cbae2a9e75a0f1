// Training of one region of one level: its bases (equation 9), the joints that its network sees, and the network.
#ifndef SINEW_OFFLINE_MULTIRES_REGION_H_
#define SINEW_OFFLINE_MULTIRES_REGION_H_

#include <memory>
#include <vector>

#include "sinew/offline/deformer/deformer.h"
#include "sinew/offline/learn/cuda_fitter.h"
#include "sinew/offline/lod/hierarchy.h"
#include "sinew/offline/multires/cull_joints.h"
#include "sinew/offline/multires/targets.h"
#include "sinew/offline/multires/train_options.h"

namespace sinew::multires {

// Data that the training of all regions shares. Frames are in the order training, validation.
struct Scene {
  const lod::Hierarchy& hierarchy;
  const TrainOptions& options;
  std::vector<Pose> poses;    // one per frame
  int training_count = 0;     // number of training frames
  learn::RowMatrix features;  // as from FeaturesOfPoses(): one column per frame
  learn::RowMatrix bind;      // those of the bind pose: there the truth is skinning
  JointCulling culling;
  std::unique_ptr<JointProbe> probe;        // null: no probe poses were given
  std::vector<learn::RowMatrix> probed;     // displacements in the probe poses, [i - 1] on level i
  double height = 0, epsilon = 0;           // body height in the character's unit; threshold as a fraction of it
  const learn::CudaFitter* cuda = nullptr;  // null: networks are fitted on the CPU
  std::vector<float> weights = {};          // how much each training frame counts; empty: all count the same
};

// Support of a basis function psi_i^k: the points of the level where it is not zero, and its values there.
struct Support {
  std::vector<int> points;
  std::vector<float> values;
};
// Finds the supports on level i, one per region of the hierarchy.
std::vector<Support> FindSupports(const lod::Hierarchy& hierarchy, int i);

struct TrainedRegion {
  deformer::RegionCorrective corrective;  // without modes if the region is culled
  learn::Fit fit;
  // Squared error that the bases leave of the targets: summed over the region's points, mean over the training frames.
  double left = 0;
  bool failed = false;  // whether its network came out with numbers that are not finite, so that it was left out
};

// Region with its bases and joints, and the problem that its network is to be fitted to. The problem is empty if the
// corrective has no modes.
struct PreparedRegion {
  TrainedRegion region;
  learn::FitProblem problem;
};
// Prepares region k of level i. targets: of that level.
PreparedRegion PrepareRegion(const Scene& scene, const Targets& targets, const Support& support, int i, int k);

// Sets up the fit of a region's network, and the spread of its coefficients. z: coefficients of the region's modes, one
// row per frame of the scene. stream: of random numbers. prepared: with its modes and joints.
void SetUpFit(const Scene& scene, const learn::RowMatrix& z, uint64_t stream, PreparedRegion& prepared);

// Returns the region with the network that was fitted to its problem. A network that is not finite is left out: the
// region then has no modes and is marked as failed, and the training of all others goes on.
TrainedRegion WithNetwork(TrainedRegion region, learn::Fit fit);

// Fits the network of a prepared region on the calling thread.
TrainedRegion FitRegion(PreparedRegion prepared);

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_REGION_H_
