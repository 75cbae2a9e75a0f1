#include "sinew/offline/skincells/skin_character.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/interrupt.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/units.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/io/npy.h"
#include "sinew/offline/io/ply.h"
#include "sinew/offline/skincells/field_file.h"
#include "sinew/offline/skincells/skin_page.h"
#include "sinew/offline/skincells/subject.h"
#include "tools/sinew/subcommands.h"
#include "tools/sinew/units.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> inputs;
  std::string output;
  std::string skeleton;
  std::string from;
  std::string method = "skincells";
  std::string poses;
  std::string field;
  std::string apply;
  std::string report;
  std::string paint;
  double paint_strength = 1;
  std::vector<std::string> locks;
  std::string mask;
  bool mirror = false;
  std::string collide;
  std::string unit;
  int max_influences = 4;
  int steps = 1500;
  double smooth_vs_follow = 1;
  double checkpoint_every = 20;
};

Json InfluencesJson(const skincells::SkinReport& report) {
  Json histogram = Json::object();
  for (size_t k = 1; k < report.influences.size(); ++k) histogram[std::to_string(k)] = report.influences[k];
  return histogram;
}

std::string InfluencesText(const skincells::SkinReport& report) {
  std::string text = "  influences  ";
  for (size_t k = 1; k < report.influences.size(); ++k) {
    text += fmt::format("{}{}: {}", k > 1 ? ", " : "", k, report.influences[k]);
  }
  return text + " vertices\n";
}

// Gives the character the skeleton that was asked for.
void Rig(const Options& options, Character& character) {
  const std::string& other = !options.skeleton.empty() ? options.skeleton : options.from;
  if (character.skeleton.joints.empty() && !other.empty()) {
    skincells::AdoptSkeleton(ReadSkeleton(other), character);
  } else if (!options.skeleton.empty()) {
    throw UsageError(
        fmt::format("--skeleton {}: {} has a skeleton of its own; leave it away", options.skeleton, options.inputs[0]));
  }
}

std::vector<Pose> PosesOf(const std::string& file, const Skeleton& skeleton) {
  std::vector<Pose> poses;
  if (file.empty()) return poses;
  for (const Clip& clip : ReadClips(file, 30)) {
    for (Pose& pose : PosesFor(skeleton, clip, file)) poses.push_back(std::move(pose));
  }
  return poses;
}

skincells::Method MethodOf(const std::string& name) {
  if (name == "proximity") return skincells::Method::kProximity;
  if (name == "voxel") return skincells::Method::kVoxel;
  return name == "transfer" ? skincells::Method::kTransfer : skincells::Method::kSkinCells;
}

void CheckTogether(const Options& options) {
  if (options.inputs.size() != 1) throw UsageError("several meshes are for --apply: name one character");
  const bool transfer = options.method == "transfer";
  if (transfer && options.from.empty()) throw UsageError("--method transfer needs --from, a skinned character");
  if (!transfer && !options.from.empty()) throw UsageError("--from is for --method transfer");
  if (!options.unit.empty()) throw UsageError("--unit is for --apply: it says what unit the meshes are in");
  if (options.method == "skincells") return;
  if (!options.paint.empty()) throw UsageError("--paint is for --method skincells: the others cannot be pulled");
  if (!options.collide.empty()) throw UsageError("--collide is for --method skincells: the others see no body");
  if (options.mirror) throw UsageError("--mirror is for --method skincells: the others make no field");
  if (!options.field.empty()) throw UsageError("--field is for --method skincells: the others make no field");
  if (!options.poses.empty()) throw UsageError("--poses is for --method skincells: the others need none");
}

// What the user says about the weights; `body` and `painted` are kept alive by the caller.
void Guide(const Options& options, bool had_weights, Character& painted, Character& body,
           skincells::SkinOptions& skin) {
  if (!had_weights && (!options.locks.empty() || !options.mask.empty())) {
    throw UsageError(fmt::format("--lock and --mask keep weights, but {} has none", options.inputs[0]));
  }
  skin.locks = options.locks;
  skin.mirror = options.mirror;
  if (!options.mask.empty()) {
    for (const double value : ReadNpy(options.mask).ToDoubles()) skin.mask.push_back(value != 0);
    if (skin.mask.empty()) throw InputError(options.mask, "", "has no entries", "save one number a vertex");
  }
  if (!options.collide.empty()) {
    body = ReadCharacter(options.collide);
    skin.collide = &body;
    skin.collide_file = options.collide;
  }
  if (options.paint.empty()) return;
  skin.paint.emplace();
  skin.paint->file = options.paint;
  skin.paint->strength = options.paint_strength;
  if (LowerExtension(options.paint) == ".npy") {
    const NpyArray array = ReadNpy(options.paint);
    skin.paint->shape = array.shape;
    skin.paint->values = array.ToDoubles();
  } else {
    painted = ReadCharacter(options.paint);
    skin.paint->character = &painted;
  }
}

void CheckOutput(const std::string& output) {
  const std::string extension = LowerExtension(output);
  if (extension != ".glb" && extension != ".gltf") {
    throw UsageError(fmt::format("-o {}: weights are written to .glb or .gltf files", output));
  }
}

void DescribeOptimization(const skincells::SkinReport& report, Result& result) {
  const skincells::OptimizeResult& done = report.optimization;
  const auto losses = [](const skincells::Losses& l) {
    return Json{
        {"smoothness", l.dm}, {"location", l.loc}, {"guides", l.guide}, {"collision", l.col}, {"total", l.total}};
  };
  result.json["steps"] = done.steps;
  result.json["resumed_at"] = done.resumed_at;
  result.json["springs"] = report.springs;
  result.json["loss_before"] = losses(done.before);
  result.json["loss_after"] = losses(done.after);
  result.text += fmt::format("  steps       {}{}\n", done.steps,
                             done.resumed_at > 0 ? fmt::format(", gone on from step {}", done.resumed_at) : "");
  if (done.before.guide > 0) {
    result.text += fmt::format("  guides      {:.4g} -> {:.4g}\n", done.before.guide, done.after.guide);
  }
  if (done.before.col > 0) {
    result.text += fmt::format("  collision   {:.4g} -> {:.4g}\n", done.before.col, done.after.col);
  }
  result.text += fmt::format("  smoothness  {:.4g} -> {:.4g}\n  location    {:.4g} -> {:.4g} ({} springs)\n",
                             done.before.dm, done.after.dm, done.before.loc, done.after.loc, report.springs);
}

Json QualityJson(const skincells::Quality& quality) {
  return {{"delta_mush", quality.delta_mush},
          {"stretch_99", quality.stretch_99},
          {"volume", quality.volume},
          {"location", quality.location},
          {"influences", quality.influences}};
}

// The page, and its pictures beside it: a report.html has report_weights.png and so on.
void WriteReport(const Options& options, const Common& common, const skincells::SkinReport& report, Character before,
                 bool had_weights, const Character& after, Result& result) {
  if (!had_weights) {
    // Nothing to be compared with came with the mesh.
    skincells::SkinOptions proximity;
    proximity.method = skincells::Method::kProximity;
    proximity.max_influences = options.max_influences;
    skincells::SkinCharacter(before, options.inputs[0], proximity);
  }
  skincells::SkinPageInput input;
  input.before = &before;
  input.after = &after;
  input.before_name = had_weights ? "file" : "proximity";
  input.after_name = options.method;
  input.file = fs::path(options.inputs[0]).filename().string();
  input.report = &report;
  input.seed = common.seed;
  const skincells::SkinPage page = skincells::MakeSkinPage(input);
  const fs::path path(options.report);
  result.json["report"] = options.report;
  result.json["pictures"] = Json::array();
  for (const auto& [name, png] : page.pictures) {
    const fs::path picture = path.parent_path() / fmt::format("{}_{}.png", path.stem().string(), name);
    WriteFileAtomic(picture, png);
    result.json["pictures"].push_back(picture.string());
  }
  WriteFileAtomic(path, page.html);
  result.json["quality_before"] = QualityJson(page.before);
  result.json["quality_after"] = QualityJson(page.after);
  result.json["bleeding_before"] = page.bleeding_before;
  result.json["bleeding_after"] = page.bleeding_after;
  result.text += fmt::format("  report      {} and {} pictures beside it\n", options.report, page.pictures.size());
}

Result Skin(const Options& options, const Common& common) {
  CheckTogether(options);
  CheckOutput(options.output);
  Character character = ReadCharacter(options.inputs[0]);
  const bool had_weights = !character.skeleton.joints.empty();
  Rig(options, character);
  skincells::SkinOptions skin;
  skin.method = MethodOf(options.method);
  skin.max_influences = options.max_influences;
  skin.smooth_vs_follow = options.smooth_vs_follow;
  skin.steps = options.steps;
  skin.seed = common.seed;
  skin.poses = PosesOf(options.poses, character.skeleton);
  skin.checkpoint_seconds = options.checkpoint_every;
  skin.progress = !common.quiet;
  Character painted, body;
  Guide(options, had_weights, painted, body, skin);
  const fs::path field =
      options.field.empty() ? fs::path(options.output).replace_extension(".field") : fs::path(options.field);
  fs::path checkpoint = field;
  checkpoint += ".checkpoint";
  if (skin.method == skincells::Method::kSkinCells) skin.checkpoint = checkpoint;
  const Character from = options.from.empty() ? Character{} : ReadCharacter(options.from);
  const Character before = options.report.empty() ? Character{} : character;
  const OnInterrupt interrupt(
      skin.checkpoint.empty()
          ? "nothing was written"
          : fmt::format("the steps until the last checkpoint are kept in {}, and the same call goes on from there",
                        checkpoint.string()));
  const auto report = skincells::SkinCharacter(character, options.inputs[0], skin, &from, options.from);
  Result result;
  result.json = {{"file", options.output},
                 {"method", options.method},
                 {"vertices", report.vertices},
                 {"joints", report.joints},
                 {"influences", InfluencesJson(report)},
                 {"warnings", report.warnings}};
  result.text = fmt::format("wrote {}: {} vertices, {} joints\n", options.output, report.vertices, report.joints);
  if (skin.method == skincells::Method::kSkinCells) {
    skincells::WriteField(report.optimization.field, field);
    DescribeOptimization(report, result);
    result.json["field"] = field.string();
    result.text += fmt::format("  field       {} ({} bytes)\n", field.string(), fs::file_size(field));
  }
  WriteCharacter(character, options.output);
  // Last: until the result stands, a killed run can go on from here.
  std::error_code ignored;
  if (!skin.checkpoint.empty()) fs::remove(skin.checkpoint, ignored);
  result.text += InfluencesText(report);
  if (!options.report.empty()) WriteReport(options, common, report, before, had_weights, character, result);
  return result;
}

// Points and splats stay what they are, and get weights as further properties.
skincells::SkinReport ApplyToPly(const skincells::SkinField& field, const Options& options, const std::string& input,
                                 double scale, const std::string& output) {
  PlyFile ply = ReadPly(input);
  skincells::SkinReport report;
  const SkinWeights weights = ApplyField(field, options.apply, PlyPoints(ply, input), input, scale, report);
  AddPlyWeights(weights, field.skeleton, ply);
  WritePly(output, ply);
  return report;
}

skincells::SkinReport ApplyToCharacter(const skincells::SkinField& field, const Options& options,
                                       const std::string& input, double scale, const std::string& output) {
  Character character = ReadCharacter(input);
  skincells::SkinReport report = ApplyField(field, options.apply, character, input, scale);
  WriteCharacter(character, output);
  return report;
}

Result Apply(const Options& options) {
  const bool folder = options.inputs.size() > 1;
  const bool to_ply = LowerExtension(options.output) == ".ply";
  if (!folder && to_ply && LowerExtension(options.inputs[0]) != ".ply") {
    throw UsageError(fmt::format("-o {}: only a .ply becomes a .ply with weights", options.output));
  }
  if (!folder && !to_ply) CheckOutput(options.output);
  if (!options.skeleton.empty() || !options.from.empty() || !options.poses.empty() || !options.field.empty() ||
      !options.report.empty() || !options.paint.empty() || !options.locks.empty() || !options.mask.empty() ||
      options.mirror || !options.collide.empty()) {
    throw UsageError("--apply takes a field, meshes, --unit and -o, and nothing else");
  }
  const skincells::SkinField field = skincells::ReadField(options.apply);
  const double scale = options.unit.empty() ? 1.0 : MetresPer(options.unit) / skincells::LikelyMetres(field);
  if (folder) fs::create_directories(options.output);
  Result result;
  result.json["files"] = Json::array();
  for (const std::string& input : options.inputs) {
    const bool points = LowerExtension(input) == ".ply" && (folder || to_ply);
    const std::string output =
        folder ? (fs::path(options.output) / fs::path(input).stem()).string() + (points ? ".ply" : ".glb")
               : options.output;
    const auto report = points ? ApplyToPly(field, options, input, scale, output)
                               : ApplyToCharacter(field, options, input, scale, output);
    result.json["files"].push_back({{"file", output},
                                    {"vertices", report.vertices},
                                    {"influences", InfluencesJson(report)},
                                    {"warnings", report.warnings}});
    result.text += fmt::format("wrote {}: {} vertices\n{}", output, report.vertices, InfluencesText(report));
  }
  return result;
}

}  // namespace

void AddSkinCommand(Commands& commands) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = commands.Add(
      "skin", "Compute skinning weights, with a hard cap on influences, for a mesh and every other mesh like it",
      "sinew skin body.glb -o skinned.glb --report weights.html\n  sinew skin --apply skinned.field coarse.glb "
      "coat.obj -o levels\n"
      "  sinew skin --apply skinned.field splats.ply -o skinned.ply",
      [options](const Common& common) { return options->apply.empty() ? Skin(*options, common) : Apply(*options); });
  command
      ->add_option("CHARACTER", options->inputs, "A mesh with a skeleton (.glb, .gltf), or one without and --skeleton")
      ->required();
  command
      ->add_option("-o,--output", options->output,
                   "The skinned character (.glb, .gltf); with several meshes a folder; .ply for points")
      ->required();
  command->add_option("--skeleton", options->skeleton,
                      "Where a mesh without a skeleton gets one: a character or a .bvh");
  command
      ->add_option("--method", options->method,
                   "skincells (optimised field), voxel (distance through the body), proximity or transfer")
      ->check(CLI::IsMember({"skincells", "voxel", "proximity", "transfer"}))
      ->capture_default_str();
  command->add_option("--from", options->from, "For transfer: the skinned character to take weights from");
  command->add_option("--max-influences", options->max_influences, "Most joints a vertex, 1 to 8")
      ->check(CLI::Range(1, kMaxInfluences))
      ->capture_default_str();
  command
      ->add_option("--smooth-vs-follow", options->smooth_vs_follow,
                   "How much following the skeleton counts against smoothness: above 1 keeps volume, below 1 is softer")
      ->check(CLI::Range(1e-6, 1e6))
      ->capture_default_str();
  command->add_option("--poses", options->poses,
                      "Poses to optimise on (.poses, .bvh, .glb); without it, samples inside the joint limits");
  command->add_option("--steps", options->steps, "Most steps of the optimisation")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command
      ->add_option("--checkpoint-every", options->checkpoint_every,
                   "Seconds between checkpoints: the same call after a kill goes on from the last one")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  command->add_option("--field", options->field, "Where to save the field; without it, beside the output");
  command->add_option("--paint", options->paint,
                      "Painted weights to be pulled toward: a skinned mesh (.glb, .gltf) or an array (.npy)");
  command->add_option("--paint-strength", options->paint_strength, "How much painted weights pull")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  command->add_option("--lock", options->locks, "A joint whose weights stay as they are; may be given several times");
  command->add_option("--mask", options->mask, "Vertices to leave as they are: one number a vertex (.npy), 0 is free");
  command->add_flag("--mirror", options->mirror, "The same field on both sides of the body");
  command->add_option("--collide", options->collide, "The body that a garment is worn on: keep the cloth off it");
  command
      ->add_option("--unit", options->unit,
                   "For --apply: the unit of the meshes (m, cm, mm, in, ft) if it is not the field's")
      ->check(IsUnit());
  command->add_option("--report", options->report,
                      "Write a page (.html) about the weights, with pictures, also as .png beside it");
  command->add_option("--apply", options->apply, "A saved field: evaluate it on these meshes and optimise nothing");
}

}  // namespace sinew::cli
