// Approximation of a character's body by spheres inside its skin: few enough that all can be compared in every pose,
// and close enough to the skin that they touch where the body does.
//
// Each sphere is a maximal one inside the skin (centred on the medial axis), found by shrinking (J. Ma, S. W. Bae, S.
// Choi, "3D medial axis point approximation using nearest neighbors and the normal field", 2012). It moves with the
// skin that it touches, by linear blend skinning.
#ifndef SINEW_OFFLINE_POSES_BODY_SPHERES_H_
#define SINEW_OFFLINE_POSES_BODY_SPHERES_H_

#include <Eigen/Core>
#include <array>
#include <vector>

#include "sinew/offline/character/influences.h"

namespace sinew::poses {

struct BodySphereOptions {
  // Largest distance of the skin from the maximal spheres inside it, as a fraction of the body's size. All spheres are
  // enlarged by the same amount, so that no skin sticks out.
  double slack = 0.004;
  int max_spheres = 800;  // largest number of spheres; the best are kept
};

struct BodySphere {
  static constexpr int kMaxInfluences = 4;

  Eigen::Vector3d centre_rest = Eigen::Vector3d::Zero();
  double radius = 0;
  double volume = 0;      // volume of flesh that belongs to this sphere alone; in sum about the body's volume
  Influences influences;  // at most kMaxInfluences; weights sum to 1
};

struct BodySpheres {
  double size = 0;  // size of the body: longest side of its skin's bounding box at rest; 0 without a skin
  std::vector<BodySphere> spheres;
};

// Finds the spheres of a character in the rest pose, in model space and model units. Pieces of the skin that enclose
// next to nothing (cloth, hair) or are small compared with the largest piece (eyes, teeth) get no spheres. Takes
// fractions of a second for 75,000 vertices. Throws InputError if a part's weights cannot be used (skin_builder.h).
BodySpheres FindBodySpheres(const Character& character, const BodySphereOptions& options = {});

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_BODY_SPHERES_H_
