#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/anatomy/limits_file.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/render/limits_plot.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

struct Options {
  std::string character;
  std::string output;
  std::string limits;
  std::string picture;
  std::vector<std::string> edits;
};

std::string Range(const AngleRange& range) {
  // Adding zero turns minus zero into zero.
  const auto degrees = [](double angle) { return std::round(angle / kDegree) + 0.0; };
  return range.width() == 0 ? "-" : fmt::format("{:.0f} .. {:.0f}", degrees(range.min), degrees(range.max));
}

std::string Table(const Skeleton& skeleton, const JointLimits& limits) {
  std::string out =
      fmt::format("{:<32} {:<20} {:<10} {:>13} {:>13} {:>13}\n", "joint", "known as", "from", "bend", "side", "twist");
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const JointLimit& limit = limits[j];
    out += fmt::format("{:<32} {:<20} {:<10} ", skeleton.joints[j].name, limit.known_as, Name(limit.origin));
    if (limit.free) {
      out += fmt::format("{:>13}\n", "free");
    } else if (limit.fixed()) {
      out += fmt::format("{:>13}\n", "fixed");
    } else {
      out += fmt::format("{:>13} {:>13} {:>13}\n", Range(limit.bend), Range(limit.side), Range(limit.twist));
    }
  }
  return out + "Angles in degrees from neutral: bend and side tilt the bone, twist turns it about itself.\n";
}

void Write(const std::string& output, const JointLimits& limits, Character& character) {
  const std::string extension = LowerExtension(output);
  if (extension == ".json") {
    WriteFileAtomic(output, JsonText(LimitsToJson(character.skeleton, limits), 2) + "\n");
  } else if (extension == ".glb" || extension == ".gltf") {
    StoreLimitsInExtras(limits, character);
    WriteCharacter(character, output);
  } else {
    throw UsageError(
        fmt::format("-o {}: limits are written as .json, or into a copy of the character (.glb, .gltf)", output));
  }
}

Result Run(const Options& options) {
  if (!options.picture.empty() && LowerExtension(options.picture) != ".svg") {
    throw UsageError(fmt::format("--picture {}: the picture is an .svg file", options.picture));
  }
  Character character = ReadCharacter(options.character);
  if (character.skeleton.joints.empty()) {
    throw InputError(options.character, "", "has no skeleton, so there is nothing to limit", "name a rigged character");
  }
  JointLimits limits = FindLimits(character, options.character);
  if (!options.limits.empty()) {
    ApplyLimitsText(ReadTextFile(options.limits), options.limits, character.skeleton, limits);
  }
  for (const std::string& edit : options.edits) EditLimit(edit, character.skeleton, limits);
  if (!options.output.empty()) Write(options.output, limits, character);
  if (!options.picture.empty()) {
    WriteFileAtomic(options.picture,
                    render::PlotLimits(character.skeleton, limits, "Joint limits of " + character.name));
  }
  Result result{LimitsToJson(character.skeleton, limits), Table(character.skeleton, limits)};
  for (const std::string& file : {options.output, options.picture}) {
    if (!file.empty()) result.text += fmt::format("wrote {}\n", file);
  }
  return result;
}

}  // namespace

void AddLimitsCommand(Commands& commands) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      commands.Add("limits", "Show, write and edit how far a character's joints turn",
                   "sinew limits body.glb --set left_knee.bend=0,120 -o body.limits.json --picture limits.svg",
                   [options](const Common&) { return Run(*options); });
  command->add_option("CHARACTER", options->character, "A rigged character (.glb, .gltf)")->required();
  command->add_option("-o,--output", options->output,
                      "Write the limits: .json, or .glb/.gltf for a copy of the character that carries them");
  command->add_option("--limits", options->limits, "Take limits from this JSON file first");
  command
      ->add_option("--set", options->edits,
                   "Change one: JOINT.FIELD=VALUE with FIELD bend, side or twist and VALUE MIN,MAX in degrees, or "
                   "free=true; may be repeated")
      ->take_all();
  command->add_option("--picture", options->picture, "Draw every joint's range into this .svg file");
}

}  // namespace sinew::cli
