#include <fmt/format.h>

#include <charconv>
#include <cmath>
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
  std::vector<std::string> colliders;
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

// Reads three or seven finite numbers with commas between them; nothing if the text is something else.
std::vector<float> PoseNumbers(std::string_view text) {
  std::vector<float> numbers;
  const char *at = text.data(), *end = at + text.size();
  for (float number = 0; numbers.size() < 7; ++at) {
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || !std::isfinite(number)) return {};
    numbers.push_back(number);
    at = next;
    if (at == end) return numbers.size() == 3 || numbers.size() == 7 ? numbers : std::vector<float>();
    if (*at != ',') return {};
  }
  return {};
}

int FieldNamed(const runtime::Bundle& bundle, std::string_view name, const std::string& file) {
  std::string known;
  for (int f = 0; f < bundle.contact().field_count(); ++f) {
    if (bundle.contact().name(f) == name) return f;
    known += (f == 0 ? "" : ", ") + std::string(bundle.contact().name(f));
  }
  throw UsageError(fmt::format(
      "--collider '{}': {} {}", name, file,
      known.empty() ? "has learned no contact; 'sinew contact learn' adds it" : "has learned the colliders " + known));
}

// The collider of NAME=X,Y,Z or NAME=X,Y,Z,QX,QY,QZ,QW.
runtime::Collider ColliderOf(const runtime::Bundle& bundle, const std::string& text, const std::string& file) {
  const size_t sign = text.rfind('=');
  const std::vector<float> numbers =
      sign == std::string::npos ? std::vector<float>() : PoseNumbers(std::string_view(text).substr(sign + 1));
  Eigen::Quaternionf turn = Eigen::Quaternionf::Identity();
  if (numbers.size() == 7) turn = Eigen::Quaternionf(numbers[6], numbers[3], numbers[4], numbers[5]);
  if (numbers.empty() || !(turn.norm() > 1e-6f) || !std::isfinite(turn.norm())) {
    throw UsageError(fmt::format(
        "--collider '{}' is not NAME=X,Y,Z with a place, or NAME=X,Y,Z,QX,QY,QZ,QW with a rotation, too", text));
  }
  runtime::Collider collider;
  collider.field = FieldNamed(bundle, std::string_view(text).substr(0, sign), file);
  const Eigen::Matrix3f rotation = turn.normalized().toRotationMatrix();
  for (int k = 0; k < 3; ++k) {
    for (int row = 0; row < 3; ++row) collider.pose.m[4 * k + row] = rotation(row, k);
    collider.pose.m[12 + k] = numbers[static_cast<size_t>(k)];
  }
  if (!runtime::IsRigid(collider.pose)) throw UsageError(fmt::format("--collider '{}' is too far away", text));
  return collider;
}

std::vector<runtime::Collider> CollidersOf(const runtime::Bundle& bundle, const Options& options) {
  if (options.skin_only && !options.colliders.empty()) {
    throw UsageError("--skin-only and --collider: skinning alone does not answer to colliders; give one of the two");
  }
  if (options.colliders.size() > static_cast<size_t>(runtime::kMaxColliders)) {
    throw UsageError(fmt::format("--collider: at most {} of them press at once", runtime::kMaxColliders));
  }
  std::vector<runtime::Collider> colliders;
  for (const std::string& text : options.colliders) colliders.push_back(ColliderOf(bundle, text, options.bundle));
  return colliders;
}

// One frame as a mesh.
int WriteFrame(const runtime::Bundle& bundle, const Pose& pose, int level, std::span<const runtime::Collider> colliders,
               const Options& options) {
  const bake::DeformedLevel deformed = bake::Deform(bundle, pose, level, options.skin_only, colliders);
  WriteCharacter(bundle::MeshOf(bundle, level, deformed.positions, deformed.normals), options.output);
  return (deformed.evaluation.flags & (runtime::kFaded | runtime::kContactBeyond)) != 0 ? 1 : 0;
}

Result Run(const Options& options) {
  const bundle::LoadedBundle loaded = bundle::ReadBundle(options.bundle);
  const runtime::Bundle& bundle = loaded.bundle;
  const int level = options.level == 0 ? bundle.level_count() : options.level;
  if (level > bundle.level_count()) {
    throw UsageError(fmt::format("--level {}: {} has the levels 1 to {}", level, options.bundle, bundle.level_count()));
  }
  const std::vector<runtime::Collider> colliders = CollidersOf(bundle, options);
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
    bundle::WriteDeformedArray(bundle, poses, level, options.skin_only, options.output, &outside, colliders);
  } else {
    outside = WriteFrame(bundle, poses[options.frame], level, colliders, options);
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
  command
      ->add_option(
          "--collider", options->colliders,
          "NAME=X,Y,Z of a collider whose contact was learned (sinew contact learn), or NAME=X,Y,Z,QX,QY,QZ,QW: "
          "where it presses the skin, in model space; may be given several times")
      ->take_all();
  command->add_flag("--skin-only", options->skin_only, "Without correctives, for comparison");
}

}  // namespace sinew::cli
