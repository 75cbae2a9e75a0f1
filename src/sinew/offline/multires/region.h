// One region of one level: its bases (equation 9), the joints that its network sees, and the network.
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

// What the training of all regions shares. Frames are in the order training, validation.
struct Scene {
  const lod::Hierarchy& hierarchy;
  const TrainOptions& options;
  std::vector<Pose> poses;
  int training_count = 0;
  learn::RowMatrix features;
  JointCulling culling;
  std::unique_ptr<JointProbe> probe;     // null: the rig was not asked
  std::vector<learn::RowMatrix> probed;  // displacements in its poses, [i - 1] on level i
  double height = 0, epsilon = 0;
  const learn::CudaFitter* cuda = nullptr;  // null: on the CPU
};

// Points of a level where a basis function psi_i^k is not zero, and its values there.
struct Support {
  std::vector<int> points;
  std::vector<float> values;
};
// One per region of the hierarchy, on level i.
std::vector<Support> FindSupports(const lod::Hierarchy& hierarchy, int i);

struct TrainedRegion {
  deformer::RegionCorrective corrective;
  learn::Fit fit;
  double left = 0;  // of the targets by the bases: squares, summed over the region's points, mean over training frames
};

// A region with its bases and joints, and what its network is to learn. Nothing, if the corrective has no modes.
struct PreparedRegion {
  TrainedRegion region;
  learn::FitProblem problem;
};
PreparedRegion PrepareRegion(const Scene& scene, const Targets& targets, const Support& support, int i, int k);

// The region with the network that was fitted to its problem.
TrainedRegion WithNetwork(TrainedRegion region, learn::Fit fit);

// Prepares and fits region k of level i on one thread of the CPU.
TrainedRegion TrainRegion(const Scene& scene, const Targets& targets, const Support& support, int i, int k);

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_REGION_H_
