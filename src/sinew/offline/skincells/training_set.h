// Training data of the losses of section 3.5: the surface in the unit box, its springs, and skinning matrices of many
// poses.
#ifndef SINEW_OFFLINE_SKINCELLS_TRAINING_SET_H_
#define SINEW_OFFLINE_SKINCELLS_TRAINING_SET_H_

#include <memory>
#include <span>
#include <vector>

#include "sinew/offline/mesh/csr.h"
#include "sinew/offline/skincells/bones.h"
#include "sinew/offline/skincells/collider.h"

namespace sinew::skincells {

// Spring from a vertex to its anchor, the closest point of the skeleton, which moves with its bone's joint.
struct Spring {
  int joint = -1;                                    // index into Subject::joints; -1: the vertex has none
  Eigen::Vector3d anchor = Eigen::Vector3d::Zero();  // in the unit box
  double rest = 0;                                   // length at rest, in the unit box
};

struct SpringOptions {
  double largest_cosine = 0.1;  // largest cosine of the angle between spring and bone: more is not orthogonal
};

// Returns one spring per vertex of the surface. Only springs that stand orthogonally on their bone, and meet the mesh
// nowhere between their ends, are kept; the others have joint -1.
std::vector<Spring> MakeSprings(const Subject& subject, std::span<const Bone> bones, const SurfaceQuery& query,
                                const SpringOptions& options = {});

// Weight that the user wants at a vertex.
struct Guide {
  int vertex = 0;      // vertex of the surface
  int joint = 0;       // index into Subject::joints
  float target = 0;    // the weight, 0 to 1
  float strength = 1;  // factor on the squared difference from the target
};

// Skinning matrices of one pose, in the unit box.
struct TrainingPose {
  std::vector<Eigen::Affine3d> T;            // per entry of Subject::joints
  std::vector<Eigen::Quaterniond> rotation;  // rotation of T, with the sign for which it is near its parent's
};

struct TrainingSet {
  Eigen::Matrix3Xd points;  // vertices at rest, in the unit box
  Csr neighbors;            // neighbours of each vertex on the welded surface
  Eigen::Matrix3Xd L;       // uniform Laplacian of the points: mean of the neighbours minus the point
  double edge = 1;          // root mean square length of an edge, in the unit box
  std::vector<Spring> springs;
  std::vector<TrainingPose> poses;
  int joint_count = 0;
  std::vector<Guide> guides;                 // by increasing vertex
  std::shared_ptr<const Collider> collider;  // null: none; otherwise one body per entry of poses

  int vertex_count() const { return static_cast<int>(points.cols()); }
};

// Makes a set without guides and collider. file_skeleton: see SkinningMatrices().
TrainingSet MakeTrainingSet(const Subject& subject, std::vector<Spring> springs, const Skeleton& file_skeleton,
                            std::span<const Pose> poses);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_TRAINING_SET_H_
