// Frame of a body in its file: the turn that makes it upright and facing front, its place and its size.
#ifndef SINEW_OFFLINE_AUTORIG_BODY_FRAME_H_
#define SINEW_OFFLINE_AUTORIG_BODY_FRAME_H_

#include <optional>

#include "sinew/offline/autorig/biped_joints.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::autorig {

// Canonical space: x to the body's left, y up, z to its front; the body is 1 high and stands on y = 0, with the middle
// of its surface at x = z = 0.
struct BodyFrame {
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();  // from the file's axes to the canonical ones
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();    // of canonical space, in the file's
  double height = 1;                                   // in the file's unit

  Eigen::Vector3d ToCanonical(const Eigen::Vector3d& point) const { return turn * (point - origin) / height; }
  Eigen::Vector3d ToFile(const Eigen::Vector3d& point) const { return turn.transpose() * point * height + origin; }
  Points PointsToCanonical(const Points& points) const;
};

// Returns the frame of a surface with this turn. Throws UsageError for a surface that has no area or height.
BodyFrame MeasureFrame(const TriMesh& surface, const Eigen::Matrix3d& turn);

// Returns a frame by the joints of a body rather than by its outline, which hats, hair and skirts change: up is from
// the hips to the neck, left from the right hip and shoulder to the left ones, the hips are at a fixed place, and the
// height is that of legs, trunk and neck times a factor that makes it about the body's. joints, and the frame: in the
// same space. Nothing for joints that all but coincide.
std::optional<BodyFrame> RefinedFrame(const JointPositions& joints);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_BODY_FRAME_H_
