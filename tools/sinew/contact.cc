#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "sinew/offline/bake/contact_section.h"
#include "sinew/offline/bundle/bundle_file.h"
#include "sinew/offline/contact/contact_report.h"
#include "sinew/offline/contact/learn_contact.h"
#include "sinew/offline/contact/solid_bench.h"
#include "sinew/offline/contact/worm_bench.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/interrupt.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/pipeline/layout.h"
#include "sinew/offline/scenes/embedded_scenes.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

// Options of the bench; those that are not given are the scene's.
struct BenchFlags {
  std::string scene, folder;
  std::optional<std::vector<int>> states;
  std::optional<int> places, rotations, depths, tests, width, tets, triangles;
  std::optional<std::string> collider;
  contact::BenchOptions common;
};

// What a scene's result is called.
struct BenchNames {
  std::string elements, table;
};

// Errors of the regions by their names, and the worst of them over their mean.
Json RegionsJson(const contact::BenchResult& result, const contact::BenchRow& row) {
  Json errors = Json::object();
  for (size_t k = 0; k < row.regions.size(); ++k) errors[result.regions[k]] = row.regions[k];
  return {{"relative_error", errors}, {"worst_over_mean", contact::WorstOverMean(row.regions)}};
}

std::string RegionsText(const contact::BenchResult& result) {
  std::string text = fmt::format("{:<16}{:>7}", "by region", "states");
  for (const std::string& region : result.regions) text += fmt::format("{:>10}", region);
  text += fmt::format("{:>12}\n", "worst/mean");
  for (const contact::BenchRow& row : result.rows) {
    text += fmt::format("{:<16}{:>7}", row.method, row.states);
    for (const double error : row.regions) text += fmt::format("{:>9.1f}%", 100 * error);
    text += fmt::format("{:>12.2f}\n", contact::WorstOverMean(row.regions));
  }
  return text;
}

Json ToJson(const contact::BenchResult& result, const BenchNames& names) {
  Json rows = Json::array();
  for (const contact::BenchRow& row : result.rows) {
    rows.push_back({{"method", row.method},
                    {"states", row.states},
                    {"samples", row.samples},
                    {"relative_error", row.error},
                    {"paper", row.paper < 0 ? Json() : Json(row.paper)},
                    {"steps", row.steps},
                    {"seconds", row.seconds}});
    if (!row.regions.empty()) rows.back()["regions"] = RegionsJson(result, row);
  }
  return {{"nodes", result.nodes},
          {names.elements, result.elements},
          {"training_samples", result.training_samples},
          {"test_samples", result.test_samples},
          {"failed", result.failed},
          {"attempted", result.attempted},
          {"core_seconds_per_sample", result.seconds_per_sample},
          {names.table, rows}};
}

std::string ToText(const contact::BenchResult& result, const BenchNames& names, const BenchFlags& flags) {
  std::string text = fmt::format(
      "{} of {} {}, {} nodes: {} training samples, {} test samples in unseen states; {} of {} contacts could not be "
      "simulated\n",
      flags.scene, result.elements, names.elements, result.nodes, result.training_samples, result.test_samples,
      result.failed, result.attempted);
  if (result.seconds_per_sample > 0) {
    text += fmt::format("{:.2f} s of one core per simulated contact\n", result.seconds_per_sample);
  }
  text += fmt::format("{:<16}{:>7}{:>10}{:>10}{:>10}{:>10}\n", "relative error", "states", "samples", "steps", "ours",
                      "paper");
  for (const contact::BenchRow& row : result.rows) {
    text += fmt::format("{:<16}{:>7}{:>10}{:>10}{:>9.1f}%{:>10}\n", row.method, row.states, row.samples, row.steps,
                        100 * row.error, row.paper < 0 ? "-" : fmt::format("{:.0f}%", 100 * row.paper));
  }
  if (!result.regions.empty()) text += RegionsText(result);
  return text + fmt::format("{0}/{1}.csv, {0}/{1}.svg, {0}/contact.svg\n", flags.folder, names.table);
}

// Sets what is common to all scenes, and leaves the scene's own defaults where nothing was given.
void TakeFlags(const BenchFlags& flags, uint64_t seed, contact::BenchOptions& options) {
  const contact::BenchOptions defaults = options;
  options = flags.common;
  options.states = flags.states.value_or(defaults.states);
  options.plan.places = flags.places.value_or(defaults.plan.places);
  options.plan.rotations = flags.rotations.value_or(defaults.plan.rotations);
  options.plan.depths = flags.depths.value_or(defaults.plan.depths);
  options.test_chains = flags.tests.value_or(defaults.test_chains);
  options.width = flags.width.value_or(defaults.width);
  options.seed = seed;
}

Result RunBench(const BenchFlags& flags, const Common& common) {
  const OnInterrupt sentence(flags.folder + " keeps finished samples and trainings; the same command goes on");
  if (flags.scene == "worm" ? flags.tets.has_value() : flags.triangles.has_value()) {
    throw UsageError("--triangles is for the worm and --tets for the other scenes");
  }
  if (flags.scene != "worm") {
    contact::SolidBenchOptions options = contact::SolidSceneOptions(flags.scene);
    TakeFlags(flags, common.seed, options);
    options.solid.tets = flags.tets.value_or(options.solid.tets);
    options.solid.collider = flags.collider.value_or(options.solid.collider);
    const BenchNames names{.elements = "tetrahedra", .table = contact::SolidTableName(flags.scene)};
    const contact::BenchResult result = contact::RunSolidBench(flags.scene, options, flags.folder);
    return {ToJson(result, names), ToText(result, names, flags)};
  }
  contact::WormBenchOptions options;
  TakeFlags(flags, common.seed, options);
  options.worm.triangles = flags.triangles.value_or(options.worm.triangles);
  options.worm.collider = flags.collider.value_or(options.worm.collider);
  const BenchNames names{.elements = "triangles", .table = "table3"};
  const contact::BenchResult result = contact::RunWormBench(options, flags.folder);
  // The object that the fields belong to, for sinew dynamics.
  const scenes::BuiltObject object =
      scenes::BuildObject(scenes::MakeEmbeddedObject("worm", options.worm.triangles), {});
  WriteFileAtomic(std::filesystem::path(flags.folder) / "worm.soft", object.file.bytes());
  return {ToJson(result, names), ToText(result, names, flags)};
}

struct LearnOptions {
  std::string build, bundle, collider, output, picture, quality = "quick";
  contact::LearnContactOptions learn;
};

void CheckBundle(const runtime::Bundle& bundle, const Character& character, const std::string& file) {
  bool same = bundle.joint_count() == character.skeleton.joint_count() &&
              bundle.level(bundle.level_count()).vertex_count == character.vertex_count();
  for (int j = 0; same && j < bundle.joint_count(); ++j) {
    same = bundle.joint_name(j) == character.skeleton.joints[j].name;
  }
  if (!same)
    throw InputError(file, "", "is not of the build's character", "give a bundle that was baked in this build");
}

Result RunLearn(LearnOptions options, const Common& common) {
  const std::filesystem::path build = options.build;
  const std::string character_file = (build / pipeline::kCharacter).string();
  const std::string bundle_file = options.bundle.empty() ? (build / pipeline::kBundle).string() : options.bundle;
  const bundle::LoadedBundle loaded = bundle::ReadBundle(bundle_file);
  Character character = ReadCharacter(character_file);
  CheckBundle(loaded.bundle, character, bundle_file);
  const std::string name = std::filesystem::path(options.collider).stem().string();
  bake::CheckContactFits(loaded.bundle, name);
  options.learn.press.seed = options.learn.train.seed = common.seed;
  options.learn.press.quality = flesh::QualityNamed(options.quality);
  const contact::PressSubject subject =
      contact::MakePressSubject(std::move(character), character_file, contact::ReadColliderMesh(options.collider),
                                options.collider, name, options.learn.press);
  const std::filesystem::path work = std::filesystem::path(options.output + ".contact") / name;
  const OnInterrupt sentence(work.string() + " keeps finished contacts and the training; the same command goes on");
  const contact::LearnedContact learned = contact::LearnContact(subject, options.learn, work, [](double minutes) {
    Info("all of it takes about {}, less what an earlier run has done", DurationText(60 * minutes));
  });
  const bake::BakedBundle made = bake::WithContact(loaded.bundle, loaded.file.bytes(), learned.field.field);
  WriteFileAtomic(options.output, made.file.bytes());
  Result result{contact::ContactJson(learned), contact::ContactText(learned, options.output)};
  result.json["bundle"] = options.output;
  if (options.picture.empty()) return result;
  // The bundle is there by now: a machine that cannot draw loses the picture alone.
  WriteFileAtomic(options.picture, contact::DrawCoverage(subject.character, learned).file);
  result.json["picture"] = options.picture;
  result.text += fmt::format("{}: the skin that was pressed\n", options.picture);
  return result;
}

void AddContactLearn(Commands& commands) {
  const auto options = std::make_shared<LearnOptions>();
  CLI::App* command = commands.Add(
      "contact learn",
      "Learn how a character's skin gives way to a rigid collider, and put it into its bundle. Presses the collider\n"
      "into simulated flesh in several states, at many places and depths, trains a field on what the skin does, and\n"
      "says what was covered. What is finished is kept beside the output: the same command goes on after a stop.",
      "sinew contact learn my.build --collider stool.glb --places 24 --minutes 15 -o my.sinew",
      [options](const Common& common) { return RunLearn(*options, common); });
  contact::PressOptions& press = options->learn.press;
  command->add_option("BUILD", options->build, "The folder of a build (sinew build)")->required();
  command
      ->add_option("--collider", options->collider,
                   "The collider: a closed mesh (.glb, .gltf, .obj, .ply) in the character's unit; its name is the "
                   "contact's")
      ->required();
  command->add_option("-o,--output", options->output, "The bundle with contact (.sinew)")->required();
  command->add_option("--bundle", options->bundle, "Bundle to add the contact to, in place of the build's");
  command->add_option("--picture", options->picture, "Draw which skin was pressed, and by how many contacts (.png)");
  command->add_option("--on", press.on, "Joints whose skin it touches, with commas between them; otherwise all")
      ->delimiter(',');
  command->add_option("--states", press.states, "Poses of the character, rest among them")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--places", press.places, "Places on the skin per state")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command->add_option("--rotations", press.rotations, "Rotations of the collider per place")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--depths", press.depths, "Depths per rotation")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command->add_option("--depth", press.depth, "Largest depth; 0: by the collider's size and the flesh's thickness")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  command->add_option("--window", press.window, "How far from it the skin may move; 0: the collider's size")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  command->add_option("--quality", options->quality, "quick, good or film: how fine the flesh is cut")
      ->check(CLI::IsMember({"quick", "good", "film"}))
      ->capture_default_str();
  command->add_option("--tets", options->learn.tets, "About this many tetrahedra, instead of the quality's")
      ->check(CLI::Range(100, 10'000'000));
  command->add_option("--width", options->learn.width, "Units of the hidden layer")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_option("--minutes", options->learn.train.minutes, "Minutes of training")
      ->check(CLI::Range(0.01, 10000.0))
      ->capture_default_str();
  command->add_option("--steps", options->learn.train.steps, "Steps of training, in place of --minutes")
      ->check(CLI::Range(int64_t{0}, int64_t{100000000}))
      ->capture_default_str();
  command
      ->add_option("--sample-minutes", options->learn.sample_minutes,
                   "Begin no simulation after so many minutes, and train on what is there; 0: no limit")
      ->check(CLI::Range(0.0, 100000.0))
      ->capture_default_str();
}

void AddContactBench(Commands& commands) {
  const auto flags = std::make_shared<BenchFlags>();
  CLI::App* command = commands.Add(
      "contact bench",
      "Run a scene of the contact-centric paper and print its table. Makes samples by simulation, trains the sparse "
      "and\n"
      "the dense field and the object-centric baseline on them, and compares all of them with simulated contacts in\n"
      "unseen states. 'worm' is a body in plane strain that three bones move (table 3). The others are of tetrahedra:\n"
      "'jelly' is a block that eighteen points and a frame move (table 2), 'hand' has sixteen bones and is trained on\n"
      "one pose, 'floater' is a torus of twenty-four points with a shell as collider, and 'animal' a bird that\n"
      "twenty-five points and a frame move.\n"
      "What is finished is kept in the folder: the same command goes on after a stop.",
      "sinew contact bench worm --triangles 2000 --places 8 --rotations 8 --minutes 2 -o worm",
      [flags](const Common& common) { return RunBench(*flags, common); });
  contact::BenchOptions& bench = flags->common;
  command->add_option("SCENE", flags->scene, "The scene: worm, jelly, hand, floater or animal")
      ->required()
      ->check(CLI::IsMember({"worm", "jelly", "hand", "floater", "animal"}));
  command->add_option("-o,--output", flags->folder, "Folder for samples, states of training, table and pictures")
      ->required();
  command
      ->add_option(
          "--states", flags->states,
          "Numbers of states to train on, one column of the table each; worm 1 3 7, jelly 5, hand 1, the others 8")
      ->check(CLI::Range(1, 100));
  command->add_option("--places", flags->places, "Places on the surface per state; 32, hand 150, floater and animal 24")
      ->check(CLI::Range(1, 10000));
  command
      ->add_option("--rotations", flags->rotations,
                   "Rotations of the collider per place; worm 16, jelly 15, hand 24, floater and animal 12")
      ->check(CLI::Range(1, 1000));
  command->add_option("--depths", flags->depths, "Depths per rotation; 5, floater and animal 4")
      ->check(CLI::Range(1, 100));
  command->add_option("--triangles", flags->triangles, "Triangles of the worm, about; 20000")
      ->check(CLI::Range(200, 1000000));
  command->add_option("--tets", flags->tets, "Tetrahedra, about; 15000, the hand 12000")
      ->check(CLI::Range(500, 1000000));
  command
      ->add_option("--collider", flags->collider,
                   "The collider: cube, cone or star, in space also shell; cube, for the floater shell")
      ->check(CLI::IsMember({"cube", "cone", "star", "shell"}));
  command
      ->add_option("--test", flags->tests,
                   "Test states, each with one place and rotation, at all depths; 50, for the hand 300")
      ->check(CLI::Range(1, 100000));
  command->add_option("--methods", bench.methods, "What to train: sparse, dense, object-centric, literal")
      ->check(CLI::IsMember({"sparse", "dense", "object-centric", "literal"}))
      ->capture_default_str();
  command->add_option("--layers", bench.hidden_layers, "Hidden layers of the fields")
      ->check(CLI::Range(1, 2))
      ->capture_default_str();
  command->add_option("--width", flags->width, "Units of a hidden layer of the fields; worm 300, the others 500")
      ->check(CLI::Range(1, 10000));
  command->add_option("--minutes", bench.minutes, "Minutes of each training; the number of steps follows from it")
      ->check(CLI::Range(0.01, 10000.0))
      ->capture_default_str();
  command->add_option("--steps", bench.steps, "Steps of each training, in place of --minutes: same steps, same bits")
      ->check(CLI::Range(int64_t{0}, int64_t{100000000}))
      ->capture_default_str();
  command->add_option("--rate", bench.rate, "Learning rate at the start; the last one is a hundredth of it")
      ->check(CLI::Range(1e-6, 1.0))
      ->capture_default_str();
  command
      ->add_option("--sample-minutes", bench.sample_minutes,
                   "Begin no simulation after so many minutes, and stop with what is there; 0: no limit")
      ->check(CLI::Range(0.0, 100000.0))
      ->capture_default_str();
}

}  // namespace

void AddContactCommand(Commands& commands) {
  commands.AddGroup("contact", "Learn how a soft body gives way to a rigid collider");
  AddContactLearn(commands);
  AddContactBench(commands);
}

}  // namespace sinew::cli
