#include "tests/support/test_figure.h"

#include <string>

namespace sinew::embedded {
namespace {

embedded::Figure BuildTestFigure(const embedded::Shape& shape) {
  const double arm = shape("arm"), leg = shape("leg"), girth = shape("girth");
  embedded::Figure figure;
  const auto joint = [&](const std::string& name, int parent, const Vector3d& at, const Vector3d& tip) {
    figure.joints.push_back({name, parent, at, tip});
    return static_cast<int>(figure.joints.size()) - 1;
  };
  const auto pair = [&](const std::string& name, int parent, const Vector3d& at, const Vector3d& tip) {
    const auto mirror = [](const Vector3d& p) { return Vector3d(-p.x(), p.y(), p.z()); };
    const int right_parent = figure.joints[parent].name.rfind("left_", 0) == 0 ? parent + 1 : parent;
    const int left = joint("left_" + name, parent, at, tip);
    joint("right_" + name, right_parent, mirror(at), mirror(tip));
    return left;
  };
  const double hip_y = 0.06 + leg, chest_y = hip_y + 0.5;
  const Vector3d hip(0.1, hip_y, 0), knee(0.11, 0.06 + leg / 2, 0), ankle(0.12, 0.06, 0), toe(0.12, 0.04, 0.15);
  const Vector3d shoulder(0.2, chest_y, 0), elbow(0.2 + arm / 2, chest_y, 0), wrist(0.2 + arm, chest_y, 0);
  const Vector3d palm_end = wrist + Vector3d(0.09, 0, 0);
  const int pelvis = joint("pelvis", -1, {0, hip_y + 0.05, 0}, {0, hip_y + 0.25, 0});
  const int chest = joint("chest", pelvis, {0, hip_y + 0.25, 0}, {0, chest_y, 0});
  const int head = joint("head", chest, {0, chest_y + 0.1, 0}, {0, chest_y + 0.3, 0});
  const int thigh = pair("hip", pelvis, hip, knee);
  const int shin = pair("knee", thigh, knee, ankle);
  const int foot = pair("ankle", shin, ankle, toe);
  const int upper_arm = pair("shoulder", chest, shoulder, elbow);
  const int forearm = pair("elbow", upper_arm, elbow, wrist);
  const int hand = pair("wrist", forearm, wrist, palm_end);

  Sculpture& s = figure.sculpture;
  const int torso = s.AddGroup("torso", -1, 0);
  s.groups[torso].sibling_blend = 0.004;
  s.Add(torso, pelvis, Ellipsoid({0, hip_y + 0.05, 0}, {0.17 * girth, 0.16, 0.12 * girth}, 0));
  s.Add(torso, chest, Ellipsoid({0, hip_y + 0.36, 0}, {0.18 * girth, 0.24, 0.12 * girth}, 0.1));
  s.Add(torso, head, Limb({0, chest_y, 0}, Section::Round(0.06), {0, chest_y + 0.12, 0}, Section::Round(0.05), 0.05));
  s.Add(torso, head, Ellipsoid({0, chest_y + 0.22, 0.01}, {0.08, 0.12, 0.1}, 0.03));
  const int legs = s.AddGroup("leg", torso, 0.05, true);
  s.Add(legs, thigh, Limb(hip, Section::Round(0.085), knee, Section::Round(0.06), 0));
  s.Add(legs, shin, Limb(knee, Section::Round(0.058), ankle, Section::Round(0.04), 0.02));
  s.Add(legs, foot,
        Limb(ankle + Vector3d(0, -0.02, -0.02), Section::Round(0.04), toe, Section::Oval(0.045, 0.03), 0.03));
  s.Add(legs, foot, CutPlane({0, 0, 0}, {0, 1, 0}, 0.01));
  const int arms = s.AddGroup("arm", torso, 0.05, true);
  s.groups[arms].sibling_blend = 0.002;
  s.Add(arms, upper_arm, Limb(shoulder, Section::Round(0.055), elbow, Section::Round(0.04), 0));
  s.Add(arms, forearm, Limb(elbow, Section::Round(0.04), wrist, Section::Oval(0.022, 0.03), 0.02));
  s.Add(arms, hand,
        Limb(wrist + Vector3d(0.02, 0, 0), Section::Oval(0.016, 0.032), wrist + Vector3d(0.08, 0, 0),
             Section::Oval(0.014, 0.042), 0.02));
  for (int finger = 0; finger < 4; ++finger) {
    const double z = 0.033 - 0.022 * finger, spread = 1.15;
    const int group = s.AddGroup("finger", arms, 0.012);
    s.Add(group, hand,
          Limb(wrist + Vector3d(0.075, 0, z), Section::Round(0.0095), wrist + Vector3d(0.16, 0, z * spread),
               Section::Round(0.0075), 0));
  }
  const int thumb = s.AddGroup("thumb", arms, 0.015);
  s.Add(thumb, hand,
        Limb(wrist + Vector3d(0.03, 0, 0.03), Section::Round(0.012), wrist + Vector3d(0.075, 0, 0.085),
             Section::Round(0.009), 0));
  return figure;
}

}  // namespace

Kind TestKind() {
  embedded::Kind kind;
  kind.name = "test";
  kind.description = "a figure for tests";
  kind.parameters = {{"arm", "length of the arm, metres", 0.4, 0.5, 0.6, 0.05},
                     {"leg", "length of the leg, metres", 0.65, 0.8, 0.95, 0.07},
                     {"girth", "of the trunk, 1 is usual", 0.85, 1, 1.4, 0.1}};
  kind.build = BuildTestFigure;
  return kind;
}

}  // namespace sinew::embedded
