// Parts of the biped, each sculpted around the neutral skeleton (1.70 m); biped.cc fits them to a shape's skeleton.
#ifndef SINEW_OFFLINE_EMBEDDED_BIPED_PARTS_H_
#define SINEW_OFFLINE_EMBEDDED_BIPED_PARTS_H_

#include <cmath>
#include <vector>

#include "sinew/offline/embedded/implicit.h"

namespace sinew::embedded {

// Joint indices, in the order of the body skeleton; each right joint follows its left one.
enum BipedJoint {
  kPelvis,
  kLeftHip,
  kRightHip,
  kSpine1,
  kLeftKnee,
  kRightKnee,
  kSpine2,
  kLeftAnkle,
  kRightAnkle,
  kSpine3,
  kLeftFoot,
  kRightFoot,
  kNeck,
  kLeftCollar,
  kRightCollar,
  kHead,
  kLeftShoulder,
  kRightShoulder,
  kLeftElbow,
  kRightElbow,
  kLeftWrist,
  kRightWrist,
  kLeftHand,
  kRightHand,
  kBipedJoints
};

// Form of the flesh, independent of the skeleton: 0 is neutral for every field.
struct Flesh {
  double masculine = 0;  // -1 feminine .. 1 masculine
  double muscle = 0;     // -1 slight .. 1 athletic
  double fat = 0;        // -1 lean .. 1 heavy
  double belly = 0;      // -1 flat .. 1 round
  double chest = 0;      // -1 flat .. 1 full: bust and pectorals
};

// Horizontal section of an upright part, at height y of the neutral figure. The other fields are coordinates of the
// surface, metres: x of its inner and outer side (in, out), z of its back and front.
struct Level {
  double y, in, out, back, front;
  double widest;  // z at which the section is widest
};
// Makes an upright part through levels, which are ordered from the highest down. Symmetric parts have in == -out.
Primitive Column(const std::vector<Level>& levels, double blend);

// Section across an arm at x: distances of the surface from the arm's centreline, which runs along +X; metres.
struct Cuff {
  double x, up, down, front, back;
};
// Makes a part of the arm through cuffs, ordered by increasing x. line: y and z of the arm's centreline; x is ignored.
Primitive Sleeve(const std::vector<Cuff>& cuffs, const Vector3d& line, double blend);

// Returns a bell curve along the body: 1 where `where` equals `around`, falling to one half at a distance of `width`.
inline double Around(double where, double around, double width) {
  const double d = (where - around) / width;
  return std::exp2(-d * d);
}

inline Primitive Mirrored(Primitive primitive, double mirror_blend = -1) {
  primitive.mirrored = true;
  primitive.mirror_blend = mirror_blend;
  return primitive;
}
inline Primitive Carved(Primitive primitive) {
  primitive.operation = Primitive::Operation::kCarve;
  return primitive;
}
inline Primitive Bent(Primitive primitive, const Vector3d& bend) {
  primitive.bend = bend;
  return primitive;
}
inline Primitive Sided(Primitive primitive, const Vector3d& side) {
  primitive.side = side;
  return primitive;
}

// The following add one part of the body to the sculpture of the neutral figure. Torso and neck become part of the
// group `torso`; the other parts become groups below the one given. Arms and legs are the left ones, mirrored.
void AddTorso(Sculpture& sculpture, int torso, const Flesh& flesh);
void AddNeck(Sculpture& sculpture, int torso, const Flesh& flesh);
void AddHead(Sculpture& sculpture, int torso, const Flesh& flesh);
void AddArm(Sculpture& sculpture, int torso, const Flesh& flesh);
void AddHand(Sculpture& sculpture, int arm);
void AddLeg(Sculpture& sculpture, int torso, const Flesh& flesh);
void AddFoot(Sculpture& sculpture, int leg);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_BIPED_PARTS_H_
