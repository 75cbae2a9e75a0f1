// Where a posed body lies inside itself: a hand in a thigh, an arm in the trunk, one leg in the other.
#ifndef SINEW_OFFLINE_POSES_BODY_OVERLAP_H_
#define SINEW_OFFLINE_POSES_BODY_OVERLAP_H_

#include <Eigen/Geometry>
#include <vector>

#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/anatomy/rest_body.h"
#include "sinew/offline/poses/body_spheres.h"

namespace sinew::poses {

struct SphereOverlap {
  int a = 0, b = 0;  // spheres
  double depth = 0;  // the sum of radii less the distance of centres, as a share of the body's size
  Eigen::Vector3d away = Eigen::Vector3d::Zero();  // unit, from b's centre to a's
};

// Two balls are not compared if they meet at rest or nearly so, or if at most one joint between them can bend: how far
// an elbow folds is its limit's matter, and the flesh's.
class BodyOverlap {
 public:
  BodyOverlap(BodySpheres body, const RestBody& rest, const std::vector<Eigen::Affine3d>& rest_models,
              const JointLimits& limits);

  const BodySpheres& body() const { return body_; }
  int pair_count() const { return static_cast<int>(pairs_.size()); }

  // The balls' centres. models: one per joint.
  void Place(const std::vector<Eigen::Affine3d>& models, std::vector<Eigen::Vector3d>& centres) const;
  // All overlaps deeper than `least`, in a fixed order.
  void Find(const std::vector<Eigen::Vector3d>& centres, double least, std::vector<SphereOverlap>& overlaps) const;
  // The centre of a ball as its i-th joint alone would place it; the ball's is the mean of these by weight.
  Eigen::Vector3d PlacedBy(int sphere, int influence, const std::vector<Eigen::Affine3d>& models) const {
    return models[body_.spheres[sphere].influences.joints[influence]] * local_[sphere][influence];
  }

 private:
  struct Pair {
    int a, b;
  };
  // Pairs of the balls of two joints, together so that one look at two boxes can pass over all of them.
  struct Group {
    int joint_a, joint_b;
    int first, end;  // in pairs_
  };

  BodySpheres body_;
  std::vector<std::array<Eigen::Vector3d, BodySphere::kMaxInfluences>> local_;  // centres in the joints' frames
  std::vector<Pair> pairs_;
  std::vector<Group> groups_;
  int joint_count_ = 0;
};

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_BODY_OVERLAP_H_
