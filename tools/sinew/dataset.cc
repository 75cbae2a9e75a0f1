#include <fmt/format.h>

#include <memory>

#include "sinew/offline/core/error.h"
#include "sinew/offline/dataset/dataset.h"
#include "sinew/offline/dataset/procedural.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

const std::map<std::string, double> kUnits = {{"m", 1}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}};

struct ProceduralCall {
  std::string character;
  std::vector<std::string> poses;
  std::string output;
  std::string frames;
  std::string unit;
  ProceduralOptions options;
};

Result RunProcedural(const ProceduralCall& call) {
  const StoredCharacter stored = ReadStoredCharacter(call.character);
  const PoseSequence sequence = ReadPoseSequence(call.poses, stored.character.skeleton);
  const FrameRange range = ParseFrameRange(call.frames, sequence.frame_count());
  const double metres = call.unit.empty() ? GuessMetresPerUnit(stored.character) : kUnits.at(call.unit);
  WriteProceduralDataset(call.output, stored, sequence, range, call.options, metres);
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
  command->add_option("--unit", call->unit, "The character's unit; without it, told from its size")
      ->check(CLI::IsMember({"m", "cm", "mm", "in", "ft"}));
  const auto strength = [&](const char* name, double& value, const char* description) {
    command->add_option(name, value, description)->check(CLI::Range(0.0, 10.0))->capture_default_str();
  };
  strength("--bulge", call->options.bulge, "How strong muscles bulge, limb-size");
  strength("--slide", call->options.slide, "How far skin slides over bones, limb-size");
  strength("--fold", call->options.fold, "How deep folds are: waves of 5% of the body's size");
  strength("--wrinkle", call->options.wrinkle, "How deep wrinkles are: waves of 2.2%");
  strength("--fine", call->options.fine, "How deep fine wrinkles are: waves of 1%");
}

}  // namespace

void AddDatasetCommand(Commands& commands) {
  commands.AddGroup("dataset", "Characters, poses and true shapes: make, look at, check, split and join them");
  AddProcedural(commands);
}

}  // namespace sinew::cli
