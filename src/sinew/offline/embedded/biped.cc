#include "sinew/offline/embedded/biped.h"

#include "sinew/offline/embedded/biped_fit.h"
#include "sinew/offline/embedded/biped_motion.h"
#include "sinew/offline/embedded/biped_parts.h"

namespace sinew::embedded {

Primitive Column(const std::vector<Level>& levels, double blend) {
  const double top = levels.front().y, bottom = levels.back().y;
  // The axis runs near the middle of the sections, so that the box around them is no larger than need be.
  double mean = 0;
  for (const Level& l : levels) mean += (l.in + l.out) / 2 / static_cast<double>(levels.size());
  const Vector3d a(mean, top, 0), b(mean, bottom, 0);
  std::vector<Station> stations;
  stations.reserve(levels.size());
  for (const Level& l : levels) {
    const double x = (l.in + l.out) / 2, half = (l.out - l.in) / 2;
    const Section section{half, half, l.front - l.widest, l.widest - l.back};
    stations.push_back({(top - l.y) / (top - bottom), x - mean, l.widest, section});
  }
  return Loft(a, b, stations, blend);
}

Primitive Sleeve(const std::vector<Cuff>& cuffs, const Vector3d& line, double blend) {
  const double from = cuffs.front().x, to = cuffs.back().x;
  std::vector<Station> stations;
  stations.reserve(cuffs.size());
  for (const Cuff& c : cuffs) stations.push_back({(c.x - from) / (to - from), 0, 0, {c.up, c.down, c.front, c.back}});
  return Loft({from, line.y(), line.z()}, {to, line.y(), line.z()}, stations, blend);
}

Flesh FleshOf(const Shape& shape) {
  return {.masculine = shape("masculine"),
          .muscle = shape("muscle"),
          .fat = shape("fat"),
          .belly = shape("belly"),
          .chest = shape("chest")};
}

Figure BuildFigure(const Flesh& flesh, const Proportions& proportions) {
  Sculpture neutral;
  const int torso = neutral.AddGroup("torso", -1, 0);
  neutral.groups[torso].sibling_blend = 0.002;
  neutral.groups[torso].spare = 0.05;
  AddTorso(neutral, torso, flesh);
  AddNeck(neutral, torso, flesh);
  AddHead(neutral, torso, flesh);
  AddArm(neutral, torso, flesh);
  AddLeg(neutral, torso, flesh);
  neutral.cuts.push_back(CutPlane({0, 0, 0}, {0, 1, 0}, 0.006));
  neutral.cuts.back().joint = kLeftAnkle;
  const BipedFit fit(proportions);
  Figure figure;
  figure.joints = fit.Joints();
  figure.sculpture = fit.Map(neutral);
  return figure;
}

namespace {

// Returns the proportions of a shape. The girths of trunk and limbs are the shape's parameters times factors that
// follow from the flesh.
Proportions ProportionsOf(const Shape& shape, const Flesh& flesh) {
  Proportions p;
  p.stature = shape("height");
  p.leg = shape("legs");
  p.arm = shape("arms");
  p.torso = shape("torso");
  p.foot = 1.06 * shape("feet") * (1 + 0.02 * flesh.masculine);
  p.hand = shape("hands") * (1 + 0.02 * flesh.masculine);
  p.head = shape("head");
  const double m = flesh.masculine, muscle = flesh.muscle, fat = flesh.fat;
  p.shoulders = shape("shoulders") * (1 + 0.045 * m + 0.02 * muscle + 0.03 * fat);
  p.hips = shape("hips") * (1 - 0.035 * m + 0.05 * fat);
  p.depth = 1 + 0.03 * m + 0.02 * muscle + 0.09 * fat;
  p.neck_girth = shape("neck") * (1 + 0.08 * m + 0.05 * muscle + 0.08 * fat);
  p.arm_girth = shape("arm-girth") * (1 + 0.06 * m + 0.06 * muscle + 0.12 * fat);
  p.leg_girth = shape("leg-girth") * (1 + 0.01 * m + 0.04 * muscle + 0.10 * fat);
  return p;
}

Figure BuildBiped(const Shape& shape) {
  const Flesh flesh = FleshOf(shape);
  return BuildFigure(flesh, ProportionsOf(shape, flesh));
}

}  // namespace

Kind BipedKind() {
  Kind kind;
  kind.name = "biped";
  kind.description = "a person in a T-pose, on the 24 joints of the usual body skeleton";
  // Ranges and spreads cover nearly all adults. Checked against the 6,068 men and women of C. C. Gordon et al., "2012
  // Anthropometric Survey of U.S. Army Personnel", Natick/TR-15/007, of whom 99 in 100 are in these: stature 1.50 to
  // 1.93 m (standard deviation 0.09), and as fractions of it crotch height 0.45 to 0.52, span 0.96 to 1.11, between the
  // acromions 0.20 to 0.26, hand 0.100 to 0.124, foot 0.139 to 0.168 (docs/characters.md).
  kind.parameters = {
      {"height", "stature, metres", 1.48, 1.70, 1.95, 0.09},
      {"masculine", "build, -1 feminine to 1 masculine", -1, 0, 1, 0.6},
      {"muscle", "-1 slight to 1 athletic", -1, 0, 1, 0.4},
      {"fat", "-1 lean to 1 heavy", -1, 0, 1, 0.4},
      {"belly", "-1 flat to 1 round", -1, 0, 1, 0.4},
      {"chest", "bust or pectorals, -1 flat to 1 full", -1, 0, 1, 0.4},
      {"legs", "length of the legs against the rest, factor", 0.92, 1, 1.08, 0.025},
      {"arms", "length of the arms against the rest, factor", 0.92, 1, 1.08, 0.025},
      {"torso", "length of trunk and neck against the rest, factor", 0.93, 1, 1.07, 0.02},
      {"shoulders", "width of the shoulders, factor", 0.90, 1, 1.10, 0.03},
      {"hips", "width of the hips, factor", 0.90, 1, 1.12, 0.03},
      {"head", "size of the head, factor", 0.93, 1, 1.07, 0.02},
      {"neck", "girth of the neck, factor", 0.88, 1, 1.15, 0.04},
      {"arm-girth", "girth of the arms, factor", 0.85, 1, 1.20, 0.04},
      {"leg-girth", "girth of the legs, factor", 0.88, 1, 1.15, 0.035},
      {"hands", "size of the hands, factor", 0.92, 1, 1.08, 0.025},
      {"feet", "size of the feet, factor", 0.92, 1, 1.08, 0.025},
  };
  // Bodies to learn from: children and giants, wider spreads than people have.
  kind.varied = {
      {"height", "stature, metres", 1.00, 1.70, 2.20, 0.13},
      {"masculine", "build, -1 feminine to 1 masculine", -1, 0, 1, 0.8},
      {"muscle", "-1 slight to 1 athletic", -1, 0, 1, 0.6},
      {"fat", "-1 lean to 1 heavy", -1, 0, 1, 0.5},
      {"belly", "-1 flat to 1 round", -1, 0, 1, 0.5},
      {"chest", "bust or pectorals, -1 flat to 1 full", -1, 0, 1, 0.6},
      {"legs", "length of the legs against the rest, factor", 0.70, 1, 1.20, 0.05},
      {"arms", "length of the arms against the rest, factor", 0.75, 1, 1.20, 0.05},
      {"torso", "length of trunk and neck against the rest, factor", 0.85, 1, 1.15, 0.04},
      {"shoulders", "width of the shoulders, factor", 0.80, 1, 1.25, 0.06},
      {"hips", "width of the hips, factor", 0.85, 1, 1.25, 0.06},
      {"head", "size of the head, factor", 0.85, 1, 1.40, 0.04},
      {"neck", "girth of the neck, factor", 0.80, 1, 1.30, 0.07},
      {"arm-girth", "girth of the arms, factor", 0.75, 1, 1.40, 0.09},
      {"leg-girth", "girth of the legs, factor", 0.80, 1, 1.35, 0.08},
      {"hands", "size of the hands, factor", 0.85, 1, 1.20, 0.05},
      {"feet", "size of the feet, factor", 0.85, 1, 1.20, 0.05},
  };
  kind.builds = {
      {"grown", {}},
      {"child",
       {{"height", 1.25},
        {"head", 1.25},
        {"legs", 0.85},
        {"arms", 0.90},
        {"masculine", -0.2},
        {"chest", -0.8},
        {"shoulders", 0.92},
        {"hands", 0.95},
        {"neck", 0.90}}},
      {"heavy", {{"fat", 0.9}, {"belly", 0.8}, {"arm-girth", 1.15}, {"leg-girth", 1.12}, {"neck", 1.12}}},
      {"thin", {{"fat", -0.8}, {"muscle", -0.4}, {"belly", -0.5}, {"arm-girth", 0.85}, {"leg-girth", 0.88}}},
      {"broad", {{"shoulders", 1.15}, {"muscle", 0.8}, {"masculine", 0.7}, {"arm-girth", 1.15}, {"torso", 1.04}}},
      {"lanky", {{"legs", 1.10}, {"arms", 1.10}, {"torso", 0.94}, {"head", 0.92}, {"height", 1.85}}},
      {"short", {{"legs", 0.82}, {"arms", 0.86}, {"height", 1.50}, {"torso", 1.06}, {"head", 1.10}, {"hips", 1.08}}},
  };
  kind.grid = 0.003;
  kind.build = BuildBiped;
  kind.animations = [](const Figure& figure) { return std::vector<Animation>{BipedExercise(figure.joints)}; };
  return kind;
}

}  // namespace sinew::embedded
