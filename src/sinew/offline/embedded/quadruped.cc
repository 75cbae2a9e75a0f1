// The quadruped is given by one set of numbers, the drawing (a wolfhound of 0.72 m at the withers); a shape moves and
// widens the parts of the drawing.
//
// Proportions follow the usual drawings of the dog's skeleton: the elbow at half the withers' height and level with the
// keel of the chest, the chest as deep as the leg below it is long, the hock at a quarter, stifle and elbow level.
#include "sinew/offline/embedded/quadruped.h"

#include <algorithm>

#include "sinew/offline/embedded/build.h"
#include "sinew/offline/embedded/quadruped_motion.h"

namespace sinew::embedded {
namespace {

constexpr double kWithers = 0.72;      // height of the drawing, metres
constexpr double kElbowHeight = 0.37;  // everything below is leg and scales with the legs' length

enum JointIndex {
  kPelvis,
  kSpine1,
  kSpine2,
  kSpine3,
  kSpine4,
  kNeck1,
  kNeck2,
  kHead,
  kJaw,
  kTail1,
  kTail2,
  kTail3,
  kTail4,
  kTail5,
  kLeftEar,
  kLeftScapula,
  kLeftShoulder,
  kLeftElbow,
  kLeftWrist,
  kLeftFrontPaw,
  kLeftHip,
  kLeftKnee,
  kLeftAnkle,
  kLeftHindPaw,
};

std::vector<ShapeParameter> Parameters() {
  return {
      {"height", "height at the withers, metres", 0.25, 0.68, 0.95, 0.12},
      {"length", "length of the trunk, 1 is a wolf's", 0.85, 1, 1.35, 0.1},
      {"legs", "length of the legs against the trunk's depth, 1 is a wolf's", 0.6, 1, 1.15, 0.11},
      {"girth", "width and depth of the trunk", 0.85, 1, 1.3, 0.08},
      {"muscle", "thickness of shoulders, thighs and legs", 0.85, 1, 1.25, 0.07},
      {"neck", "length of the neck", 0.85, 1, 1.3, 0.08},
      {"head", "size of the head", 0.85, 1, 1.2, 0.06},
      {"muzzle", "length of the muzzle", 0.55, 1, 1.25, 0.15},
      {"ears", "size of the ears", 0.6, 1, 1.4, 0.17},
      {"tail", "length of the tail", 0.5, 1, 1.25, 0.12},
  };
}

// Maps points of the drawing to a shape. Each region of the body has its own map; the maps agree where regions meet.
class Plan {
 public:
  explicit Plan(const Shape& shape)
      : girth_(shape("girth")),
        muscle_(shape("muscle")),
        legs_(shape("legs")),
        muzzle_(shape("muzzle")),
        head_(shape("head")),
        ears_(shape("ears")),
        tail_(shape("tail")),
        lift_((shape("legs") - 1) * kElbowHeight),
        stretch_((shape("length") - 1) * 0.24),
        reach_((shape("neck") - 1) * Vector3d(0, 0.15, 0.12)) {}

  double girth() const { return girth_; }
  double muscle() const { return muscle_; }
  double lift() const { return lift_; }
  double head() const { return head_; }
  double ears() const { return ears_; }

  Vector3d Trunk(double x, double y, double z) const {
    const double along = std::clamp(z / 0.22, -1.0, 1.0);
    return {x * girth_, y + lift_, z + stretch_ * along};
  }
  Vector3d FrontLeg(double x, double y, double z) const { return Leg(x, y, z + stretch_); }
  Vector3d HindLeg(double x, double y, double z) const { return Leg(x, y, z - stretch_); }
  // along: 0 at the neck's root, 1 at the skull.
  Vector3d Neck(double along, double x, double y, double z) const {
    return Vector3d(x, y + lift_, z + stretch_) + along * reach_;
  }
  Vector3d Head(double x, double y, double z) const {
    const Vector3d skull(0, 0.835, 0.44);
    const double muzzle = std::max(0.0, z - 0.5) * (muzzle_ - 1);
    return Neck(1, 0, 0.81, 0.43) + head_ * (Vector3d(x, y, z + muzzle) - skull);
  }
  Vector3d Ear(double x, double y, double z) const {
    const Vector3d base(0.042, 0.875, 0.42);
    const Vector3d p = base + ears_ * (Vector3d(x, y, z) - base);
    return Head(p.x(), p.y(), p.z());
  }
  Vector3d Tail(double y, double z) const {
    const Vector3d root(0, 0.61, -0.345);
    const Vector3d p = root + tail_ * (Vector3d(0, y, z) - root);
    return {0, p.y() + lift_, p.z() - stretch_};
  }

 private:
  Vector3d Leg(double x, double y, double z) const {
    const double height = y < kElbowHeight ? y * legs_ : y + lift_;
    return {x + (girth_ - 1) * 0.07, height, z};
  }

  double girth_, muscle_, legs_, muzzle_, head_, ears_, tail_;
  double lift_, stretch_;
  Vector3d reach_;
};

std::vector<FigureJoint> Joints(const Plan& at) {
  SkeletonBuilder s;
  s.Add("pelvis", -1, at.Trunk(0, 0.615, -0.28), at.Trunk(0, 0.63, -0.17));
  s.Add("spine1", kPelvis, at.Trunk(0, 0.63, -0.17), at.Trunk(0, 0.635, -0.05));
  s.Add("spine2", kSpine1, at.Trunk(0, 0.635, -0.05), at.Trunk(0, 0.63, 0.07));
  s.Add("spine3", kSpine2, at.Trunk(0, 0.63, 0.07), at.Trunk(0, 0.625, 0.17));
  s.Add("spine4", kSpine3, at.Trunk(0, 0.625, 0.17), at.Neck(0, 0, 0.645, 0.265));
  s.Add("neck1", kSpine4, at.Neck(0, 0, 0.645, 0.265), at.Neck(0.5, 0, 0.725, 0.325));
  s.Add("neck2", kNeck1, at.Neck(0.5, 0, 0.725, 0.325), at.Head(0, 0.825, 0.41));
  s.Add("head", kNeck2, at.Head(0, 0.825, 0.41), at.Head(0, 0.8, 0.63));
  s.Add("jaw", kHead, at.Head(0, 0.79, 0.455), at.Head(0, 0.768, 0.6));
  s.Add("tail1", kPelvis, at.Tail(0.61, -0.345), at.Tail(0.575, -0.42));
  s.Add("tail2", kTail1, at.Tail(0.575, -0.42), at.Tail(0.515, -0.475));
  s.Add("tail3", kTail2, at.Tail(0.515, -0.475), at.Tail(0.435, -0.5));
  s.Add("tail4", kTail3, at.Tail(0.435, -0.5), at.Tail(0.355, -0.51));
  s.Add("tail5", kTail4, at.Tail(0.355, -0.51), at.Tail(0.265, -0.515));
  s.Add("left_ear", kHead, at.Ear(0.044, 0.88, 0.42), at.Ear(0.064, 0.975, 0.415));
  s.Add("left_scapula", kSpine4, at.FrontLeg(0.062, 0.635, 0.185), at.FrontLeg(0.086, 0.475, 0.275));
  s.Add("left_shoulder", kLeftScapula, at.FrontLeg(0.086, 0.475, 0.275), at.FrontLeg(0.088, 0.37, 0.19));
  s.Add("left_elbow", kLeftShoulder, at.FrontLeg(0.088, 0.37, 0.19), at.FrontLeg(0.084, 0.145, 0.206));
  s.Add("left_wrist", kLeftElbow, at.FrontLeg(0.084, 0.145, 0.206), at.FrontLeg(0.085, 0.042, 0.234));
  s.Add("left_front_paw", kLeftWrist, at.FrontLeg(0.085, 0.042, 0.234), at.FrontLeg(0.085, 0.02, 0.29));
  s.Add("left_hip", kPelvis, at.HindLeg(0.07, 0.57, -0.305), at.HindLeg(0.093, 0.395, -0.22));
  s.Add("left_knee", kLeftHip, at.HindLeg(0.093, 0.395, -0.22), at.HindLeg(0.087, 0.19, -0.375));
  s.Add("left_ankle", kLeftKnee, at.HindLeg(0.087, 0.19, -0.375), at.HindLeg(0.087, 0.042, -0.337));
  s.Add("left_hind_paw", kLeftAnkle, at.HindLeg(0.087, 0.042, -0.337), at.HindLeg(0.087, 0.02, -0.28));
  s.AddMirrorImages();
  return s.Take();
}

// Sections of limbs along the body: u is to the left, v up.
Section Deep(double side, double up, double down) { return {side, side, up, down}; }
// Sections of limbs that go down: u is to the left, v to the front.
Section Leg(double side, double front, double back) { return {side, side, front, back}; }

// Profile of the trunk at one z: heights of the back, of the widest part and of the keel or belly, and the half width.
struct Profile {
  double z, back, middle, belly, half_width;
};

Primitive TrunkThrough(const Plan& at, const std::vector<Profile>& profiles) {
  std::vector<Ring> rings;
  rings.reserve(profiles.size());
  const double g = at.girth();
  for (const Profile& p : profiles) {
    rings.push_back({at.Trunk(0, p.middle, p.z), Deep(p.half_width * g, p.back - p.middle, (p.middle - p.belly) * g)});
  }
  return LoftThrough(rings, Vector3d::UnitX(), 0);
}

int AddTrunk(Sculpture& sculpture, const Plan& at) {
  const int trunk = sculpture.AddGroup("trunk", -1, 0);
  sculpture.groups[trunk].sibling_blend = 0.006;
  Primitive& body = sculpture.Add(trunk, kPelvis,
                                  TrunkThrough(at, {{-0.355, 0.632, 0.585, 0.545, 0.042},
                                                    {-0.29, 0.678, 0.598, 0.52, 0.072},
                                                    {-0.2, 0.703, 0.605, 0.518, 0.077},
                                                    {-0.1, 0.702, 0.59, 0.487, 0.085},
                                                    {0, 0.7, 0.57, 0.432, 0.098},
                                                    {0.1, 0.704, 0.555, 0.388, 0.102},
                                                    {0.19, 0.712, 0.55, 0.366, 0.092},
                                                    {0.245, 0.69, 0.54, 0.37, 0.084},
                                                    {0.285, 0.64, 0.52, 0.39, 0.072}}));
  body.cap_a = 0.03;
  body.cap_b = 0.05;
  Primitive& breast =
      sculpture.Add(trunk, kSpine4, Ellipsoid(at.Trunk(0.042, 0.435, 0.262), {0.036 * at.girth(), 0.045, 0.045}, 0.05));
  breast.mirrored = true;
  return trunk;
}

// The neck belongs to the trunk's group, so that shoulders and chest flow into it.
void AddNeck(Sculpture& sculpture, const Plan& at, int trunk) {
  const double m = at.muscle();
  sculpture.Add(trunk, kNeck1,
                LoftThrough({{at.Neck(0, 0, 0.585, 0.2), {0.075 * m, 0.075 * m, 0.11, 0.1}},
                             {at.Neck(0.3, 0, 0.66, 0.265), {0.074 * m, 0.074 * m, 0.1, 0.1}},
                             {at.Neck(0.7, 0, 0.74, 0.33), {0.066 * m, 0.066 * m, 0.084, 0.082}},
                             {at.Neck(1, 0, 0.8, 0.39), {0.06 * m, 0.06 * m, 0.064, 0.066}}},
                            Vector3d::UnitX(), 0.08));
}

void AddFace(Sculpture& sculpture, const Plan& at, int head) {
  const double h = at.head();
  const auto pair = [&](const Vector3d& center, const Vector3d& radii, double blend) -> Primitive& {
    Primitive& added = sculpture.Add(head, kHead, Ellipsoid(center, radii * h, blend * h));
    added.mirrored = true;
    return added;
  };
  pair(at.Head(0.05, 0.822, 0.462), {0.028, 0.036, 0.052}, 0.04);  // cheek
  pair(at.Head(0.031, 0.868, 0.497), {0.024, 0.014, 0.03}, 0.03);  // brow
  pair(at.Head(0.056, 0.848, 0.53), {0.02, 0.014, 0.02}, 0.016).operation = Primitive::Operation::kCarve;
  pair(at.Head(0.041, 0.85, 0.509), {0.0145, 0.0125, 0.013}, 0.003);  // eye
  sculpture.Add(head, kHead, Ellipsoid(at.Head(0, 0.829, 0.627), h * Vector3d(0.02, 0.014, 0.013), 0.008 * h));
}

int AddHead(Sculpture& sculpture, const Plan& at, int trunk) {
  const int head = sculpture.AddGroup("head", trunk, 0.04);
  const double h = at.head();
  sculpture.Add(head, kHead, Ellipsoid(at.Head(0, 0.842, 0.44), h * Vector3d(0.07, 0.06, 0.082), 0.02));
  Primitive& muzzle = sculpture.Add(head, kHead,
                                    Limb(at.Head(0, 0.824, 0.49), Deep(0.052 * h, 0.036 * h, 0.034 * h),
                                         at.Head(0, 0.812, 0.61), Deep(0.034 * h, 0.031 * h, 0.026 * h), 0.035 * h));
  muzzle.exponent = 2.5;
  muzzle.cap_b = 0.026 * h;
  Primitive& jaw = sculpture.Add(head, kJaw,
                                 Limb(at.Head(0, 0.788, 0.475), Deep(0.042 * h, 0.024 * h, 0.024 * h),
                                      at.Head(0, 0.781, 0.592), Deep(0.025 * h, 0.02 * h, 0.015 * h), 0.008 * h));
  jaw.cap_b = 0.02 * h;
  AddFace(sculpture, at, head);
  return head;
}

void AddEars(Sculpture& sculpture, const Plan& at, int head) {
  const int ears = sculpture.AddGroup("ear", head, 0.022, true);
  const double e = at.ears() * at.head();
  const Vector3d side(1, 0, -0.55);
  Primitive& shell = sculpture.Add(ears, kLeftEar,
                                   LoftThrough({{at.Ear(0.043, 0.872, 0.42), Section::Oval(0.039 * e, 0.023 * e)},
                                                {at.Ear(0.0485, 0.898, 0.42), Section::Oval(0.036 * e, 0.02 * e)},
                                                {at.Ear(0.0535, 0.922, 0.419), Section::Oval(0.027 * e, 0.015 * e)},
                                                {at.Ear(0.0575, 0.942, 0.418), Section::Oval(0.018 * e, 0.011 * e)},
                                                {at.Ear(0.06, 0.956, 0.417), Section::Oval(0.013 * e, 0.009 * e)}},
                                               side, 0));
  shell.cap_b = 0.014 * e;
  Primitive& hollow = sculpture.Add(ears, kLeftEar,
                                    Limb(at.Ear(0.058, 0.9, 0.445), Section::Oval(0.024 * e, 0.015 * e),
                                         at.Ear(0.068, 0.945, 0.43), Section::Oval(0.008 * e, 0.007 * e), 0.01 * e));
  hollow.side = side;
  hollow.operation = Primitive::Operation::kCarve;
}

void AddTail(Sculpture& sculpture, const Plan& at, int trunk) {
  const int tail = sculpture.AddGroup("tail", trunk, 0.04);
  Primitive& brush = sculpture.Add(tail, kTail1,
                                   LoftThrough({{at.Tail(0.612, -0.34), Section::Round(0.034)},
                                                {at.Tail(0.575, -0.42), Section::Round(0.029)},
                                                {at.Tail(0.515, -0.475), Section::Round(0.035)},
                                                {at.Tail(0.435, -0.5), Section::Round(0.038)},
                                                {at.Tail(0.365, -0.51), Section::Round(0.033)},
                                                {at.Tail(0.31, -0.514), Section::Round(0.022)},
                                                {at.Tail(0.275, -0.515), Section::Round(0.014)}},
                                               Vector3d::UnitX(), 0));
  brush.cap_b = 0.016;
}

// Adds a paw whose middle is at (x, z) of the drawing: four toes and the pads behind them, cut flat on the ground.
// m: factor of the widths. at: map of the leg from the drawing to the shape.
template <typename Map>
void AddPaw(Sculpture& sculpture, int group, int joint, double m, double x, double z, const Map& at) {
  sculpture.Add(group, joint, Ellipsoid(at(x, 0.026, z), {0.034 * m, 0.03, 0.042}, 0.02));
  for (int toe = 0; toe < 4; ++toe) {
    const double across = toe - 1.5;
    const double front = z + 0.043 - 0.006 * across * across;
    sculpture.Add(group, joint,
                  Limb(at(x + 0.014 * across * m, 0.033, z + 0.004), Section::Oval(0.011 * m, 0.016),
                       at(x + 0.0185 * across * m, 0.014, front), Section::Oval(0.0108 * m, 0.013), 0.006));
  }
}

void AddFrontLeg(Sculpture& sculpture, const Plan& plan, int trunk) {
  const int leg = sculpture.AddGroup("front_leg", trunk, 0.05, true);
  const double m = plan.muscle();
  const auto ring = [&](double x, double y, double z, double side, double front, double back) {
    return Ring{plan.FrontLeg(x, y, z), Leg(side * m, front * m, back * m)};
  };
  const auto add = [&](int joint, const std::vector<Ring>& rings, double blend) {
    sculpture.Add(leg, joint, LoftThrough(rings, Vector3d::UnitX(), blend));
  };
  // Shoulder blade and the muscles on it; upper arm; triceps; forearm; elbow's point; pastern.
  add(kLeftScapula,
      {ring(0.05, 0.645, 0.165, 0.026, 0.04, 0.045), ring(0.072, 0.56, 0.22, 0.034, 0.05, 0.055),
       ring(0.084, 0.485, 0.262, 0.038, 0.05, 0.055)},
      0);
  add(kLeftShoulder,
      {ring(0.086, 0.485, 0.265, 0.038, 0.045, 0.055), ring(0.088, 0.43, 0.235, 0.038, 0.044, 0.055),
       ring(0.088, 0.365, 0.195, 0.033, 0.038, 0.038)},
      0.03);
  add(kLeftShoulder,
      {ring(0.07, 0.57, 0.15, 0.024, 0.045, 0.04), ring(0.082, 0.47, 0.155, 0.032, 0.045, 0.04),
       ring(0.088, 0.385, 0.172, 0.026, 0.03, 0.026)},
      0.03);
  add(kLeftElbow,
      {ring(0.088, 0.385, 0.195, 0.032, 0.038, 0.036), ring(0.088, 0.32, 0.195, 0.033, 0.037, 0.035),
       ring(0.086, 0.24, 0.2, 0.0245, 0.026, 0.027), ring(0.084, 0.165, 0.205, 0.02, 0.021, 0.022)},
      0.025);
  add(kLeftElbow, {ring(0.087, 0.388, 0.158, 0.014, 0.018, 0.014), ring(0.086, 0.33, 0.175, 0.012, 0.016, 0.014)},
      0.02);
  add(kLeftWrist,
      {ring(0.084, 0.17, 0.205, 0.0205, 0.022, 0.022), ring(0.084, 0.14, 0.208, 0.0225, 0.022, 0.0235),
       ring(0.085, 0.1, 0.219, 0.02, 0.0185, 0.02), ring(0.085, 0.05, 0.234, 0.026, 0.02, 0.02)},
      0.012);
  AddPaw(sculpture, leg, kLeftFrontPaw, m, 0.085, 0.25,
         [&](double x, double y, double z) { return plan.FrontLeg(x, y, z); });
}

void AddHindLeg(Sculpture& sculpture, const Plan& plan, int trunk) {
  const int leg = sculpture.AddGroup("hind_leg", trunk, 0.05, true);
  const double m = plan.muscle();
  const auto ring = [&](double x, double y, double z, double side, double front, double back) {
    return Ring{plan.HindLeg(x, y, z), Leg(side * m, front * m, back * m)};
  };
  const auto add = [&](int joint, const std::vector<Ring>& rings, double blend) {
    sculpture.Add(leg, joint, LoftThrough(rings, Vector3d::UnitX(), blend));
  };
  // Thigh; the muscles behind it, from the seat to the shank; shank; heel and its tendon; metatarsus.
  add(kLeftHip,
      {ring(0.052, 0.62, -0.29, 0.04, 0.06, 0.06), ring(0.068, 0.53, -0.282, 0.052, 0.082, 0.07),
       ring(0.086, 0.45, -0.25, 0.046, 0.062, 0.06), ring(0.092, 0.385, -0.24, 0.034, 0.04, 0.05)},
      0);
  add(kLeftHip,
      {ring(0.046, 0.585, -0.335, 0.028, 0.036, 0.034), ring(0.074, 0.5, -0.335, 0.038, 0.05, 0.042),
       ring(0.088, 0.385, -0.295, 0.028, 0.035, 0.032), ring(0.089, 0.32, -0.315, 0.018, 0.022, 0.02)},
      0.05);
  add(kLeftKnee,
      {ring(0.093, 0.4, -0.238, 0.032, 0.036, 0.05), ring(0.091, 0.34, -0.268, 0.032, 0.034, 0.042),
       ring(0.089, 0.27, -0.322, 0.021, 0.022, 0.026), ring(0.087, 0.215, -0.362, 0.017, 0.019, 0.02)},
      0.03);
  add(kLeftKnee, {ring(0.089, 0.33, -0.325, 0.012, 0.016, 0.012), ring(0.087, 0.215, -0.396, 0.01, 0.012, 0.01)}, 0.02);
  add(kLeftAnkle,
      {ring(0.087, 0.222, -0.395, 0.0125, 0.016, 0.012), ring(0.087, 0.185, -0.378, 0.019, 0.024, 0.02),
       ring(0.087, 0.12, -0.36, 0.0165, 0.018, 0.019), ring(0.087, 0.05, -0.34, 0.024, 0.018, 0.018)},
      0.012);
  AddPaw(sculpture, leg, kLeftHindPaw, 0.95 * m, 0.087, -0.324,
         [&](double x, double y, double z) { return plan.HindLeg(x, y, z); });
}

Figure Build(const Shape& shape) {
  const Plan plan(shape);
  Figure figure;
  figure.joints = Joints(plan);
  const int trunk = AddTrunk(figure.sculpture, plan);
  AddNeck(figure.sculpture, plan, trunk);
  AddEars(figure.sculpture, plan, AddHead(figure.sculpture, plan, trunk));
  AddTail(figure.sculpture, plan, trunk);
  AddFrontLeg(figure.sculpture, plan, trunk);
  AddHindLeg(figure.sculpture, plan, trunk);
  figure.sculpture.cuts.push_back(CutPlane(Vector3d::Zero(), Vector3d::UnitY(), 0.006));
  figure.sculpture.cuts.back().joint = kLeftFrontPaw;
  Scale(figure, shape("height") / (kWithers + plan.lift()));
  return figure;
}

}  // namespace

Kind QuadrupedKind() {
  Kind kind;
  kind.name = "quadruped";
  kind.description = "a dog-like animal, standing, with ears, jaw and tail";
  kind.parameters = Parameters();
  kind.build = Build;
  kind.limits = QuadrupedLimits;
  kind.animations = QuadrupedAnimations;
  kind.symmetric = true;
  kind.grid = 0.004;
  return kind;
}

}  // namespace sinew::embedded
