#include "sinew/offline/contact/sample_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/farthest.h"
#include "sinew/offline/core/hash.h"

namespace sinew::contact {
namespace {

constexpr int kCandidates = 2000, kAngleCandidates = 1024;
// Changes whenever solving gives other samples for the same plan.
constexpr uint32_t kSolverVersion = 1;
// Streams of random numbers; those of shards follow after the last.
enum Stream : uint64_t { kStates, kTest, kShards };

std::vector<Eigen::VectorXd> DrawStates(const PlanOptions& options, const PlaneObject& object) {
  Random random(options.seed, kStates);
  std::vector<Eigen::VectorXd> states(kCandidates);
  for (Eigen::VectorXd& state : states) state = DrawWormState(object, random);
  return states;
}

// Greedy farthest points on a circle of which `at` holds places, and `length` the perimeter.
std::vector<int> SpreadOnCircle(const std::vector<double>& at, double length, int count) {
  const Eigen::Map<const Eigen::ArrayXd> places(at.data(), static_cast<Eigen::Index>(at.size()));
  const auto distances_from = [&](int i) -> Distances<double> {
    const Eigen::ArrayXd direct = (places - at[i]).abs();
    return direct.min(length - direct).matrix();
  };
  Distances<double> distance = distances_from(0);
  std::vector<int> chosen = {0};
  for (const int next : ChooseFarthest<double>(count - 1, true, distances_from, distance)) chosen.push_back(next);
  return chosen;
}

// Positions along the boundary at rest, and its length.
std::pair<std::vector<double>, double> BoundaryPlaces(const PlaneObject& object) {
  std::vector<double> at;
  double length = 0;
  for (size_t i = 0; i < object.loop.size(); ++i) {
    at.push_back(length);
    const int next = object.loop[(i + 1) % object.loop.size()];
    length += (object.mesh.positions.row(next) - object.mesh.positions.row(object.loop[i])).norm();
  }
  return {at, length};
}

std::vector<double> EvenDepths(int count, double noise, Random& random) {
  std::vector<double> depths;
  for (int k = 1; k <= count; ++k) {
    depths.push_back(std::min(1.0, (k + noise * random.Uniform(-1, 1)) / count));
  }
  return depths;
}

ShardPlan PlanShard(const PlanOptions& options, const PlaneObject& object, int place, Random& random) {
  const int loop = static_cast<int>(object.loop.size());
  std::vector<double> angles(kAngleCandidates);
  for (int i = 0; i < kAngleCandidates; ++i) angles[i] = 2 * std::numbers::pi * i / kAngleCandidates;
  ShardPlan shard;
  for (const int chosen : SpreadOnCircle(angles, 2 * std::numbers::pi, options.rotations)) {
    ChainPlan chain;
    const double half_place = 0.5 * loop / options.places;
    chain.approach.place =
        (place + static_cast<int>(std::floor(random.Uniform(-half_place, half_place))) + loop) % loop;
    chain.approach.angle = angles[chosen] + random.Uniform(-0.5, 0.5) * 2 * std::numbers::pi / options.rotations;
    chain.depths = EvenDepths(options.depths, 0.25, random);
    shard.chains.push_back(std::move(chain));
  }
  // One sample without contact for nine with it.
  const int gaps = static_cast<int>(std::lround(options.rotations * options.depths / 9.0));
  for (int i = 0; i < gaps; ++i) {
    shard.chains[i * shard.chains.size() / gaps].gaps.push_back(random.Uniform(0.01, 1));
  }
  return shard;
}

}  // namespace

std::vector<ShardPlan> PlanTraining(const PlanOptions& options, const PlaneObject& object) {
  if (options.states < 1 || options.places < 1 || options.rotations < 1 || options.depths < 1) {
    throw UsageError("states, places, rotations and depths must all be at least 1");
  }
  const std::vector<Eigen::VectorXd> states = ChooseStates(object, DrawStates(options, object), options.states);
  const auto [at, length] = BoundaryPlaces(object);
  const std::vector<int> places = SpreadOnCircle(at, length, options.places);
  std::vector<ShardPlan> shards;
  for (size_t s = 0; s < states.size(); ++s) {
    for (size_t p = 0; p < places.size(); ++p) {
      Random random(options.seed, kShards + 100000 * s + p);
      shards.push_back(PlanShard(options, object, places[p], random));
      shards.back().state_index = static_cast<int>(s);
      shards.back().state = states[s];
    }
  }
  return shards;
}

std::vector<ShardPlan> PlanTest(const PlanOptions& options, const PlaneObject& object, int chains) {
  const std::vector<Eigen::VectorXd> candidates = DrawStates(options, object);
  double radius = 0;
  const std::vector<Eigen::VectorXd> trained = ChooseStates(object, candidates, options.states, &radius);
  Random random(options.seed, kTest);
  std::vector<ShardPlan> shards;
  while (static_cast<int>(shards.size()) < chains) {
    ShardPlan shard;
    shard.state_index = static_cast<int>(shards.size());
    shard.state = DrawWormState(object, random);
    ChainPlan chain;
    chain.approach.place = static_cast<int>(random.Below(static_cast<uint32_t>(object.loop.size())));
    chain.approach.angle = random.Uniform(0, 2 * std::numbers::pi);
    chain.depths = EvenDepths(options.depths, 0, random);
    shard.chains.push_back(std::move(chain));
    if (NearestState(object, candidates, trained, shard.state) < radius / 4) continue;
    shards.push_back(std::move(shard));
  }
  return shards;
}

std::string HashOf(const ShardPlan& plan, const PlaneObject& object) {
  BinaryWriter out;
  out.Put(kSolverVersion);
  out.PutText(object.name);
  out.Put(plan.state.data(), static_cast<size_t>(plan.state.size()));
  for (const ChainPlan& chain : plan.chains) {
    out.Put(chain.approach.place);
    out.Put(chain.approach.angle);
    out.PutCount(chain.depths.size());
    out.Put(chain.depths.data(), chain.depths.size());
    out.Put(chain.gaps.data(), chain.gaps.size());
  }
  return HashHex(out.bytes());
}

}  // namespace sinew::contact
