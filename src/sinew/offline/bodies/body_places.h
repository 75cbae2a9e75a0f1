// Places on a body by its bones: how far along arms, legs and trunk each point of the skin is, by its weights.
#ifndef SINEW_OFFLINE_BODIES_BODY_PLACES_H_
#define SINEW_OFFLINE_BODIES_BODY_PLACES_H_

#include <Eigen/Core>
#include <string>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/lod/surface.h"

namespace sinew::bodies {

// Coordinates along the body. They change smoothly over the skin, since weights do.
enum BodyCoordinate {
  kArm,   // 0 on the trunk, 0 to 1 along the upper arm, to 2 along the forearm, to 3 along the hand
  kLeg,   // 0 on the trunk, 0 to 1 along the thigh, to 2 along the shin, to 3 along the foot
  kUp,    // 0 on the legs, 0 to 1 along the pelvis, to 4 along the spine, to 5 along the neck, to 6 along the head
  kHair,  // height above a plane through the head that leaves the face free, over the size of the head; below 0
          // elsewhere
  kBodyCoordinates
};

struct BodyPlaces {
  // One row per point of the surface, one column per BodyCoordinate.
  Eigen::Matrix<double, Eigen::Dynamic, kBodyCoordinates> coordinates;
  // Metres, or whatever the file's unit is, per unit of each coordinate, about.
  Eigen::Vector4d lengths = Eigen::Vector4d::Ones();
  double height = 1;  // of the surface
};

// Finds the places of all points. weights: one row per point, one column per joint. Throws InputError, naming the file,
// if the skeleton has no pelvis, head, shoulders, elbows, hips and knees that are known by name.
BodyPlaces FindPlaces(const Character& character, const lod::Surface& surface, const Eigen::MatrixXd& weights,
                      const std::string& file);

}  // namespace sinew::bodies

#endif  // SINEW_OFFLINE_BODIES_BODY_PLACES_H_
