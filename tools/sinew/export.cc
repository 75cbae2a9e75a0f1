#include <fmt/format.h>

#include <memory>

#include "sinew/offline/bundle/bundle_file.h"
#include "sinew/offline/bundle/export_gltf.h"
#include "sinew/offline/character/clip.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/clips.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string bundle, poses, output;
  bool bake = false;
  int level = 0, targets = 32;
};

Result ExportSkinned(const runtime::Bundle& bundle, int level, const Options& options) {
  const Character character = bundle::CharacterOf(bundle, level);
  WriteCharacter(character, options.output);
  Result result;
  result.json = {{"file", options.output}, {"level", level}, {"vertices", character.vertex_count()}};
  result.text = fmt::format("wrote {}: level {}, {} vertices, without correctives\n", options.output, level,
                            character.vertex_count());
  return result;
}

Result ExportCorrectives(const runtime::Bundle& bundle, int level, const Options& options) {
  if (options.poses.empty()) throw UsageError("--bake needs --poses: the motion whose correctives are baked");
  if (LowerExtension(options.output) != ".glb") throw UsageError("--bake writes .glb files only");
  const std::vector<Clip> clips = ReadClips(options.poses, 30);
  if (clips.size() > 1) {
    throw UsageError(fmt::format("--poses {}: holds {} animations; choose one with {}#NAME", options.poses,
                                 clips.size(), options.poses));
  }
  const std::vector<Pose> poses = PosesFor(bundle::SkeletonOf(bundle), clips[0], options.poses);
  const float rate = clips[0].motion.frames_per_second;
  bundle::ExportError error;
  const Bytes glb = bundle::ExportBaked(
      bundle, poses, {.level = level, .targets = options.targets, .frames_per_second = rate > 0 ? rate : 30}, &error);
  WriteFileAtomic(options.output, glb);
  Result result;
  const double mm = 1e3;
  result.json = {{"file", options.output},
                 {"level", level},
                 {"frames", poses.size()},
                 {"targets", error.targets},
                 {"error_rms_mm", mm * error.rms},
                 {"error_largest_mm", mm * error.largest},
                 {"skinning_rms_mm", mm * error.skinning_rms}};
  result.text = fmt::format(
      "wrote {}: level {}, {} frames, {} morph targets\noff the runtime's shapes by {:.3f} mm (largest {:.3f} mm); "
      "skinning "
      "alone is off by {:.3f} mm\n",
      options.output, level, poses.size(), error.targets, mm * error.rms, mm * error.largest, mm * error.skinning_rms);
  return result;
}

Result Run(const Options& options) {
  const bundle::LoadedBundle loaded = bundle::ReadBundle(options.bundle);
  const int levels = loaded.bundle.level_count(), level = options.level == 0 ? levels : options.level;
  if (level > levels) {
    throw UsageError(fmt::format("--level {}: {} has the levels 1 to {}", level, options.bundle, levels));
  }
  return options.bake ? ExportCorrectives(loaded.bundle, level, options) : ExportSkinned(loaded.bundle, level, options);
}

}  // namespace

void AddExportCommand(Commands& commands) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = commands.Add(
      "export", "Write a level of a baked character as plain glTF, for programs that know nothing of bundles",
      "sinew export body.sinew --bake --poses walk.poses --level 2 -o walk.glb",
      [options](const Common&) { return Run(*options); });
  command->add_option("CHARACTER", options->bundle, "A baked character (.sinew)")->required();
  command->add_flag("--bake", options->bake,
                    "With a motion and its correctives: morph targets with animated weights, and what that costs");
  command->add_option("--poses", options->poses, "The motion for --bake: a .poses folder, a .bvh, or a .glb#ANIMATION");
  command->add_option("--level", options->level, "The level of detail, 1 the coarsest; 0: the finest")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--targets", options->targets, "Morph targets at most: the strongest modes of the correctives")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "The character (.glb; without --bake also .gltf)")->required();
}

}  // namespace sinew::cli
