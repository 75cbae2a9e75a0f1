#include "sinew/offline/embedded/biped_parts.h"

namespace sinew::embedded {

void AddLeg(Sculpture& sculpture, int torso, const Flesh& flesh) {
  const int leg = sculpture.AddGroup("leg", torso, 0.07, true);
  sculpture.groups[leg].spare = 0.02;
  std::vector<Level> levels = {
      {0.945, 0.055, 0.112, -0.036, 0.045, 0.005},  {0.900, 0.034, 0.143, -0.056, 0.068, 0.008},
      {0.850, 0.022, 0.167, -0.070, 0.088, 0.010},  {0.800, 0.013, 0.172, -0.077, 0.099, 0.012},
      {0.750, 0.014, 0.171, -0.070, 0.100, 0.015},  {0.690, 0.022, 0.168, -0.060, 0.098, 0.018},
      {0.630, 0.033, 0.164, -0.052, 0.092, 0.020},  {0.570, 0.045, 0.158, -0.045, 0.082, 0.018},
      {0.530, 0.053, 0.154, -0.042, 0.073, 0.014},  {0.490, 0.059, 0.151, -0.042, 0.064, 0.008},
      {0.450, 0.061, 0.155, -0.049, 0.056, 0.000},  {0.410, 0.060, 0.162, -0.060, 0.051, -0.006},
      {0.360, 0.060, 0.167, -0.067, 0.047, -0.010}, {0.310, 0.064, 0.165, -0.063, 0.043, -0.010},
      {0.260, 0.073, 0.158, -0.054, 0.039, -0.008}, {0.210, 0.083, 0.149, -0.045, 0.035, -0.005},
      {0.160, 0.090, 0.142, -0.039, 0.032, -0.003}, {0.120, 0.092, 0.140, -0.037, 0.032, 0.000},
      {0.080, 0.090, 0.142, -0.036, 0.038, 0.002}};
  for (Level& l : levels) {
    const double thigh = Around(l.y, 0.70, 0.10), high = Around(l.y, 0.82, 0.07), calf = Around(l.y, 0.36, 0.07);
    l.front += thigh * 0.006 * flesh.muscle;
    l.back -= thigh * 0.004 * flesh.muscle + calf * 0.005 * flesh.muscle;
    l.out += high * (0.010 * flesh.fat - 0.004 * flesh.masculine) + calf * 0.002 * flesh.muscle;
    l.in += Around(l.y, 0.49, 0.06) * -0.003 * flesh.fat;
  }
  Primitive whole = Column(levels, 0);
  whole.cap_a = 0.03;
  sculpture.Add(leg, kLeftHip, whole);
  // Kneecap.
  sculpture.Add(leg, kLeftKnee, Ellipsoid({0.106, 0.500, 0.053}, {0.024, 0.032, 0.016}, 0.04));
  // Ankle bones, the inner one higher and further forward.
  sculpture.Add(leg, kLeftAnkle, Ellipsoid({0.0975, 0.088, 0.006}, {0.006, 0.010, 0.010}, 0.014));
  sculpture.Add(leg, kLeftAnkle, Ellipsoid({0.1365, 0.078, -0.004}, {0.006, 0.010, 0.010}, 0.014));
  AddFoot(sculpture, leg);
}

void AddFoot(Sculpture& sculpture, int leg) {
  // Heel to ball, seen along +Z: stations are {t, centre x, centre y, {out, in, up, down}}.
  const Vector3d heel(0.114, 0.030, -0.024), ball(0.131, 0.030, 0.135);
  std::vector<Station> stations = {{0.00, 0, 0.002, {0.026, 0.026, 0.030, 0.036}},
                                   {0.22, 0, 0.002, {0.029, 0.027, 0.040, 0.036}},
                                   {0.45, 0.004, 0.000, {0.030, 0.024, 0.042, 0.034}},
                                   {0.70, 0.002, -0.004, {0.036, 0.034, 0.032, 0.030}},
                                   {1.00, -0.002, -0.010, {0.043, 0.042, 0.018, 0.026}}};
  Primitive foot = Loft(heel, ball, stations, 0.03);
  foot.side = {1, 0, 0};
  foot.cap_a = 0.025;
  foot.cap_b = 0.03;
  foot.exponent = 2.3;
  sculpture.Add(leg, kLeftAnkle, foot);
  // Instep, down from the shin.
  sculpture.Add(leg, kLeftAnkle,
                Limb({0.116, 0.080, 0.012}, {0.028, 0.024, 0.026, 0.03}, {0.124, 0.040, 0.090},
                     {0.028, 0.026, 0.016, 0.02}, 0.025));
  // Toes lean on their neighbours, so that there is a line between them and no gap.
  sculpture.groups[leg].sibling_blend = 0.002;
  struct Toe {
    const char* name;
    double x, z, length, radius;
  };
  const Toe toes[] = {{"big toe", 0.1000, 0.148, 0.042, 0.0125},
                      {"second toe", 0.1202, 0.150, 0.040, 0.0092},
                      {"third toe", 0.1367, 0.145, 0.036, 0.0088},
                      {"fourth toe", 0.1524, 0.137, 0.033, 0.0084},
                      {"little toe", 0.1675, 0.126, 0.029, 0.0082}};
  for (const Toe& t : toes) {
    const int toe = sculpture.AddGroup(t.name, leg, 0.012);
    sculpture.groups[toe].spare = 0.013;
    const Vector3d from(t.x, t.radius + 0.006, t.z), to(t.x + 0.003, t.radius * 0.92, t.z + t.length - t.radius);
    sculpture.Add(toe, kLeftFoot,
                  Limb(from, Section::Oval(t.radius, t.radius), to, Section::Oval(t.radius, t.radius * 0.95), 0));
  }
}

}  // namespace sinew::embedded
