#include "sinew/offline/scenes/learn_floater.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "sinew/offline/contact/dent_file.h"
#include "sinew/offline/contact/refine_field.h"
#include "sinew/offline/contact/worm_bench.h"
#include "sinew/offline/core/binary.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/scenes/embedded_scenes.h"
#include "sinew/offline/scenes/met_contacts.h"
#include "sinew/offline/scenes/run_scene.h"

namespace sinew::scenes {
namespace {

using contact::ContactShard;
using contact::PlaneObject;
using Eigen::Vector2d;
using Eigen::VectorXd;

// States are recorded from so many starts, with so many frames each, and a body of this share of the stiffness.
constexpr int kStarts = 6, kFrames = 60;
constexpr double kSofter = 1.0 / 3;
// Largest depth, as a share of that of FindContactLine(), which does not know of the hole.
constexpr double kDeepest = 0.85;
// In radians: the post is turned by at most so much, to either side, away from pointing its corner straight into the
// outline. The floater falls past this corner and never meets the others.
constexpr double kTurned = 1.1;
constexpr double kMaxFailed = 0.02;
constexpr int kHeldBack = 10;
// Every so manieth start of those that contacts are recorded from is held back.
constexpr int kHeldStart = 6;
// Share of the minutes in which the field is trained on displacements; in the others on energies. With a number of
// steps, so many of the first stand for one of the second, which costs several times as much.
constexpr double kPlain = 0.6;
constexpr int64_t kStepsPerRefinement = 4;
enum Stream : uint64_t { kStartsStream, kShardsStream };

// Turns and moves a state of point handles to where it is nearest to the rest state: states that differ by a rigid
// motion are the same.
VectorXd Aligned(const VectorXd& state, const VectorXd& rest) {
  const auto mean = [](const VectorXd& x) -> Vector2d { return x.reshaped(2, x.size() / 2).rowwise().mean(); };
  const Vector2d own = mean(state), at = mean(rest);
  double cosine = 0, sine = 0;
  for (Eigen::Index i = 0; i < state.size(); i += 2) {
    const Vector2d a = state.segment<2>(i) - own, b = rest.segment<2>(i) - at;
    cosine += a.dot(b);
    sine += a[0] * b[1] - a[1] * b[0];
  }
  const Eigen::Rotation2Dd turn(std::atan2(sine, cosine));
  VectorXd aligned = state;
  for (Eigen::Index i = 0; i < state.size(); i += 2) aligned.segment<2>(i) = turn * (state.segment<2>(i) - own) + at;
  return aligned;
}

RawObject RawFloater(const FloaterOptions& options) { return MakeEmbeddedObject("floater", options.triangles); }

std::vector<VectorXd> RecordStates(const FloaterOptions& options, const VectorXd& rest) {
  RawObject raw = RawFloater(options);
  raw.young *= kSofter;
  const LoadedObject object = OpenObject(BuildObject(raw, {}).file, "floater");
  Random random(options.seed, kStartsStream);
  std::vector<VectorXd> states;
  for (int i = 0; i < kStarts; ++i) {
    Scene scene = MakeEmbeddedScene("floater");
    scene.angle = random.Uniform(0, 2 * std::numbers::pi);
    for (const SceneFrame& frame : RunScene(scene, object, kFrames).frames) {
      states.push_back(Aligned(Eigen::Map<const VectorXd>(frame.state.data(), rest.size()), rest));
    }
  }
  return states;
}

// Returns the post's angle at which its corner in the way points straight into a place of the outline.
double FacingAngle(const PlaneObject& object, int place) {
  const Scene scene = MakeEmbeddedScene("floater");
  const Eigen::RowVector2d at = object.mesh.positions.row(object.loop[place]);
  return std::atan2(at[1], at[0]) + scene.colliders.front().keys.front().angle;
}

// Places are even, rotations and depths too; each chain is moved at random within its share of them.
contact::ShardPlan PlanShard(const FloaterOptions& options, const PlaneObject& object, int place, Random& random) {
  contact::ShardPlan shard;
  const double loop = static_cast<double>(object.loop.size());
  for (int r = 0; r < options.rotations; ++r) {
    contact::ChainPlan chain;
    const double at = loop * (place + random.Uniform()) / options.places;
    chain.approach.place = std::min(static_cast<int>(at), static_cast<int>(loop) - 1);
    const double share = (r + random.Uniform()) / options.rotations;
    chain.approach.turn.angle = FacingAngle(object, chain.approach.place) + kTurned * (2 * share - 1);
    for (int d = 1; d <= options.depths; ++d) {
      const double even = (d + 0.25 * random.Uniform(-1, 1)) / options.depths;
      chain.depths.push_back(kDeepest * std::min(1.0, even));
    }
    shard.chains.push_back(std::move(chain));
  }
  return shard;
}

std::vector<contact::ShardPlan> PlanShards(const FloaterOptions& options, const PlaneObject& object) {
  if (std::min({options.states, options.places, options.rotations, options.depths}) < 1) {
    throw UsageError("states, places, rotations and depths must all be at least 1");
  }
  const VectorXd rest = object.subspace.RestState();
  std::vector<contact::ShardPlan> plans;
  int index = 0;
  for (const VectorXd& state : ChooseStates(object, RecordStates(options, rest), options.states)) {
    for (int place = 0; place < options.places; ++place) {
      Random random(options.seed, kShardsStream + plans.size());
      plans.push_back(PlanShard(options, object, place, random));
      plans.back().state = state;
      plans.back().state_index = index;
    }
    ++index;
  }
  return plans;
}

// Unlike contact::MakeSamples(), from x~ = U x alone.
std::vector<ContactShard> SolveShards(const PlaneObject& object, const std::vector<contact::ShardPlan>& plans,
                                      const std::filesystem::path& folder) {
  const contact::ShardFiles files(object, folder, "planned");
  std::vector<std::string> inputs;
  for (const contact::ShardPlan& plan : plans) inputs.push_back(HashOf(plan, object));
  std::vector<ContactShard> shards;
  const std::vector<int> missing = files.ReadAll(inputs, shards);
  Progress progress("simulating contacts", static_cast<int64_t>(missing.size()), "shards");
  ParallelFor(static_cast<int>(missing.size()), 1, [&](int m) {
    const int i = missing[m];
    shards[i] = SolveShard(object, plans[i], object.subspace.Positions(plans[i].state));
    files.Write(i, inputs[i], shards[i]);
    progress.Advance();
  });
  return shards;
}

// Refuses a folder with contacts of other options at once: of each of its files it would be said by itself.
void RequireSameOptions(const FloaterOptions& options) {
  if (options.folder.empty()) return;
  BinaryWriter out;
  for (const int number : {options.triangles, options.states, options.places, options.rotations, options.depths,
                           options.met, options.starts}) {
    out.Put(number);
  }
  out.Put(options.seed);
  const std::string hash = HashHex(out.bytes());
  const std::filesystem::path file = options.folder / "options";
  if (!std::filesystem::exists(file)) {
    std::filesystem::create_directories(options.folder);
    WriteFileAtomic(file, hash);
  } else if (ReadTextFile(file) != hash) {
    throw InputError(options.folder.string(), "", "holds contacts of other options",
                     "remove it, or give the options that it was made with");
  }
}

// Contacts to train on, and those that are not: planned ones, and ones that were met.
struct Contacts {
  std::vector<ContactShard> seen, held, held_met;
};

Contacts MakeContacts(const FloaterOptions& options, const PlaneObject& object, LearnedFloater& learned) {
  Contacts contacts;
  const auto take = [&](ContactShard& shard, std::vector<ContactShard>& list) {
    learned.samples += static_cast<int>(shard.samples.size());
    learned.failed += static_cast<int>(shard.failures.size());
    list.push_back(std::move(shard));
  };
  std::vector<ContactShard> planned = SolveShards(object, PlanShards(options, object), options.folder);
  // Every tenth shard is held back, all of a place in one state; of fewer, the last.
  for (size_t i = 0; i < planned.size(); ++i) {
    const bool last = planned.size() > 1 && planned.size() < kHeldBack && i + 1 == planned.size();
    take(planned[i], last || i % kHeldBack == kHeldBack - 1 ? contacts.held : contacts.seen);
  }
  if (planned.size() == 1) contacts.held = contacts.seen;
  if (options.met > 0) {
    std::vector<MetContact> met = RecordContacts(MakeEmbeddedScene("floater"), RawFloater(options), object,
                                                 {.starts = options.starts, .seed = options.seed});
    KeepSome(options.met, options.seed, met);
    std::vector<ContactShard> shards = SolveMet(object, met, options.folder);
    for (size_t i = 0; i < shards.size(); ++i) {
      learned.met += static_cast<int>(shards[i].samples.size());
      take(shards[i], met[i].start % kHeldStart == kHeldStart - 1 ? contacts.held_met : contacts.seen);
    }
  }
  if (learned.failed > kMaxFailed * (learned.samples + learned.failed)) {
    throw FailedError(fmt::format("{} of {} contacts could not be simulated, over 2%; give fewer triangles",
                                  learned.failed, learned.samples + learned.failed));
  }
  return contacts;
}

// Hash of all that a training depends on but for the field that it begins with.
std::string HashOfTraining(const FloaterOptions& options, const Contacts& contacts) {
  BinaryWriter out;
  for (const int number : {options.triangles, options.hidden_layers, options.width}) out.Put(number);
  out.Put(options.steps > 0 ? 0.0 : options.minutes);
  out.Put(options.steps);
  out.Put(options.seed);
  for (const std::vector<ContactShard>* list : {&contacts.seen, &contacts.held, &contacts.held_met}) {
    out.PutCount(list->size());
    for (const ContactShard& shard : *list) out.PutText(HashHex(EncodeShard(shard, "")));
  }
  return HashHex(out.bytes());
}

// Trains on displacements, then on energies.
contact::ContactField Train(const FloaterOptions& options, const PlaneObject& object, const Contacts& contacts,
                            LearnedFloater& learned) {
  contact::Trained trained;
  // With other contacts or options a training begins anew; that of an earlier call stays until the field is written.
  const auto checkpoint = [&](const char* name, const std::string& inputs) {
    return options.folder.empty() ? std::filesystem::path() : options.folder / fmt::format("{}_{}.state", name, inputs);
  };
  const std::string inputs = HashOfTraining(options, contacts);
  const contact::FieldShape shape{.hidden_layers = options.hidden_layers, .width = options.width};
  contact::ContactField field = TrainField(object, shape, contacts.seen, {},
                                           {.steps = options.steps,
                                            .minutes = kPlain * options.minutes,
                                            .seed = options.seed,
                                            .checkpoint = checkpoint("displacements", inputs),
                                            .inputs = inputs,
                                            .label = "training the field"},
                                           &trained);
  learned.steps = trained.steps;
  learned.training_seconds = trained.seconds;
  std::vector<contact::SampleRef> held = contact::ListSamples(contacts.held);
  const std::vector<contact::SampleRef> met = contact::ListSamples(contacts.held_met);
  held.insert(held.end(), met.begin(), met.end());
  BinaryWriter begun;
  begun.PutText(inputs);
  begun.Put(field.parameters().data(), field.parameters().size());
  const std::string refined_inputs = HashHex(begun.bytes());
  const contact::RefineOptions refining{.steps = options.steps > 0 ? 1 + options.steps / kStepsPerRefinement : 0,
                                        .minutes = (1 - kPlain) * options.minutes,
                                        .seed = options.seed,
                                        .checkpoint = checkpoint("energies", refined_inputs),
                                        .inputs = refined_inputs,
                                        .label = "training it on energies"};
  const contact::Refined refined = RefineField(object, contact::ListSamples(contacts.seen), held, refining, field);
  learned.refinements = refined.steps;
  learned.training_seconds += refined.seconds;
  learned.energy_before = refined.before;
  learned.energy = refined.after;
  return field;
}

}  // namespace

PlaneObject MakePlaneFloater(int triangles) {
  const RawObject raw = MakeEmbeddedObject("floater", triangles);
  const SceneCollider post = MakeEmbeddedScene("floater").colliders.front();
  std::vector<Vector2d> corners;
  for (size_t i = 0; i < post.corners.size(); i += 2) corners.emplace_back(post.corners[i], post.corners[i + 1]);
  // The outer one of the two loops has the farther nodes.
  std::vector<std::vector<int>> loops = elasticity::BoundaryLoops(raw.mesh);
  const auto reach = [&](const std::vector<int>& loop) { return raw.mesh.positions.row(loop.front()).norm(); };
  std::sort(loops.begin(), loops.end(), [&](const auto& a, const auto& b) { return reach(a) > reach(b); });
  elasticity::HandleSubspace subspace(raw.mesh.positions, raw.handles, raw.basis);
  contact::ContactObject::Pairs graph;
  for (int h = 1; h < static_cast<int>(raw.handles.size()); ++h) graph.emplace_back(h - 1, h);
  return PlaneObject(raw.mesh, std::move(loops.front()), std::move(subspace), std::move(graph),
                     {.young = raw.young, .poisson = raw.poisson},
                     elasticity::PlaneCollider(std::move(corners), post.rounding),
                     fmt::format("floater of {} triangles", triangles));
}

LearnedFloater LearnFloater(const FloaterOptions& options) {
  RequireSameOptions(options);
  const PlaneObject object = MakePlaneFloater(options.triangles);
  LearnedFloater learned;
  const auto begin = std::chrono::steady_clock::now();
  const Contacts contacts = MakeContacts(options, object, learned);
  learned.contact_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const contact::ContactField field = Train(options, object, contacts, learned);
  const auto error = [&](const std::vector<ContactShard>& shards) {
    return contact::RelativeError(contact::ListSamples(shards),
                                  [&](const contact::SampleRef& ref) { return field.Predict(ref); });
  };
  learned.error = error(contacts.held);
  if (!contacts.held_met.empty()) learned.met_error = error(contacts.held_met);
  learned.field = MakeDent(object, field, {.window = options.window});
  return learned;
}

}  // namespace sinew::scenes
