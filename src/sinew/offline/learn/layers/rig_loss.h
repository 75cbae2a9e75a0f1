// Loss of a network that rigs meshes, and its gradient: what libsinew_torch trains by (torch/rig_loss.h), in plain C++.
//
// Reference: P. Li et al., "Learning Skeletal Articulations with Neural Blend Shapes", 2021, Eqs. 2 to 4 and 6.
// Symbols: W skin weights of vertices, O offsets of joints from their parents, R local rotations of joints, V vertices
// at rest, T_i what joint i does to a point.
#ifndef SINEW_OFFLINE_LEARN_LAYERS_RIG_LOSS_H_
#define SINEW_OFFLINE_LEARN_LAYERS_RIG_LOSS_H_

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

#include "sinew/offline/learn/layers/matrix.h"

namespace sinew::layers {

// How the parts of a loss count. All lengths are multiplied by `scale` before they are squared.
struct RigLossOptions {
  std::vector<int> parents;   // of all joints; -1 for the root, parents before their children
  std::vector<double> means;  // x, y, z of every joint: the network answers (place - mean) / deviation
  double deviation = 1;
  double scale = 1;
  double weights = 0, offsets = 0;  // Eq. 6: squared differences of weights, mean over vertices; of offsets, summed
  double root = 0;                  // squared distance of the root: it never turns, so that no pose shows its place
  std::vector<double> poses = {};   // factor of every pose's squared distances of vertices, Eq. 4
  int influences = 0;               // how many of the largest weights of a vertex count, renormalised; 0: all

  int joints() const { return static_cast<int>(parents.size()); }
};

// A body whose rig is known. V vertices, J joints; rows of a network's answer are edges.
struct RigTruth {
  std::vector<std::array<int, 2>> ends;  // vertices of every edge
  RowMatrix points;                      // V by 3, at rest
  RowMatrix weights;                     // V by J
  std::vector<float> shares;             // V: how much each vertex counts; their sum is 1
  RowMatrix joints;                      // J by 3
};

// Rotation of each joint relative to its parent, J by 9, matrices row by row: at rest all are the identity.
using RigPose = RowMatrix;

// Returns the loss of an answer. answer: J columns of weights, which sum to 1, then x, y, z of every joint, which all
// rows share, of which the first counts; further columns are ignored. A vertex has the mean of its edges' weights.
// poses: one per entry of options.poses. gradient: of the answer; may be null; set, not added to.
double RigLoss(const RigLossOptions& options, const RigTruth& truth, const ConstRows& answer,
               std::span<const RigPose> poses, RowMatrix* gradient = nullptr);

// Poses a rigged surface by forward kinematics and linear blend skinning (Eqs. 2, 3). joints: J by 3.
RowMatrix PoseSurface(std::span<const int> parents, const ConstRows& points, const ConstRows& weights,
                      const ConstRows& joints, const RigPose& pose);

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_RIG_LOSS_H_
