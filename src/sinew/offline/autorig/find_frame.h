// Which way a body stands: turns that may make it upright and facing front, found from its mirror symmetry.
#ifndef SINEW_OFFLINE_AUTORIG_FIND_FRAME_H_
#define SINEW_OFFLINE_AUTORIG_FIND_FRAME_H_

#include <vector>

#include "sinew/offline/autorig/body_frame.h"

namespace sinew::autorig {

// Plane that a surface is nearly symmetric about.
struct MirrorPlane {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();
  double misfit = 0;  // mean distance of mirrored points from the surface, without the worst; share of its size
};
// Finds planes by mirroring points to the surface again and again, from its principal axes and from the file's; most
// symmetric first, no two alike. surface: of evenly spread vertices (edge_input.h).
std::vector<MirrorPlane> FindMirrorPlanes(const TriMesh& surface);

// Returns turns to canonical axes (BodyFrame::turn), those about the most symmetric plane first: up is either way along
// either main axis within the plane, and the front is either side. A turn that is nearly one of the file's axes is
// exactly that.
std::vector<Eigen::Matrix3d> CandidateTurns(const TriMesh& surface);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_FIND_FRAME_H_
