#include "sinew/offline/embedded/cartoon.h"

#include "sinew/offline/embedded/biped_fit.h"
#include "sinew/offline/embedded/biped_motion.h"

namespace sinew::embedded {
namespace {

Figure BuildCartoon(const Shape& shape) {
  Proportions p;
  p.stature = shape("height");
  p.leg = shape("legs");
  p.arm = shape("arms");
  p.torso = shape("torso");
  p.foot = shape("feet");
  p.hand = shape("hands");
  p.head = shape("head");
  p.shoulders = shape("shoulders");
  p.hips = shape("hips");
  p.depth = shape("depth");
  p.neck_girth = shape("neck");
  p.neck_length = shape("neck-length");
  p.arm_girth = shape("arm-girth");
  p.leg_girth = shape("leg-girth");
  return BuildFigure(FleshOf(shape), p);
}

}  // namespace

Kind CartoonKind() {
  Kind kind;
  kind.name = "cartoon";
  kind.description = "a cartoon figure in a T-pose: large head and hands, short limbs, no neck; joints of the biped";
  // Factors are against a person (biped.cc), before the whole is scaled to its height. The head is limited by what the
  // shoulders leave free beside it.
  kind.parameters = {
      {"height", "stature, metres", 0.70, 1.10, 1.50, 0.15},
      {"masculine", "build, -1 feminine to 1 masculine", -1, 0, 1, 0.6},
      {"muscle", "-1 slight to 1 athletic", -1, 0, 1, 0.4},
      {"fat", "-1 lean to 1 heavy", -1, 0, 1, 0.4},
      {"belly", "-1 flat to 1 round", -1, 0.2, 1, 0.4},
      {"chest", "bust or pectorals, -1 flat to 1 full", -1, -0.3, 0.5, 0.3},
      {"legs", "length of the legs, factor", 0.40, 0.52, 0.70, 0.06},
      {"arms", "length of the arms, factor", 0.50, 0.62, 0.80, 0.06},
      {"torso", "length of the trunk, factor", 0.70, 0.82, 1.00, 0.06},
      {"shoulders", "width of the shoulders, factor", 0.90, 1.05, 1.25, 0.07},
      {"hips", "width of the hips, factor", 0.90, 1.05, 1.25, 0.07},
      {"depth", "depth of the trunk, factor", 0.95, 1.10, 1.30, 0.07},
      {"head", "size of the head, factor", 1.60, 2.00, 2.35, 0.14},
      {"neck", "girth of the neck, factor", 1.00, 1.25, 1.50, 0.09},
      {"neck-length", "length of the neck, factor", 0.60, 0.70, 0.80, 0.04},
      {"arm-girth", "girth of the arms, factor", 0.95, 1.20, 1.45, 0.09},
      {"leg-girth", "girth of the legs, factor", 0.90, 1.15, 1.40, 0.09},
      {"hands", "size of the hands, factor", 1.30, 1.65, 2.00, 0.13},
      {"feet", "size of the feet, factor", 1.15, 1.45, 1.75, 0.12},
  };
  kind.grid = 0.003;
  kind.build = BuildCartoon;
  kind.animations = [](const Figure& figure) { return std::vector<Animation>{BipedExercise(figure.joints)}; };
  return kind;
}

}  // namespace sinew::embedded
