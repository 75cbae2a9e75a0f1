#include "sinew/offline/contact/learn_contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/io/character_file.h"

namespace sinew::contact {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMaxFailed = 0.02;
constexpr int kFewFailures = 3;

// Minutes that all solves take, by the time of the first ones.
double EstimateMinutes(const PressSubject& subject, const flesh::FleshModel& model,
                       const std::vector<PressPlan>& plans) {
  const Clock::time_point start = Clock::now();
  PressPlan one = plans.front();
  one.chains.resize(1);
  SolvePresses(subject, one, flesh::FleshPress(model, subject.states[one.state]));
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  double solves = 0;
  for (const PressPlan& plan : plans) {
    for (const PressChain& chain : plan.chains) solves += static_cast<double>(chain.depths.size());
  }
  // One more for the state itself.
  return seconds / static_cast<double>(one.chains[0].depths.size() + 1) * solves / 60 / Pool().concurrency();
}

int StrongestJoint(const PressSubject& subject, int vertex) {
  const auto& influences = subject.influences[vertex];
  const auto strongest = std::max_element(influences.begin(), influences.end(),
                                          [](const auto& a, const auto& b) { return a.second < b.second; });
  return strongest == influences.end() ? -1 : strongest->first;
}

// Counts for each vertex the contacts within whose window it was.
std::vector<int> CountContacts(const PressSubject& subject, const std::vector<PressShard>& shards) {
  std::vector<int> contacts(subject.influences.size(), 0);
  for (const PressShard& shard : shards) {
    for (const PressSample& sample : shard.samples) {
      for (const uint32_t v : sample.vertices) contacts[v] += sample.depth > 0 ? 1 : 0;
    }
  }
  return contacts;
}

std::vector<CoveredJoint> Cover(const PressSubject& subject, const std::vector<int>& contacts) {
  const int joints = subject.character.skeleton.joint_count();
  std::vector<int> all(joints, 0), near(joints, 0), places(joints, 0);
  for (size_t v = 0; v < contacts.size(); ++v) {
    const int joint = StrongestJoint(subject, static_cast<int>(v));
    if (joint < 0) continue;
    ++all[joint];
    near[joint] += contacts[v] > 0 ? 1 : 0;
  }
  for (const int vertex : subject.places) ++places[std::max(0, StrongestJoint(subject, vertex))];
  std::vector<CoveredJoint> covered;
  for (int j = 0; j < joints; ++j) {
    if (near[j] == 0) continue;
    covered.push_back({subject.character.skeleton.joints[j].name, places[j], static_cast<double>(near[j]) / all[j]});
  }
  return covered;
}

void CheckFailures(const MadePresses& made) {
  if (made.total == made.failed) {
    throw FailedError("no contact could be simulated; press less deep, or give another collider");
  }
  if (made.failed > kFewFailures && made.failed > kMaxFailed * made.total) {
    throw FailedError(
        fmt::format("{} of {} contacts could not be simulated; press less deep, or give a collider with "
                    "rounder edges",
                    made.failed, made.total));
  }
}

}  // namespace

TriMesh ReadColliderMesh(const std::string& file) {
  const Character character = ReadCharacter(file);
  if (character.triangle_count() == 0) {
    throw InputError(file, "", "has no triangles, so nothing can collide with it", "give a mesh with a surface");
  }
  return JoinMesh(character, SkinnedShape(character, character.skeleton.RestPose()));
}

LearnedContact LearnContact(const PressSubject& subject, const LearnContactOptions& options,
                            const std::filesystem::path& folder, const std::function<void(double)>& say) {
  const flesh::FleshModel model = MakePressModel(subject, options.press, options.tets);
  const std::vector<PressPlan> plans = PlanPresses(subject, options.press);
  LearnedContact learned;
  learned.states = static_cast<int>(subject.states.size());
  learned.places = static_cast<int>(subject.places.size());
  learned.rotations = options.press.rotations;
  learned.estimated_minutes =
      EstimateMinutes(subject, model, plans) + (options.train.steps > 0 ? 0 : options.train.minutes);
  say(learned.estimated_minutes);
  learned.made = MakePresses(subject, model, plans, folder, options.sample_minutes);
  CheckFailures(learned.made);
  learned.shallowest = subject.depth;
  for (const PressShard& shard : learned.made.shards) {
    for (const PressSample& sample : shard.samples) {
      if (sample.depth <= 0) continue;
      learned.shallowest = std::min(learned.shallowest, sample.depth);
      learned.deepest = std::max(learned.deepest, sample.depth);
    }
  }
  TrainOptions train = options.train;
  train.inputs = HashOfTraining(learned.made.shards, options.width, options.train);
  // With more samples or other options a training begins anew; that of an earlier call stays.
  train.checkpoint = folder / fmt::format("field_{}.state", train.inputs);
  train.label = "training the field";
  learned.field = TrainPressField(subject, learned.made.shards, options.width, train);
  learned.contacts = CountContacts(subject, learned.made.shards);
  learned.covered = Cover(subject, learned.contacts);
  learned.made.shards.clear();
  return learned;
}

}  // namespace sinew::contact
