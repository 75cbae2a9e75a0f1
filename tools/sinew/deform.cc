#include <fmt/format.h>

#include <memory>

#include "sinew/offline/bundle/bundle_file.h"
#include "sinew/offline/character/clip.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/io/clips.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string bundle;
  std::string poses;
  std::string output;
  int level = 0;
  int frame = -1;
  bool skin_only = false;
};

std::vector<Pose> ReadPosesFor(const Skeleton& skeleton, const std::string& where) {
  const std::vector<Clip> clips = ReadClips(where, 30);
  if (clips.size() > 1) {
    throw UsageError(
        fmt::format("--poses {}: holds {} animations; choose one with {}#NAME", where, clips.size(), where));
  }
  return PosesFor(skeleton, clips[0], where);
}

// One frame as a mesh.
int WriteFrame(const runtime::Bundle& bundle, const Pose& pose, int level, const Options& options) {
  const bake::DeformedLevel deformed = bake::Deform(bundle, pose, level, options.skin_only);
  WriteCharacter(bundle::MeshOf(bundle, level, deformed.positions, deformed.normals), options.output);
  return (deformed.evaluation.flags & runtime::kFaded) != 0 ? 1 : 0;
}

Result Run(const Options& options) {
  const bundle::LoadedBundle loaded = bundle::ReadBundle(options.bundle);
  const runtime::Bundle& bundle = loaded.bundle;
  const int level = options.level == 0 ? bundle.level_count() : options.level;
  if (level > bundle.level_count()) {
    throw UsageError(fmt::format("--level {}: {} has the levels 1 to {}", level, options.bundle, bundle.level_count()));
  }
  const std::vector<Pose> poses = ReadPosesFor(bundle::SkeletonOf(bundle), options.poses);
  const int frames = static_cast<int>(poses.size());
  if (options.frame >= frames) {
    throw UsageError(
        fmt::format("--frame {}: {} has {} frames, 0 to {}", options.frame, options.poses, frames, frames - 1));
  }
  int outside = 0;
  const bool array = LowerExtension(options.output) == ".npy";
  if (array == (options.frame >= 0)) {
    throw UsageError("give --frame K for a mesh (.glb, .gltf, .obj), or an .npy for all frames");
  }
  if (array) {
    bundle::WriteDeformedArray(bundle, poses, level, options.skin_only, options.output, &outside);
  } else {
    outside = WriteFrame(bundle, poses[options.frame], level, options);
  }
  const int written = array ? frames : 1, vertices = bundle.level(level).vertex_count;
  Result result;
  result.json = {{"file", options.output},
                 {"frames", written},
                 {"vertices", vertices},
                 {"level", level},
                 {"frames_out_of_range", outside}};
  result.text = fmt::format("wrote {}: {} of level {}, {} vertices; {} beyond what was trained\n", options.output,
                            array ? fmt::format("{} frames", frames) : fmt::format("frame {}", options.frame), level,
                            vertices, outside);
  return result;
}

}  // namespace

void AddDeformCommand(Commands& commands) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      commands.Add("deform", "Write the shapes of a baked character in poses, as the runtime evaluates them",
                   "sinew deform body.sinew --poses walk.poses --level 2 -o walk.npy\n"
                   "  sinew deform body.sinew --poses walk.poses --frame 20 -o step.glb",
                   [options](const Common&) { return Run(*options); });
  command->add_option("CHARACTER", options->bundle, "A baked character (.sinew)")->required();
  command
      ->add_option("--poses", options->poses, "Poses for this character: a .poses folder, a .bvh, or a .glb#ANIMATION")
      ->required();
  command->add_option("--level", options->level, "The level of detail, 1 the coarsest; 0: the finest")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--frame", options->frame, "One frame, from 0, as a mesh")->check(CLI::NonNegativeNumber);
  command
      ->add_option("-o,--output", options->output,
                   "An .npy array [frames][vertices][3]; with --frame a mesh (.glb, .gltf, .obj)")
      ->required();
  command->add_flag("--skin-only", options->skin_only, "Without correctives, for comparison");
}

}  // namespace sinew::cli
