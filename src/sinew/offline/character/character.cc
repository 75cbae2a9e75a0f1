#include "sinew/offline/character/character.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"

namespace sinew {
namespace {

using Interpolation = AnimationCurve::Interpolation;

// Evaluates the cubic Hermite spline of a key interval of length dt at u in [0, 1]: glTF 2.0, appendix C.
float Hermite(float p0, float m0, float p1, float m1, float dt, float u) {
  const float u2 = u * u, u3 = u2 * u;
  return (2 * u3 - 3 * u2 + 1) * p0 + dt * (u3 - 2 * u2 + u) * m0 + (3 * u2 - 2 * u3) * p1 + dt * (u3 - u2) * m1;
}

// Evaluates the curve at a time and writes `width` floats to `out`.
void Evaluate(const AnimationCurve& curve, float time, int width, float* out) {
  const auto& times = curve.times;
  const bool cubic = curve.interpolation == Interpolation::kCubicSpline;
  const int stride = cubic ? 3 * width : width;
  const auto value = [&](size_t key, int part) { return curve.values.data() + key * stride + part * width; };
  const int middle = cubic ? 1 : 0;
  const size_t next = std::upper_bound(times.begin(), times.end(), time) - times.begin();
  if (next == 0 || next == times.size() || curve.interpolation == Interpolation::kStep) {
    const float* held = value(next == 0 ? 0 : next - 1, middle);
    std::copy(held, held + width, out);
    return;
  }
  const float dt = times[next] - times[next - 1];
  const float u = dt > 0 ? (time - times[next - 1]) / dt : 0;
  const float* a = value(next - 1, middle);
  const float* b = value(next, middle);
  if (cubic) {
    for (int k = 0; k < width; ++k) out[k] = Hermite(a[k], value(next - 1, 2)[k], b[k], value(next, 0)[k], dt, u);
  } else if (width == 4) {
    const Eigen::Quaternionf q = Eigen::Quaternionf(a).slerp(u, Eigen::Quaternionf(b));
    std::copy(q.coeffs().data(), q.coeffs().data() + 4, out);
  } else {
    for (int k = 0; k < width; ++k) out[k] = a[k] + u * (b[k] - a[k]);
  }
}

void Apply(const AnimationCurve& curve, float time, Transform& transform) {
  float v[4];
  switch (curve.path) {
    case AnimationCurve::Path::kTranslation:
      Evaluate(curve, time, 3, v);
      transform.translation = {v[0], v[1], v[2]};
      break;
    case AnimationCurve::Path::kScale:
      Evaluate(curve, time, 3, v);
      transform.scale = {v[0], v[1], v[2]};
      break;
    case AnimationCurve::Path::kRotation:
      Evaluate(curve, time, 4, v);
      transform.rotation = ToQuaternion(Eigen::Quaternionf(v).normalized());
      break;
  }
}

}  // namespace

float Animation::duration() const {
  float end = 0;
  for (const AnimationCurve& curve : curves) {
    if (!curve.times.empty()) end = std::max(end, curve.times.back());
  }
  return end;
}

int Character::vertex_count() const {
  int count = 0;
  for (const Part& part : parts) count += part.mesh.vertex_count();
  return count;
}

int Character::triangle_count() const {
  int count = 0;
  for (const Part& part : parts) count += part.mesh.triangle_count();
  return count;
}

Motion SampleAnimation(const Skeleton& skeleton, const Animation& animation, float frames_per_second) {
  Motion motion{.name = animation.name, .frames_per_second = frames_per_second, .joints = {}, .frames = {}};
  for (const Joint& joint : skeleton.joints) motion.joints.push_back(joint.name);
  const float last = std::floor(animation.duration() * frames_per_second + 1e-3f);
  if (!(last < 1e6f)) {
    throw InputError(fmt::format("animation \"{}\"", animation.name), "",
                     fmt::format("lasts {:.4g} s, which is more than a million frames", animation.duration()),
                     "remove the keys at its end");
  }
  const int frames = static_cast<int>(last) + 1;
  for (int f = 0; f < frames; ++f) {
    Pose pose = skeleton.RestPose();
    const float time = static_cast<float>(f) / frames_per_second;
    for (const AnimationCurve& curve : animation.curves) {
      if (curve.joint >= 0 && !curve.times.empty()) Apply(curve, time, pose[curve.joint]);
    }
    motion.frames.push_back(std::move(pose));
  }
  return motion;
}

std::vector<Pose> PosesOfAnimations(const Character& character, int each, int most) {
  std::vector<Pose> poses;
  for (const Animation& animation : character.animations) {
    if (static_cast<int>(poses.size()) >= most) break;
    const float duration = animation.duration();
    const float rate = duration > 0 ? static_cast<float>(each - 1) / duration : 1;
    if (!std::isfinite(rate)) continue;
    const Motion motion = SampleAnimation(character.skeleton, animation, rate);
    poses.insert(poses.end(), motion.frames.begin(), motion.frames.end());
  }
  return poses;
}

}  // namespace sinew
