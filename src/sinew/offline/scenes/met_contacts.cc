#include "sinew/offline/scenes/met_contacts.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sinew/offline/contact/solve_contact.h"
#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/scenes/compare_starts.h"

namespace sinew::scenes {
namespace {

using contact::ContactShard;
using contact::PlaneObject;
using Eigen::Vector2d;
using Eigen::VectorXd;

// Streams of random numbers, apart from those of CompareStarts().
constexpr uint64_t kStartStream = uint64_t{1} << 48, kChoiceStream = uint64_t{1} << 49;
// Contacts lighter than this share of the collider's size are left out.
constexpr double kLightest = 0.02;
// Depths of a chain, as shares of the one that was met.
constexpr double kShares[] = {0.3, 0.65, 1, 1.2};

// Finds the depth of the collider in x~; returns whether it is deep enough to count.
bool FindDepth(const PlaneObject& plane, const VectorXd& positions, MetContact& met) {
  const elasticity::PlanePose pose{.angle = met.pose.angle, .position = met.pose.position};
  for (const int node : plane.loop) {
    const elasticity::PlaneDistance sample =
        plane.collider.Distance(pose.ToCollider(positions.segment<2>(2 * static_cast<Eigen::Index>(node))));
    if (-sample.distance <= met.depth) continue;
    met.depth = -sample.distance;
    met.direction = -(pose.Rotation() * sample.gradient);
  }
  return met.depth > kLightest * plane.collider.size();
}

// Frames of a run in which the collider is inside. from_nodes: the run is by all nodes, whose state is projected.
void TakeContacts(const Scene& scene, const PlaneObject& plane, const SceneRun& run, bool from_nodes, int start,
                  std::vector<MetContact>& met) {
  for (const SceneFrame& frame : run.frames) {
    MetContact own;
    own.start = start;
    own.state = Eigen::Map<const VectorXd>(frame.state.data(), static_cast<Eigen::Index>(frame.state.size()));
    if (from_nodes) own.state = plane.subspace.Project(own.state);
    own.pose = PoseAt(scene.colliders.front().keys, frame.seconds);
    if (FindDepth(plane, plane.subspace.Positions(own.state), own)) met.push_back(std::move(own));
  }
}

// Hash of what the shard of a contact is made from.
std::string HashOf(const MetContact& met, const PlaneObject& plane) {
  BinaryWriter out;
  out.Put(contact::kSolverVersion);
  out.PutText(plane.name);
  out.Put(met.state.data(), static_cast<size_t>(met.state.size()));
  out.Put(met.pose.angle);
  out.Put(met.pose.position.data(), 2);
  out.Put(met.depth);
  out.Put(met.direction.data(), 2);
  for (const double share : kShares) out.Put(share);
  return HashHex(out.bytes());
}

}  // namespace

std::vector<MetContact> RecordContacts(const Scene& scene, const RawObject& object, const PlaneObject& plane,
                                       const MetOptions& options) {
  RawObject soft = object;
  soft.young *= options.softer;
  const LoadedObject stiff_object = OpenObject(BuildObject(object, {}).file, scene.object);
  const LoadedObject soft_object = OpenObject(BuildObject(soft, {}).file, scene.object);
  std::vector<std::vector<MetContact>> met(static_cast<size_t>(options.starts));
  ParallelFor(options.starts, 1, [&](int i) {
    Scene own = scene;
    own.seconds = options.seconds;
    own.step = options.step;
    Random random(options.seed, kStartStream + static_cast<uint64_t>(i));
    DrawStart(random, stiff_object, own);
    const int frames = static_cast<int>(std::round(own.seconds / own.step)) + 1;
    std::vector<MetContact>& list = met[static_cast<size_t>(i)];
    TakeContacts(own, plane, RunFullScene(own, stiff_object, frames), true, i, list);
    TakeContacts(own, plane, RunScene(own, stiff_object, frames), false, i, list);
    TakeContacts(own, plane, RunScene(own, soft_object, frames), false, i, list);
  });
  std::vector<MetContact> all;
  for (std::vector<MetContact>& list : met) std::move(list.begin(), list.end(), std::back_inserter(all));
  return all;
}

void KeepSome(int count, uint64_t seed, std::vector<MetContact>& met) {
  Random random(seed, kChoiceStream);
  for (size_t i = met.size(); i > 1; --i) std::swap(met[i - 1], met[random.Below(static_cast<uint32_t>(i))]);
  met.resize(std::min(met.size(), static_cast<size_t>(count)));
}

std::vector<ContactShard> SolveMet(const PlaneObject& plane, const std::vector<MetContact>& met,
                                   const std::filesystem::path& folder) {
  const contact::ShardFiles files(plane, folder, "met");
  std::vector<std::string> inputs;
  for (const MetContact& own : met) inputs.push_back(HashOf(own, plane));
  std::vector<ContactShard> shards;
  const std::vector<int> missing = files.ReadAll(inputs, shards);
  Progress progress("simulating contacts that were met", static_cast<int64_t>(missing.size()), "contacts");
  ParallelFor(static_cast<int>(missing.size()), 1, [&](int m) {
    const auto i = static_cast<size_t>(missing[static_cast<size_t>(m)]);
    const MetContact& own = met[i];
    const contact::ContactLine line{
        .touch = own.pose.position + own.depth * own.direction, .normal = own.direction, .reachable = true};
    std::vector<double> depths;
    for (const double share : kShares) depths.push_back(share * own.depth);
    shards[i] = SolveLine(plane, own.state, line, {.angle = own.pose.angle}, depths);
    files.Write(static_cast<int>(i), inputs[i], shards[i]);
    progress.Advance();
  });
  return shards;
}

}  // namespace sinew::scenes
