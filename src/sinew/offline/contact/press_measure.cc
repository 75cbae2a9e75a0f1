#include "sinew/offline/contact/press_measure.h"

#include <algorithm>
#include <cmath>

#include "sinew/offline/contact/press_rows.h"
#include "sinew/offline/contact/press_runtime.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/runtime/base/half.h"

namespace sinew::contact {
namespace {

using Eigen::Vector3f;

// One sample, measured.
struct Measured {
  const PressSample* sample = nullptr;
  const PressShard* shard = nullptr;
  bool held = false;
  double error = 0, outside = 0;      // sums of squares
  double largest = 0, predicted = 0;  // largest displacements, simulated and predicted
  Penetration depths;                 // sums
  int inside = 0;                     // vertices that skinning puts into the collider
};

double DepthAt(const PressSubject& subject, const Vector3f& z) {
  const auto at = Sample(subject.grid, (z * static_cast<float>(subject.size)).cast<double>());
  return at ? std::max(0.0, -at->distance / subject.size) : 0;
}

void Measure(const PressSubject& subject, const PressRuntime& runtime, Measured& m) {
  const PressSample& sample = *m.sample;
  PressRuntime::Posed posed = runtime.Pose(*m.shard, sample), pushing = runtime.Pose(*m.shard, sample, true);
  const std::vector<Vector3f> moved = runtime.Displacements(posed, *m.shard, sample);
  const std::vector<Vector3f> pushed = runtime.Displacements(pushing, *m.shard, sample);
  double inside = 0;
  for (size_t i = 0; i < sample.vertices.size(); ++i) {
    Vector3f r;
    for (int k = 0; k < 3; ++k) r[k] = runtime::HalfToFloat(sample.r[3 * i + k]);
    inside += r.squaredNorm();
    m.error += (moved[i] - r).squaredNorm();
    m.largest = std::max(m.largest, static_cast<double>(r.norm()));
    m.predicted = std::max(m.predicted, static_cast<double>(moved[i].norm()));
    const float* x = m.shard->positions.data() + 3 * size_t{sample.vertices[i]};
    float z[3];
    runtime::CarryPoint(posed.field, {x[0], x[1], x[2]}, z);
    const Vector3f place(z[0], z[1], z[2]);
    const double depth = DepthAt(subject, place);
    if (!(depth > 0)) continue;
    ++m.inside;
    m.depths.skinned += depth;
    m.depths.predicted += DepthAt(subject, place + moved[i]);
    m.depths.pushed_out += DepthAt(subject, place + pushed[i]);
    m.depths.simulated += DepthAt(subject, place + r);
  }
  // Nothing is predicted outside of the window: what is there counts as error in full.
  m.outside = std::max(0.0, sample.total - inside);
  m.error += m.outside;
}

double Root(double part, double whole) { return whole > 0 ? std::sqrt(part / whole) : 0; }

// Means over vertices of depths as shares of the collider's.
Penetration MeanOf(const std::vector<Measured>& all, double size, bool held) {
  Penetration mean;
  double vertices = 0;
  for (const Measured& m : all) {
    if (m.held != held || !(m.sample->depth > 0)) continue;
    const double per_depth = size / m.sample->depth;
    mean.skinned += per_depth * m.depths.skinned;
    mean.predicted += per_depth * m.depths.predicted;
    mean.pushed_out += per_depth * m.depths.pushed_out;
    mean.simulated += per_depth * m.depths.simulated;
    vertices += m.inside;
  }
  for (double* sum : {&mean.skinned, &mean.predicted, &mean.pushed_out, &mean.simulated}) {
    *sum /= std::max(vertices, 1.0);
  }
  return mean;
}

}  // namespace

PressErrors MeasurePresses(const PressSubject& subject, std::span<const PressShard> shards,
                           const runtime::ContactTable& table) {
  const PressRuntime runtime(subject, table);
  std::vector<Measured> all;
  for (size_t i = 0; i < shards.size(); ++i) {
    for (const PressSample& sample : shards[i].samples) {
      all.push_back({.sample = &sample, .shard = &shards[i], .held = IsHeldBack(i, shards.size()), .depths = {}});
    }
  }
  ParallelFor(static_cast<int>(all.size()), 1, [&](int s) { Measure(subject, runtime, all[s]); });
  PressErrors errors;
  double error[2] = {0, 0}, whole[2] = {0, 0}, outside = 0, largest = 0, hover = 0;
  for (const Measured& m : all) {
    (m.held ? errors.held_samples : errors.seen_samples) += 1;
    largest = std::max(largest, m.largest);
    if (m.sample->depth <= 0) {
      hover = std::max(hover, m.predicted);
      continue;
    }
    error[m.held ? 1 : 0] += m.error;
    whole[m.held ? 1 : 0] += m.sample->total;
    outside += m.outside;
  }
  errors.seen = Root(error[0], whole[0]);
  errors.held = Root(error[1], whole[1]);
  errors.outside = Root(outside, whole[0] + whole[1]);
  errors.hover = largest > 0 ? hover / largest : 0;
  errors.penetration = MeanOf(all, subject.size, errors.held_samples > 0);
  return errors;
}

}  // namespace sinew::contact
