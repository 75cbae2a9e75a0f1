#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "sinew/offline/bundle/bundle_file.h"
#include "sinew/offline/bundle/export_gltf.h"
#include "sinew/offline/character/clip.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/clips.h"
#include "sinew/offline/io/poses.h"
#include "sinew/offline/pipeline/layout.h"
#include "sinew/offline/view/site.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

// Defaults of --targets.
constexpr int kTargets = 32, kSparseTargets = 64;

struct Options {
  std::string character, poses, output;
  bool plain = false;
  int level = 0, targets = 0;
  bool sparse = false;
};

// What is exported: a bundle, and the motion whose correctives are baked, if one is known.
struct Source {
  std::string bundle, poses;
};

void CheckTogether(const Options& options) {
  if (options.plain && !options.poses.empty()) {
    throw UsageError("--plain writes no motion, so --poses cannot stand beside it: leave one of them out");
  }
  if (options.plain && (options.targets > 0 || options.sparse)) {
    throw UsageError(fmt::format("--plain writes no morph targets, so {} cannot stand beside it: leave one of them out",
                                 options.targets > 0 ? "--targets" : "--sparse"));
  }
  if (!options.plain && LowerExtension(options.output) != ".glb") {
    throw UsageError(
        fmt::format("-o {}: correctives are written as .glb only; with --plain also as .gltf or .obj", options.output));
  }
}

// Without --poses, a bundle in the folder of a build has that build's motion.
Source FindSource(const Options& options) {
  Source source{options.character, options.poses};
  if (fs::is_directory(source.bundle)) source.bundle = view::BundleOfBuild(source.bundle).file.string();
  const fs::path folder = fs::path(source.bundle).parent_path();
  const fs::path motion = folder / pipeline::kMotionPoses;
  if (source.poses.empty() && fs::exists(folder / pipeline::kConfigFile) && IsPoseFile(motion)) {
    source.poses = motion.string();
  }
  return source;
}

Result ExportSkinned(const runtime::Bundle& bundle, int level, const Options& options) {
  const Character character = bundle::CharacterOf(bundle, level);
  WriteCharacter(character, options.output);
  Result result;
  result.json = {
      {"file", options.output}, {"level", level}, {"vertices", character.vertex_count()}, {"correctives", false}};
  result.text = fmt::format("wrote {}: level {}, {} vertices, plain skinning without correctives\n", options.output,
                            level, character.vertex_count());
  return result;
}

Result ExportCorrectives(const runtime::Bundle& bundle, int level, const std::string& motion, const Options& options) {
  if (motion.empty()) {
    throw UsageError(
        fmt::format("{}: correctives need poses, and no motion lies beside it: give one with --poses "
                    "(.poses, .bvh or .glb), or write the level without correctives with --plain",
                    options.character));
  }
  const std::vector<Clip> clips = ReadClips(motion, 30);
  if (clips.size() > 1) {
    throw UsageError(
        fmt::format("--poses {}: holds {} animations; choose one with {}#NAME", motion, clips.size(), motion));
  }
  const std::vector<Pose> poses = PosesFor(bundle::SkeletonOf(bundle), clips[0], motion);
  const float rate = clips[0].motion.frames_per_second;
  bundle::ExportError error;
  const int usual = options.sparse ? kSparseTargets : kTargets;
  const Bytes glb = bundle::ExportBaked(bundle, poses,
                                        {.level = level,
                                         .targets = options.targets > 0 ? options.targets : usual,
                                         .sparse = options.sparse,
                                         .frames_per_second = rate > 0 ? rate : 30},
                                        &error);
  WriteFileAtomic(options.output, glb);
  Result result;
  const double mm = 1e3;
  result.json = {{"file", options.output},
                 {"level", level},
                 {"vertices", bundle.level(level).vertex_count},
                 {"correctives", true},
                 {"poses", motion},
                 {"frames", poses.size()},
                 {"targets", error.targets},
                 {"sparse", options.sparse},
                 {"error_rms_mm", mm * error.rms},
                 {"error_largest_mm", mm * error.largest},
                 {"skinning_rms_mm", mm * error.skinning_rms}};
  result.text = fmt::format(
      "wrote {}: level {}, {} frames of {}, correctives as {} {}morph targets\n"
      "off the runtime's shapes by {:.3f} mm (largest {:.3f} mm); skinning alone is off by {:.3f} mm\n",
      options.output, level, poses.size(), motion, error.targets, options.sparse ? "sparse " : "", mm * error.rms,
      mm * error.largest, mm * error.skinning_rms);
  return result;
}

Result Run(const Options& options) {
  CheckTogether(options);
  const Source source = FindSource(options);
  const bundle::LoadedBundle loaded = bundle::ReadBundle(source.bundle);
  const int levels = loaded.bundle.level_count(), level = options.level == 0 ? levels : options.level;
  if (level > levels) {
    throw UsageError(fmt::format("--level {}: {} has the levels 1 to {}", level, source.bundle, levels));
  }
  return options.plain ? ExportSkinned(loaded.bundle, level, options)
                       : ExportCorrectives(loaded.bundle, level, source.poses, options);
}

}  // namespace

void AddExportCommand(Commands& commands) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = commands.Add(
      "export",
      "Write a level of a baked character as plain glTF, for programs that know nothing of bundles: a motion with its\n"
      "correctives as morph targets with animated weights, and how far that is off the runtime's shapes.",
      "sinew export body.sinew --poses walk.poses --level 2 -o walk.glb",
      [options](const Common&) { return Run(*options); });
  command->add_option("CHARACTER", options->character, "A baked character (.sinew), or a folder of `sinew build`")
      ->required();
  command->add_option("--poses", options->poses,
                      "The motion: a .poses folder, a .bvh, or a .glb#ANIMATION; in a folder of `sinew build` without "
                      "it the motion that the build was judged by");
  command->add_flag("--plain", options->plain, "The level at rest with plain skinning: no motion, no correctives");
  command->add_option("--level", options->level, "The level of detail, 1 the coarsest; 0: the finest")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command
      ->add_option("--targets", options->targets,
                   fmt::format("Morph targets at most: the strongest modes of the correctives; without it {}, or {} "
                               "with --sparse",
                               kTargets, kSparseTargets))
      ->check(CLI::Range(1, 256));
  command->add_flag("--sparse", options->sparse,
                    "Targets that each move only what one joint moves, and are stored so: a smaller file, for a larger "
                    "error with as many targets");
  command->add_option("-o,--output", options->output, "The character (.glb; with --plain also .gltf or .obj)")
      ->required();
}

}  // namespace sinew::cli
