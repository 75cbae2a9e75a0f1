#include "sinew/offline/contact/make_samples.h"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <mutex>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/runtime/base/half.h"

namespace sinew::contact {
namespace {

using Clock = std::chrono::steady_clock;
using Eigen::VectorXd;

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Equation 2: u = R r. Only the rotation acts on a displacement.
std::vector<uint16_t> InColliderSpace(const VectorXd& u, const Eigen::Matrix2d& R, double size) {
  std::vector<uint16_t> halves(u.size());
  for (Eigen::Index n = 0; n < u.size() / 2; ++n) {
    const Eigen::Vector2d r = R.transpose() * u.segment<2>(2 * n) / size;
    for (int k = 0; k < 2; ++k) halves[2 * n + k] = runtime::FloatToHalf(static_cast<float>(r[k]));
  }
  return halves;
}

ContactSample MakeSample(const ContactLine& line, double angle, double depth) {
  const Eigen::Vector2d position = line.At(depth);
  return {.angle = angle, .position = {position[0], position[1]}, .depth = depth, .r = {}};
}

// Where another part of the body is in the way, the place is moved along the boundary until the collider can come.
ContactLine FindReachableLine(const PlaneObject& object, const VectorXd& positions, Approach approach) {
  const int count = static_cast<int>(object.loop.size());
  ContactLine line = FindContactLine(object, positions, approach);
  for (int tries = 1; tries < 16 && !line.reachable; ++tries) {
    approach.place = (approach.place + count / 16) % count;
    line = FindContactLine(object, positions, approach);
  }
  return line;
}

// x~ of the states of the plans that are still to be made, one per state.
std::map<int, VectorXd> RelaxStates(const PlaneObject& object, const std::vector<const ShardPlan*>& plans) {
  std::map<int, VectorXd> states;
  for (const ShardPlan* plan : plans) states.emplace(plan->state_index, plan->state);
  std::vector<VectorXd*> all;
  for (auto& [index, state] : states) all.push_back(&state);
  ParallelFor(static_cast<int>(all.size()), 1, [&](int i) { *all[i] = RelaxState(object, *all[i]); });
  return states;
}

}  // namespace

ContactShard SolveShard(const PlaneObject& object, const ShardPlan& plan, const VectorXd& positions) {
  ContactShard shard;
  shard.state.assign(plan.state.data(), plan.state.data() + plan.state.size());
  for (const double coordinate : positions) shard.positions.push_back(static_cast<float>(coordinate));
  shard.size = object.collider.size();
  for (size_t c = 0; c < plan.chains.size(); ++c) {
    const ChainPlan& chain = plan.chains[c];
    const double angle = chain.approach.angle;
    const ContactLine line = FindReachableLine(object, positions, chain.approach);
    std::vector<double> depths = chain.depths;
    for (double& depth : depths) depth *= line.max_depth;
    if (!line.reachable) {
      for (const double depth : depths) shard.failures.push_back({static_cast<int>(c), depth});
      continue;
    }
    const elasticity::PlanePose turned{.angle = angle};
    const std::vector<ContactSolution> solutions = SolveDepths(object, positions, line, angle, depths);
    for (size_t d = 0; d < depths.size(); ++d) {
      if (!solutions[d].converged) {
        shard.failures.push_back({static_cast<int>(c), depths[d]});
        continue;
      }
      shard.samples.push_back(MakeSample(line, angle, depths[d]));
      shard.samples.back().r = InColliderSpace(solutions[d].u, turned.Rotation(), shard.size);
    }
    for (const double gap : chain.gaps) shard.samples.push_back(MakeSample(line, angle, -gap * shard.size));
  }
  return shard;
}

MadeSamples MakeSamples(const PlaneObject& object, const std::vector<ShardPlan>& plans,
                        const std::filesystem::path& folder, const std::string& name, double minutes) {
  const Clock::time_point start = Clock::now();
  std::filesystem::create_directories(folder);
  const auto path_of = [&](int i) { return folder / fmt::format("{}_{:05d}.contacts", name, i); };
  const int count = static_cast<int>(plans.size());
  MadeSamples made;
  made.shards.resize(count);
  // Files of an earlier run.
  std::vector<int> missing;
  std::vector<const ShardPlan*> missing_plans;
  for (int i = 0; i < count; ++i) {
    if (std::filesystem::exists(path_of(i))) {
      made.shards[i] = ReadShard(path_of(i), HashOf(plans[i], object));
    } else {
      missing.push_back(i);
      missing_plans.push_back(&plans[i]);
    }
  }
  // The others, as many as the time is for.
  const std::map<int, VectorXd> positions = RelaxStates(object, missing_plans);
  std::mutex mutex;
  Progress progress("simulating " + name, static_cast<int64_t>(missing.size()), "shards");
  ParallelFor(static_cast<int>(missing.size()), 1, [&](int m) {
    const int i = missing[m];
    if (minutes > 0 && SecondsSince(start) > 60 * minutes) return;
    const Clock::time_point begin = Clock::now();
    made.shards[i] = SolveShard(object, plans[i], positions.at(plans[i].state_index));
    WriteShard(made.shards[i], HashOf(plans[i], object), path_of(i));
    progress.Advance();
    const std::scoped_lock lock(mutex);
    made.core_seconds += SecondsSince(begin);
    for (const ChainPlan& chain : plans[i].chains) made.solved += static_cast<int>(chain.depths.size());
  });
  std::erase_if(made.shards, [](const ContactShard& shard) { return shard.positions.empty(); });
  made.complete = static_cast<int>(made.shards.size()) == count;
  for (const ContactShard& shard : made.shards) {
    for (const ContactSample& sample : shard.samples) made.total += sample.r.empty() ? 0 : 1;
    made.failed += static_cast<int>(shard.failures.size());
  }
  made.total += made.failed;
  return made;
}

}  // namespace sinew::contact
