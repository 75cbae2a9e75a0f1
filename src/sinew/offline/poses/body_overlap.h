// Detection of self-intersection of a posed body: a hand in a thigh, an arm in the trunk, one leg in the other.
#ifndef SINEW_OFFLINE_POSES_BODY_OVERLAP_H_
#define SINEW_OFFLINE_POSES_BODY_OVERLAP_H_

#include <Eigen/Geometry>
#include <vector>

#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/anatomy/rest_body.h"
#include "sinew/offline/poses/body_spheres.h"

namespace sinew::poses {

// Two spheres that overlap.
struct SphereOverlap {
  int a = 0, b = 0;  // indices of the spheres
  // Sum of the radii minus the distance of the centres and what Allow() allows, as a fraction of the body's size.
  double depth = 0;
  Eigen::Vector3d away = Eigen::Vector3d::Zero();  // unit direction from b's centre to a's, in model space
};

// Finds overlaps between the spheres of a body. Two spheres are not compared if they touch or nearly touch at rest, or
// if at most one joint between them can bend: how far an elbow folds is decided by its limit and by the flesh.
class BodyOverlap {
 public:
  // rest_models: model-space transforms of the joints in the rest pose; limits: both one per joint.
  BodyOverlap(BodySpheres body, const RestBody& rest, const std::vector<Eigen::Affine3d>& rest_models,
              const JointLimits& limits);

  // Allows two limbs to overlap as deep as they do in these poses, but for the tenth of them in which they do most: an
  // artist lets arms hang close, and what lies side by side in folds is one piece of flesh. poses: model-space
  // transforms, one per joint.
  void Allow(const std::vector<std::vector<Eigen::Affine3d>>& poses);

  const BodySpheres& body() const { return body_; }
  // Number of pairs of spheres that are compared.
  int pair_count() const { return static_cast<int>(pairs_.size()); }

  // Computes the centres of the spheres in model space by linear blend skinning. models: model-space transforms, one
  // per joint.
  void Place(const std::vector<Eigen::Affine3d>& models, std::vector<Eigen::Vector3d>& centres) const;
  // Finds all overlaps deeper than `least` (a fraction of the body's size), in a fixed order.
  void Find(const std::vector<Eigen::Vector3d>& centres, double least, std::vector<SphereOverlap>& overlaps) const;
  // Returns where the joint of one influence alone would place a sphere's centre; the centre is the weighted mean of
  // these over the sphere's influences.
  Eigen::Vector3d PlacedBy(int sphere, int influence, const std::vector<Eigen::Affine3d>& models) const {
    return models[body_.spheres[sphere].influences.joints[influence]] * local_[sphere][influence];
  }

 private:
  struct Pair {
    int a, b;
  };
  // All pairs of spheres of two joints, so that one test of two bounding boxes can skip them together. A sphere belongs
  // to its strongest joint.
  struct Group {
    int joint_a, joint_b;
    int first, end;      // range in pairs_
    double allowed = 0;  // see Allow(), as a fraction of the body's size
  };

  BodySpheres body_;
  std::vector<std::array<Eigen::Vector3d, BodySphere::kMaxInfluences>> local_;  // centres in the frames of their joints
  std::vector<Pair> pairs_;
  std::vector<Group> groups_;
  int joint_count_ = 0;
};

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_BODY_OVERLAP_H_
