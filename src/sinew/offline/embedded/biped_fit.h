// From the neutral biped to one of another shape: every part of the body has its own place and scale.
#ifndef SINEW_OFFLINE_EMBEDDED_BIPED_FIT_H_
#define SINEW_OFFLINE_EMBEDDED_BIPED_FIT_H_

#include "sinew/offline/embedded/biped_parts.h"
#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

// Factors against the neutral figure, before the whole is scaled to its stature.
struct Proportions {
  double leg = 1, arm = 1, torso = 1, foot = 1, hand = 1, head = 1;  // lengths; the last three of whole parts
  double shoulders = 1, hips = 1, depth = 1;                         // of the trunk: width above, width below, depth
  double neck_girth = 1, arm_girth = 1, leg_girth = 1;
  double stature = 1.7;  // metres
};

class BipedFit {
 public:
  explicit BipedFit(const Proportions& proportions);

  // Neutral coordinates into the shape's, for what moves with a joint (of the left side, or in the middle).
  Vector3d Map(int joint, const Vector3d& neutral) const;
  Primitive Map(const Primitive& neutral) const;
  Sculpture Map(const Sculpture& neutral) const;
  // The 24 joints, at their places in the shape.
  std::vector<FigureJoint> Joints() const;

 private:
  struct Frame {
    Vector3d from, to, scale;  // p becomes to + scale * (p - from)
  };
  enum Part { kTrunk, kThroat, kSkull, kArmPart, kHandPart, kLegPart, kFootPart, kParts };
  static Part PartOf(int joint);
  // How much wider the trunk is at a height.
  double Widening(double y) const;
  Vector3d ScaleAt(Part part, const Vector3d& neutral) const;
  Vector3d MapPart(Part part, const Vector3d& neutral) const;

  Proportions proportions_;
  Frame frames_[kParts];
  double size_ = 1;
};

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_BIPED_FIT_H_
