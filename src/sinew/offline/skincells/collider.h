// The body under a garment in every pose of a training set, against which the collision penalty for cloth (section 4.1)
// is measured.
//
//   col     = sum_v delta^2 ln(1 + (depth_v / delta)^2)
//   depth_v = max(0, m_v - (X_v - b) . n),   b the posed body's vertex nearest to X_v, n its normal
//
// For depths below delta = kDeep of the garment's longest side, a vertex's term is the square of its depth; deeper ones
// count less and less, because in armpits and folds a body meets itself and no cloth between its two sides can be
// right.
//
// The margin m_v is the distance of the cloth from the body at rest, at most kMargin of the garment's longest side:
// cloth that lies on the skin is not pushed away from it, and cloth that starts inside is not pulled out. The gradient
// treats the choice of the nearest vertex as constant.
#ifndef SINEW_OFFLINE_SKINCELLS_COLLIDER_H_
#define SINEW_OFFLINE_SKINCELLS_COLLIDER_H_

#include <span>
#include <string>
#include <vector>

#include "sinew/offline/mesh/nearest_point.h"
#include "sinew/offline/skincells/subject.h"

namespace sinew::skincells {

constexpr double kMargin = 0.01, kDeep = 0.005;  // lengths in the garment's unit box

// The body in one pose, in the garment's unit box.
class PosedBody {
 public:
  PosedBody(Points points, Points normals);

  struct Side {
    double height = 0;                                 // above the tangent plane of the nearest vertex; negative inside
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();  // unit normal of that vertex
  };
  Side At(const Eigen::Vector3d& x) const;
  const Points& points() const { return points_; }

 private:
  Points points_, normals_;
  NearestPoint nearest_;
};

struct Collider {
  std::vector<PosedBody> bodies;  // one per pose
  std::vector<double> margins;    // m_v, one per vertex of the garment's surface
};

// Poses a body by the pose of a garment. Joints are paired by name; a joint that the garment lacks stays in its rest
// pose.
class BodyUnderGarment {
 public:
  // Keeps a reference to `garment`. Throws InputError if the two have no joint in common.
  BodyUnderGarment(const Subject& garment, const Skeleton& garment_skeleton, const std::string& garment_file,
                   const Character& body, const std::string& body_file);

  // Positions of all vertices of the body's surface, in the garment's unit box.
  Points At(const Pose& garment_pose) const;
  const Triangles& triangles() const { return body_.surface.triangles; }

 private:
  const Subject& garment_;
  const Subject body_;
  const SkinWeights weights_;
  const Skeleton skeleton_;    // the body's, as in its file
  std::vector<int> joint_of_;  // per joint of the body: the garment's, or -1
};

// Makes one PosedBody per pose, and the margins. Only the part of the body that was near the garment at rest counts: a
// hand that passes through a skirt says nothing about the skirt's weights. Throws Error (kInput) if no part is near it.
Collider MakeCollider(const Subject& garment, const Skeleton& garment_skeleton, const BodyUnderGarment& body,
                      std::span<const Pose> poses);

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_COLLIDER_H_
