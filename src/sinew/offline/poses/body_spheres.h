// The body of a character as balls inside its skin: few enough that all can be compared in every pose, near enough to
// the skin that they touch where the body does. Each is a largest ball that fits inside the skin somewhere (a ball of
// the medial axis), found by shrinking (J. Ma, S. W. Bae, S. Choi, "3D medial axis point approximation using nearest
// neighbors and the normal field", 2012), and moves with the skin that it touches, by linear blend skinning.
#ifndef SINEW_OFFLINE_POSES_BODY_SPHERES_H_
#define SINEW_OFFLINE_POSES_BODY_SPHERES_H_

#include <Eigen/Core>
#include <array>
#include <vector>

#include "sinew/offline/character/influences.h"

namespace sinew::poses {

struct BodySphereOptions {
  // How far the skin may be from the largest balls inside it, as a share of the body's size. All are made larger by as
  // much, so that none of the skin sticks out.
  double slack = 0.004;
  int max_spheres = 800;  // the best so many are kept
};

struct BodySphere {
  static constexpr int kMaxInfluences = 4;

  Eigen::Vector3d centre_rest = Eigen::Vector3d::Zero();
  double radius = 0;
  double volume = 0;      // of the flesh around it that is no other ball's; together about the body's
  Influences influences;  // kMaxInfluences at most; weights sum to 1
};

struct BodySpheres {
  double size = 0;  // of the body: the longest side of its skin's bounding box at rest; 0 without a skin
  std::vector<BodySphere> spheres;
};

// All in model space, the character at rest. Pieces of the skin that enclose next to nothing have no balls: cloth,
// hair, and what is small beside the largest piece (eyes, teeth). Fractions of a second for 75,000 vertices. Throws
// InputError where a part's weights cannot be used (skin_builder.h).
BodySpheres FindBodySpheres(const Character& character, const BodySphereOptions& options = {});

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_BODY_SPHERES_H_
