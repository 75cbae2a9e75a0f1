#include "sinew/offline/pipeline/rig_stage.h"

#include <fmt/format.h>

#include "sinew/offline/anatomy/rest_body.h"
#include "sinew/offline/autorig/rig_character.h"
#include "sinew/offline/autorig/rig_text.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/embedded/build.h"
#include "sinew/offline/embedded/kinds.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/learn/model_file.h"
#include "sinew/offline/pipeline/layout.h"
#include "sinew/offline/poses/everyday_poses.h"
#include "sinew/offline/skincells/subject.h"

namespace sinew::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSayWhere =
    "say where to take one from: --set input.skeleton=FILE, a rigged character or a .bvh that stands in the mesh as it "
    "should move it, or --set rig.from=network for a person";

fs::path ModelOf(const Request& request) {
  const std::string given = request.config.String("rig", "model");
  if (!given.empty()) return given;
  if (request.find_model) return request.find_model("rig.model");
  throw FailedError("no rigging network comes with this program; name one with --set rig.model=FILE");
}

RiggedMesh RigByNetwork(const Request& request, const Subject& subject, const Character& mesh) {
  const Config& config = request.config;
  autorig::RigOptions options;
  options.names = RigNames(config);
  options.max_influences = config.Whole("weights", "max_influences");
  options.seed = request.seed;
  options.anyway = !config.Flag("input", "check");
  if (const std::string file = config.String("rig", "joints"); !file.empty()) {
    options.placed = autorig::ReadPlacedJoints(file);
  }
  const fs::path model = ModelOf(request);
  const autorig::RigNetwork network(learn::ReadModel(model), model.string());
  autorig::Rig rig = autorig::RigCharacter(mesh, network, options, subject.name);
  RiggedMesh rigged{std::move(rig.character), autorig::JsonOf(rig)};
  rigged.facts["from"] = "network";
  return rigged;
}

RiggedMesh RigByFile(const Config& config, const Character& mesh) {
  const std::string file = config.String("input", "skeleton");
  RiggedMesh rigged{mesh, {{"from", "file"}, {"skeleton", fs::path(file).filename().string()}}};
  skincells::AdoptSkeleton(ReadSkeleton(file), rigged.character);
  return rigged;
}

void Rig(const Request& request, const Subject& subject, const StageContext& context) {
  const auto make = [&] { return RigMesh(request, subject, gltf::ReadGltf(subject.file, subject.name, {}, kQuietly)); };
  const RiggedMesh made = subject.rigged ? RiggedMesh{} : make();
  const RiggedMesh& rigged = subject.rigged ? *subject.rigged : made;
  for (const std::string& warning : RigWarnings(rigged.facts)) Warn("{}: {}", subject.name, warning);
  WriteCharacter(rigged.character, context.folder / kRigged);
  WriteFileAtomic(context.folder / kRigFacts, JsonText(rigged.facts, 1) + "\n");
}

void DependOnFile(const std::string& what, const fs::path& file, Stage& stage) {
  if (!file.empty()) stage.outside[what] = HashHex(ReadFile(file));
}

}  // namespace

RigSource RigSourceOf(const Config& config, const std::string& name, const Character& character) {
  const std::string from = config.String("rig", "from"), skeleton = config.String("input", "skeleton");
  if (!character.skeleton.joints.empty()) {
    if (!skeleton.empty()) {
      throw UsageError(fmt::format("input.skeleton {}: {} has a skeleton of its own; leave it away", skeleton, name));
    }
    if (from == "auto" || from == "own") return RigSource::kOwn;
    throw UsageError(fmt::format("rig.from {}: {} has a skeleton of its own; set rig.from=own", from, name));
  }
  if (from == "own") throw InputError(name, "", "has no skeleton", kSayWhere);
  if (from == "file" && skeleton.empty()) {
    throw UsageError("rig.from is file, and no file is named: add --set input.skeleton=FILE");
  }
  if (from == "network" && !skeleton.empty()) {
    throw UsageError(fmt::format("rig.from is network, and input.skeleton is {}: leave one of both away", skeleton));
  }
  return skeleton.empty() ? RigSource::kNetwork : RigSource::kFile;
}

bool GivesWeights(const Config& config, RigSource source) {
  if (source == RigSource::kNetwork) return config.String("rig", "weights") == "network";
  return source == RigSource::kOwn;
}

autorig::JointNames RigNames(const Config& config) {
  const std::string names = config.String("rig", "names");
  return autorig::NamesFor(names.empty() ? "smpl" : names);
}

bool IsBipedByNames(const autorig::JointNames& names) {
  const embedded::Kind& kind = embedded::FindKind("biped");
  Skeleton skeleton = embedded::SkeletonOf(kind.build(embedded::Shape(kind.parameters)).joints);
  const std::array<int, autorig::kJoints> found = autorig::FindBipedJoints(skeleton, "the embedded biped");
  for (int j = 0; j < autorig::kJoints; ++j) skeleton.joints[found[j]].name = names[j];
  return poses::IsBiped(MeasureRest(skeleton));
}

RiggedMesh RigMesh(const Request& request, const Subject& subject, const Character& mesh) {
  RiggedMesh rigged =
      subject.rig == RigSource::kNetwork ? RigByNetwork(request, subject, mesh) : RigByFile(request.config, mesh);
  rigged.facts["has_weights"] = GivesWeights(request.config, subject.rig);
  return rigged;
}

std::vector<std::string> RigWarnings(const Json& facts) {
  std::vector<std::string> warnings;
  for (const Json& verdict : facts.value("verdicts", Json::array())) {
    if (!verdict.at("good").get<bool>()) warnings.push_back(verdict.at("sentence"));
  }
  return warnings;
}

Stage RigStage(const Request& request, const Subject& subject) {
  const Config& config = request.config;
  const bool network = subject.rig == RigSource::kNetwork;
  Stage stage{.name = "rig", .does = network ? "find joints and weights" : "take the skeleton of another file"};
  stage.outside["character"] = HashHex(subject.file);
  stage.settings["rig.from"] = network ? "network" : "file";
  if (network) {
    stage.settings.update(config.Pick("rig", {"names", "weights"}));
    stage.settings.update(config.Pick("weights", {"max_influences"}));
    stage.settings.update(config.Pick("input", {"check"}));
    stage.settings["seed"] = request.seed;
    const std::string names = config.String("rig", "names");
    if (LowerExtension(names) == ".json") DependOnFile("names", names, stage);
    DependOnFile("joints", config.String("rig", "joints"), stage);
    DependOnFile("model", ModelOf(request), stage);
  } else {
    DependOnFile("skeleton", config.String("input", "skeleton"), stage);
  }
  stage.outputs = {kRigged, kRigFacts};
  stage.cost = network && !subject.rigged ? RigCost(request.calibration, subject.vertices) : Cost{.serial = 0.1};
  stage.run = [request, subject](const StageContext& context) { Rig(request, subject, context); };
  return stage;
}

}  // namespace sinew::pipeline
