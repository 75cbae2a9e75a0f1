#include "sinew/offline/character/embedded/biped_parts.h"

namespace sinew::embedded {

void AddHead(Sculpture& sculpture, int torso, const Flesh& flesh) {
  (void)flesh;
  const int head = sculpture.AddGroup("head", torso, 0.022);
  const auto add = [&](const Primitive& p) { sculpture.Add(head, kHead, p); };
  add(Ellipsoid({0, 1.612, 0.030}, {0.0735, 0.088, 0.095}, 0));
  // The face: from the forehead down to the chin.
  Primitive face = Column({{1.640, -0.060, 0.060, 0.010, 0.118, 0.05},
                           {1.605, -0.065, 0.065, 0.010, 0.124, 0.05},
                           {1.580, -0.065, 0.065, 0.010, 0.121, 0.05},
                           {1.555, -0.061, 0.061, 0.012, 0.122, 0.05},
                           {1.530, -0.054, 0.054, 0.016, 0.124, 0.05},
                           {1.510, -0.044, 0.044, 0.024, 0.121, 0.055},
                           {1.492, -0.032, 0.032, 0.040, 0.116, 0.065}},
                          0.03);
  face.exponent = 2.3;
  face.cap_b = 0.012;
  add(face);
  // Jaw.
  add(Mirrored(Limb({0.050, 1.535, 0.036}, Section::Round(0.012), {0.016, 1.492, 0.106}, Section::Round(0.011), 0.02)));
  // Cheekbones.
  add(Mirrored(Limb({0.046, 1.566, 0.098}, Section::Round(0.013), {0.064, 1.582, 0.050}, Section::Round(0.010), 0.02)));
  // Chin.
  add(Ellipsoid({0, 1.491, 0.113}, {0.018, 0.013, 0.013}, 0.014));
  // Brow.
  add(Mirrored(
      Bent(Limb({0.010, 1.602, 0.122}, Section::Round(0.008), {0.050, 1.603, 0.098}, Section::Round(0.008), 0.016),
           {0, 0.003, 0.004})));
  // Eye sockets, then the eyes under their lids.
  add(Mirrored(Carved(Ellipsoid({0.032, 1.584, 0.127}, {0.019, 0.012, 0.014}, 0.014))));
  add(Mirrored(Ellipsoid({0.032, 1.584, 0.1045}, {0.0145, 0.012, 0.0125}, 0.004)));
  // Nose: bridge, tip, wings.
  add(Limb({0, 1.592, 0.120}, Section::Oval(0.0075, 0.007), {0, 1.554, 0.140}, Section::Oval(0.009, 0.009), 0.012));
  add(Ellipsoid({0, 1.5515, 0.1415}, {0.0095, 0.0085, 0.0095}, 0.006));
  add(Mirrored(Ellipsoid({0.0115, 1.549, 0.131}, {0.0065, 0.0065, 0.009}, 0.006)));
  // Mouth: the muscle around it, lips, and the line between them.
  add(Ellipsoid({0, 1.522, 0.112}, {0.026, 0.018, 0.016}, 0.014));
  add(Mirrored(
      Limb({0.004, 1.5285, 0.1275}, Section::Round(0.0045), {0.022, 1.5240, 0.118}, Section::Round(0.003), 0.004)));
  add(Bent(
      Limb({-0.014, 1.5165, 0.1225}, Section::Round(0.0045), {0.014, 1.5165, 0.1225}, Section::Round(0.0045), 0.004),
      {0, -0.001, 0.004}));
  add(Carved(
      Bent(Limb({-0.022, 1.5225, 0.126}, Section::Round(0.0012), {0.022, 1.5225, 0.126}, Section::Round(0.0012), 0.003),
           {0, 0, 0.007})));
  // Ears.
  const int ear = sculpture.AddGroup("ear", head, 0.006, true);
  Primitive shell = Ellipsoid({0.074, 1.576, 0.018}, {0.006, 0.030, 0.017}, 0);
  shell.axis = Vector3d(0.15, 1, -0.2).normalized();
  sculpture.Add(ear, kHead, shell);
}

}  // namespace sinew::embedded
