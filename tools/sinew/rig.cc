#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "sinew/offline/autorig/predict_shapes.h"
#include "sinew/offline/autorig/rig_character.h"
#include "sinew/offline/autorig/rig_picture.h"
#include "sinew/offline/autorig/rig_text.h"
#include "sinew/offline/bake/bake_character.h"
#include "sinew/offline/bake/texture_section.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/multires/train_dataset.h"
#include "tools/sinew/models.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct RigCall {
  std::string input, output, model, names = "smpl", joints, extra, weights = "network", picture;
  int max_influences = 4;
  bool anyway = false;
  std::string blend_shapes;  // a bundle or a deformer
  std::string shapes_from = "teacher";
  std::vector<std::string> teachers;
  autorig::ShapeOptions shapes;
};

void CheckOutputs(const RigCall& call) {
  const std::string extension = LowerExtension(call.output);
  if (extension != ".glb" && extension != ".gltf") {
    throw UsageError(fmt::format("-o {}: a rig is written to a .glb or .gltf file", call.output));
  }
  const std::string shapes = LowerExtension(call.blend_shapes);
  if (!call.blend_shapes.empty() && shapes != ".sinew" && shapes != ".deformer") {
    throw UsageError(
        fmt::format("--blend-shapes {}: blend shapes are written to a bundle (.sinew) or a deformer (.deformer)",
                    call.blend_shapes));
  }
}

// Bakes the deformer of the predicted shapes into a bundle.
void WriteBundle(const autorig::PredictedShapes& shapes, const RigCall& call, Result& result) {
  bake::BakedCharacter baked =
      bake::BakeCharacter(shapes.hierarchy, shapes.training.deformer,
                          {.precision = call.shapes.precision, .seed = call.shapes.seed}, call.blend_shapes);
  size_t texture_bytes = 0;
  baked.baked = bake::WithTextures(std::move(baked.baked), shapes.hierarchy, &texture_bytes);
  const auto& bytes = baked.baked.file.bytes();
  WriteFileAtomic(call.blend_shapes, bytes);
  result.json["blend_shapes"]["bundle"] = call.blend_shapes;
  result.json["blend_shapes"]["bundle_bytes"] = bytes.size();
  result.json["blend_shapes"]["texture_bytes"] = texture_bytes;
  result.text +=
      fmt::format("wrote {}: a bundle of {:.2f} MB\n", call.blend_shapes, static_cast<double>(bytes.size()) / 1e6);
}

// Predicts blend shapes for a rig that is written already, and writes them: a deformer, and with it a bundle if that is
// asked for.
void AddBlendShapes(const autorig::Rig& rig, const autorig::RigNetwork& network,
                    const std::optional<autorig::ResidualBranch>& branch, const RigCall& call, Result& result) {
  std::optional<teach::Teacher> teacher;
  if (!branch) {
    teacher.emplace(call.teachers.empty() ? teach::MembersBeside(FindModel("teach.model"))
                                          : std::vector<fs::path>(call.teachers.begin(), call.teachers.end()));
  }
  autorig::PredictedShapes shapes = branch ? autorig::PredictShapes(rig, network, *branch, call.shapes, call.input)
                                           : autorig::PredictShapes(rig, *teacher, call.shapes, call.input);
  const fs::path deformer = fs::path(call.blend_shapes).replace_extension(".deformer");
  const Json levels = multires::WriteTraining(deformer, shapes.hierarchy, shapes.settings, shapes.training);
  const multires::LevelSummary& finest = shapes.training.levels.back();
  result.json["blend_shapes"] = {{"deformer", deformer.string()}, {"from", call.shapes_from},
                                 {"poses", shapes.asked},         {"shapes", finest.dimensions},
                                 {"joints", finest.networks},     {"metres_per_unit", shapes.metres_per_unit},
                                 {"settings", shapes.settings},   {"levels", levels}};
  if (teacher) {
    result.json["blend_shapes"]["taught_by"] = teacher->Description();
    result.json["blend_shapes"]["beyond"] = shapes.beyond;
    result.json["blend_shapes"]["score"] = shapes.score;
  }
  const double mm = 1e3 * shapes.metres_per_unit;
  result.text += fmt::format(
      "wrote {}: {} blend shapes of {} joints, predicted in {} poses\n"
      "  correct     {:.2f} mm of skinning's error as the networks see it, and leave {:.2f} mm of that in other "
      "poses\n",
      deformer.string(), finest.dimensions, finest.networks, shapes.asked, mm * finest.residual,
      mm * finest.validation);
  if (teacher && teacher->knows_its_limits()) {
    result.text +=
        fmt::format("  score       {:.2f} in the median pose; above 1 is stranger than what was learned ({} poses)\n",
                    shapes.score, shapes.beyond);
  }
  if (LowerExtension(call.blend_shapes) == ".sinew") WriteBundle(shapes, call, result);
}

// Returns the branch of the model that shapes are taken from, if they are.
std::optional<autorig::ResidualBranch> BranchOf(const RigCall& call, const learn::Model& model,
                                                const autorig::RigNetwork& network, const std::string& file) {
  if (call.blend_shapes.empty() || call.shapes_from != "network") return std::nullopt;
  if (!call.teachers.empty()) throw UsageError("--teacher: shapes are taken from the rigging network; leave it out");
  std::optional<autorig::ResidualBranch> branch = autorig::ResidualBranch::Of(model, network, file);
  if (!branch) {
    throw UsageError(
        fmt::format("--shapes-from network: {} answers no blend shapes; train some with `sinew learn rig-shapes`, and "
                    "give its model with --model",
                    file));
  }
  return branch;
}

Result RunRig(RigCall call, const Common& common) {
  CheckOutputs(call);
  autorig::RigOptions options;
  options.names = autorig::NamesFor(call.names);
  options.weights = call.weights == "skincells" ? autorig::RigWeights::kSkinCells : autorig::RigWeights::kNetwork;
  options.max_influences = call.max_influences;
  options.seed = common.seed;
  call.shapes.seed = common.seed;
  options.anyway = call.anyway;
  if (!call.joints.empty()) options.placed = autorig::ReadPlacedJoints(call.joints);
  Skeleton extra;
  if (!call.extra.empty()) {
    extra = ReadSkeleton(call.extra);
    options.extra = &extra;
    options.extra_file = call.extra;
  }
  const Character character = ReadCharacter(call.input);
  const fs::path file = call.model.empty() ? FindModel("rig.model") : fs::path(call.model);
  const learn::Model model = learn::ReadModel(file);
  const autorig::RigNetwork network(model, file.string());
  const std::optional<autorig::ResidualBranch> branch = BranchOf(call, model, network, file.string());
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
  if (!call.blend_shapes.empty()) AddBlendShapes(rig, network, branch, call, result);
  return result;
}

}  // namespace

void AddRigCommand(Commands& commands) {
  auto call = std::make_shared<RigCall>();
  CLI::App* app =
      commands.Add("rig",
                   "Give a mesh of a person without a skeleton 24 joints and weights, by a trained network.\n"
                   "It may stand any way, in any unit, in a T-pose, an A-pose or between them.",
                   "sinew rig hero.obj -o hero.glb --picture hero.png\n"
                   "  sinew rig hero.obj -o hero.glb --blend-shapes hero.sinew",
                   [call](const Common& common) { return RunRig(*call, common); });
  app->add_option("mesh", call->input, "Mesh without a skeleton (.obj, .ply, .glb, .gltf)")->required();
  app->add_option("-o,--output", call->output, "The rigged character (.glb, .gltf)")->required();
  app->add_option("--names", call->names,
                  "Names of the joints: smpl, mixamo, unreal, vrm, blender, or a .json of your own")
      ->capture_default_str();
  app->add_option("--joints", call->joints,
                  "Joints that you have placed (.json): positions in the file's unit, by name");
  app->add_flag("--anyway", call->anyway,
                "Rig it even if it is taken for no biped; its verdicts tell how doubtful the rig is");
  app->add_option("--extra", call->extra,
                  "A skeleton whose other joints are added: fingers, twist bones, a tail (.glb, .gltf, .bvh)");
  app->add_option("--weights", call->weights, "network, or skincells: optimised for the skeleton, which takes longer")
      ->check(CLI::IsMember({"network", "skincells"}))
      ->capture_default_str();
  app->add_option("--max-influences", call->max_influences, "Most joints a vertex, 1 to 8")
      ->check(CLI::Range(1, kMaxInfluences))
      ->capture_default_str();
  app->add_option("--picture", call->picture, "Picture of the skeleton in the body, and of four poses (.png)");
  app->add_option("--blend-shapes", call->blend_shapes,
                  "Predict blend shapes of the joints, too, from the mesh alone: a bundle that plays (.sinew), and its "
                  "deformer beside it, or the deformer alone (.deformer)");
  app->add_option("--shapes-from", call->shapes_from,
                  "With --blend-shapes: who answers them, the networks of 'sinew teach', or the rigging network "
                  "itself, if 'sinew learn rig-shapes' trained it to")
      ->check(CLI::IsMember({"teacher", "network"}))
      ->capture_default_str();
  app->add_option("--shapes", call->shapes.shapes, "With --blend-shapes: shapes of a joint, at most")
      ->check(CLI::Range(1, multires::kMostShapes))
      ->capture_default_str();
  app->add_option("--shape-poses", call->shapes.poses,
                  "With --blend-shapes: sampled poses in which the networks answer the body's shape")
      ->check(CLI::Range(8, 100'000))
      ->capture_default_str();
  app->add_flag("--keep-all", call->shapes.keep_all,
                "With --blend-shapes: learn from poses, and bodies, that are stranger than what the networks have "
                "learned, too");
  app->add_option("--teacher", call->teachers,
                  "With --blend-shapes: networks of 'sinew learn train' (.model) that answer together, instead of "
                  "those that come with the program; may be given several times")
      ->allow_extra_args(false);
  app->add_option("--model", call->model, "Another rigging network than the one that comes with the program (.model)");
}

}  // namespace sinew::cli
