// Props of bodies to train with: stiff things that one joint moves, as game characters carry them. Swords, staffs,
// shields and books in their hands, pads of armour, boots, a pack on the back.
#ifndef SINEW_OFFLINE_AUTORIG_PROPS_H_
#define SINEW_OFFLINE_AUTORIG_PROPS_H_

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "sinew/offline/autorig/example.h"
#include "sinew/offline/core/random.h"

namespace sinew::autorig {

// A rounded block. Lengths are shares of the body's height.
struct Prop {
  int joint = 0;                                             // moves it, alone
  Eigen::Vector3d place = Eigen::Vector3d::Zero();           // of its middle, from that joint
  Eigen::Vector3d half = Eigen::Vector3d(0.05, 0.05, 0.05);  // half of its length in each direction
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();  // before it is put there
  double squareness = 0;                                     // 0: an ellipsoid; 1: a box
};

// Returns a body in a T-pose with one more surface. body: upright, facing z.
WeightedBody PutOn(const WeightedBody& body, const Prop& prop);

// Returns a body with one to three kinds of drawn props, pads mostly on both sides.
WeightedBody PutOnProps(WeightedBody body, Random& random);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_PROPS_H_
