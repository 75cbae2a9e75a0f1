#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/evaluate/dataset_pictures.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/pipeline/compare_build.h"
#include "tools/sinew/panel_size.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string build, output, truth_mesh, size;
  std::vector<std::string> views;
  double frames_per_second = 0;
  pipeline::CompareRequest request;
  evaluate::ComparisonOptions comparison;
};

void CheckTogether(const Options& options) {
  const pipeline::CompareRequest& request = options.request;
  const int sources = (request.pose.empty() ? 0 : 1) + (request.poses.empty() ? 0 : 1) + (request.motion ? 1 : 0) +
                      (request.test ? 1 : 0) + (request.everyday ? 1 : 0);
  if (sources > 1) {
    throw UsageError("--pose, --poses, --motion, --test and --everyday exclude each other: give one of them");
  }
  if (sources == 0 && request.frame >= 0) {
    throw UsageError("--frame chooses a frame of --pose, --poses, --motion, --test or --everyday: give one");
  }
  if (options.comparison.whole && !options.comparison.focus.empty()) {
    throw UsageError("--whole and --focus say the opposite: give one");
  }
  if (options.truth_mesh.empty()) return;
  const std::string extension = LowerExtension(options.truth_mesh);
  if (extension != ".glb" && extension != ".gltf" && extension != ".obj") {
    throw UsageError(fmt::format("--truth-mesh {}: a mesh is written as .glb, .gltf or .obj", options.truth_mesh));
  }
}

evaluate::ComparisonOptions ComparisonOf(const Options& options, double frames_per_second) {
  evaluate::ComparisonOptions out = options.comparison;
  const PanelSize size = ParsePanelSize(options.size);
  out.width = size.width;
  out.height = size.height;
  out.turntable = options.views == std::vector<std::string>{"turntable"};
  for (const std::string& view : options.views) {
    if (out.turntable) break;
    if (view == "turntable") throw UsageError("--view turntable cannot stand beside other views; make two pictures");
    out.views.push_back(render::ParseView(view));
  }
  constexpr double kUntimed = 2, kTurn = 15;
  out.frames_per_second = options.frames_per_second > 0 ? options.frames_per_second
                          : frames_per_second > 0       ? frames_per_second
                          : out.turntable               ? kTurn
                                                        : kUntimed;
  return out;
}

Json ToJson(const evaluate::SeenError& error) { return {{"mean_mm", error.mean}, {"max_mm", error.max}}; }

std::string ViewNames(const std::vector<render::View>& views) {
  std::string names;
  for (const render::View& view : views) names += (names.empty() ? "" : ",") + view.name;
  return names.empty() ? "turntable" : names;
}

// Frames that are listed one by one; of more there is one line for all.
constexpr size_t kMaxLines = 12;

evaluate::SeenError OverAll(const std::vector<evaluate::SeenError>& frames) {
  evaluate::SeenError all;
  for (const evaluate::SeenError& frame : frames) {
    all.mean += frame.mean / static_cast<double>(frames.size());
    all.max = std::max(all.max, frame.max);
  }
  return all;
}

Result Report(const Options& options, const pipeline::FramesToCompare& compared,
              const evaluate::Comparison& comparison) {
  const render::Picture& picture = comparison.picture;
  const std::string joint = comparison.joint < 0 ? "" : compared.character.skeleton.joints[comparison.joint].name;
  Result result;
  result.json = {{"file", options.output},
                 {"width", picture.width},
                 {"height", picture.height},
                 {"frames", picture.frames},
                 {"bytes", picture.file.size()},
                 {"focus", joint},
                 {"view", ViewNames(comparison.views)}};
  result.text = fmt::format("{}: {} x {} pixels, {}, from {}\n", options.output, picture.width, picture.height,
                            joint.empty() ? "the whole body" : "around " + joint, ViewNames(comparison.views));
  int faded = 0;
  for (size_t f = 0; f < compared.frames.size(); ++f) {
    const evaluate::ComparedFrame& frame = compared.frames[f];
    result.json["compared"].push_back({{"frame", frame.name},
                                       {"skinning", ToJson(comparison.skinning[f])},
                                       {"sinew", ToJson(comparison.sinew[f])},
                                       {"faded", frame.faded}});
    faded += frame.faded;
    if (compared.frames.size() > kMaxLines) continue;
    result.text += fmt::format("  {}: skinning is {:.3g} mm off on average, {:.3g} at most; Sinew {:.3g} and {:.3g}\n",
                               frame.name, comparison.skinning[f].mean, comparison.skinning[f].max,
                               comparison.sinew[f].mean, comparison.sinew[f].max);
  }
  if (compared.frames.size() > kMaxLines) {
    const evaluate::SeenError skinning = OverAll(comparison.skinning), sinew = OverAll(comparison.sinew);
    result.text +=
        fmt::format("  {} frames: skinning is {:.3g} mm off on average, {:.3g} at most; Sinew {:.3g} and {:.3g}\n",
                    compared.frames.size(), skinning.mean, skinning.max, sinew.mean, sinew.max);
  }
  if (faded > 0) {
    result.text += fmt::format("  {} of {} poses are beyond what was learned, so that correctives fade there\n", faded,
                               compared.frames.size());
  }
  if (options.truth_mesh.empty()) return result;
  result.json["truth_mesh"] = options.truth_mesh;
  result.text += fmt::format("  {}: the true shape as a mesh\n", options.truth_mesh);
  return result;
}

Result Run(const Options& options) {
  CheckTogether(options);
  ComparisonOf(options, 0);  // refuses sizes and views before anything is simulated
  const pipeline::FramesToCompare compared = pipeline::ReadFramesToCompare(options.build, options.request);
  if (!options.truth_mesh.empty() && compared.frames.size() > 1) {
    throw UsageError(fmt::format("--truth-mesh {}: writes one shape, and there are {} frames; choose one with --frame",
                                 options.truth_mesh, compared.frames.size()));
  }
  const evaluate::Comparison comparison = evaluate::DrawComparison(
      compared.character, compared.frames, compared.millimetres, ComparisonOf(options, compared.frames_per_second));
  if (!options.truth_mesh.empty()) {
    WriteCharacter(evaluate::AsMesh(compared.character, compared.frames[0].truth), options.truth_mesh);
  }
  WriteFileAtomic(options.output, comparison.picture.file);
  return Report(options, compared, comparison);
}

void AddPoseOptions(CLI::App* command, pipeline::CompareRequest& request) {
  const std::string group = "Which poses";
  command
      ->add_option("--pose", request.pose,
                   "One pose: JOINT[.bend|.side|.twist]=DEGREES,...; its true shape is simulated now; may be given "
                   "several times")
      ->take_all()
      ->allow_extra_args(false)
      ->group(group);
  command
      ->add_option("--poses", request.poses,
                   "Poses or a motion of this skeleton, simulated now: a .poses folder, a .bvh or a .glb#ANIMATION")
      ->group(group);
  command->add_flag("--motion", request.motion, "The motion that the build judges by")->group(group);
  command->add_flag("--test", request.test, "The poses that the build judges by")->group(group);
  command
      ->add_flag("--everyday", request.everyday,
                 "The everyday poses of the build's page: sitting, kneeling, arms up ...")
      ->group(group);
  command->add_option("--frame", request.frame, "Only this frame of them, counted from 0; without it all, animated")
      ->check(CLI::NonNegativeNumber)
      ->group(group);
}

}  // namespace

void AddCompareCommand(Commands& commands) {
  auto options = std::make_shared<Options>();
  CLI::App* command = commands.Add(
      "compare",
      "Draw skinning, the true shape and Sinew side by side, from near. Without options: the pose of a build in which\n"
      "skinning is worst, at the joint where it is worst.",
      "sinew compare body.build -o worst.png\n"
      "  sinew compare body.build --pose left_elbow=140 --focus left_elbow -o elbow.png",
      [options](const Common&) { return Run(*options); });
  command->add_option("BUILD", options->build, "A folder that `sinew build` has finished")->required();
  command->add_option("-o,--output", options->output, "The picture: PNG, animated PNG where it moves")->required();
  AddPoseOptions(command, options->request);
  const std::string group = "What is seen, and from where";
  command
      ->add_option("--focus", options->comparison.focus,
                   "The joint to come near to, by its name in the file or as left_elbow [where skinning is worst]")
      ->group(group);
  command->add_flag("--whole", options->comparison.whole, "The whole body, instead of a joint from near")->group(group);
  command
      ->add_option("--view", options->views,
                   "front, side, right, back, three-quarter, top, AZIMUTH:ELEVATION (several: front,side), or "
                   "turntable [where most of the difference is seen]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(group);
  command->add_option("--size", options->size, "WIDTHxHEIGHT or HEIGHT of one panel in pixels [900]")->group(group);
  command->add_option("--fps", options->frames_per_second, "Frames a second [the motion's own]")
      ->check(CLI::Range(0.1, 240.0))
      ->group(group);
  command->add_option("--truth-mesh", options->truth_mesh,
                      "Write the true shape of the one frame as a mesh, too (.glb, .gltf, .obj)");
}

}  // namespace sinew::cli
