#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "sinew/offline/autorig/rig_character.h"
#include "sinew/offline/autorig/rig_picture.h"
#include "sinew/offline/autorig/rig_text.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/clips.h"
#include "tools/sinew/models.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct RigCall {
  std::string input, output, model, names = "smpl", joints, extra, weights = "network", picture;
  int max_influences = 4;
};

Result RunRig(const RigCall& call, const Common& common) {
  const std::string extension = LowerExtension(call.output);
  if (extension != ".glb" && extension != ".gltf") {
    throw UsageError(fmt::format("-o {}: a rig is written to a .glb or .gltf file", call.output));
  }
  autorig::RigOptions options;
  options.names = autorig::NamesFor(call.names);
  options.weights = call.weights == "skincells" ? autorig::RigWeights::kSkinCells : autorig::RigWeights::kNetwork;
  options.max_influences = call.max_influences;
  options.seed = common.seed;
  if (!call.joints.empty()) options.placed = autorig::ReadPlacedJoints(call.joints);
  Skeleton extra;
  if (!call.extra.empty()) {
    extra = ReadSkeleton(call.extra);
    options.extra = &extra;
    options.extra_file = call.extra;
  }
  const Character character = ReadCharacter(call.input);
  const fs::path model = call.model.empty() ? FindModel("rig.model") : fs::path(call.model);
  const autorig::RigNetwork network(learn::ReadModel(model), model.string());
  const autorig::Rig rig = autorig::RigCharacter(character, network, options, call.input);
  WriteCharacter(rig.character, call.output);
  Result result;
  result.json = autorig::JsonOf(rig);
  result.json["file"] = call.output;
  result.json["vertices"] = rig.character.vertex_count();
  result.text = fmt::format("wrote {}: {} vertices, {} joints\n", call.output, rig.character.vertex_count(),
                            rig.character.skeleton.joint_count()) +
                autorig::TextOf(rig);
  if (!call.picture.empty()) {
    WriteFileAtomic(fs::path(call.picture), autorig::DrawRig(rig.character, rig.frame.turn, call.input));
    result.json["picture"] = call.picture;
    result.text += fmt::format("  picture     {}\n", call.picture);
  }
  return result;
}

}  // namespace

void AddRigCommand(Commands& commands) {
  auto call = std::make_shared<RigCall>();
  CLI::App* app =
      commands.Add("rig",
                   "Give a mesh of a person without a skeleton 24 joints and weights, by a trained network.\n"
                   "It may stand any way, in any unit, in a T-pose, an A-pose or between them.",
                   "sinew rig hero.obj -o hero.glb --picture hero.png",
                   [call](const Common& common) { return RunRig(*call, common); });
  app->add_option("mesh", call->input, "Mesh without a skeleton (.obj, .ply, .glb, .gltf)")->required();
  app->add_option("-o,--output", call->output, "The rigged character (.glb, .gltf)")->required();
  app->add_option("--names", call->names,
                  "Names of the joints: smpl, mixamo, unreal, vrm, blender, or a .json of your own")
      ->capture_default_str();
  app->add_option("--joints", call->joints,
                  "Joints that you have placed (.json): positions in the file's unit, by name");
  app->add_option("--extra", call->extra,
                  "A skeleton whose other joints are added: fingers, twist bones, a tail (.glb, .gltf, .bvh)");
  app->add_option("--weights", call->weights, "network, or skincells: optimised for the skeleton, which takes longer")
      ->check(CLI::IsMember({"network", "skincells"}))
      ->capture_default_str();
  app->add_option("--max-influences", call->max_influences, "Most joints a vertex, 1 to 8")
      ->check(CLI::Range(1, kMaxInfluences))
      ->capture_default_str();
  app->add_option("--picture", call->picture, "Picture of the skeleton in the body, and of four poses (.png)");
  app->add_option("--model", call->model, "Another rigging network than the one that comes with the program (.model)");
}

}  // namespace sinew::cli
