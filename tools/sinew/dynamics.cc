#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/folder_lock.h"
#include "sinew/offline/core/interrupt.h"
#include "sinew/offline/core/quantile.h"
#include "sinew/offline/io/npy.h"
#include "sinew/offline/render/png.h"
#include "sinew/offline/scenes/compare_starts.h"
#include "sinew/offline/scenes/draw_scene.h"
#include "sinew/offline/scenes/draw_solid_scene.h"
#include "sinew/offline/scenes/full_check.h"
#include "sinew/offline/scenes/learn_floater.h"
#include "sinew/offline/scenes/load_scene.h"
#include "sinew/offline/scenes/run_scene.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string scene, output, positions, energy, save_object, field, learn;
  double seconds = 0, step = 0;
  int triangles = 5000, tets = 15000, frames = 8, against_full = 0, starts = 0;
  bool full = false;
  scenes::FloaterOptions learning;
};

// What is simulated, and from where.
using Subject = scenes::LoadedScene;

Subject LoadSubject(const Options& options) {
  Subject subject = scenes::LoadScene(options.scene, {options.triangles, options.tets}, options.field);
  if (options.seconds > 0) subject.scene.seconds = subject.solid.seconds = options.seconds;
  if (options.step > 0) subject.scene.step = subject.solid.step = options.step;
  return subject;
}

double StepOf(const Subject& subject) { return subject.is_solid() ? subject.solid.step : subject.scene.step; }

std::string EnergyCsv(const scenes::SceneRun& run) {
  std::string text = "seconds,kinetic,elastic,height,iterations,touching\n";
  for (const scenes::StepEnergy& step : run.steps) {
    text += fmt::format("{:.6f},{:.9g},{:.9g},{:.9g},{},{}\n", step.seconds, step.kinetic, step.elastic, step.height,
                        step.iterations, step.touching);
  }
  return text;
}

void WritePositions(const std::string& file, const Subject& subject, const scenes::SceneRun& run) {
  std::vector<float> all;
  for (const scenes::SceneFrame& frame : run.frames) {
    all.insert(all.end(), frame.positions.begin(), frame.positions.end());
  }
  const auto frames = static_cast<int64_t>(run.frames.size());
  const dynamics::ObjectTable& table = subject.object.table;
  WriteNpy(file, MakeNpy(all, {frames, table.node_count(), table.dimension()}));
}

double MeanIterations(const scenes::SceneRun& run) {
  double sum = 0;
  for (const scenes::StepEnergy& step : run.steps) sum += step.iterations;
  return sum / static_cast<double>(run.steps.size());
}

// Runs of the scene with what it was asked for, and in the linear subspace if that is learned contact.
struct Runs {
  scenes::SceneRun run;
  scenes::SceneRun linear;  // without steps: no field was given
  scenes::SceneRun nodes;   // by all nodes; without steps: was not asked for
  scenes::FullCheck full;   // without contacts: was not asked for
  std::vector<scenes::StartResult> starts;

  bool has_field() const { return !linear.steps.empty(); }
};

// Median time of the steps in which something touches, or of all if nothing does.
double TouchingMs(const scenes::SceneRun& run) {
  std::vector<double> own;
  for (size_t i = 0; i < run.steps.size(); ++i) {
    if (run.steps[i].touching > 0) own.push_back(run.milliseconds[i]);
  }
  return Quantile(own.empty() ? run.milliseconds : own, 0.5);
}

// Times of a step as in table 1 of the paper: linear, with the field, by all nodes.
Json RatiosJson(const Runs& runs) {
  const double full = TouchingMs(runs.nodes), own = TouchingMs(runs.run);
  const double linear = runs.has_field() ? TouchingMs(runs.linear) : own;
  Json json = {{"linear_ms", linear}, {"full_ms", full}, {"full_to_linear", full / linear}};
  if (runs.has_field())
    json.update({{"field_ms", own}, {"field_to_linear", own / linear}, {"full_to_field", full / own}});
  return json;
}

std::string RatiosText(const Runs& runs) {
  const Json json = RatiosJson(runs);
  std::string text =
      fmt::format("a step in contact: {:.3f} ms in the linear subspace, ", json["linear_ms"].get<double>());
  if (runs.has_field()) {
    text += fmt::format("{:.3f} ms with the field ({:.1f} times), ", json["field_ms"].get<double>(),
                        json["field_to_linear"].get<double>());
  }
  text += fmt::format("{:.3f} ms by all nodes ({:.1f} times the linear one", json["full_ms"].get<double>(),
                      json["full_to_linear"].get<double>());
  if (runs.has_field()) text += fmt::format(", {:.1f} times the field's", json["full_to_field"].get<double>());
  return text + ")\n";
}

Json PassJson(double seconds) { return seconds < 0 ? Json() : Json(seconds); }

Json StartsJson(const std::vector<scenes::StartResult>& starts) {
  Json list = Json::array();
  for (const scenes::StartResult& start : starts) {
    list.push_back({{"angle", start.angle},
                    {"velocity", {start.velocity[0], start.velocity[1]}},
                    {"full_passed_s", PassJson(start.full)},
                    {"linear_passed_s", PassJson(start.linear)}});
    if (start.field) list.back()["field_passed_s"] = PassJson(*start.field);
  }
  return list;
}

std::string PassText(double seconds) { return seconds < 0 ? "stuck" : fmt::format("{:.2f} s", seconds); }

std::string StartsText(const std::vector<scenes::StartResult>& starts) {
  std::string text = fmt::format("{:>10}{:>12}{:>12}{:>12}\n", "angle", "all nodes", "field", "linear");
  for (const scenes::StartResult& start : starts) {
    text += fmt::format("{:>10.2f}{:>12}{:>12}{:>12}\n", start.angle, PassText(start.full),
                        start.field ? PassText(*start.field) : "-", PassText(start.linear));
  }
  return text;
}

Json FieldJson(const Runs& runs) {
  Json json = {{"linear_ms_per_step", Quantile(runs.linear.milliseconds, 0.5)},
               {"times_linear", Quantile(runs.run.milliseconds, 0.5) / Quantile(runs.linear.milliseconds, 0.5)}};
  Json contacts = Json::array();
  for (const scenes::FullContact& contact : runs.full.contacts) {
    contacts.push_back({{"depth", contact.depth},
                        {"error", contact.error},
                        {"linear_error", contact.linear_error},
                        {"deepest", contact.deepest},
                        {"linear_deepest", contact.linear_deepest},
                        {"full_deepest", contact.full_deepest},
                        {"ms_per_step", Quantile(contact.ms, 0.5)},
                        {"linear_ms_per_step", Quantile(contact.linear_ms, 0.5)}});
  }
  if (contacts.empty()) return json;
  json["against_full"] = {
      {"relative_error", runs.full.RelativeError()}, {"failed", runs.full.failed}, {"contacts", contacts}};
  return json;
}

std::string FieldText(const Runs& runs) {
  std::string text = fmt::format("in the linear subspace: median {:.3f} ms, 99% within {:.3f} ms, {} at the limit\n",
                                 Quantile(runs.linear.milliseconds, 0.5), Quantile(runs.linear.milliseconds, 0.99),
                                 runs.linear.not_converged);
  if (runs.full.contacts.empty()) return text;
  text += fmt::format("{:>10}{:>12}{:>12}{:>12}{:>12}{:>12}{:>10}{:>10}\n", "depth mm", "linear mm", "field mm",
                      "deep linear", "deep field", "deep full", "ms", "ms linear");
  for (const scenes::FullContact& c : runs.full.contacts) {
    text += fmt::format("{:>10.1f}{:>12.2f}{:>12.2f}{:>12.2f}{:>12.2f}{:>12.2f}{:>10.2f}{:>10.2f}\n", 1000 * c.depth,
                        1000 * c.linear_error, 1000 * c.error, 1000 * c.linear_deepest, 1000 * c.deepest,
                        1000 * c.full_deepest, Quantile(c.ms, 0.5), Quantile(c.linear_ms, 0.5));
  }
  return text + fmt::format("relative error against full space {:.0f}%; {} contacts could not be simulated there\n",
                            100 * runs.full.RelativeError(), runs.full.failed);
}

Json ToJson(const Options& options, const Subject& subject, const Runs& runs) {
  const scenes::SceneRun& run = runs.run;
  const dynamics::ObjectTable& table = subject.object.table;
  const scenes::StepEnergy& last = run.steps.back();
  return {{"scene", options.scene},
          {"handles", table.handle_count()},
          {"numbers", table.state_size()},
          {"nodes", table.node_count()},
          {"dimension", table.dimension()},
          {subject.is_solid() ? "tets" : "triangles", table.cell_count()},
          {subject.is_solid() ? "cubature_tets" : "cubature_triangles", table.element_count()},
          {"cubature_error", subject.cubature_error < 0 ? Json() : Json(subject.cubature_error)},
          {"contact_points", table.point_count()},
          {"steps", run.steps.size()},
          {"step_seconds", StepOf(subject)},
          {"ms_per_step", {{"median", Quantile(run.milliseconds, 0.5)}, {"p99", Quantile(run.milliseconds, 0.99)}}},
          {"iterations_per_step", MeanIterations(run)},
          {"not_converged", run.not_converged},
          {"energy", {{"kinetic", last.kinetic}, {"elastic", last.elastic}, {"height", last.height}}},
          {"touching", last.touching},
          {"passed_s", PassJson(run.passed_at)},
          {"field", runs.has_field() ? FieldJson(runs) : Json()},
          {"ratios", runs.nodes.steps.empty() ? Json() : RatiosJson(runs)},
          {"starts", StartsJson(runs.starts)},
          {"state_hash", run.state_hash}};
}

std::string ToText(const Options& options, const Subject& subject, const Runs& runs) {
  const scenes::SceneRun& run = runs.run;
  const dynamics::ObjectTable& table = subject.object.table;
  const scenes::StepEnergy& last = run.steps.back();
  const char* cells = subject.is_solid() ? "tetrahedra" : "triangles";
  std::string text = fmt::format("{}: {} {}, {} handles with {} numbers, {} {} in the energy, {} contact points\n",
                                 options.scene, table.cell_count(), cells, table.handle_count(), table.state_size(),
                                 table.element_count(), cells, table.point_count());
  if (subject.cubature_error >= 0) {
    text += fmt::format("elastic forces within {:.1f}% of those of all {}\n", 100 * subject.cubature_error, cells);
  }
  text += fmt::format(
      "{} steps of {:.2f} ms: median {:.3f} ms, 99% within {:.3f} ms, {:.1f} iterations each, {} at the "
      "limit\n",
      run.steps.size(), 1000 * StepOf(subject), Quantile(run.milliseconds, 0.5), Quantile(run.milliseconds, 0.99),
      MeanIterations(run), run.not_converged);
  if (runs.has_field()) text += FieldText(runs);
  if (!runs.nodes.steps.empty()) text += RatiosText(runs);
  if (!runs.starts.empty()) text += StartsText(runs.starts);
  text += fmt::format("at the end: kinetic {:.4g} J, elastic {:.4g} J, height {:.4g} J{}; {} points touch\nstate {}\n",
                      last.kinetic, last.elastic, last.height, subject.is_solid() ? "" : " per metre of depth",
                      last.touching, run.state_hash);
  return text;
}

scenes::FullCheck CheckAgainstFull(const Options& options, const Subject& subject, const dynamics::FieldTable* field,
                                   uint64_t seed) {
  if (field == nullptr || subject.scene.object != "worm") {
    throw UsageError("--against-full is for the worm with a field; give the scene 'worm' and --field");
  }
  const contact::PlaneObject worm = contact::MakeWorm({.triangles = options.triangles});
  return scenes::CompareWithFull(worm, subject.object, *field, options.against_full, seed);
}

Result Learn(const Options& options, const Common& common) {
  if (options.scene != "floater") {
    throw UsageError("--learn is for the scene 'floater'; for the worm use 'sinew contact bench worm'");
  }
  scenes::FloaterOptions learning = options.learning;
  learning.triangles = options.triangles;
  learning.seed = common.seed;
  learning.folder = options.learn + ".learning";
  std::filesystem::create_directory(learning.folder);
  const FolderLock lock(learning.folder);
  const OnInterrupt interrupt(fmt::format(
      "contacts, and what was trained until a minute ago, are kept in {}, and the same call goes on from there",
      learning.folder.string()));
  const scenes::LearnedFloater learned = scenes::LearnFloater(learning);
  WriteFileAtomic(options.learn, learned.field.bytes());
  std::filesystem::remove_all(learning.folder);
  const Json json = {{"field", options.learn},
                     {"contacts", learned.samples},
                     {"met", learned.met},
                     {"failed", learned.failed},
                     {"contact_seconds", learned.contact_seconds},
                     {"relative_error", learned.error},
                     {"relative_error_met", learned.met > 0 ? Json(learned.met_error) : Json()},
                     {"excess_energy_before", learned.energy_before},
                     {"excess_energy", learned.energy},
                     {"steps", learned.steps},
                     {"refinements", learned.refinements},
                     {"training_seconds", learned.training_seconds}};
  return {json, fmt::format("{} contacts in {:.0f} s, {} of them met by runs; {} could not be simulated\n"
                            "{} steps of training on displacements and {} on energies in {:.0f} s\n"
                            "on contacts held back: relative error {:.0f}%, of those that runs met {:.0f}%; excess "
                            "energy {:.0f}%, before training on it {:.0f}%\nwrote {}\n",
                            learned.samples, learned.contact_seconds, learned.met, learned.failed, learned.steps,
                            learned.refinements, learned.training_seconds, 100 * learned.error, 100 * learned.met_error,
                            100 * learned.energy, 100 * learned.energy_before, options.learn)};
}

// Runs a scene in the plane with everything that was asked for.
Runs PlayInPlane(const Options& options, const Subject& subject, uint64_t seed) {
  const dynamics::FieldTable* field = subject.field.table.is_open() ? &subject.field.table : nullptr;
  Runs runs;
  runs.run = scenes::RunScene(subject.scene, subject.object, options.frames, field);
  if (field != nullptr) runs.linear = scenes::RunScene(subject.scene, subject.object, options.frames);
  if (options.full) runs.nodes = scenes::RunFullScene(subject.scene, subject.object, options.frames);
  if (options.starts > 0) {
    runs.starts = scenes::CompareStarts(subject.scene, subject.object, field, options.starts, seed);
  }
  if (options.against_full > 0) runs.full = CheckAgainstFull(options, subject, field, seed);
  return runs;
}

Runs PlayInSpace(const Options& options, const Subject& subject) {
  if (subject.field.table.is_open() || options.full || options.starts > 0 || options.against_full > 0) {
    throw UsageError("--field, --full, --starts and --against-full are for objects in the plane; leave them out");
  }
  Runs runs;
  runs.run = scenes::RunScene(subject.solid, subject.object, options.frames);
  return runs;
}

void WritePicture(const Options& options, const Subject& subject, const Runs& runs) {
  if (subject.is_solid()) {
    render::WritePng(options.output, scenes::DrawSolidScene(subject.solid, subject.object, runs.run));
  } else {
    WriteFileAtomic(options.output, scenes::DrawScene(subject.scene, subject.object, runs.run,
                                                      runs.has_field() ? &runs.linear : nullptr));
  }
}

Result Run(const Options& options, const Common& common) {
  if (!options.learn.empty()) return Learn(options, common);
  const Subject subject = LoadSubject(options);
  if (!options.output.empty() && (LowerExtension(options.output) == ".png") != subject.is_solid()) {
    throw UsageError("pictures of objects in the plane are .svg, and those of objects in space .png");
  }
  const Runs runs = subject.is_solid() ? PlayInSpace(options, subject) : PlayInPlane(options, subject, common.seed);
  const scenes::SceneRun& run = runs.run;
  if (!options.save_object.empty()) WriteFileAtomic(options.save_object, subject.object.file.bytes());
  if (!options.positions.empty()) WritePositions(options.positions, subject, run);
  if (!options.energy.empty()) WriteFileAtomic(options.energy, EnergyCsv(run));
  // Last: a machine that cannot draw loses the picture alone.
  if (!options.output.empty()) WritePicture(options, subject, runs);
  return {ToJson(options, subject, runs), ToText(options, subject, runs)};
}

}  // namespace

void AddDynamicsCommand(Commands& commands) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = commands.Add(
      "dynamics",
      "Simulate a soft object as an engine would, in the subspace of its handles: it falls, is poked by rigid "
      "colliders,\n"
      "sticks and slides. Prints the time of a step and the energy; draws frames. Embedded scenes in the plane are\n"
      "'worm' (three bones, pressed by a cube), 'jelly' (eight points and a frame, poked by a star), 'ring' (24 "
      "points,\n"
      "falls through a gap) and 'floater' (eight points, falls past a post that only dents can pass); in space "
      "'jelly3d'\n"
      "(a block of eighteen points and a frame, into which a cube is pressed).",
      "sinew dynamics worm --triangles 5000 --seconds 3 -o worm.svg",
      [options](const Common& common) { return Run(*options, common); });
  command
      ->add_option("SCENE", options->scene,
                   "worm, jelly, ring, floater or jelly3d, a script (.json), or an object (.soft) that falls")
      ->required();
  command->add_option("-o,--output", options->output,
                      "Picture of the frames (.svg in the plane, .png in space, at most 64 of them)");
  command->add_option("--positions", options->positions, "Positions of all nodes in the frames (.npy)");
  command->add_option("--energy", options->energy, "Energies of every step (.csv)");
  command->add_option("--field", options->field,
                      "How the object gives way to a collider, learned by 'sinew contact bench' (.dent): acts on the "
                      "colliders that have its shape");
  command
      ->add_option("--against-full", options->against_full,
                   "With --field, on the worm: press the collider into it this many times, slowly, and compare with "
                   "simulation of all nodes")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  command->add_flag("--full", options->full,
                    "Simulate all nodes, too, with the same material, steps and colliders, and print how many times "
                    "dearer a step is");
  command
      ->add_option("--starts", options->starts,
                   "For a scene with something to pass: this many starts, by all nodes, with the field and in the "
                   "linear subspace, and which of them pass")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  command->add_option("--learn", options->learn,
                      "Instead of playing the scene 'floater': simulate contacts with its post, learn a field from "
                      "them and write it (.dent). What is finished is kept beside it: the same command goes on after a "
                      "stop");
  command->add_option("--minutes", options->learning.minutes, "With --learn: minutes of training")
      ->check(CLI::Range(0.01, 1000.0))
      ->capture_default_str();
  command->add_option("--steps", options->learning.steps, "With --learn: steps of training, in place of minutes")
      ->check(CLI::Range(int64_t{1}, int64_t{100000000}));
  command->add_option("--states", options->learning.states, "With --learn: states of the handles")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--places", options->learning.places, "With --learn: places on the outline")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command
      ->add_option("--met", options->learning.met,
                   "With --learn: contacts that runs of the scene meet, in addition to the planned ones")
      ->check(CLI::Range(0, 100000))
      ->capture_default_str();
  command->add_option("--layers", options->learning.hidden_layers, "With --learn: hidden layers of the field")
      ->check(CLI::Range(1, 2))
      ->capture_default_str();
  command->add_option("--width", options->learning.width, "With --learn: units of a hidden layer")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_option("--save-object", options->save_object, "The object as a file (.soft)");
  command->add_option("--seconds", options->seconds, "Seconds to simulate, in place of the scene's")
      ->check(CLI::Range(1e-3, 3600.0));
  command->add_option("--step", options->step, "Seconds of a step, in place of the scene's")
      ->check(CLI::Range(1e-4, 0.1));
  command->add_option("--triangles", options->triangles, "Triangles of an embedded object, about")
      ->check(CLI::Range(200, 200000))
      ->capture_default_str();
  command->add_option("--tets", options->tets, "Tetrahedra of jelly3d, about")
      ->check(CLI::Range(500, 200000))
      ->capture_default_str();
  command->add_option("--frames", options->frames, "Frames to draw and to write")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
}

}  // namespace sinew::cli
