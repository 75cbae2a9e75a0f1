#include "sinew/offline/character/embedded/biped_parts.h"

namespace sinew::embedded {

void AddTorso(Sculpture& sculpture, int torso, const Flesh& flesh) {
  (void)flesh;
  const std::vector<Level> trunk = {
      {1.430, -0.080, 0.080, -0.066, 0.040, -0.01}, {1.400, -0.120, 0.120, -0.082, 0.064, -0.01},
      {1.360, -0.146, 0.146, -0.093, 0.088, 0.000}, {1.310, -0.158, 0.158, -0.098, 0.105, 0.005},
      {1.260, -0.159, 0.159, -0.095, 0.114, 0.010}, {1.210, -0.152, 0.152, -0.087, 0.114, 0.012},
      {1.160, -0.142, 0.142, -0.076, 0.108, 0.014}, {1.110, -0.132, 0.132, -0.066, 0.102, 0.015},
      {1.060, -0.129, 0.129, -0.061, 0.099, 0.015}, {1.010, -0.138, 0.138, -0.067, 0.101, 0.013},
      {0.960, -0.150, 0.150, -0.081, 0.101, 0.010}, {0.925, -0.148, 0.148, -0.090, 0.097, 0.006},
      {0.890, -0.125, 0.125, -0.085, 0.088, 0.004}, {0.855, -0.080, 0.080, -0.062, 0.070, 0.004}};
  Primitive body = Column(trunk, 0);
  body.exponent = 2.3;
  body.cap_a = 0.02;
  body.cap_b = 0.03;
  sculpture.Add(torso, kSpine2, body);
  // Pectorals, from the breastbone to the front of the shoulder.
  Primitive pectoral = Limb({0.045, 1.292, 0.076}, {0.052, 0.050, 0.030, 0.03}, {0.135, 1.335, 0.040},
                            {0.042, 0.042, 0.028, 0.03}, 0.06);
  pectoral.side = {0, 1, 0};
  sculpture.Add(torso, kSpine3, Mirrored(pectoral, 0.012));
  // Shoulder blades.
  Primitive blade = Limb({0.085, 1.36, -0.072}, {0.045, 0.040, 0.022, 0.022}, {0.072, 1.27, -0.078},
                         {0.026, 0.026, 0.016, 0.016}, 0.05);
  sculpture.Add(torso, kSpine3, Mirrored(blade));
  // Trapezius: from the side of the neck to the shoulder's end.
  Primitive trapezius = Limb({0.030, 1.475, -0.026}, {0.030, 0.030, 0.026, 0.026}, {0.150, 1.412, -0.014},
                             {0.022, 0.026, 0.028, 0.028}, 0.07);
  trapezius.side = {0, 1, 0};
  sculpture.Add(torso, kLeftCollar, Mirrored(trapezius));
  // Collarbones.
  Primitive clavicle =
      Bent(Limb({0.016, 1.412, 0.058}, Section::Round(0.008), {0.152, 1.426, 0.008}, Section::Round(0.008), 0.028),
           {0, 0, 0.008});
  sculpture.Add(torso, kLeftCollar, Mirrored(clavicle));
  // Buttocks.
  sculpture.Add(torso, kPelvis, Mirrored(Ellipsoid({0.074, 0.875, -0.055}, {0.070, 0.072, 0.062}, 0.07), 0.02));
}

void AddNeck(Sculpture& sculpture, int torso, const Flesh& flesh) {
  (void)flesh;
  const std::vector<Level> neck = {{1.560, -0.050, 0.050, -0.030, 0.055, 0.010},
                                   {1.510, -0.050, 0.050, -0.032, 0.056, 0.010},
                                   {1.470, -0.051, 0.051, -0.038, 0.058, 0.006},
                                   {1.435, -0.055, 0.055, -0.048, 0.056, -0.002},
                                   {1.400, -0.062, 0.062, -0.060, 0.050, -0.010}};
  Primitive column = Column(neck, 0.06);
  sculpture.Add(torso, kNeck, column);
  // The sternomastoid, from behind the ear to the breastbone.
  Primitive muscle =
      Limb({0.050, 1.545, 0.004}, Section::Round(0.012), {0.013, 1.412, 0.056}, Section::Round(0.007), 0.025);
  sculpture.Add(torso, kNeck, Mirrored(muscle, 0.006));
}

}  // namespace sinew::embedded
