#include "sinew/offline/contact/make_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/runtime/base/half.h"

namespace sinew::contact {
namespace {

using Clock = std::chrono::steady_clock;
using Eigen::VectorXd;

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Equation 2: u = R r. Only the rotation acts on a displacement.
std::vector<uint16_t> InColliderSpace(const VectorXd& u, const SmallMatrix& R, double size) {
  const Eigen::Index d = R.rows();
  std::vector<uint16_t> halves(u.size());
  for (Eigen::Index n = 0; n < u.size() / d; ++n) {
    const SmallVector r = R.transpose() * u.segment(d * n, d) / size;
    for (Eigen::Index k = 0; k < d; ++k) halves[d * n + k] = runtime::FloatToHalf(static_cast<float>(r[k]));
  }
  return halves;
}

ContactSample MakeSample(const ContactLine& line, const Turn& turn, double depth) {
  const SmallVector position = line.At(depth);
  ContactSample sample{.turn = turn, .depth = depth};
  std::copy(position.begin(), position.end(), sample.position.begin());
  return sample;
}

// Returns the line to the place, or, if another part of the body is in the way, to the next place that can be reached.
ContactLine FindReachableLine(const ContactObject& object, const VectorXd& positions, Approach approach) {
  const int count = object.place_count();
  ContactLine line = FindContactLine(object, positions, approach);
  for (int tries = 1; tries < 16 && !line.reachable; ++tries) {
    approach.place = (approach.place + count / 16) % count;
    line = FindContactLine(object, positions, approach);
  }
  return line;
}

ContactShard EmptyShard(const ContactObject& object, const VectorXd& state, const VectorXd& positions) {
  ContactShard shard;
  shard.state.assign(state.data(), state.data() + state.size());
  for (const double coordinate : positions) shard.positions.push_back(static_cast<float>(coordinate));
  shard.dimension = object.dimension();
  shard.size = object.collider_size;
  return shard;
}

// Simulates a chain of depths, and adds its samples and failures. index: of the chain.
void AddChain(const ContactObject& object, const VectorXd& positions, const ContactLine& line, const Turn& turn,
              const std::vector<double>& depths, int index, ContactShard& shard) {
  const std::vector<ContactSolution> solutions = SolveDepths(object, positions, line, turn, depths);
  for (size_t d = 0; d < depths.size(); ++d) {
    if (!solutions[d].converged) {
      shard.failures.push_back({index, depths[d]});
      continue;
    }
    shard.samples.push_back(MakeSample(line, turn, depths[d]));
    shard.samples.back().r = InColliderSpace(solutions[d].u, turn.Rotation(shard.dimension), shard.size);
  }
}

void RequireFits(const ContactObject& object, const ContactShard& shard, const std::filesystem::path& file) {
  if (shard.dimension == object.dimension() && shard.node_count() == object.node_count() &&
      static_cast<int>(shard.state.size()) == static_cast<int>(object.subspace.RestState().size())) {
    return;
  }
  throw InputError(file.string(), "", "holds contacts of another object", "remove it");
}

// x~ of the states of the plans that are still to be made, one per state.
std::map<int, VectorXd> RelaxStates(const ContactObject& object, const std::vector<const ShardPlan*>& plans) {
  std::map<int, VectorXd> states;
  for (const ShardPlan* plan : plans) states.emplace(plan->state_index, plan->state);
  std::vector<VectorXd*> all;
  for (auto& [index, state] : states) all.push_back(&state);
  ParallelFor(static_cast<int>(all.size()), 1, [&](int i) { *all[i] = RelaxState(object, *all[i]); });
  return states;
}

}  // namespace

ContactShard SolveShard(const ContactObject& object, const ShardPlan& plan, const VectorXd& positions) {
  ContactShard shard = EmptyShard(object, plan.state, positions);
  for (size_t c = 0; c < plan.chains.size(); ++c) {
    const ChainPlan& chain = plan.chains[c];
    const Turn& turn = chain.approach.turn;
    const ContactLine line = FindReachableLine(object, positions, chain.approach);
    std::vector<double> depths = chain.depths;
    for (double& depth : depths) depth *= line.max_depth;
    if (!line.reachable) {
      for (const double depth : depths) shard.failures.push_back({static_cast<int>(c), depth});
      continue;
    }
    AddChain(object, positions, line, turn, depths, static_cast<int>(c), shard);
    for (const double gap : chain.gaps) shard.samples.push_back(MakeSample(line, turn, -gap * shard.size));
  }
  return shard;
}

ContactShard SolveLine(const ContactObject& object, const VectorXd& state, const ContactLine& line, const Turn& turn,
                       const std::vector<double>& depths) {
  const VectorXd positions = object.subspace.Positions(state);
  ContactShard shard = EmptyShard(object, state, positions);
  AddChain(object, positions, line, turn, depths, 0, shard);
  return shard;
}

ShardFiles::ShardFiles(const ContactObject& object, std::filesystem::path folder, std::string name)
    : object_(object), folder_(std::move(folder)), name_(std::move(name)) {
  if (!folder_.empty()) std::filesystem::create_directories(folder_);
}

std::filesystem::path ShardFiles::PathOf(int i) const { return folder_ / fmt::format("{}_{:05d}.contacts", name_, i); }

bool ShardFiles::Read(int i, const std::string& inputs, ContactShard& shard) const {
  if (folder_.empty() || !std::filesystem::exists(PathOf(i))) return false;
  shard = ReadShard(PathOf(i), inputs);
  RequireFits(object_, shard, PathOf(i));
  return true;
}

std::vector<int> ShardFiles::ReadAll(const std::vector<std::string>& inputs, std::vector<ContactShard>& shards) const {
  shards.resize(inputs.size());
  std::vector<int> missing;
  for (int i = 0; i < static_cast<int>(inputs.size()); ++i) {
    if (!Read(i, inputs[i], shards[i])) missing.push_back(i);
  }
  return missing;
}

void ShardFiles::Write(int i, const std::string& inputs, const ContactShard& shard) const {
  if (!folder_.empty()) WriteShard(shard, inputs, PathOf(i));
}

MadeSamples MakeSamples(const ContactObject& object, const std::vector<ShardPlan>& plans,
                        const std::filesystem::path& folder, const std::string& name, double minutes) {
  const Clock::time_point start = Clock::now();
  const ShardFiles files(object, folder, name);
  const int count = static_cast<int>(plans.size());
  MadeSamples made;
  // Files of an earlier run.
  std::vector<std::string> inputs;
  for (const ShardPlan& plan : plans) inputs.push_back(HashOf(plan, object));
  const std::vector<int> missing = files.ReadAll(inputs, made.shards);
  std::vector<const ShardPlan*> missing_plans;
  for (const int i : missing) missing_plans.push_back(&plans[i]);
  // The others, as many as the time is for.
  const std::map<int, VectorXd> positions = RelaxStates(object, missing_plans);
  std::mutex mutex;
  Progress progress("simulating " + name, static_cast<int64_t>(missing.size()), "shards");
  ParallelFor(static_cast<int>(missing.size()), 1, [&](int m) {
    const int i = missing[m];
    if (minutes > 0 && SecondsSince(start) > 60 * minutes) return;
    const Clock::time_point begin = Clock::now();
    made.shards[i] = SolveShard(object, plans[i], positions.at(plans[i].state_index));
    files.Write(i, inputs[i], made.shards[i]);
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
