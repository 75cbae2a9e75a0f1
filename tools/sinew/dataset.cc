#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "sinew/offline/anatomy/likely_unit.h"
#include "sinew/offline/bodies/remesh_character.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/dataset/carry_frames.h"
#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/dataset/failures.h"
#include "sinew/offline/dataset/import.h"
#include "sinew/offline/dataset/procedural.h"
#include "sinew/offline/dataset/subsets.h"
#include "sinew/offline/evaluate/dataset_measures.h"
#include "sinew/offline/evaluate/dataset_pictures.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "tools/sinew/subcommands.h"
#include "tools/sinew/units.h"

namespace sinew::cli {
namespace {

struct ProceduralCall {
  std::string character;
  std::vector<std::string> poses;
  std::string output;
  std::string frames;
  std::string unit;
  dataset::ProceduralOptions options;
};

Result RunProcedural(const ProceduralCall& call) {
  const dataset::StoredCharacter stored = dataset::ReadStoredCharacter(call.character);
  const dataset::PoseSequence sequence = dataset::ReadPoseSequence(call.poses, stored.character.skeleton);
  const dataset::FrameRange range = dataset::ParseFrameRange(call.frames, sequence.frame_count());
  const double metres = UnitOr(call.unit, GuessUnit(stored.character).metres);
  dataset::WriteProceduralDataset(call.output, stored, sequence, range, call.options, metres);
  const int frames = range.end - range.begin;
  Result result;
  result.json = {{"dataset", call.output},
                 {"frames", frames},
                 {"vertices", stored.entry.vertices},
                 {"joints", stored.entry.joints},
                 {"motions", sequence.motions.size()},
                 {"metres_per_unit", metres}};
  result.text = fmt::format("wrote {}: {} frames of {} vertices\n", call.output, frames, stored.entry.vertices);
  return result;
}

void AddProcedural(Commands& commands) {
  const auto call = std::make_shared<ProceduralCall>();
  CLI::App* command =
      commands.Add("dataset procedural", "Truths by formula, with detail at every scale that the pose drives",
                   "sinew dataset procedural body.glb --poses walk.poses -o body.dataset",
                   [call](const Common&) { return RunProcedural(*call); });
  command->add_option("CHARACTER", call->character, "A rigged character with weights (.glb, .gltf)")->required();
  command
      ->add_option("--poses", call->poses,
                   "Poses for this character: .poses folders, .bvh files, .glb files or one .glb#ANIMATION")
      ->required()
      ->take_all();
  command->add_option("-o,--output", call->output, "The dataset, a folder; an older dataset there is replaced")
      ->required();
  command->add_option("--frames", call->frames, "Only frames A to B - 1 of the poses, as A:B");
  command->add_option("--unit", call->unit, "The character's unit; without it, told from its size")->check(IsUnit());
  const auto strength = [&](const char* name, double& value, const char* description) {
    command->add_option(name, value, description)->check(CLI::Range(0.0, 10.0))->capture_default_str();
  };
  strength("--bulge", call->options.bulge, "How strong muscles bulge, limb-size");
  strength("--slide", call->options.slide, "How far skin slides over bones, limb-size");
  strength("--fold", call->options.fold, "How deep folds are: waves of 5% of the body's size");
  strength("--wrinkle", call->options.wrinkle, "How deep wrinkles are: waves of 2.2%");
  strength("--fine", call->options.fine, "How deep fine wrinkles are: waves of 1%");
}

struct InfoCall {
  std::string dataset;
  std::string hierarchy;
  int measured = 64;
};

dataset::Failures FailuresOf(const dataset::Dataset& dataset) {
  dataset::Failures failures;
  for (int i = 0; i < dataset.frame_count(); ++i) {
    if (!dataset.frame(i).ok()) failures[dataset.frame(i).failure].push_back(i);
  }
  return failures;
}

Json MotionsOf(const dataset::Dataset& dataset) {
  const dataset::DatasetManifest& manifest = dataset.manifest();
  std::vector<int> counts(manifest.motions.size(), 0);
  for (const dataset::DatasetFrame& frame : manifest.frames) ++counts[frame.motion];
  Json json = Json::array();
  for (size_t m = 0; m < counts.size(); ++m) {
    const dataset::DatasetMotion& motion = manifest.motions[m];
    json.push_back({{"name", motion.name}, {"file", motion.file}, {"timed", motion.timed}, {"frames", counts[m]}});
  }
  return json;
}

Json CharactersOf(const dataset::Dataset& dataset) {
  Json json = Json::array();
  for (const dataset::DatasetCharacter& c : dataset.manifest().characters) {
    json.push_back({{"name", c.name}, {"vertices", c.vertices}, {"joints", c.joints}, {"hash", c.hash}});
  }
  return json;
}

std::string Text(const Json& info, const dataset::Failures& failures) {
  std::string text = fmt::format("{}: {} frames, {} without a shape\n", info["dataset"].get<std::string>(),
                                 info["frames"].get<int>(), info["failed"].get<int>());
  for (const Json& c : info["characters"]) {
    text += fmt::format("character {}: {} vertices, {} joints\n", c["name"].get<std::string>(),
                        c["vertices"].get<int>(), c["joints"].get<int>());
  }
  for (const Json& m : info["motions"]) {
    text += fmt::format("{} {}: {} frames\n", m["timed"].get<bool>() ? "motion" : "samples",
                        m["name"].get<std::string>(), m["frames"].get<int>());
  }
  text += fmt::format("settings: {}\n", JsonText(info["settings"]));
  for (const auto& [reason, frames] : dataset::KindsOf(failures)) {
    text += fmt::format("failed: {} ({} frames, the first is {})\n", reason, frames.size(), frames[0]);
  }
  if (info.contains("skinning")) {
    const Json& s = info["skinning"];
    text +=
        fmt::format("distance to linear blend skinning over {} frames: {:.3f} mm root mean square, {:.2f} mm at most\n",
                    s["frames"].get<int>(), s["rms_mm"].get<double>(), s["max_mm"].get<double>());
  }
  if (!info.contains("levels")) return text;
  text += fmt::format("{:>5} {:>8} {:>18} {:>30}\n", "level", "points", "to add, rms mm", "of it only here, rms mm");
  for (const Json& l : info["levels"]) {
    text += fmt::format("{:>5} {:>8} {:>18.4f} {:>30.4f}\n", l["level"].get<int>(), l["points"].get<int>(),
                        l["displacement_mm"].get<double>(), l["detail_mm"].get<double>());
  }
  return text;
}

Json SkinningOf(const dataset::Dataset& dataset, const std::vector<int>& frames) {
  const double mm = 1000 * dataset.manifest().metres_per_unit;
  double squares = 0, most = 0;
  for (const evaluate::SkinningDistance& d : evaluate::MeasureAgainstSkinning(dataset, frames)) {
    squares += d.rms * d.rms, most = std::max(most, d.max);
  }
  return {{"frames", frames.size()},
          {"rms_mm", mm * std::sqrt(squares / static_cast<double>(frames.size()))},
          {"max_mm", mm * most}};
}

Json LevelsOf(const dataset::Dataset& dataset, const std::vector<int>& frames, const lod::Hierarchy& hierarchy) {
  const double mm = 1000 * dataset.manifest().metres_per_unit;
  Json json = Json::array();
  for (const evaluate::LevelEnergy& level : evaluate::MeasureLevels(dataset, frames, hierarchy)) {
    json.push_back({{"level", json.size() + 1},
                    {"points", level.points},
                    {"displacement_mm", mm * level.displacement},
                    {"detail_mm", mm * level.detail}});
  }
  return json;
}

Result RunInfo(const InfoCall& call) {
  const dataset::Dataset dataset(call.dataset);
  const dataset::DatasetManifest& manifest = dataset.manifest();
  const std::vector<int> ok = dataset.OkFrames();
  const std::vector<int> measured = evaluate::Spread(ok, call.measured);
  const dataset::Failures failures = FailuresOf(dataset);
  Result result;
  Json& json = result.json;
  json = {{"dataset", call.dataset},
          {"frames", dataset.frame_count()},
          {"failed", dataset.frame_count() - static_cast<int>(ok.size())},
          {"chunks", manifest.chunks.size()},
          {"metres_per_unit", manifest.metres_per_unit},
          {"settings", manifest.settings},
          {"characters", CharactersOf(dataset)},
          {"motions", MotionsOf(dataset)},
          {"failures", dataset::JsonOf(failures)}};
  if (!measured.empty()) json["skinning"] = SkinningOf(dataset, measured);
  if (!call.hierarchy.empty()) json["levels"] = LevelsOf(dataset, measured, lod::ReadHierarchy(call.hierarchy));
  result.text = Text(json, failures);
  return result;
}

void AddInfo(Commands& commands) {
  const auto call = std::make_shared<InfoCall>();
  CLI::App* command = commands.Add("dataset info", "Say what is in a dataset and how much there is to learn from it",
                                   "sinew dataset info body.dataset", [call](const Common&) { return RunInfo(*call); });
  command->add_option("DATASET", call->dataset, "A dataset's folder")->required();
  command->add_option("--hierarchy", call->hierarchy,
                      "A hierarchy of the same character (sinew lod): say how much of the truth lies on each level");
  command->add_option("--measured", call->measured, "Measure at most this many frames, spread evenly; 0: none")
      ->check(CLI::Range(0, 100'000'000))
      ->capture_default_str();
}

void AddCheck(Commands& commands) {
  const auto path = std::make_shared<std::string>();
  CLI::App* command = commands.Add(
      "dataset check", "Read all of a dataset and compare it with its checksums", "sinew dataset check body.dataset",
      [path](const Common&) {
        const dataset::Dataset dataset(*path);
        const std::vector<std::string> damage = dataset::FindDamage(dataset);
        if (damage.size() > 1) {
          throw FailedError(fmt::format("{}; and {} more places", damage[0], damage.size() - 1));
        }
        if (!damage.empty()) throw FailedError(damage[0]);
        Result result;
        result.json = {{"dataset", *path}, {"frames", dataset.frame_count()}, {"whole", true}};
        result.text = fmt::format("{}: all {} frames are as they were written\n", *path, dataset.frame_count());
        return result;
      });
  command->add_option("DATASET", *path, "A dataset's folder")->required();
}

void AddMerge(Commands& commands) {
  struct Call {
    std::vector<std::string> parts;
    std::string output;
  };
  const auto call = std::make_shared<Call>();
  const auto run = [call](const Common&) {
    const dataset::MergeSummary summary =
        dataset::MergeDatasets(call->output, {call->parts.begin(), call->parts.end()});
    Result result;
    result.json = {{"dataset", call->output}, {"frames", summary.frames}, {"repeated", summary.repeated}};
    result.text = fmt::format("wrote {}: {} frames of {} parts, {} of them in several\n", call->output, summary.frames,
                              call->parts.size(), summary.repeated);
    return result;
  };
  CLI::App* command = commands.Add("dataset merge", "Join parts of a dataset that were made apart",
                                   "sinew dataset merge part1.dataset part2.dataset -o body.dataset", run);
  command->add_option("DATASET", call->parts, "The parts, of one character and made with the same settings")
      ->required();
  command->add_option("-o,--output", call->output, "The dataset to write; an older one there is replaced")->required();
}

struct RemeshCall {
  std::string dataset, output;
  int vertices = 0;
};

// Returns the character as other commands will read it, so that shapes are of that one.
dataset::StoredCharacter StoredAgain(Character character, const std::string& file) {
  Bytes glb = gltf::EncodeGlb(character);
  character = gltf::ReadGltf(glb, file, "", {.skin = "", .quiet = true});
  return dataset::StoreCharacter(std::move(character), std::move(glb), file);
}

Result RunRemesh(const RemeshCall& call, const Common& common) {
  const dataset::Dataset source(call.dataset);
  if (source.manifest().characters.size() != 1) {
    throw InputError(call.dataset, "characters", "has several, and one is remeshed", "make one dataset per character");
  }
  const std::string file = source.CharacterFile(0).string();
  const Character character = source.ReadCharacter(0);
  const bodies::RemeshRecipe recipe{.vertices = call.vertices, .seed = common.seed};
  bodies::MadeBody made = bodies::RemeshCharacter(character, recipe, file);
  const SurfaceFollower follower(bodies::SourceSurface(character, file), std::move(made.map));
  const dataset::StoredCharacter stored = StoredAgain(std::move(made.character), file);
  dataset::CarryFrames(call.output, source, 0, stored, follower);
  Result result;
  result.json = {{"dataset", call.output}, {"frames", source.frame_count()}, {"vertices", stored.entry.vertices}};
  result.text = fmt::format("wrote {}: {} frames of {} vertices, carried over from {} vertices\n", call.output,
                            source.frame_count(), stored.entry.vertices, character.vertex_count());
  return result;
}

void AddRemesh(Commands& commands) {
  const auto call = std::make_shared<RemeshCall>();
  CLI::App* command = commands.Add(
      "dataset remesh", "Give a dataset's character another mesh on the same surface, and carry its truths over",
      "sinew dataset remesh body.dataset --vertices 3000 -o coarse.dataset",
      [call](const Common& common) { return RunRemesh(*call, common); });
  command->add_option("DATASET", call->dataset, "A dataset of one character")->required();
  command->add_option("--vertices", call->vertices, "How many, about; seams come on top")
      ->check(CLI::Range(bodies::kFewestVertices, bodies::kMostVertices))
      ->required();
  command->add_option("-o,--output", call->output, "The dataset to write, a folder that is empty or not there")
      ->required();
}

struct SplitCall {
  std::string dataset;
  std::string output;
  std::string by = "frame";
  double validation = 0.1, test = 0.1;
  dataset::SplitOptions options;
};

Result RunSplit(SplitCall call, const Common& common) {
  const dataset::Dataset dataset(call.dataset);
  if (call.validation + call.test >= 1) throw UsageError("--validation and --test leave nothing to train on");
  call.options.deal.shares = {1 - call.validation - call.test, call.validation, call.test};
  call.options.deal.by_motion = call.by == "motion";
  call.options.deal.seed = common.seed;
  const dataset::Split split = dataset::SplitFrames(dataset, call.options);
  dataset::WriteSplit(call.output, dataset, split);
  Result result;
  result.json = {{"folder", call.output}, {"failed", split.failed}, {"between", split.between}};
  for (int s = 0; s < dataset::kSides; ++s) {
    const char* side = dataset::Name(static_cast<dataset::Side>(s));
    result.json[side] = split.frames[s].size();
    if (!split.frames[s].empty()) {
      result.text += fmt::format("wrote {}/{}.dataset: {} frames\n", call.output, side, split.frames[s].size());
    }
  }
  result.text +=
      fmt::format("left out: {} frames without a shape, {} between two sides\n", split.failed, split.between);
  return result;
}

void AddSplit(Commands& commands) {
  const auto call = std::make_shared<SplitCall>();
  CLI::App* command = commands.Add("dataset split", "Set frames aside to validate and to test with",
                                   "sinew dataset split body.dataset -o sides --validation 0.1 --test 0.2",
                                   [call](const Common& common) { return RunSplit(*call, common); });
  command->add_option("DATASET", call->dataset, "A dataset's folder")->required();
  command->add_option("-o,--output", call->output, "A folder for train.dataset, validation.dataset and test.dataset")
      ->required();
  command
      ->add_option(
          "--by", call->by,
          "frame: motions are cut into blocks, and what lies between sides is left out; motion: they stay whole. "
          "Samples have no order and are always split by frame")
      ->check(CLI::IsMember({"frame", "motion"}))
      ->capture_default_str();
  command->add_option("--validation", call->validation, "The share of frames to validate with")
      ->check(CLI::Range(0.0, 0.99))
      ->capture_default_str();
  command->add_option("--test", call->test, "The share of frames to test with")
      ->check(CLI::Range(0.0, 0.99))
      ->capture_default_str();
  command->add_option("--test-motion", call->options.test_motions, "Motions to test with as a whole, by name")
      ->take_all();
  command
      ->add_option("--block", call->options.deal.block,
                   "Frames of a motion that stay together, at most: a tenth of a short motion")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command->add_option("--gap", call->options.deal.gap, "Frames of a motion this near are never on two sides")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
}

struct PictureCall {
  std::string dataset;
  std::string output;
  int frame = -1;
  int worst = 4;
  std::vector<std::string> views = {"three-quarter"};
  evaluate::DatasetPictureOptions options;
};

Result RunPicture(PictureCall call) {
  const dataset::Dataset dataset(call.dataset);
  call.options.views.clear();
  for (const std::string& view : call.views) call.options.views.push_back(render::ParseView(view));
  const render::Picture picture = call.frame >= 0
                                      ? evaluate::DrawFrame(dataset, call.frame, call.options)
                                      : evaluate::DrawWorst(dataset, dataset.OkFrames(), call.worst, call.options);
  WriteFileAtomic(call.output, picture.file);
  Result result;
  result.json = {{"picture", call.output}, {"width", picture.width}, {"height", picture.height}};
  result.text = fmt::format("wrote {}: {} x {}\n", call.output, picture.width, picture.height);
  return result;
}

void AddPicture(Commands& commands) {
  const auto call = std::make_shared<PictureCall>();
  CLI::App* command =
      commands.Add("dataset picture", "Draw truths beside linear blend skinning, and where they differ",
                   "sinew dataset picture body.dataset -o worst.png --worst 4 --size 700\n"
                   "  sinew dataset picture body.dataset -o frame.png --frame 12 --view front,back --size 700",
                   [call](const Common&) { return RunPicture(*call); });
  command->add_option("DATASET", call->dataset, "A dataset's folder")->required();
  command->add_option("-o,--output", call->output, "The picture (.png)")->required();
  CLI::Option* frame =
      command->add_option("--frame", call->frame, "This frame: skinned, true, and the distance between the two")
          ->check(CLI::NonNegativeNumber);
  command->add_option("--worst", call->worst, "So many frames that are furthest from skinning")
      ->check(CLI::Range(1, 16))
      ->capture_default_str()
      ->excludes(frame);
  command->add_option("--view", call->views, "front, side, right, back, three-quarter, top, AZIMUTH:ELEVATION")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  command->add_option("--focus", call->options.focus,
                      "Come near: frame the surroundings of this joint, by its name in the file or as left_elbow");
  command->add_option("--size", call->options.height, "Height of one panel in pixels")
      ->check(CLI::Range(16, 8000))
      ->capture_default_str();
}

struct ImportCall {
  std::vector<std::string> shapes;
  std::string character;
  std::vector<std::string> poses;
  std::string output;
  std::string rest;
  std::string up = "y";
  std::string unit;
  dataset::ImportOptions options;
};

Result RunImport(ImportCall call) {
  const dataset::StoredCharacter stored = dataset::ReadStoredCharacter(call.character);
  const dataset::PoseSequence sequence = dataset::ReadPoseSequence(call.poses, stored.character.skeleton);
  const std::vector<std::string> joints = JointNames(stored.character.skeleton);
  const dataset::ShapeSource shapes =
      dataset::OpenShapes({call.shapes.begin(), call.shapes.end()}, sequence.poses, joints);
  call.options.z_up = call.up == "z";
  call.options.metres_per_unit = UnitOr(call.unit, GuessUnit(stored.character).metres);
  if (!call.rest.empty()) call.options.rest = dataset::OpenShapes({call.rest}, {}, joints).shape(0);
  const dataset::ImportSummary summary = dataset::ImportDataset(call.output, stored, sequence, shapes, call.options);
  const double mm = 1000 * call.options.metres_per_unit;
  Result result;
  result.json = {{"dataset", call.output},
                 {"frames", summary.frames},
                 {"vertices", stored.entry.vertices},
                 {"metres_per_unit", call.options.metres_per_unit},
                 {"rms_mm", mm * summary.rms},
                 {"furthest_match_mm", mm * summary.furthest_match}};
  result.text = fmt::format("wrote {}: {} frames of {} vertices, {:.3g} mm from skinning (root mean square)\n",
                            call.output, summary.frames, stored.entry.vertices, mm * summary.rms);
  return result;
}

void AddImport(Commands& commands) {
  const auto call = std::make_shared<ImportCall>();
  CLI::App* command =
      commands.Add("dataset import",
                   "Take true shapes from other programs: point caches, sequences of meshes, animated morph targets",
                   "sinew dataset import shapes.pc2 --character body.glb --poses walk.poses -o body.dataset",
                   [call](const Common&) { return RunImport(*call); });
  command
      ->add_option(
          "SHAPES", call->shapes,
          "A .pc2 or .mdd cache, an .npy array [frames][vertices][3], a .glb with animated morph targets, .obj or "
          ".glb files (a frame each), or a folder of them")
      ->required();
  command->add_option("--character", call->character, "The rigged character that they are shapes of (.glb, .gltf)")
      ->required();
  command
      ->add_option("--poses", call->poses,
                   "A pose for each shape: .poses folders, .bvh files, .glb files or .glb#ANIMATION")
      ->required()
      ->take_all();
  command->add_option("-o,--output", call->output, "The dataset, a folder; an older dataset there is replaced")
      ->required();
  command->add_option(
      "--rest", call->rest,
      "The undeformed mesh in the shapes' order (.obj, .glb, or the first frame of anything), where that is "
      "another one than the character's");
  command->add_option("--scale", call->options.scale, "Times this, the shapes are in the character's unit")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--up", call->up, "The shapes' axis that points up: y or z")
      ->check(CLI::IsMember({"y", "z"}))
      ->capture_default_str();
  command->add_option("--unit", call->unit, "The character's unit; without it, told from its size")->check(IsUnit());
}

}  // namespace

void AddDatasetCommand(Commands& commands) {
  commands.AddGroup("dataset", "Characters, poses and true shapes: make, look at, check, split and join them");
  AddInfo(commands);
  AddCheck(commands);
  AddPicture(commands);
  AddSplit(commands);
  AddRemesh(commands);
  AddMerge(commands);
  AddProcedural(commands);
  AddImport(commands);
}

}  // namespace sinew::cli
