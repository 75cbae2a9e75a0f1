#include "sinew/offline/contact/sample_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/contact/solve_contact.h"
#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"

namespace sinew::contact {
namespace {

// Streams of random numbers; those of shards follow after the last.
enum Stream : uint64_t { kStates, kTest, kShards };

std::vector<Eigen::VectorXd> DrawStates(const PlanOptions& options, const ContactObject& object) {
  Random random(options.seed, kStates);
  std::vector<Eigen::VectorXd> states(object.candidate_count());
  for (Eigen::VectorXd& state : states) state = object.DrawState(random);
  return states;
}

std::vector<double> EvenDepths(int count, double noise, Random& random) {
  std::vector<double> depths;
  for (int k = 1; k <= count; ++k) {
    depths.push_back(std::min(1.0, (k + noise * random.Uniform(-1, 1)) / count));
  }
  return depths;
}

ShardPlan PlanShard(const PlanOptions& options, const ContactObject& object, int place, Random& random) {
  ShardPlan shard;
  for (const Turn& turn : SpreadTurns(object.dimension(), options.rotations)) {
    ChainPlan chain;
    chain.approach.place = object.ShiftPlace(place, options.places, random);
    chain.approach.turn = ShiftTurn(turn, object.dimension(), options.rotations, random);
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

std::vector<ShardPlan> PlanTraining(const PlanOptions& options, const ContactObject& object) {
  if (options.states < 1 || options.places < 1 || options.rotations < 1 || options.depths < 1) {
    throw UsageError("states, places, rotations and depths must all be at least 1");
  }
  const std::vector<Eigen::VectorXd> states = ChooseStates(object, DrawStates(options, object), options.states);
  const std::vector<int> places = object.SpreadPlaces(options.places);
  if (static_cast<int>(states.size()) < options.states || static_cast<int>(places.size()) < options.places) {
    throw UsageError(fmt::format("there are only {} states and {} places that differ; ask for at most that",
                                 states.size(), places.size()));
  }
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

std::vector<ShardPlan> PlanTest(const PlanOptions& options, const ContactObject& object, int chains) {
  const std::vector<Eigen::VectorXd> candidates = DrawStates(options, object);
  double radius = 0;
  const std::vector<Eigen::VectorXd> trained = ChooseStates(object, candidates, options.states, &radius);
  Random random(options.seed, kTest);
  std::vector<ShardPlan> shards;
  while (static_cast<int>(shards.size()) < chains) {
    ShardPlan shard;
    shard.state_index = static_cast<int>(shards.size());
    shard.state = object.DrawTestState(random);
    ChainPlan chain;
    chain.approach.place = static_cast<int>(random.Below(static_cast<uint32_t>(object.place_count())));
    chain.approach.turn = DrawTurn(object.dimension(), random);
    chain.depths = EvenDepths(options.depths, 0, random);
    shard.chains.push_back(std::move(chain));
    if (NearestState(object, candidates, trained, shard.state) < radius / 4) continue;
    shards.push_back(std::move(shard));
  }
  return shards;
}

std::string HashOf(const ShardPlan& plan, const ContactObject& object) {
  BinaryWriter out;
  out.Put(kSolverVersion);
  out.PutText(object.name);
  out.Put(plan.state.data(), static_cast<size_t>(plan.state.size()));
  for (const ChainPlan& chain : plan.chains) {
    out.Put(chain.approach.place);
    if (object.dimension() == 2) {
      out.Put(chain.approach.turn.angle);
    } else {
      out.Put(chain.approach.turn.quaternion.data(), 4);
    }
    out.PutCount(chain.depths.size());
    out.Put(chain.depths.data(), chain.depths.size());
    out.Put(chain.gaps.data(), chain.gaps.size());
  }
  return HashHex(out.bytes());
}

}  // namespace sinew::contact
