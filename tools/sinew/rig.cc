#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "sinew/offline/autorig/rig_character.h"
#include "sinew/offline/autorig/rig_picture.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/io/character_file.h"
#include "tools/sinew/models.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct RigCall {
  std::string input, output, model, names = "smpl", joints, weights = "network", picture;
  int max_influences = 4;
};

autorig::JointNames NamesFor(const std::string& names) {
  return LowerExtension(names) == ".json" ? autorig::ReadNames(names) : autorig::NamesOf(names);
}

Json JsonOf(const autorig::Rig& rig) {
  Json json = Json::object();
  for (int j = 0; j < autorig::kJoints; ++j) {
    const auto place = rig.joints.row(j);
    json["joints"][autorig::BipedJoints()[j].name] = {{"position", {place[0], place[1], place[2]}},
                                                      {"spread", rig.spreads[j]}};
  }
  const auto axis = [&](int row) {
    const Eigen::RowVector3d direction = rig.frame.turn.row(row);
    return Json{direction[0], direction[1], direction[2]};
  };
  json["frame"] = {{"left", axis(0)}, {"up", axis(1)}, {"front", axis(2)}, {"height", rig.frame.height}};
  json["verdicts"] = Json::array();
  for (const autorig::Verdict& verdict : rig.verdicts) {
    json["verdicts"].push_back({{"check", verdict.check},
                                {"good", verdict.good},
                                {"value", verdict.value},
                                {"limit", verdict.limit},
                                {"sentence", verdict.sentence}});
  }
  json["islands"] = Json::array();
  for (const autorig::BoundIsland& island : rig.islands) {
    json["islands"].push_back({{"vertices", island.vertices}, {"joint", autorig::BipedJoints()[island.joint].name}});
  }
  return json;
}

std::string AxisName(const Eigen::RowVector3d& direction) {
  Eigen::Index largest;
  direction.cwiseAbs().maxCoeff(&largest);
  const bool exact = std::abs(direction[largest]) > 0.9999;
  return fmt::format("{}{}{}", exact ? "" : "about ", direction[largest] < 0 ? "-" : "", "xyz"[largest]);
}

std::string TextOf(const autorig::Rig& rig) {
  std::string text = fmt::format("  stands      up is {}, front is {}, {:.4g} units high\n",
                                 AxisName(rig.frame.turn.row(1)), AxisName(rig.frame.turn.row(2)), rig.frame.height);
  if (!rig.islands.empty()) {
    int vertices = 0;
    for (const autorig::BoundIsland& island : rig.islands) vertices += island.vertices;
    text += fmt::format("  islands     {} small ones of {} vertices move as one piece each\n", rig.islands.size(),
                        vertices);
  }
  for (const autorig::Verdict& verdict : rig.verdicts) {
    text += fmt::format("  {}  {}\n", verdict.good ? "good      " : "look here ", verdict.sentence);
  }
  return text;
}

Result RunRig(const RigCall& call, const Common& common) {
  const std::string extension = LowerExtension(call.output);
  if (extension != ".glb" && extension != ".gltf") {
    throw UsageError(fmt::format("-o {}: a rig is written to a .glb or .gltf file", call.output));
  }
  autorig::RigOptions options;
  options.names = NamesFor(call.names);
  options.weights = call.weights == "skincells" ? autorig::RigWeights::kSkinCells : autorig::RigWeights::kNetwork;
  options.max_influences = call.max_influences;
  options.seed = common.seed;
  if (!call.joints.empty()) options.placed = autorig::ReadPlacedJoints(call.joints);
  const Character character = ReadCharacter(call.input);
  const fs::path model = call.model.empty() ? FindModel("rig.model") : fs::path(call.model);
  const autorig::RigNetwork network(learn::ReadModel(model), model.string());
  const autorig::Rig rig = autorig::RigCharacter(character, network, options, call.input);
  WriteCharacter(rig.character, call.output);
  Result result;
  result.json = JsonOf(rig);
  result.json["file"] = call.output;
  result.json["vertices"] = rig.character.vertex_count();
  result.text =
      fmt::format("wrote {}: {} vertices, {} joints\n", call.output, rig.character.vertex_count(), autorig::kJoints) +
      TextOf(rig);
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
