#include <fmt/format.h>

#include <memory>

#include "sinew/offline/character/posing.h"
#include "sinew/offline/character/reach.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/io/posed_meshes.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string character;
  std::string poses;
  int frame = -1;
  bool all = false;
  std::string output;
  std::string method = "lbs";
  std::string format = "glb";
};

Clip ReadOneClip(const std::string& where) {
  std::vector<Clip> clips = ReadClips(where, 30);
  if (clips.size() > 1) {
    throw UsageError(
        fmt::format("--poses {}: holds {} animations; choose one with {}#NAME", where, clips.size(), where));
  }
  return std::move(clips[0]);
}

Result Run(const Options& options) {
  if (options.all == (options.frame >= 0)) throw UsageError("give either --frame K or --all");
  const Character character = ReadCharacter(options.character);
  const Clip clip = ReadOneClip(options.poses);
  const std::vector<Pose> poses = PosesFor(character.skeleton, clip, options.poses);
  const int frames = static_cast<int>(poses.size());
  if (options.frame >= frames) {
    throw UsageError(
        fmt::format("--frame {}: {} has {} frames, 0 to {}", options.frame, options.poses, frames, frames - 1));
  }
  const PosingOptions posing{options.method == "dqs" ? SkinMethod::kDualQuaternion : SkinMethod::kLinearBlend};
  const Poser poser(character, posing);
  if (!options.all) {
    const PosedCharacter posed = poser.Evaluate(poses[options.frame]);
    RefuseUnlessInReach(character, posed, options.character);
    WriteCharacter(PosedMesh(character, posed), options.output);
  } else if (LowerExtension(options.output) == ".npy") {
    WritePosedArray(character, poser, poses, options.output);
  } else {
    WritePosedFolder(character, poser, poses, options.format, options.output);
  }
  Result result;
  result.json = {{"file", options.output},
                 {"frames", options.all ? frames : 1},
                 {"vertices", character.vertex_count()},
                 {"method", options.method}};
  result.text = fmt::format("wrote {}: {} of {} vertices\n", options.output,
                            options.all ? fmt::format("{} frames", frames) : fmt::format("frame {}", options.frame),
                            character.vertex_count());
  return result;
}

}  // namespace

void AddSkinMeshCommand(Commands& commands) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = commands.Add("skin-mesh", "Write a character's mesh as it is in a pose",
                                   "sinew skin-mesh body.glb --poses walk.poses --frame 20 -o step.glb",
                                   [options](const Common&) { return Run(*options); });
  command->add_option("CHARACTER", options->character, "A rigged character (.glb, .gltf)")->required();
  command
      ->add_option("--poses", options->poses, "Poses for this character: a .poses folder, a .bvh, or a .glb#ANIMATION")
      ->required();
  command->add_option("--frame", options->frame, "The frame to write, from 0")->check(CLI::NonNegativeNumber);
  command->add_flag("--all", options->all, "Every frame: an .npy array [frames][vertices][3], or a folder of meshes");
  command->add_option("-o,--output", options->output, "The mesh (.glb, .gltf, .obj); with --all an .npy or a folder")
      ->required();
  command->add_option("--method", options->method, "lbs (linear blend) or dqs (dual quaternion)")
      ->check(CLI::IsMember({"lbs", "dqs"}))
      ->capture_default_str();
  command->add_option("--format", options->format, "Of the meshes in a folder: glb or obj")
      ->check(CLI::IsMember({"glb", "obj"}))
      ->capture_default_str();
}

}  // namespace sinew::cli
