// Bodies whose true shapes in poses are known, as the residual branch is trained on them.
//
// Reference: P. Li et al., "Learning Skeletal Articulations with Neural Blend Shapes", 2021, section 4.2.
#ifndef SINEW_OFFLINE_AUTORIG_SHAPED_BODY_H_
#define SINEW_OFFLINE_AUTORIG_SHAPED_BODY_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sinew/offline/autorig/residual_branch.h"
#include "sinew/offline/graphnet/frame_set.h"
#include "sinew/offline/learn/layers/rig_loss.h"

namespace sinew::autorig {

// Returns what a pose turns: the rotation of every joint of BipedJoints() relative to the one above it, from rest,
// kJoints by 9, matrices row by row. The pelvis's is the identity: what it does is left out. joints: in the skeleton.
// turn: from the skeleton's axes to those that rotations are given in.
layers::RigPose TurnsOfJoints(const Skeleton& skeleton, const std::array<int, kJoints>& joints, const Pose& rest,
                              const Pose& pose, const Eigen::Matrix3d& turn);

// A body on one mesh.
struct ShapedBody {
  std::string name;
  std::shared_ptr<const SurfaceEdges> edges;
  RowMatrix features;  // ShapeFeatures()
  layers::ShapeBody body;
  std::vector<layers::ShapePose> poses;
};

// Poses of a character with its true shapes in them, per vertex of the character, in model space.
struct KnownShapes {
  std::vector<Pose> poses;
  std::function<Points(int pose)> truth;  // may be called from any thread
};

struct ShapedBodyOptions {
  MaskKind masks = MaskKind::kSharp;
  int vertices = kWorkingVertices;
  bool by_area = false;  // whether what is large counts for more
};

// Makes one, on a mesh of its own: the envelope is what the rigging network answers for that mesh, and not the true
// rig. Throws InputError, naming `file`, for a character without all joints of BipedJoints().
ShapedBody MakeShapedBody(const Character& character, const KnownShapes& shapes, const RigNetwork& network,
                          const ShapedBodyOptions& options, uint64_t seed, const std::string& file);

// Makes those of all characters of the sources, each on `meshes` meshes. Characters that cannot be made are left out
// with a warning. Throws InputError if none is left.
std::vector<ShapedBody> MakeShapedBodies(const std::vector<graphnet::FrameSource>& sources, const RigNetwork& network,
                                         const ShapedBodyOptions& options, int meshes, uint64_t seed);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_SHAPED_BODY_H_
