#include <algorithm>

#include "sinew/offline/embedded/biped_parts.h"

namespace sinew::embedded {

namespace {

// The trunk from the shoulders to the crotch, as the flesh makes it.
std::vector<Level> TrunkLevels(const Flesh& flesh) {
  std::vector<Level> levels = {
      {1.425, -0.080, 0.080, -0.064, 0.036, -0.01}, {1.395, -0.118, 0.118, -0.080, 0.062, -0.01},
      {1.360, -0.142, 0.142, -0.092, 0.085, 0.000}, {1.310, -0.155, 0.155, -0.097, 0.103, 0.005},
      {1.260, -0.157, 0.157, -0.094, 0.112, 0.010}, {1.210, -0.151, 0.151, -0.086, 0.112, 0.012},
      {1.160, -0.141, 0.141, -0.076, 0.105, 0.014}, {1.110, -0.130, 0.130, -0.067, 0.098, 0.015},
      {1.060, -0.126, 0.126, -0.062, 0.096, 0.015}, {1.010, -0.133, 0.133, -0.067, 0.098, 0.013},
      {0.960, -0.147, 0.147, -0.080, 0.098, 0.010}, {0.925, -0.155, 0.155, -0.085, 0.094, 0.006},
      {0.890, -0.148, 0.148, -0.079, 0.085, 0.004}, {0.855, -0.110, 0.110, -0.062, 0.073, 0.004},
      {0.832, -0.060, 0.060, -0.045, 0.058, 0.006}};
  const double round = flesh.belly > 0 ? flesh.belly : 0.35 * flesh.belly;
  for (Level& l : levels) {
    const double waist = Around(l.y, 1.06, 0.09), low = Around(l.y, 1.02, 0.08), ribs = Around(l.y, 1.28, 0.08);
    const double wider = 1 + waist * (0.05 * flesh.masculine + 0.10 * flesh.fat + 0.03 * round) +
                         ribs * 0.02 * (flesh.masculine + flesh.muscle);
    l.in *= wider;
    l.out *= wider;
    l.front += low * (0.020 * flesh.fat + 0.034 * round) + ribs * 0.004 * (flesh.masculine + flesh.muscle);
    l.back -= waist * 0.006 * flesh.fat;
  }
  return levels;
}

void AddFront(Sculpture& sculpture, int torso, const Flesh& flesh) {
  const auto add = [&](int joint, const Primitive& p) { sculpture.Add(torso, joint, p); };
  const double muscle = flesh.muscle + 0.3 * flesh.chest;
  // Iliac crests, and the mound of the pubis between the thighs.
  add(kPelvis,
      Mirrored(Limb({0.102, 0.980, 0.046}, Section::Round(0.015), {0.116, 0.980, 0.000}, Section::Round(0.014), 0.06)));
  add(kPelvis, Ellipsoid({0, 0.864, 0.050}, {0.042, 0.045, 0.030}, 0.05));
  // Pectorals, from the breastbone to the front of the shoulder; breasts over them.
  Primitive pectoral = Limb({0.052, 1.288, 0.078}, {0.046, 0.040, 0.028 + 0.005 * muscle, 0.03}, {0.160, 1.358, 0.030},
                            {0.034, 0.034, 0.024 + 0.003 * muscle, 0.026}, 0.05);
  add(kSpine3, Mirrored(Sided(pectoral, {0, 1, 0}), 0.012));
  const double bust = std::max(0.0, 0.12 - flesh.masculine + 0.4 * flesh.chest + 0.25 * flesh.fat);
  const Primitive breast =
      Limb({0.072, 1.305, 0.068}, Section::Oval(0.032 + 0.005 * bust, 0.026 + 0.004 * bust),
           {0.079, 1.262, 0.068 + 0.019 * bust}, Section::Oval(0.034 + 0.010 * bust, 0.029 + 0.009 * bust), 0.045);
  add(kSpine3, Mirrored(breast, 0.006));
  // The straight muscles of the belly, parted by their middle line.
  const double soft = 0.005 * (flesh.fat + std::max(0.0, flesh.belly));
  add(kSpine1, Mirrored(Limb({0.032, 1.215, 0.082}, Section::Oval(0.026, 0.022 + 0.002 * muscle - soft),
                             {0.022, 0.900, 0.066}, Section::Oval(0.022, 0.014 - soft), 0.05),
                        0.022));
}

void AddBack(Sculpture& sculpture, int torso, const Flesh& flesh) {
  const auto add = [&](int joint, const Primitive& p) { sculpture.Add(torso, joint, p); };
  const double m = flesh.muscle;
  // Shoulder blades.
  const Primitive blade = Limb({0.084, 1.36, -0.066}, {0.036, 0.032, 0.014, 0.014}, {0.074, 1.280, -0.070},
                               {0.022, 0.022, 0.010, 0.010}, 0.08);
  add(kSpine3, Mirrored(Sided(blade, {0.88, 0, 0.47})));
  // The long muscles beside the spine.
  add(kSpine1, Mirrored(Limb({0.034, 1.220, -0.060}, Section::Oval(0.026, 0.016), {0.034, 0.960, -0.056},
                             Section::Oval(0.024, 0.020), 0.08),
                        0.022));
  // Latissimus: from the flank up to the arm, the fold behind the armpit.
  add(kSpine3, Mirrored(Bent(Limb({0.103, 1.165, -0.018}, {0.016, 0.016, 0.024, 0.024}, {0.180, 1.362, -0.014},
                                  {0.029 + 0.003 * m, 0.029, 0.026, 0.026}, 0.09),
                             {0.006 + 0.006 * m, 0, 0})));
  // Trapezius: from the side of the neck to the shoulder's end.
  Primitive trapezius = Bent(Limb({0.020, 1.490, -0.018}, Section::Round(0.020 + 0.003 * m), {0.138, 1.404, -0.014},
                                  {0.022 + 0.003 * m, 0.026, 0.028, 0.028}, 0.08),
                             {-0.006, -0.010 + 0.006 * m, 0});
  add(kLeftCollar, Mirrored(Sided(trapezius, {0, 1, 0})));
  // Collarbones.
  const double bone = 0.008 - 0.0015 * flesh.fat;
  add(kLeftCollar, Mirrored(Bent(Limb({0.018, 1.402, 0.048}, Section::Round(bone), {0.150, 1.420, 0.004},
                                      Section::Round(bone), 0.03),
                                 {0, 0, 0.010})));
  // Buttocks.
  const double seat = 1 + 0.10 * flesh.fat - 0.04 * flesh.masculine + 0.03 * m;
  add(kPelvis, Mirrored(Ellipsoid({0.074, 0.884, -0.050}, Vector3d(0.068, 0.074, 0.060) * seat, 0.07), 0.02));
}

}  // namespace

void AddTorso(Sculpture& sculpture, int torso, const Flesh& flesh) {
  Primitive trunk = Column(TrunkLevels(flesh), 0);
  trunk.exponent = 2.3;
  trunk.cap_a = 0.04;
  trunk.cap_b = 0.02;
  sculpture.Add(torso, kSpine2, trunk);
  AddFront(sculpture, torso, flesh);
  AddBack(sculpture, torso, flesh);
  // The navel goes in with the belly's surface.
  const double depth = TrunkLevels(flesh)[8].front;
  sculpture.Add(torso, kSpine1, Carved(Ellipsoid({0, 1.055, depth + 0.010}, {0.004, 0.007, 0.006}, 0.014)));
}

void AddNeck(Sculpture& sculpture, int torso, const Flesh& flesh) {
  const std::vector<Level> neck = {{1.560, -0.045, 0.045, -0.030, 0.055, 0.010},
                                   {1.510, -0.048, 0.048, -0.027, 0.056, 0.012},
                                   {1.470, -0.050, 0.050, -0.034, 0.057, 0.008},
                                   {1.435, -0.055, 0.055, -0.048, 0.056, -0.002},
                                   {1.400, -0.062, 0.062, -0.060, 0.050, -0.010}};
  Primitive column = Column(neck, 0.06);
  sculpture.Add(torso, kNeck, column);
  // The sternomastoid, from behind the ear to the breastbone.
  Primitive muscle = Limb({0.047, 1.538, 0.002}, Section::Round(0.010 + 0.001 * flesh.muscle), {0.013, 1.412, 0.056},
                          Section::Round(0.007), 0.025);
  sculpture.Add(torso, kNeck, Mirrored(muscle, 0.006));
}

}  // namespace sinew::embedded
