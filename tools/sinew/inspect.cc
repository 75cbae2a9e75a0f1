#include <fmt/format.h>

#include <memory>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/anatomy/limits_file.h"
#include "sinew/offline/bundle/bundle_file.h"
#include "sinew/offline/bundle/bundle_report.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/inspect/character_report.h"
#include "sinew/offline/inspect/inspect_array.h"
#include "sinew/offline/inspect/inspect_clip.h"
#include "sinew/offline/inspect/inspect_joints.h"
#include "sinew/offline/inspect/inspect_model.h"
#include "sinew/offline/io/bvh.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/poses.h"
#include "tools/sinew/roles.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string file;
  std::string skin;
  bool deep = false, joints = false;
  std::vector<GivenRole> roles;
};

// Animations too long to be sampled and limits in the file that cannot be used are findings, as everything else that is
// wrong with it.
JointLimits LimitsOf(const Character& character, const std::string& file, std::vector<std::string>& warnings) {
  JointLimits limits;
  try {
    limits = FindLimits(character.skeleton, character.animations);
  } catch (const InputError& error) {
    warnings.emplace_back(error.what());
    limits = FindLimits(character.skeleton, {});
  }
  if (const Json* own = LimitsInExtras(character)) {
    JointLimits applied = limits;
    try {
      ApplyLimits(*own, file, character.skeleton, applied);
      return applied;
    } catch (const InputError& error) {
      warnings.emplace_back(error.what());
    }
  }
  return limits;
}

Result InspectCharacterFile(const Options& options) {
  inspect::InspectOptions inspect{.deep = options.deep, .read_warnings = {}, .roles = options.roles};
  const CollectWarnings warnings;
  const Character character = ReadCharacter(options.file, {.skin = options.skin});
  inspect.read_warnings = warnings.messages();
  const std::vector<inspect::JointInspection> joints =
      inspect::InspectJoints(character, LimitsOf(character, options.file, inspect.read_warnings));
  const inspect::CharacterInspection found = inspect::InspectCharacter(character, inspect);
  Result result{inspect::ToJson(found), inspect::ToText(found)};
  result.json["joints"] = inspect::ToJson(joints);
  if (options.joints) result.text += inspect::ToText(joints);
  return result;
}

Result InspectClipFile(const Options& options, bool bvh) {
  const CollectWarnings warnings;
  const Clip clip = bvh ? ReadBvh(options.file) : ReadPoses(options.file);
  const inspect::ClipInspection found = inspect::InspectClip(clip, warnings.messages());
  return {inspect::ToJson(found), inspect::ToText(found)};
}

Result InspectArrayFile(const Options& options) {
  const inspect::ArrayInspection found = inspect::InspectArray(ReadNpy(options.file));
  return {inspect::ToJson(found), inspect::ToText(found)};
}

Result InspectBundleFile(const Options& options) {
  const bundle::LoadedBundle loaded = bundle::ReadBundle(options.file);
  const size_t bytes = loaded.file.bytes().size();
  return {bundle::BundleJson(loaded.bundle, bytes), bundle::BundleText(loaded.bundle, bytes)};
}

Result InspectModelFile(const Options& options) {
  const learn::Model model = learn::ReadModel(options.file);
  return {inspect::ToJson(model), inspect::ToText(model)};
}

Result Inspect(const Options& options) {
  const std::string extension = LowerExtension(options.file);
  const bool no_character = extension == ".sinew" || extension == ".bvh" || extension == ".npy" ||
                            extension == ".model" || std::filesystem::is_directory(options.file);
  if (options.joints && no_character) {
    throw UsageError(
        fmt::format("--joints lists the joints of a character (.glb, .gltf), and {} is none", options.file));
  }
  if (extension == ".sinew") return InspectBundleFile(options);
  if (extension == ".bvh") return InspectClipFile(options, true);
  if (extension == ".npy") return InspectArrayFile(options);
  if (extension == ".model") return InspectModelFile(options);
  if (std::filesystem::is_directory(options.file)) {
    if (IsPoseFile(options.file)) return InspectClipFile(options, false);
    throw InputError(options.file, "", "is a folder without poses in it", "name one file of it");
  }
  if (!IsCharacterFile(options.file)) {
    throw InputError(
        options.file, "",
        fmt::format("'{}' is none of .glb, .gltf, .obj (characters), .bvh (motions), .npy (arrays), .sinew (bundles), "
                    ".model (trained networks)",
                    extension),
        "export a character as glTF 2.0 (.glb)");
  }
  return InspectCharacterFile(options);
}

Result Run(const Options& options) {
  const Result result = Inspect(options);
  Json json = {{"file", options.file}};
  json.update(result.json);
  return {json, fmt::format("{}\n{}", options.file, result.text)};
}

}  // namespace

void AddInspectCommand(Commands& commands) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      commands.Add("inspect",
                   "Show what is in a character, motion, array, bundle or model file, and what is wrong with it.\n"
                   "Findings do not make the command fail: its exit code is 0 for every file that can be read.",
                   "sinew inspect body.glb --deep", [options](const Common&) { return Run(*options); });
  command
      ->add_option("FILE", options->file,
                   "Character (.glb, .gltf, .obj), motion (.bvh), poses (folder), array (.npy), bundle (.sinew), "
                   "trained network (.model)")
      ->required();
  command->add_flag("--deep", options->deep,
                    "Also what takes seconds: self-intersections, clearance, triangle quality, parts inside parts");
  command->add_flag(
      "--joints", options->joints,
      "Also every joint, as a tree: index, parent, where its limits come from, how many vertices it moves "
      "(always in --json)");
  command->add_option("--skin", options->skin, "Name or number of a skin, for files with several skeletons");
  AddRoleOption(command, options->roles);
}

}  // namespace sinew::cli
