// The parts of the biped, each sculpted around the neutral skeleton (1.70 m); biped.cc fits them to a shape's skeleton.
#ifndef SINEW_OFFLINE_EMBEDDED_BIPED_PARTS_H_
#define SINEW_OFFLINE_EMBEDDED_BIPED_PARTS_H_

#include <cmath>
#include <vector>

#include "sinew/offline/embedded/implicit.h"

namespace sinew::embedded {

// The order of the body skeleton; the right ones follow their left ones.
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

// What the flesh is like, apart from the skeleton: each 0 for neutral.
struct Flesh {
  double masculine = 0;  // -1 feminine .. 1 masculine
  double muscle = 0;     // -1 slight .. 1 athletic
  double fat = 0;        // -1 lean .. 1 heavy
  double belly = 0;      // -1 flat .. 1 round
  double chest = 0;      // -1 flat .. 1 full: bust and pectorals
};

// A horizontal section of an upright part: metres, where its surface is in the neutral figure.
struct Level {
  double y, in, out, back, front;
  double widest;  // the z at which it is widest
};
// From the highest level down; symmetric parts have in == -out.
Primitive Column(const std::vector<Level>& levels, double blend);

// A section across an arm: distances from the arm's line, which runs along +X.
struct Cuff {
  double x, up, down, front, back;
};
Primitive Sleeve(const std::vector<Cuff>& cuffs, const Vector3d& line, double blend);

// 1 at `around`, falling to half one `width` away: where along the body something shows.
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

void AddTorso(Sculpture& sculpture, int torso, const Flesh& flesh);
void AddNeck(Sculpture& sculpture, int torso, const Flesh& flesh);
void AddHead(Sculpture& sculpture, int torso, const Flesh& flesh);
void AddArm(Sculpture& sculpture, int torso, const Flesh& flesh);
void AddHand(Sculpture& sculpture, int arm);
void AddLeg(Sculpture& sculpture, int torso, const Flesh& flesh);
void AddFoot(Sculpture& sculpture, int leg);

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_BIPED_PARTS_H_
