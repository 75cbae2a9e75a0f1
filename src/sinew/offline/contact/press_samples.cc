#include "sinew/offline/contact/press_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <mutex>
#include <optional>

#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/runtime/base/half.h"

namespace sinew::contact {
namespace {

using Clock = std::chrono::steady_clock;
using Eigen::Vector3d;

constexpr int kTouchSteps = 200;
constexpr int kTraining = 2;       // changes with what the field's network sees: older states of training do not fit
constexpr double kTouched = 1e-3;  // of the grid's extent

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Vector3d ExtentOf(const DistanceGrid& grid) {
  return (grid.counts.cast<double>() - 1).matrix().cwiseProduct(grid.spacing);
}

// Distance of a point of the collider's space from the collider, or less where it is outside of the grid.
double DistanceAtLeast(const DistanceGrid& grid, const Vector3d& z) {
  if (const auto sample = Sample(grid, z)) return sample->distance;
  const Vector3d low = grid.origin, high = grid.origin + ExtentOf(grid);
  return (z - z.cwiseMax(low).cwiseMin(high)).norm() + 0.5 * grid.spacing.minCoeff();
}

// Adds what the collider does: u = full with it minus full without (equation 1), carried into its space (equation 2).
PressSample MakeSample(const PressSubject& subject, const Eigen::Isometry3d& T, double depth, const Points& free,
                       const Points* pressed) {
  PressSample sample;
  sample.depth = depth;
  const Eigen::Matrix3f R = T.linear().cast<float>();
  std::copy_n(R.data(), 9, sample.R.begin());
  for (int k = 0; k < 3; ++k) sample.t[k] = static_cast<float>(T.translation()[k]);
  const Eigen::Isometry3d to_collider = T.inverse();
  for (Eigen::Index v = 0; v < free.rows(); ++v) {
    const Vector3d x = free.row(v).cast<double>().transpose();
    Vector3d r = Vector3d::Zero();
    if (pressed != nullptr) {
      r = to_collider.linear() * (pressed->row(v) - free.row(v)).cast<double>().transpose() / subject.size;
    }
    sample.total += r.squaredNorm();
    const auto at = Sample(subject.grid, to_collider * x);
    if (!at || !(at->distance < subject.window)) continue;
    sample.vertices.push_back(static_cast<uint32_t>(v));
    for (int k = 0; k < 3; ++k) sample.r.push_back(runtime::FloatToHalf(static_cast<float>(r[k])));
  }
  return sample;
}

// Puts what the flesh is made from: skeleton, skin and parts, by which their roles are found.
void PutCharacter(const PressSubject& subject, BinaryWriter& to) {
  for (const Joint& joint : subject.character.skeleton.joints) {
    to.PutText(joint.name);
    to.Put(joint.parent);
    to.Put(joint.carrier);
    to.Put(joint.rest);
  }
  for (const Part& part : subject.character.parts) {
    to.PutText(part.name);
    to.PutText(part.role);
    to.PutCount(static_cast<size_t>(part.mesh.vertex_count()));
  }
  to.Put(subject.rest.positions.data(), static_cast<size_t>(subject.rest.positions.size()));
  to.Put(subject.rest.triangles.data(), static_cast<size_t>(subject.rest.triangles.size()));
  for (const auto& list : subject.influences) {
    to.PutCount(list.size());
    for (const auto& [joint, weight] : list) {
      to.Put(joint);
      to.Put(weight);
    }
  }
}

// Puts all but the colliders, which are the subject's.
void PutSettings(const flesh::FleshSettings& settings, BinaryWriter& to) {
  to.Put(static_cast<int>(settings.quality));
  to.Put(settings.tets);
  for (const double number : {settings.tolerance, settings.young, settings.poisson, settings.fat,
                              settings.contact_distance, settings.unit, settings.scale}) {
    to.Put(number);
  }
  to.Put(static_cast<int>(settings.contact));
  for (const GivenRole& role : settings.roles) {
    to.PutText(role.part);
    to.Put(static_cast<int>(role.role));
  }
}

}  // namespace

double FirstTouch(const DistanceGrid& grid, const Eigen::Quaterniond& rotation, const Vector3d& start,
                  const Vector3d& up, const Points& points) {
  const double extent = ExtentOf(grid).norm() + (grid.origin + 0.5 * ExtentOf(grid)).norm();
  const Eigen::Matrix3d to_collider = rotation.inverse().toRotationMatrix();
  // Only what is around the way down can be touched.
  std::vector<Vector3d> near;
  for (Eigen::Index v = 0; v < points.rows(); ++v) {
    const Vector3d off = points.row(v).cast<double>().transpose() - start;
    if ((off - up * off.dot(up)).norm() < extent && off.dot(up) > -extent && off.dot(up) < 2 * extent) {
      near.push_back(to_collider * off);
    }
  }
  // Nothing touches before the nearest point's distance is gone.
  double height = 3 * extent;
  const Vector3d down = to_collider * up;
  for (int step = 0; step < kTouchSteps; ++step) {
    double least = std::numeric_limits<double>::infinity();
    for (const Vector3d& point : near) least = std::min(least, DistanceAtLeast(grid, point - height * down));
    if (!(least > kTouched * extent) || height < -extent) break;
    height -= least;
  }
  return height;
}

PressShard SolvePresses(const PressSubject& subject, const PressPlan& plan, flesh::FleshPress press) {
  PressShard shard;
  shard.state = static_cast<uint32_t>(plan.state);
  const Points free = JoinParts(press.free().parts);
  shard.positions.assign(free.data(), free.data() + free.size());
  if (!press.free().converged) {
    for (const PressChain& chain : plan.chains) {
      shard.failed.insert(shard.failed.end(), chain.depths.begin(), chain.depths.end());
    }
    return shard;
  }
  const TriMesh posed = Weld(TriMesh{free, subject.rest.triangles}, subject.welding);
  const Vector3d up =
      VertexNormals(posed).row(subject.welding.welded_of[plan.vertex]).cast<double>().transpose().normalized();
  const Vector3d start = free.row(plan.vertex).cast<double>().transpose();
  for (const PressChain& chain : plan.chains) {
    const double touch = FirstTouch(subject.grid, chain.rotation, start, up, free);
    const auto place = [&](double depth) {
      Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
      T.linear() = chain.rotation.toRotationMatrix();
      T.translation() = start + (touch - depth) * up;
      return T;
    };
    press.Release();
    for (const double depth : chain.depths) {
      const flesh::FrameResult result = press.Solve({place(depth)});
      if (!result.converged) {
        shard.failed.push_back(depth);
        continue;
      }
      const Points pressed = JoinParts(result.parts);
      shard.samples.push_back(MakeSample(subject, place(depth), depth, free, &pressed));
    }
    if (chain.gap > 0) shard.samples.push_back(MakeSample(subject, place(-chain.gap), -chain.gap, free, nullptr));
  }
  return shard;
}

std::string HashOfSubject(const PressSubject& subject, const flesh::FleshSettings& settings) {
  BinaryWriter seen;
  PutCharacter(subject, seen);
  PutSettings(settings, seen);
  seen.Put(subject.size);
  seen.Put(subject.window);
  seen.Put(subject.grid.counts.data(), 3);
  seen.Put(subject.grid.origin.data(), 3);
  seen.Put(subject.grid.spacing.data(), 3);
  seen.Put(subject.grid.distances.data(), subject.grid.distances.size());
  return HashHex(seen.bytes());
}

std::string HashOfPlan(const PressSubject& subject, const std::string& subject_hash, const PressPlan& plan) {
  BinaryWriter seen;
  seen.PutText(subject_hash);
  seen.Put(plan.vertex);
  const Pose& state = subject.states[plan.state];
  seen.Put(state.data(), state.size());
  for (const PressChain& chain : plan.chains) {
    seen.Put(chain.rotation.coeffs().data(), 4);
    seen.PutCount(chain.depths.size());
    seen.Put(chain.depths.data(), chain.depths.size());
    seen.Put(chain.gap);
  }
  return HashHex(seen.bytes());
}

PressShard ReadPresses(const std::filesystem::path& path, const PressSubject& subject, const std::string& subject_hash,
                       const PressPlan& plan) {
  PressShard shard = DecodePresses(ReadFile(path), HashOfPlan(subject, subject_hash, plan), path.string());
  // Vertices of the samples are below the file's own number of vertices.
  if (shard.state != static_cast<uint32_t>(plan.state) ||
      shard.vertex_count() != static_cast<uint32_t>(subject.rest.vertex_count())) {
    throw InputError(path.string(), "", "has contacts of another state or another skin",
                     "delete it to have it made again");
  }
  return shard;
}

MadePresses MakePresses(const PressSubject& subject, const flesh::FleshModel& model,
                        const std::vector<PressPlan>& plans, const std::filesystem::path& folder, double minutes) {
  const Clock::time_point start = Clock::now();
  std::filesystem::create_directories(folder);
  const auto path_of = [&](int i) { return folder / fmt::format("press_{:05d}.presses", i); };
  const std::string subject_hash = HashOfSubject(subject, model.settings());
  const int count = static_cast<int>(plans.size());
  MadePresses made;
  made.shards.resize(count);
  // Files of an earlier run.
  std::vector<int> missing;
  std::map<int, std::optional<flesh::FleshPress>> presses;
  for (int i = 0; i < count; ++i) {
    if (std::filesystem::exists(path_of(i))) {
      made.shards[i] = ReadPresses(path_of(i), subject, subject_hash, plans[i]);
    } else {
      missing.push_back(i);
      presses[plans[i].state];
    }
  }
  // States of the others, and then the others, as many as the time is for.
  std::vector<int> states;
  for (const auto& [state, press] : presses) states.push_back(state);
  ParallelFor(static_cast<int>(states.size()), 1,
              [&](int s) { presses.at(states[s]).emplace(model, subject.states[states[s]]); });
  std::mutex mutex;
  Progress progress("simulating contacts", static_cast<int64_t>(missing.size()), "places");
  ParallelFor(static_cast<int>(missing.size()), 1, [&](int m) {
    const int i = missing[m];
    if (minutes > 0 && SecondsSince(start) > 60 * minutes) return;
    const Clock::time_point begin = Clock::now();
    made.shards[i] = SolvePresses(subject, plans[i], *presses.at(plans[i].state));
    WriteFileAtomic(path_of(i), EncodePresses(made.shards[i], HashOfPlan(subject, subject_hash, plans[i])));
    progress.Advance();
    const std::scoped_lock lock(mutex);
    made.core_seconds += SecondsSince(begin);
    for (const PressChain& chain : plans[i].chains) made.solved += static_cast<int>(chain.depths.size());
  });
  std::erase_if(made.shards, [](const PressShard& shard) { return shard.positions.empty(); });
  made.complete = static_cast<int>(made.shards.size()) == count;
  for (const PressShard& shard : made.shards) {
    for (const PressSample& sample : shard.samples) made.total += sample.depth > 0 ? 1 : 0;
    made.failed += static_cast<int>(shard.failed.size());
  }
  made.total += made.failed;
  return made;
}

std::string HashOfTraining(const std::vector<PressShard>& shards, int width, const TrainOptions& options) {
  BinaryWriter seen;
  seen.Put(kTraining);
  seen.Put(width);
  seen.Put(options.steps);
  seen.Put(options.steps > 0 ? 0.0 : options.minutes);
  seen.Put(options.rate);
  seen.Put(options.seed);
  for (const PressShard& shard : shards) seen.PutText(HashHex(EncodePresses(shard, "")));
  return HashHex(seen.bytes());
}

}  // namespace sinew::contact
