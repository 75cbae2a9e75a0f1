#include "sinew/offline/dataset/simulate.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "sinew/offline/anatomy/likely_unit.h"
#include "sinew/offline/character/posing.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/interrupt.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/distance_grid_file.h"
#include "tools/sinew/roles.h"
#include "tools/sinew/subcommands.h"
#include "tools/sinew/units.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string character;
  std::vector<std::string> poses;
  std::string output;
  std::string frames;
  std::string quality = "quick";
  std::string unit;
  std::vector<std::string> colliders;
  int plan = 0;
  dataset::SimulateOptions simulate;
};

void ShowCloseSkin(const std::vector<flesh::CloseSkin>& close) {
  if (close.empty()) return;
  std::string places;
  for (const flesh::CloseSkin& skin : close) {
    places += fmt::format("{}{} to {} ({} points, down to {:.2g})", places.empty() ? "" : ", ", skin.joint, skin.other,
                          skin.points, skin.gap);
  }
  Info("Skin nearer than the contact distance at rest keeps half of its gap: {}", places);
}

void ShowThinSkin(const std::vector<flesh::ThinSkin>& thin) {
  if (thin.empty()) return;
  std::string places;
  for (const flesh::ThinSkin& skin : thin) {
    places += fmt::format("{}{} ({})", places.empty() ? "" : ", ", skin.joint, skin.vertices);
  }
  Info("Too thin for cells of this size, so that it follows its bones but for what presses on it: vertices of {}",
       places);
}

void ShowReport(const flesh::FleshReport& report) {
  for (const std::string& warning : report.warnings) LogWarning(warning);
  for (const flesh::RoleOfPart& piece : report.pieces) {
    if (piece.role == Role::kFlesh) continue;
    Info("{}: {} vertices are {} and {}: {}", piece.part, piece.vertices, NameOf(piece.role), WhatItMeans(piece.role),
         piece.why);
  }
  ShowThinSkin(report.follows_bones);
  ShowCloseSkin(report.close_at_rest);
}

Json ToJson(const std::vector<flesh::RoleOfPart>& pieces) {
  Json json = Json::array();
  for (const flesh::RoleOfPart& piece : pieces) {
    json.push_back(
        {{"part", piece.part}, {"role", NameOf(piece.role)}, {"vertices", piece.vertices}, {"reason", piece.why}});
  }
  return json;
}

Json ToJson(const std::vector<flesh::ThinSkin>& thin) {
  Json json = Json::array();
  for (const flesh::ThinSkin& skin : thin) json.push_back({{"joint", skin.joint}, {"vertices", skin.vertices}});
  return json;
}

Json ToJson(const std::vector<flesh::CloseSkin>& close) {
  Json json = Json::array();
  for (const flesh::CloseSkin& skin : close) {
    json.push_back({{"joints", {skin.joint, skin.other}}, {"points", skin.points}, {"gap", skin.gap}});
  }
  return json;
}

// Every part at rest is one.
void ReadMeshColliders(const std::string& file, int joint, std::vector<flesh::FleshCollider>& colliders) {
  const Character character = ReadCharacter(file);
  const PosedCharacter posed = PoseCharacter(character, character.skeleton.RestPose());
  const size_t before = colliders.size();
  for (size_t p = 0; p < posed.parts.size(); ++p) {
    if (character.parts[p].mesh.triangle_count() == 0) continue;
    colliders.push_back({TriMesh{posed.parts[p].positions, character.parts[p].mesh.triangles}, joint});
  }
  if (colliders.size() == before) {
    throw InputError(file, "", "has no triangles, so nothing can collide with it", "give a mesh with a surface");
  }
}

// named: FILE or FILE@JOINT.
void ReadCollider(const std::string& named, const Skeleton& skeleton, std::vector<flesh::FleshCollider>& colliders) {
  std::string file = named;
  int joint = -1;
  if (const size_t at = named.rfind('@'); at != std::string::npos && !std::filesystem::exists(named)) {
    file = named.substr(0, at);
    joint = skeleton.Find(named.substr(at + 1));
    if (joint < 0) {
      throw UsageError(fmt::format("--collider {}: the character has no joint \"{}\"; it has {}", named,
                                   named.substr(at + 1), fmt::join(JointNames(skeleton), ", ")));
    }
  }
  if (LowerExtension(file) != ".npy") return ReadMeshColliders(file, joint, colliders);
  colliders.push_back({ReadDistanceGrid(file), joint});
}

// What `--plan` says instead of simulating.
Result Plan(const std::vector<dataset::FrameRange>& parts) {
  Result result;
  result.json["parts"] = Json::array();
  for (const dataset::FrameRange& part : parts) {
    const std::string frames = fmt::format("{}:{}", part.begin, part.end);
    result.json["parts"].push_back(frames);
    result.text += fmt::format("{}\n", frames);
  }
  return result;
}

Result Run(Options options) {
  const dataset::StoredCharacter stored = dataset::ReadStoredCharacter(options.character);
  const dataset::PoseSequence sequence = dataset::ReadPoseSequence(options.poses, stored.character.skeleton);
  const dataset::FrameRange range = dataset::ParseFrameRange(options.frames, sequence.frame_count());
  if (options.plan > 0) return Plan(dataset::SplitWork(sequence, range, options.plan, options.simulate.dynamics));
  options.simulate.flesh.quality = flesh::QualityNamed(options.quality);
  const LikelyUnit guess = GuessUnit(stored.character);
  options.simulate.metres_per_unit = UnitOr(options.unit, guess.metres);
  if (options.unit.empty()) options.simulate.flesh.scale = guess.of_person;
  for (const std::string& file : options.colliders) {
    ReadCollider(file, stored.character.skeleton, options.simulate.flesh.colliders);
  }
  const OnInterrupt interrupt(fmt::format(
      "the chunks of frames that were finished are kept in {}, and the same call with --resume goes on from "
      "there",
      options.output));
  const dataset::SimulateSummary summary =
      dataset::SimulateDataset(options.output, stored, sequence, range, options.simulate);
  ShowReport(summary.flesh);
  size_t failed = 0;
  for (const auto& [reason, frames] : dataset::KindsOf(summary.failures)) {
    failed += frames.size();
    Warn("{} frames have no shape, the first is {}: {}", frames.size(), frames[0], reason);
  }
  if (summary.passing > 0) {
    Warn("{} frames have a shape only without contact: their bones cross, or their folds have no room",
         summary.passing);
  }
  const double each = summary.simulated > 0 ? summary.seconds / summary.simulated : 0;
  Result result;
  result.json = {{"dataset", options.output},
                 {"frames", summary.frames},
                 {"simulated", summary.simulated},
                 {"without_contact", summary.passing},
                 {"failed", failed},
                 {"failures", dataset::JsonOf(summary.failures)},
                 {"tetrahedra", summary.flesh.tets},
                 {"cell_size", summary.flesh.cell_size},
                 {"roles", ToJson(summary.flesh.pieces)},
                 {"follows_bones", ToJson(summary.flesh.follows_bones)},
                 {"close_at_rest", ToJson(summary.flesh.close_at_rest)},
                 {"metres_per_unit", options.simulate.metres_per_unit},
                 {"seconds_per_frame", each}};
  result.text = fmt::format(
      "wrote {}: {} frames, {} simulated now in {:.3g} s each on one thread, {} without a shape; {} tetrahedra\n",
      options.output, summary.frames, summary.simulated, each, failed, summary.flesh.tets);
  return result;
}

}  // namespace

void AddSimulateCommand(Commands& commands) {
  const auto options = std::make_shared<Options>();
  flesh::FleshSettings& flesh = options->simulate.flesh;
  CLI::App* command = commands.Add("simulate", "Simulate a character's flesh in poses: true shapes to learn from",
                                   "sinew simulate body.glb --poses walk.poses -o body.dataset --quality quick",
                                   [options](const Common&) { return Run(*options); });
  command->add_option("CHARACTER", options->character, "A rigged character with weights (.glb, .gltf)")->required();
  command
      ->add_option("--poses", options->poses,
                   "Poses for this character: .poses folders, .bvh files, .glb files or one .glb#ANIMATION")
      ->required()
      ->take_all();
  command->add_option("-o,--output", options->output, "The dataset, a folder")->required();
  command->add_option("--quality", options->quality, "quick, good or film: how fine the flesh is cut")
      ->check(CLI::IsMember({"quick", "good", "film"}))
      ->capture_default_str();
  command->add_option("--tets", flesh.tets, "About this many tetrahedra, instead of the quality's")
      ->check(CLI::Range(100, 10'000'000));
  command
      ->add_option("--tolerance", flesh.tolerance,
                   "How far nodes may still move in a solve's last step, as a share of the body's size, instead of the "
                   "quality's")
      ->check(CLI::Range(1e-9, 1e-2));
  command->add_option("--young", flesh.young, "Stiffness of the flesh, pascal")->capture_default_str();
  command->add_option("--poisson", flesh.poisson, "How much it keeps its volume, 0 to 0.5")->capture_default_str();
  command
      ->add_option(
          "--fat", flesh.fat,
          "Thickness of the flesh over the core, metres; in proportion to the body where its size is not known")
      ->capture_default_str();
  command
      ->add_option("--contact-distance", flesh.contact_distance, "Skin that is nearer to skin is pushed away, as --fat")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_flag("!--no-contact", flesh.contact, "Let skin pass through skin");
  command
      ->add_option(
          "--collider", options->colliders,
          "Rigid things that flesh cannot enter, where they are at rest, in the character's unit: meshes (.glb, "
          ".gltf, .obj, .ply) or signed distances on a grid (.npy); FILE@JOINT moves with that joint")
      ->take_all();
  AddRoleOption(command, flesh.roles);
  command->add_flag("--dynamics", options->simulate.dynamics,
                    "Flesh swings: motions are solved as wholes, frame after frame, at their frame rate");
  command->add_option("--unit", options->unit, "The character's unit; without it, told from its size")->check(IsUnit());
  command->add_option("--frames", options->frames,
                      "Only frames A to B - 1 of the poses, as A:B; parts made so are joined by 'dataset merge'");
  command
      ->add_option(
          "--plan", options->plan,
          "Simulate nothing: print ranges of about so many frames for --frames, one a line; with --dynamics, of "
          "whole motions")
      ->check(CLI::PositiveNumber);
  command->add_flag("--resume", options->simulate.resume, "Go on with a dataset that was begun, where it ended");
}

}  // namespace sinew::cli
