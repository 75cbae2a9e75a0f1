// Maps the neutral biped of the embedded characters to other proportions: each body part is moved and scaled by itself,
// then the whole figure is scaled to its stature.
#ifndef SINEW_OFFLINE_EMBEDDED_BIPED_FIT_H_
#define SINEW_OFFLINE_EMBEDDED_BIPED_FIT_H_

#include "sinew/offline/embedded/biped_parts.h"
#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

// Proportions of a figure: factors relative to the neutral figure (1: unchanged), and the stature.
struct Proportions {
  // Lengths of leg, arm and torso (trunk and neck); sizes, in all directions, of foot, hand and head.
  double leg = 1, arm = 1, torso = 1, foot = 1, hand = 1, head = 1;
  // Trunk: width at the shoulders, width at the hips (widened for thick thighs), depth.
  double shoulders = 1, hips = 1, depth = 1;
  double neck_girth = 1, arm_girth = 1, leg_girth = 1;
  double neck_length = 1;  // on top of that of the torso
  double stature = 1.7;    // height to which the whole figure is scaled in the end, metres
};

class BipedFit {
 public:
  explicit BipedFit(const Proportions& proportions);

  // Maps a point, a primitive or the whole sculpture from the neutral figure to the new proportions; metres, model
  // space. joint: BipedJoint that the point moves with, which selects the body part (Primitive::joint for primitives).
  // It must be of the left side or the middle: points of the right side are mirrored by the caller.
  Vector3d Map(int joint, const Vector3d& neutral) const;
  Primitive Map(const Primitive& neutral) const;
  Sculpture Map(const Sculpture& neutral) const;
  // Returns the 24 joints of both sides at their positions in the new proportions, in the order of BipedJoint.
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

// Returns the flesh of a shape, by the parameters that all figures with the biped's parts have.
Flesh FleshOf(const Shape& shape);

// Builds the biped with this flesh in these proportions: every figure on its 24 joints is this one.
Figure BuildFigure(const Flesh& flesh, const Proportions& proportions);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_BIPED_FIT_H_
