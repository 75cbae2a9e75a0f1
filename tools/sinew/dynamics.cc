#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "sinew/dynamics/simulation.h"
#include "sinew/offline/contact/dent_file.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/quantile.h"
#include "sinew/offline/io/npy.h"
#include "sinew/offline/scenes/draw_scene.h"
#include "sinew/offline/scenes/embedded_scenes.h"
#include "sinew/offline/scenes/full_check.h"
#include "sinew/offline/scenes/run_scene.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string scene, output, positions, energy, save_object, field;
  double seconds = 0, step = 0;
  int triangles = 5000, frames = 8, against_full = 0;
};

// What is simulated, and from where.
struct Subject {
  scenes::Scene scene;
  scenes::LoadedObject object;
  contact::LoadedDent field;   // not open: none
  double cubature_error = -1;  // negative: the object came from a file
};

void LoadObject(const Options& options, const fs::path& folder, Subject& subject) {
  const std::string& name = subject.scene.object;
  if (!scenes::IsEmbedded(name)) {
    subject.object = scenes::ReadObject(folder / name);
    return;
  }
  scenes::BuiltObject built = scenes::BuildObject(scenes::MakeEmbeddedObject(name, options.triangles), {});
  subject.cubature_error = built.cubature_error;
  subject.object = scenes::OpenObject(std::move(built.file), name);
}

Subject LoadSubject(const Options& options) {
  Subject subject;
  const fs::path path = options.scene;
  if (scenes::IsEmbedded(options.scene)) {
    subject.scene = scenes::MakeEmbeddedScene(options.scene);
    LoadObject(options, {}, subject);
  } else if (LowerExtension(path) == ".soft") {
    subject.object = scenes::ReadObject(path);
    const dynamics::ObjectTable& table = subject.object.table;
    double lowest = table.rest()[1];
    for (int n = 0; n < table.node_count(); ++n) lowest = std::min(lowest, table.rest()[2 * n + 1]);
    subject.scene = scenes::MakeFall(options.scene, lowest, table.header().size);
  } else if (LowerExtension(path) == ".json") {
    subject.scene = scenes::ParseScene(ReadTextFile(path), options.scene);
    LoadObject(options, path.parent_path(), subject);
  } else {
    throw UsageError(fmt::format("'{}' is no scene; give {}, a script (.json) or an object (.soft)", options.scene,
                                 fmt::join(scenes::EmbeddedNames(), ", ")));
  }
  if (!options.field.empty()) subject.field = contact::ReadDent(options.field);
  if (options.seconds > 0) subject.scene.seconds = options.seconds;
  if (options.step > 0) subject.scene.step = options.step;
  return subject;
}

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
  WriteNpy(file, MakeNpy(all, {frames, subject.object.table.node_count(), 2}));
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
  scenes::FullCheck full;   // without contacts: was not asked for

  bool has_field() const { return !linear.steps.empty(); }
};

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
          {"triangles", table.triangle_count()},
          {"cubature_triangles", table.element_count()},
          {"cubature_error", subject.cubature_error < 0 ? Json() : Json(subject.cubature_error)},
          {"contact_points", table.point_count()},
          {"steps", run.steps.size()},
          {"step_seconds", subject.scene.step},
          {"ms_per_step", {{"median", Quantile(run.milliseconds, 0.5)}, {"p99", Quantile(run.milliseconds, 0.99)}}},
          {"iterations_per_step", MeanIterations(run)},
          {"not_converged", run.not_converged},
          {"energy", {{"kinetic", last.kinetic}, {"elastic", last.elastic}, {"height", last.height}}},
          {"touching", last.touching},
          {"field", runs.has_field() ? FieldJson(runs) : Json()},
          {"state_hash", run.state_hash}};
}

std::string ToText(const Options& options, const Subject& subject, const Runs& runs) {
  const scenes::SceneRun& run = runs.run;
  const dynamics::ObjectTable& table = subject.object.table;
  const scenes::StepEnergy& last = run.steps.back();
  std::string text = fmt::format(
      "{}: {} triangles, {} handles with {} numbers, {} triangles in the energy, {} contact "
      "points\n",
      options.scene, table.triangle_count(), table.handle_count(), table.state_size(), table.element_count(),
      table.point_count());
  if (subject.cubature_error >= 0) {
    text += fmt::format("elastic forces within {:.1f}% of those of all triangles\n", 100 * subject.cubature_error);
  }
  text += fmt::format(
      "{} steps of {:.2f} ms: median {:.3f} ms, 99% within {:.3f} ms, {:.1f} iterations each, {} at the "
      "limit\n",
      run.steps.size(), 1000 * subject.scene.step, Quantile(run.milliseconds, 0.5), Quantile(run.milliseconds, 0.99),
      MeanIterations(run), run.not_converged);
  if (runs.has_field()) text += FieldText(runs);
  text += fmt::format(
      "at the end: kinetic {:.4g} J, elastic {:.4g} J, height {:.4g} J per metre of depth; {} points "
      "touch\nstate {}\n",
      last.kinetic, last.elastic, last.height, last.touching, run.state_hash);
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

Result Run(const Options& options, const Common& common) {
  const Subject subject = LoadSubject(options);
  const dynamics::FieldTable* field = subject.field.table.is_open() ? &subject.field.table : nullptr;
  Runs runs;
  runs.run = scenes::RunScene(subject.scene, subject.object, options.frames, field);
  if (field != nullptr) runs.linear = scenes::RunScene(subject.scene, subject.object, options.frames);
  if (options.against_full > 0) runs.full = CheckAgainstFull(options, subject, field, common.seed);
  const scenes::SceneRun& run = runs.run;
  if (!options.save_object.empty()) WriteFileAtomic(options.save_object, subject.object.file.bytes());
  if (!options.output.empty()) {
    WriteFileAtomic(options.output,
                    scenes::DrawScene(subject.scene, subject.object, run, runs.has_field() ? &runs.linear : nullptr));
  }
  if (!options.positions.empty()) WritePositions(options.positions, subject, run);
  if (!options.energy.empty()) WriteFileAtomic(options.energy, EnergyCsv(run));
  return {ToJson(options, subject, runs), ToText(options, subject, runs)};
}

}  // namespace

void AddDynamicsCommand(Commands& commands) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = commands.Add(
      "dynamics",
      "Simulate a soft object in the plane as an engine would, in the subspace of its handles: it falls, is poked by\n"
      "rigid colliders, sticks and slides. Prints the time of a step and the energy; draws frames. Embedded scenes "
      "are\n"
      "'worm' (three bones, pressed by a cube), 'jelly' (eight points and a frame, poked by a star) and 'ring' (24\n"
      "points, falls through a gap).",
      "sinew dynamics worm --triangles 5000 --seconds 3 -o worm.svg",
      [options](const Common& common) { return Run(*options, common); });
  command->add_option("SCENE", options->scene, "worm, jelly or ring, a script (.json), or an object (.soft) that falls")
      ->required();
  command->add_option("-o,--output", options->output, "Picture of the frames (.svg)");
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
  command->add_option("--save-object", options->save_object, "The object as a file (.soft)");
  command->add_option("--seconds", options->seconds, "Seconds to simulate, in place of the scene's")
      ->check(CLI::Range(1e-3, 3600.0));
  command->add_option("--step", options->step, "Seconds of a step, in place of the scene's")
      ->check(CLI::Range(1e-4, 0.1));
  command->add_option("--triangles", options->triangles, "Triangles of an embedded object, about")
      ->check(CLI::Range(200, 200000))
      ->capture_default_str();
  command->add_option("--frames", options->frames, "Frames to draw and to write")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
}

}  // namespace sinew::cli
