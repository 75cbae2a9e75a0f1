// Maps the neutral biped to another shape: every part of the body has its own position and scale.
#ifndef SINEW_OFFLINE_EMBEDDED_BIPED_FIT_H_
#define SINEW_OFFLINE_EMBEDDED_BIPED_FIT_H_

#include "sinew/offline/embedded/biped_parts.h"
#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

// Factors relative to the neutral figure (1: unchanged), applied before the whole figure is scaled to its stature.
struct Proportions {
  double leg = 1, arm = 1, torso = 1, foot = 1, hand = 1, head = 1;  // lengths; the last three scale whole parts
  double shoulders = 1, hips = 1, depth = 1;                         // trunk: width at top and bottom, depth
  double neck_girth = 1, arm_girth = 1, leg_girth = 1;
  double stature = 1.7;  // metres
};

class BipedFit {
 public:
  explicit BipedFit(const Proportions& proportions);

  // Maps a point, a primitive or the whole sculpture from the neutral figure to the shape; metres, model space.
  // joint: the joint that the point moves with, a BipedJoint of the left side or the middle; a Primitive names its own.
  Vector3d Map(int joint, const Vector3d& neutral) const;
  Primitive Map(const Primitive& neutral) const;
  Sculpture Map(const Sculpture& neutral) const;
  // Returns the 24 joints at their positions in the shape, in the order of BipedJoint.
  std::vector<FigureJoint> Joints() const;

 private:
  struct Frame {
    Vector3d from, to, scale;  // maps p to to + scale * (p - from)
  };
  enum Part { kTrunk, kThroat, kSkull, kArmPart, kHandPart, kLegPart, kFootPart, kParts };
  static Part PartOf(int joint);
  // Returns the factor of the trunk's width at the neutral height y, metres.
  double Widening(double y) const;
  Vector3d ScaleAt(Part part, const Vector3d& neutral) const;
  Vector3d MapPart(Part part, const Vector3d& neutral) const;

  Proportions proportions_;
  Frame frames_[kParts];
  double size_ = 1;
};

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_BIPED_FIT_H_
