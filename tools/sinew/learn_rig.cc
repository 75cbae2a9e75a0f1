#include <fmt/format.h>

#include <memory>
#include <optional>

#include "sinew/offline/autorig/residual_branch.h"
#include "sinew/offline/autorig/train.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/interrupt.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/learn/loss_curves.h"
#include "sinew/offline/rigsurvey/rig_survey.h"
#include "tools/sinew/learn_rig_refine.h"
#include "tools/sinew/learn_rig_shapes.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;
using corpus::Side;

// What is given overrides what the preset says.
struct TrainRigCall {
  std::string recipe, output, unseen_family, from, device = "cpu", preset = "ours";
  bool resume = false;
  autorig::TrainRigOptions options;  // without what follows
  std::optional<std::string> network, offsets, supervision, pooling;
  std::optional<int> influences, batch;
  std::optional<double> rate;
  std::vector<std::string> augmentation;
};

autorig::TrainRigOptions OptionsOf(const TrainRigCall& call) {
  const autorig::TrainRigOptions& given = call.options;
  autorig::TrainRigOptions options = autorig::PresetOptions(call.preset);
  options.examples = given.examples;
  options.meshes = given.meshes;
  options.validation = given.validation;
  options.licence = given.licence;
  options.run.steps = given.run.steps;
  options.run.minutes = given.run.minutes;
  options.run.anneal = given.run.anneal;
  options.run.batch = call.batch.value_or(options.run.batch);
  options.run.rate = call.rate.value_or(options.run.rate);
  options.network.blocks = call.network.value_or(options.network.blocks);
  if (call.offsets) options.network.offsets = autorig::OffsetBlockOf(*call.offsets);
  if (call.supervision) options.loss.supervision = autorig::SupervisionOf(*call.supervision);
  if (call.pooling) options.network.by_area = options.loss.by_area = *call.pooling == "area";
  if (call.influences) options.loss.influences = *call.influences < autorig::kJoints ? *call.influences : 0;
  if (!call.augmentation.empty()) options.augmentation = autorig::AugmentationOf(call.augmentation);
  return options;
}

struct TestRigCall {
  std::string model, recipe, family;
  int examples = 200;
  bool upright = false, game = false, validation = false, record = false;
};

struct SurveyRigCall {
  std::string model, output, recipe, family, motion, remesh;
  std::vector<std::string> bipeds, others;
  rigsurvey::SurveyOptions options;
};

std::string TextOf(const autorig::RigErrors& errors) {
  std::string text = fmt::format(
      "{} bodies: joints {:.3f}% of the height off in the mean, 99 of 100 at most {:.2f}%, the worst {:.2f}%\n"
      "weights: sum of differences {:.3f} of 2\n",
      errors.examples, 100 * errors.mean, 100 * errors.percentile99, 100 * errors.largest, errors.weights);
  for (int j = 0; j < autorig::kJoints; ++j) {
    text += fmt::format("  {:<15} {:6.3f}%\n", autorig::BipedJoints()[j].name, 100 * errors.by_joint[j]);
  }
  return text;
}

Result RunTrainRig(TrainRigCall call, const Common& common) {
  autorig::TrainRigOptions options = OptionsOf(call);
  options.run.seed = common.seed;
  options.run.threads = common.threads;
  options.run.cuda = call.device == "cuda";
  const fs::path checkpoint = call.output + ".state";
  if (fs::exists(checkpoint) && !call.resume) {
    throw UsageError(
        fmt::format("{} is of a training that was stopped; go on with --resume, or remove it", checkpoint.string()));
  }
  std::optional<autorig::RigNetwork> from;
  if (!call.from.empty()) {
    const learn::Model model = learn::ReadModel(call.from);
    from.emplace(model, call.from);
    if (from->refiner().is_trained()) {
      Warn("{} also corrects joints, which {} will not: train that again with `sinew learn refine-rig`", call.from,
           call.output);
    }
    if (from->weight_refiner().is_trained()) {
      Warn("{} also corrects weights, which {} will not: train that again with `sinew learn refine-weights`", call.from,
           call.output);
    }
    if (autorig::ResidualBranch::IsIn(model)) {
      Warn("{} also has blend shapes, which {} will not: train them again with `sinew learn rig-shapes`", call.from,
           call.output);
    }
  }
  const corpus::Recipe recipe = corpus::ReadRecipe(call.recipe);
  const OnInterrupt interrupt(fmt::format(
      "what was trained until half a minute ago is kept in {}, and the same call with --resume goes on from there",
      checkpoint.string()));
  // Examples are the same in every call: each has a seed of its own.
  const autorig::Augmentation& augmentation = options.augmentation;
  autorig::ExampleSource source(recipe, call.recipe, Side::kTrain, call.unseen_family);
  if (!augmentation.dress) source.LeaveOutDressed();
  const std::vector<autorig::Example> training = source.MakeMany(
      options.examples, augmentation.meshes ? options.meshes : 0, TrainingStances(augmentation), common.seed);
  const std::vector<autorig::Example> validation =
      autorig::ExampleSource(recipe, call.recipe, Side::kValidation, call.unseen_family)
          .Make(options.validation, ValidationStances(augmentation), common.seed + 1);
  const autorig::TrainedRig trained =
      autorig::TrainRig(training, validation, options, HashHex(std::as_bytes(std::span(recipe.text))),
                        from ? &*from : nullptr, checkpoint, call.resume);
  learn::WriteModel(trained.model, call.output);
  learn::WriteCurves(trained.state.history, "Losses of " + fs::path(call.output).filename().string(), call.output);
  if (trained.finished) {
    std::error_code none;
    fs::remove(checkpoint, none);
  }
  Result result;
  result.json = {{"model", call.output},
                 {"finished", trained.finished},
                 {"steps", trained.state.step},
                 {"training", (*trained.model.settings)["training"]},
                 {"figures", *trained.model.figures}};
  const Json& figures = (*trained.model.figures)["validation"];
  result.text = fmt::format("{} of {} steps; the best network is that of step {}\n", trained.state.step,
                            options.run.steps, trained.state.best_step) +
                fmt::format("joints of {} validation bodies: {:.3f}% of the height off in the mean\n",
                            figures["examples"].get<int>(), 100 * figures["mean"].get<double>()) +
                fmt::format("wrote {}, {}.csv and {}.svg\n", call.output, call.output, call.output) +
                (trained.finished ? "" : "the time is over; the same call with --resume goes on\n");
  return result;
}

Result RunTestRig(const TestRigCall& call, const Common& common) {
  learn::Model model = learn::ReadModel(call.model);
  const autorig::RigNetwork network(model, call.model);
  const corpus::Recipe recipe = corpus::ReadRecipe(call.recipe);
  autorig::StanceRange stance;
  if (call.upright) stance = autorig::UprightStance();
  if (call.game) stance.chibi = 1, stance.costumes = 0.5;
  const std::vector<autorig::Example> examples =
      autorig::ExampleSource(recipe, call.recipe, call.validation ? Side::kValidation : Side::kTest, "", call.family)
          .Make(call.examples, stance, common.seed + 2);
  const autorig::RigErrors errors = autorig::MeasureRig(network, examples);
  if (call.record) {
    Json figures = *model.figures;
    figures["test"] = autorig::JsonOf(errors);
    figures["test"]["recipe"] = HashHex(std::as_bytes(std::span(recipe.text)));
    model.figures = JsonBox(figures);
    learn::WriteModel(model, call.model);
  }
  return {.json = autorig::JsonOf(errors), .text = TextOf(errors)};
}

// What cannot be read is an outcome, too: one bad file must not end a survey of many.
rigsurvey::RigOutcome RigFile(const std::string& file, const char* group, const autorig::RigNetwork& network,
                              const Clip* motion, uint64_t seed) {
  rigsurvey::OutcomeOptions how;
  how.rig.seed = seed;
  how.motion = motion;
  const std::string name = fs::path(file).filename().string();
  try {
    autorig::KnownBody body = autorig::TakeRig(ReadCharacter(file, {.skin = "", .quiet = true}), group, file);
    body.name = name;
    return rigsurvey::RigAndCompare(body, network, how);
  } catch (const Error& error) {
    Warn("{}", error.what());
    return rigsurvey::Failed(name, group, error.what());
  }
}

rigsurvey::RemeshSpread RigRemeshed(const std::string& file, const autorig::RigNetwork& network,
                                    const rigsurvey::SurveyOptions& options) {
  try {
    return rigsurvey::SurveyRemeshings(network, ReadCharacter(file), options, file);
  } catch (const Error& error) {
    Warn("{}", error.what());
    return {
        .outcomes = {rigsurvey::Failed(fs::path(file).filename().string(), rigsurvey::kGroupRemeshed, error.what())}};
  }
}

Result RunSurveyRig(SurveyRigCall call, const Common& common) {
  call.options.seed = common.seed;
  const autorig::RigNetwork network(learn::ReadModel(call.model), call.model);
  std::vector<Clip> motions;
  if (!call.motion.empty()) motions = ReadClips(call.motion, 30);
  fs::create_directories(call.output);
  rigsurvey::RigSurvey survey;
  const auto write = [&] {
    std::vector<rigsurvey::RigOutcome> all = survey.outcomes;
    all.insert(all.end(), survey.remeshed.outcomes.begin(), survey.remeshed.outcomes.end());
    WriteFileAtomic(fs::path(call.output) / "rigs.csv", rigsurvey::CsvOf(all));
    WriteFileAtomic(fs::path(call.output) / "rigs.md", rigsurvey::MarkdownOf(survey));
  };
  const auto add = [&](std::vector<rigsurvey::RigOutcome> outcomes) {
    for (rigsurvey::RigOutcome& outcome : outcomes) survey.outcomes.push_back(std::move(outcome));
    write();  // what is measured is there, whatever becomes of the rest
  };
  for (const std::string& file : call.bipeds) {
    add({RigFile(file, rigsurvey::kGroupFiles, network, motions.empty() ? nullptr : &motions[0], common.seed)});
  }
  for (const std::string& file : call.others) {
    add({RigFile(file, rigsurvey::kGroupOthers, network, nullptr, common.seed)});
  }
  add(rigsurvey::SurveyOthers(network, call.options));
  if (!call.remesh.empty()) {
    survey.remeshed = RigRemeshed(call.remesh, network, call.options);
    write();
  }
  if (!call.recipe.empty()) {
    const corpus::Recipe recipe = corpus::ReadRecipe(call.recipe);
    const autorig::ExampleSource source(recipe, call.recipe, Side::kTest, "", call.family);
    add(rigsurvey::SurveyRecipe(network, source, call.options));
  }
  Result result;
  result.json = {{"table", (fs::path(call.output) / "rigs.md").string()},
                 {"cases", (fs::path(call.output) / "rigs.csv").string()},
                 {"bodies", survey.outcomes.size() + survey.remeshed.outcomes.size()}};
  result.text = rigsurvey::MarkdownOf(survey) + fmt::format("wrote {0}/rigs.md and {0}/rigs.csv\n", call.output);
  return result;
}

// What the paper and we do differently, each by itself (docs/rig.md).
void AddSwitches(CLI::App& app, TrainRigCall& call) {
  app.add_option("--preset", call.preset, "Where the options below start from: our network, or the paper's")
      ->check(CLI::IsMember(autorig::PresetNames()))
      ->capture_default_str();
  CLI::Option* const from = app.add_option("--from", call.from, "Model to start from, with its network");
  app.add_option("--network", call.network, "Blocks on the surface (ours: reaching, paper: paper); docs/rig.md")
      ->check(CLI::IsMember(autorig::NetworkNames()))
      ->excludes(from);
  app.add_option("--offsets", call.offsets, "What makes joints: votes (ours), the paper's block, or a small one")
      ->check(CLI::IsMember(autorig::OffsetNames()))
      ->excludes(from);
  app.add_option("--supervision", call.supervision,
                 "By the true rig (ours), by vertices in random poses (paper: indirect), or by both")
      ->check(CLI::IsMember(autorig::SupervisionNames()));
  app.add_option("--pooling", call.pooling,
                 "How pooling by weights and the loss count: by area (ours), or all vertices alike (paper)")
      ->check(CLI::IsMember({"vertices", "area"}));
  app.add_option("--influences", call.influences,
                 "Weights per vertex in the loss on vertices: 24 are all (both presets), 4 as they are used")
      ->check(CLI::Range(1, autorig::kJoints));
  app.add_option("--augment", call.augmentation,
                 "How more examples are drawn: meshes, dress, stances, proportions (ours: all, paper: meshes,dress), "
                 "or none")
      ->delimiter(',');
}

void AddTrainRig(Commands& commands) {
  auto call = std::make_shared<TrainRigCall>();
  CLI::App* app = commands.Add(
      "learn rig",
      "Trains a network that rigs meshes on the bodies of a recipe, with libtorch (scripts/torch builds\n"
      "what that needs). Kills and Ctrl-C lose less than a minute: --resume goes on.",
      "sinew learn rig bodies.toml -o rig.model", [call](const Common& common) { return RunTrainRig(*call, common); });
  autorig::TrainRigOptions& options = call->options;
  app->add_option("recipe", call->recipe, "Recipe of a corpus (.toml), whose bodies are made; it needs no poses")
      ->required();
  app->add_option("-o,--output", call->output, "Model file; loss curves are written beside it")->required();
  app->add_option("--unseen-family", call->unseen_family, "Family to leave out, for a test of what is not known");
  AddSwitches(*app, *call);
  app->add_option("--device", call->device, "Where it is trained")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  app->add_option("--examples", options.examples, "Stances of training bodies to learn from")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app->add_option("--meshes", options.meshes, "How many meshes each training body is remeshed to")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app->add_option("--validation-examples", options.validation, "Those of validation bodies")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  layers::RunOptions& run = options.run;
  app->add_option("--steps", run.steps, "Steps in all")->check(CLI::Range(1, 100000000))->capture_default_str();
  app->add_option("--minutes", run.minutes, "Stop after this time; --resume goes on; 0: no limit")
      ->check(CLI::Range(0.0, 1e5))
      ->capture_default_str();
  app->add_flag("--anneal", run.anneal,
                "With --minutes: let the learning rate fall to its end in that time, which then ends the training");
  app->add_option("--batch", call->batch, "Bodies per step (ours: 4, paper: 5)")->check(CLI::Range(1, 1024));
  app->add_option("--rate", call->rate,
                  "Learning rate of the first step; it falls along a cosine (ours: 0.003, paper: 0.0002)")
      ->check(CLI::Range(1e-7, 1.0));
  app->add_option("--licence", options.licence, "Line about the model's licence")->capture_default_str();
  app->add_flag("--resume", call->resume, "Go on from OUTPUT.state");
}

void AddTestRig(Commands& commands) {
  auto call = std::make_shared<TestRigCall>();
  CLI::App* app = commands.Add(
      "learn test-rig", "Measures a rigging network on the test bodies of a recipe. Needs no libtorch.",
      "sinew learn test-rig rig.model bodies.toml", [call](const Common& common) { return RunTestRig(*call, common); });
  app->add_option("model", call->model, "Model file that `sinew learn rig` wrote")->required();
  app->add_option("recipe", call->recipe, "Recipe of a corpus (.toml)")->required();
  app->add_option("--family", call->family, "Only bodies of this family");
  app->add_option("--examples", call->examples, "Stances and meshes of test bodies")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  CLI::Option* const validation = app->add_flag(
      "--validation", call->validation, "Validation bodies in place of test bodies: to choose by, as they are known");
  app->add_flag("--record", call->record, "Write the figures into the model, as its own")->excludes(validation);
  app->add_flag("--game", call->game,
                "All with large heads and short limbs, as small game characters have them, half of them in costumes "
                "or with props");
  app->add_flag("--upright", call->upright, "All in the T-pose and upright, rather than in a stance of their own");
}

void AddSurveyRig(Commands& commands) {
  auto call = std::make_shared<SurveyRigCall>();
  CLI::App* app = commands.Add(
      "learn survey-rig",
      "Rigs many bodies whose rig is known as a user would, and writes tables: joints and weights in groups, verdicts, "
      "times.\n"
      "What is not given is left out, and files that cannot be read are named; embedded animals, hands and skirts, "
      "which should be refused, are always there.",
      "sinew learn survey-rig rig.model -o rigs --biped hero.glb",
      [call](const Common& common) { return RunSurveyRig(*call, common); });
  rigsurvey::SurveyOptions& options = call->options;
  app->add_option("model", call->model, "Model file that `sinew learn rig` wrote")->required();
  app->add_option("-o,--output", call->output, "Folder for rigs.md, the tables, and rigs.csv, a line per body")
      ->required();
  app->add_option("--recipe", call->recipe, "Recipe of a corpus (.toml), whose test bodies are rigged");
  app->add_option("--family", call->family, "Only bodies of this family of the recipe");
  app->add_option("--bodies", options.bodies, "How many test bodies; those without dress stand in four ways")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  app->add_flag("--heat", options.heat, "Compare weights with bone heat, given the true joints");
  app->add_flag("--delta-mush", options.delta_mush,
                "Compare weights that are optimised for the joints that were found (`sinew rig --weights skincells`) "
                "with the true rig, by how far Delta Mush moves the posed surface");
  app->add_option("--biped", call->bipeds, "Rigged bipeds of others (.glb, .gltf), whose rigs are taken away first");
  app->add_option("--other", call->others, "Rigged characters that are no bipeds, and should be refused");
  app->add_option("--others", options.others, "Random shapes of each embedded kind that is no biped")
      ->check(CLI::Range(0, 10000))
      ->capture_default_str();
  app->add_option("--motion", call->motion, "Motion in which the volume of bipeds is measured (.bvh, .glb, .poses)");
  app->add_option("--remesh", call->remesh,
                  "Body with the 24 joints, in a T-pose, that is rigged on many meshes (.glb)");
  app->add_option("--remeshings", options.remeshings, "On how many")->check(CLI::Range(1, 1000))->capture_default_str();
}

}  // namespace

void AddLearnRigCommands(Commands& commands) {
  AddTrainRig(commands);
  AddLearnRigRefine(commands);
  AddTrainRigShapes(commands);
  AddTestRig(commands);
  AddSurveyRig(commands);
}

}  // namespace sinew::cli
