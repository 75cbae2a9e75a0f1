#include "sinew/offline/embedded/biped_motion.h"

#include <cmath>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/embedded/biped_parts.h"
#include "sinew/offline/embedded/build.h"
#include "sinew/offline/embedded/motion.h"

namespace sinew::embedded {
namespace {

using Eigen::Quaterniond;

constexpr int kFrameRate = 30;
constexpr double kSeconds = 4.4;

struct Turn {
  int joint;
  double x, y, z;  // rotation vector, degrees
};

struct Key {
  double time;  // seconds
  std::vector<Turn> turns;
  double right_lifted;  // 0: the right foot stays flat on the ground, 1: it hangs
};

// Key poses of the exercise. Rotations about +X nod forward and bend knees back, about +Y turn to the left, about +Z
// lift the left arm. Ankles of feet on the ground are not given: FrameAt() keeps those feet flat.
const std::vector<Key>& Keys() {
  static const std::vector<Key> keys = {// At ease, weight on the left leg.
                                        {0.0,
                                         {{kPelvis, 0, 4, 3},
                                          {kLeftHip, 0, -4, -3},
                                          {kRightHip, -10, -6, -3},
                                          {kRightKnee, 19, 0, 0},
                                          {kSpine1, 2, -2, -3},
                                          {kSpine3, 0, -4, -3},
                                          {kNeck, 4, 6, 1},
                                          {kHead, 2, 8, 2},
                                          {kLeftCollar, 0, 0, -5},
                                          {kRightCollar, 0, 0, 3},
                                          {kLeftShoulder, 6, 6, -68},
                                          {kRightShoulder, 4, -4, 70},
                                          {kLeftElbow, 0, -16, 0},
                                          {kRightElbow, 0, 20, 0},
                                          {kLeftWrist, 0, -5, 0},
                                          {kRightWrist, 0, 5, 0}},
                                         0},
                                        // Both arms flexed.
                                        {0.9,
                                         {{kSpine2, -4, 0, 0},
                                          {kSpine3, -4, 0, 0},
                                          {kHead, -4, 0, 0},
                                          {kLeftCollar, 0, 0, 8},
                                          {kRightCollar, 0, 0, -8},
                                          {kLeftShoulder, -70, -8, 6},
                                          {kRightShoulder, -70, 8, -6},
                                          {kLeftElbow, 0, -112, 0},
                                          {kRightElbow, 0, 112, 0}},
                                         0},
                                        // A deep squat, arms before the body.
                                        {1.7,
                                         {{kPelvis, 36, 0, 0},
                                          {kLeftHip, -108, 8, 4},
                                          {kRightHip, -108, -8, -4},
                                          {kLeftKnee, 88, 0, 0},
                                          {kRightKnee, 88, 0, 0},
                                          {kSpine1, 6, 0, 0},
                                          {kSpine2, 4, 0, 0},
                                          {kSpine3, -4, 0, 0},
                                          {kNeck, -12, 0, 0},
                                          {kHead, -12, 0, 0},
                                          {kLeftCollar, 0, -12, 4},
                                          {kRightCollar, 0, 12, -4},
                                          {kLeftShoulder, -10, -72, 8},
                                          {kRightShoulder, -10, 72, -8},
                                          {kLeftElbow, 0, -12, 0},
                                          {kRightElbow, 0, 12, 0}},
                                         0},
                                        // Up, arms overhead.
                                        {2.6,
                                         {{kSpine1, -3, 0, 0},
                                          {kSpine2, -4, 0, 0},
                                          {kSpine3, -5, 0, 0},
                                          {kNeck, -8, 0, 0},
                                          {kHead, -12, 0, 0},
                                          {kLeftCollar, 0, 0, 22},
                                          {kRightCollar, 0, 0, -22},
                                          {kLeftShoulder, -20, 0, 58},
                                          {kRightShoulder, -20, 0, -58},
                                          {kLeftElbow, 0, -20, 0},
                                          {kRightElbow, 0, 20, 0}},
                                         0},
                                        // The right knee up, the trunk turned towards it, arms as in a stride.
                                        {3.5,
                                         {{kPelvis, 0, 8, 2},
                                          {kLeftHip, 0, -8, -2},
                                          {kRightHip, -88, -4, 0},
                                          {kRightKnee, 96, 0, 0},
                                          {kRightAnkle, 18, 0, 0},
                                          {kSpine1, 3, -12, -2},
                                          {kSpine2, 3, -12, 0},
                                          {kSpine3, 0, -12, 0},
                                          {kNeck, 0, 12, 0},
                                          {kHead, 0, 12, 0},
                                          {kLeftCollar, 0, -10, -4},
                                          {kRightCollar, 0, -6, 4},
                                          {kLeftShoulder, -14, -40, -52},
                                          {kRightShoulder, 14, -36, 58},
                                          {kLeftElbow, 0, -84, 0},
                                          {kRightElbow, 0, 70, 0}},
                                         1}};
  return keys;
}

Vector3d VectorOf(const Key& key, int joint) {
  for (const Turn& turn : key.turns) {
    if (turn.joint == joint) return Vector3d(turn.x, turn.y, turn.z) * (M_PI / 180);
  }
  return Vector3d::Zero();
}

Quaterniond ToRotation(const Vector3d& vector) {
  const double angle = vector.norm();
  return angle > 0 ? Quaterniond(Eigen::AngleAxisd(angle, vector / angle)) : Quaterniond::Identity();
}

// Position of a time among the periodic keys: between key[1] and key[2], at fraction t.
struct Moment {
  int key[4];
  double t;
};

Moment MomentAt(double time) {
  const std::vector<Key>& keys = Keys();
  const int n = static_cast<int>(keys.size());
  int i = n - 1;
  while (keys[i].time > time) --i;
  const double end = i + 1 < n ? keys[i + 1].time : kSeconds;
  return {{(i + n - 1) % n, i, (i + 1) % n, (i + 2) % n}, (time - keys[i].time) / (end - keys[i].time)};
}

// A cubic through values 1 and 2 with half of Catmull's and Rom's slopes: poses are held for a moment.
template <typename Value>
Value Blend(const Value& v0, const Value& v1, const Value& v2, const Value& v3, double t) {
  const double t2 = t * t, t3 = t2 * t;
  const Value slope1 = (v2 - v0) * 0.2, slope2 = (v3 - v1) * 0.2;
  return v1 * (2 * t3 - 3 * t2 + 1) + slope1 * (t3 - 2 * t2 + t) + v2 * (3 * t2 - 2 * t3) + slope2 * (t3 - t2);
}

struct Frame {
  Quaterniond local[kBipedJoints];
  Vector3d root;
};

// Computes the pose at a time. Soles stay flat as far as they bear weight, and the pelvis moves such that the left
// ankle stays in place.
Frame FrameAt(const std::vector<FigureJoint>& joints, const JointLimits& limits, double time) {
  // Joint rotations, interpolated between the keys.
  const Moment m = MomentAt(time);
  const Key* k[4];
  for (int i = 0; i < 4; ++i) k[i] = &Keys()[m.key[i]];
  Frame frame;
  for (int j = 0; j < kBipedJoints; ++j) {
    const Vector3d turn = Blend(VectorOf(*k[0], j), VectorOf(*k[1], j), VectorOf(*k[2], j), VectorOf(*k[3], j), m.t);
    // The keys are inside the limits but for the knees, whose hinges' axes depend on how the legs of a shape stand.
    frame.local[j] = Allowed(limits[j], ToRotation(turn));
  }
  // Ankles that keep the soles flat; the right one only as far as it is not lifted.
  const double lifted =
      std::clamp(Blend(k[0]->right_lifted, k[1]->right_lifted, k[2]->right_lifted, k[3]->right_lifted, m.t), 0.0, 1.0);
  const auto shank = [&](int hip, int knee) { return frame.local[kPelvis] * frame.local[hip] * frame.local[knee]; };
  frame.local[kLeftAnkle] = shank(kLeftHip, kLeftKnee).conjugate();
  frame.local[kRightAnkle] = shank(kRightHip, kRightKnee).conjugate().slerp(lifted, frame.local[kRightAnkle]);
  // Position of the pelvis that keeps the left ankle in place.
  Quaterniond turned = Quaterniond::Identity();
  Vector3d ankle = Vector3d::Zero();
  for (const auto& [joint, child] : {std::pair(kPelvis, kLeftHip), {kLeftHip, kLeftKnee}, {kLeftKnee, kLeftAnkle}}) {
    turned = turned * frame.local[joint];
    ankle += turned * (joints[child].position - joints[joint].position);
  }
  frame.root = joints[kLeftAnkle].position - ankle;
  return frame;
}

// Appends a quaternion with the sign that is nearer to identity, so that neighbouring keys agree: no joint turns by
// half a circle.
void Append(std::vector<float>& values, const Quaterniond& q) {
  const double sign = q.w() < 0 ? -1 : 1;
  for (const double c : {q.x(), q.y(), q.z(), q.w()}) values.push_back(static_cast<float>(sign * c));
}

}  // namespace

Animation BipedExercise(const std::vector<FigureJoint>& joints) {
  Animation animation;
  animation.name = "exercise";
  const JointLimits limits = FindLimits(SkeletonOf(joints), {});
  animation.curves.resize(kBipedJoints + 1);
  AnimationCurve& root = animation.curves[kBipedJoints];
  root.joint = kPelvis;
  root.path = AnimationCurve::Path::kTranslation;
  const int frames = static_cast<int>(std::lround(kSeconds * kFrameRate));
  for (int i = 0; i <= frames; ++i) {
    const Frame frame = FrameAt(joints, limits, i == frames ? 0.0 : i / static_cast<double>(kFrameRate));
    const float time = static_cast<float>(i) / kFrameRate;
    for (int j = 0; j < kBipedJoints; ++j) {
      AnimationCurve& curve = animation.curves[j];
      curve.joint = j;
      curve.times.push_back(time);
      Append(curve.values, frame.local[j]);
    }
    root.times.push_back(time);
    for (int c = 0; c < 3; ++c) root.values.push_back(static_cast<float>(frame.root[c]));
  }
  return animation;
}

}  // namespace sinew::embedded
