// Training data for the losses of SkinCells (section 3.5 of the paper named in field.h): the surface in the unit box,
// its springs, and skinning matrices of many poses; optionally also weights that the user wants and, for a garment,
// the body under it.
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
  double largest_cosine = 0.1;  // of the angle between spring and bone, up to which they count as orthogonal
};

// Returns one spring per vertex of the surface. Only springs that stand orthogonally on their bone, and meet the mesh
// nowhere between their ends, are kept; the others have joint -1.
// bones: in the surface's unit, as FindBones returns them. query: over subject.surface.
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
  std::vector<Eigen::Quaterniond> rotation;  // rotation of T, of the two signs the one nearer the parent joint's
};

struct TrainingSet {
  Eigen::Matrix3Xd points;      // vertices at rest, in the unit box
  Csr neighbors;                // per vertex, the vertices it shares an edge with on Subject::surface, which is welded
  Eigen::Matrix3Xd L;           // uniform Laplacian of the points: mean of the neighbours minus the point
  double edge = 1;              // root mean square length of an edge, in the unit box
  std::vector<Spring> springs;  // one per vertex
  std::vector<TrainingPose> poses;
  int joint_count = 0;                       // size of Subject::joints
  std::vector<Guide> guides;                 // by increasing vertex
  std::shared_ptr<const Collider> collider;  // body under a garment in each entry of poses; null: none

  int vertex_count() const { return static_cast<int>(points.cols()); }
};

// Makes a set without guides and collider. file_skeleton: see SkinningMatrices().
TrainingSet MakeTrainingSet(const Subject& subject, std::vector<Spring> springs, const Skeleton& file_skeleton,
                            std::span<const Pose> poses);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_TRAINING_SET_H_
