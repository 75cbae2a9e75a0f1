#include "sinew/offline/embedded/biped_parts.h"

namespace sinew::embedded {
namespace {

// Skull, jaw and cheeks: the planes that the features sit on.
void AddSkull(Sculpture& sculpture, int head, const Flesh& flesh) {
  const auto add = [&](const Primitive& p) { sculpture.Add(head, kHead, p); };
  const double jaw = 0.0025 * flesh.masculine, cheek = 0.003 * flesh.fat;
  add(Ellipsoid({0, 1.612, 0.030}, {0.0735, 0.0845, 0.094}, 0));
  std::vector<Level> levels = {
      {1.640, -0.058, 0.058, 0.000, 0.116, 0.05},  {1.605, -0.064, 0.064, 0.000, 0.120, 0.05},
      {1.580, -0.064, 0.064, 0.005, 0.117, 0.05},  {1.555, -0.0615, 0.0615, 0.010, 0.119, 0.052},
      {1.530, -0.057, 0.057, 0.018, 0.120, 0.055}, {1.510, -0.045, 0.045, 0.028, 0.117, 0.060},
      {1.493, -0.029, 0.029, 0.045, 0.111, 0.070}};
  for (Level& l : levels) {
    const double wider = Around(l.y, 1.505, 0.02) * jaw + Around(l.y, 1.535, 0.025) * cheek;
    l.in -= wider;
    l.out += wider;
  }
  Primitive face = Column(levels, 0.03);
  face.exponent = 2.5;
  face.cap_b = 0.013;
  add(face);
  // Jaw, from its angle to the chin.
  add(Mirrored(Limb({0.047, 1.528, 0.040}, Section::Round(0.011 + 0.6 * jaw), {0.012, 1.492, 0.100},
                    Section::Round(0.010), 0.035)));
  add(Ellipsoid({0, 1.4915, 0.109}, {0.015 + jaw, 0.012, 0.0135 + 0.5 * jaw}, 0.022));
  // Cheekbones.
  add(Mirrored(
      Limb({0.044, 1.563, 0.095}, Section::Round(0.012), {0.062, 1.577, 0.050}, Section::Round(0.008), 0.035)));
}

void AddEyes(Sculpture& sculpture, int head, const Flesh& flesh) {
  const auto add = [&](const Primitive& p) { sculpture.Add(head, kHead, Mirrored(p, 0)); };
  // Brow, the socket under it, the ball in the socket, and the lids over the ball.
  const Primitive brow = Limb({0.012, 1.6025, 0.1145}, Section::Round(0.007 + 0.001 * flesh.masculine),
                              {0.050, 1.6030, 0.094}, Section::Round(0.006), 0.025);
  sculpture.Add(head, kHead, Mirrored(Bent(brow, {0, 0.003, 0.005}), 0.015));
  add(Carved(Ellipsoid({0.0315, 1.5835, 0.1245}, {0.0175, 0.0110, 0.0120}, 0.014)));
  add(Ellipsoid({0.0315, 1.5828, 0.1010}, {0.0150, 0.0120, 0.0140}, 0.003));
  const Vector3d inner(0.0165, 1.5808, 0.1125), outer(0.0470, 1.5835, 0.1030);
  add(Bent(Limb(inner, Section::Round(0.0024), outer, Section::Round(0.0024), 0.004), {0.001, 0.0072, 0.0068}));
  add(Bent(Limb(inner, Section::Round(0.0019), outer, Section::Round(0.0019), 0.004), {0.001, -0.0060, 0.0062}));
}

void AddNose(Sculpture& sculpture, int head) {
  const auto add = [&](const Primitive& p) { sculpture.Add(head, kHead, p); };
  add(Limb({0, 1.594, 0.1155}, Section::Oval(0.0070, 0.0070), {0, 1.556, 0.1325}, Section::Oval(0.0085, 0.0085),
           0.020));
  add(Ellipsoid({0, 1.5530, 0.1352}, {0.0088, 0.0082, 0.0092}, 0.010));
  add(Mirrored(Ellipsoid({0.0108, 1.5505, 0.1265}, {0.0062, 0.0062, 0.0090}, 0.010), 0.004));
  add(Mirrored(Carved(Ellipsoid({0.0058, 1.5425, 0.1305}, {0.0030, 0.0040, 0.0045}, 0.004)), 0));
}

void AddMouth(Sculpture& sculpture, int head) {
  const auto add = [&](const Primitive& p) { sculpture.Add(head, kHead, p); };
  add(Ellipsoid({0, 1.522, 0.107}, {0.028, 0.020, 0.0165}, 0.025));
  const Primitive upper =
      Limb({0.004, 1.5282, 0.1238}, Section::Round(0.0050), {0.0250, 1.5232, 0.1160}, Section::Round(0.0025), 0.006);
  add(Mirrored(Bent(upper, {0, 0.0006, 0.0025}), 0.006));
  const Primitive lower =
      Limb({-0.018, 1.5172, 0.1185}, Section::Round(0.0040), {0.018, 1.5172, 0.1185}, Section::Round(0.0040), 0.006);
  add(Bent(lower, {0, -0.0014, 0.0055}));
  const Primitive line =
      Limb({-0.0225, 1.5230, 0.1205}, Section::Round(0.0018), {0.0225, 1.5230, 0.1205}, Section::Round(0.0018), 0.005);
  add(Carved(Bent(line, {0, -0.0004, 0.0095})));
}

// A plate that stands off the head backwards, with its rim, hollow, lobe and the knob before the hollow.
void AddEar(Sculpture& sculpture, int head) {
  const int ear = sculpture.AddGroup("ear", head, 0.016, true);
  sculpture.groups[ear].spare = 0.016;
  const auto add = [&](const Primitive& p) { sculpture.Add(ear, kHead, p); };
  Primitive plate = Ellipsoid({0.0750, 1.576, 0.020}, {0.0045, 0.026, 0.0155}, 0);
  plate.axis = Vector3d(0.18, 1, -0.22).normalized();
  plate.side = Vector3d(0.9, 0, 0.42);
  add(plate);
  add(Bent(
      Limb({0.0745, 1.589, 0.0315}, Section::Round(0.0028), {0.0835, 1.583, 0.0035}, Section::Round(0.0030), 0.004),
      {0.002, 0.014, -0.002}));
  add(Bent(
      Limb({0.0835, 1.583, 0.0035}, Section::Round(0.0030), {0.0730, 1.553, 0.0220}, Section::Round(0.0028), 0.004),
      {0.001, -0.005, -0.006}));
  add(Carved(Ellipsoid({0.0825, 1.573, 0.0225}, {0.0058, 0.0125, 0.0075}, 0.005)));
  add(Ellipsoid({0.0715, 1.5520, 0.0225}, {0.0042, 0.0070, 0.0062}, 0.008));
  add(Ellipsoid({0.0755, 1.5705, 0.0330}, {0.0030, 0.0050, 0.0030}, 0.006));
  // Flesh behind the lower half, so that the valley to the head stays wide where it ends.
  add(Ellipsoid({0.0670, 1.5620, 0.0120}, {0.0080, 0.0170, 0.0100}, 0.012));
}

}  // namespace

void AddHead(Sculpture& sculpture, int torso, const Flesh& flesh) {
  const int head = sculpture.AddGroup("head", torso, 0.035);
  sculpture.groups[head].spare = 0.012;
  AddSkull(sculpture, head, flesh);
  AddEyes(sculpture, head, flesh);
  AddNose(sculpture, head);
  AddMouth(sculpture, head);
  AddEar(sculpture, head);
}

}  // namespace sinew::embedded
