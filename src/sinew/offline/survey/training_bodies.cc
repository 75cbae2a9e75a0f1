#include "sinew/offline/survey/training_bodies.h"

#include <algorithm>
#include <limits>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/poses/sample_poses.h"
#include "sinew/offline/retarget/retarget.h"

namespace sinew::survey {
namespace {

// Whether rotations away from rest mean the same in both: same names, parents and, within a thousandth of a radian,
// orientations at rest.
bool RotateAlike(const Skeleton& a, const Skeleton& b) {
  constexpr float kRounding = 1e-3f;
  return std::equal(a.joints.begin(), a.joints.end(), b.joints.begin(), b.joints.end(),
                    [](const Joint& x, const Joint& y) {
                      return x.name == y.name && x.parent == y.parent && x.carrier == y.carrier &&
                             ToEigen(x.rest.rotation).angularDistance(ToEigen(y.rest.rotation)) < kRounding;
                    });
}

template <typename Deltas>
std::vector<Deltas> DeltasOf(const Articulation& articulation, const std::vector<Pose>& poses) {
  std::vector<Deltas> deltas(poses.size());
  ParallelFor(static_cast<int>(poses.size()), 64, [&](int i) { deltas[i] = articulation.Deltas(poses[i]); });
  return deltas;
}

}  // namespace

TrainingBodies::TrainingBodies(const std::vector<Body>& bodies) {
  Progress progress("reading training bodies", static_cast<int64_t>(bodies.size()), "bodies");
  for (const Body& body : bodies) {
    const dataset::Dataset dataset(body.dataset);
    const Character character = ReadOnlyCharacter(dataset);
    shapes_.emplace_back(body.name, MeasureBody(character, dataset.manifest().metres_per_unit));
    auto group = std::find_if(groups_.begin(), groups_.end(),
                              [&](const Group& g) { return RotateAlike(g.skeleton, character.skeleton); });
    if (group == groups_.end()) group = groups_.insert(groups_.end(), {character.skeleton, {}, {}});
    std::vector<Pose> poses;
    for (const int i : CountedFrames(body, dataset)) {
      poses.push_back(dataset.pose(i));
      hashes_.insert(dataset.frame(i).hash);
    }
    const std::vector<Deltas> deltas = DeltasOf<Deltas>(Articulation(character.skeleton), poses);
    group->deltas.insert(group->deltas.end(), deltas.begin(), deltas.end());
    group->poses.insert(group->poses.end(), poses.begin(), poses.end());
    progress.Advance();
  }
}

int TrainingBodies::pose_count() const {
  size_t count = 0;
  for (const Group& group : groups_) count += group.poses.size();
  return static_cast<int>(count);
}

int TrainingBodies::CountTrained(const Body& body, const dataset::Dataset& dataset) const {
  const std::vector<int> frames = CountedFrames(body, dataset);
  return static_cast<int>(
      std::count_if(frames.begin(), frames.end(), [&](int i) { return hashes_.count(dataset.frame(i).hash) > 0; }));
}

std::vector<TrainingBodies::Deltas> TrainingBodies::DeltasFor(const Skeleton& skeleton, const Group& group) const {
  if (RotateAlike(group.skeleton, skeleton)) return group.deltas;
  Clip clip;
  clip.skeleton = group.skeleton;
  clip.motion = {
      .name = "training", .frames_per_second = 0, .joints = JointNames(group.skeleton), .frames = group.poses};
  try {
    const Clip carried = retarget::Retarget(clip, skeleton, retarget::GuessMap(group.skeleton, skeleton));
    return DeltasOf<Deltas>(Articulation(skeleton), carried.motion.frames);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) throw;
    return {};  // no joint has a match
  }
}

std::vector<double> TrainingBodies::PoseDistances(const Skeleton& skeleton, const std::vector<Pose>& poses) const {
  const Articulation articulation(skeleton);
  const poses::PoseMetric metric(articulation);
  const std::vector<Deltas> measured = DeltasOf<Deltas>(articulation, poses);
  std::vector<double> nearest(poses.size(), std::numeric_limits<double>::infinity());
  bool any = false;
  for (const Group& group : groups_) {
    const std::vector<Deltas> trained = DeltasFor(skeleton, group);
    any = any || !trained.empty();
    ParallelFor(static_cast<int>(poses.size()), 4, [&](int i) {
      for (const Deltas& deltas : trained) nearest[i] = std::min(nearest[i], metric.Distance(measured[i], deltas));
    });
  }
  return any ? nearest : std::vector<double>();
}

std::optional<NearestBody> TrainingBodies::Nearest(const BodyShape& shape) const {
  std::optional<NearestBody> nearest;
  for (const auto& [name, trained] : shapes_) {
    const std::optional<BodyDistance> distance = Distance(shape, trained);
    if (!distance || (nearest && nearest->distance.Total() <= distance->Total())) continue;
    nearest = NearestBody{name, *distance};
  }
  return nearest;
}

}  // namespace sinew::survey
