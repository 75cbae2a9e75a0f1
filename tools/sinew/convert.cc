#include "sinew/offline/io/convert.h"

#include <fmt/format.h>

#include "sinew/offline/core/json.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string in, out;
  ConvertOptions convert;
};

Result Run(const Options& options) {
  const Converted done = Convert(options.in, options.out, options.convert);
  Result result;
  Json files = Json::array();
  for (const auto& file : done.files) {
    files.push_back(file.string());
    result.text += fmt::format("wrote {}\n", file.string());
  }
  result.json = {{"files", files},
                 {"parts", done.parts},
                 {"vertices", done.vertices},
                 {"triangles", done.triangles},
                 {"joints", done.joints},
                 {"animations", done.animations},
                 {"frames", done.frames},
                 {"scale", done.scale}};
  if (done.vertices > 0) {
    result.text += fmt::format("{} vertices, {} triangles in {} part{}\n", done.vertices, done.triangles, done.parts,
                               done.parts == 1 ? "" : "s");
  }
  if (done.joints > 0) result.text += fmt::format("{} joints, {} animations\n", done.joints, done.animations);
  if (done.frames > 0) result.text += fmt::format("{} frames\n", done.frames);
  if (done.scale != 1) result.text += fmt::format("lengths times {}\n", done.scale);
  return result;
}

}  // namespace

void AddConvertCommand(Commands& commands) {
  auto options = std::make_shared<Options>();
  CLI::App* command = commands.Add(
      "convert", "Turn one file into another: characters (.glb, .gltf), meshes (.obj), motions (.bvh), points (.npy)",
      "sinew convert body.gltf body.glb", [options](const Common&) { return Run(*options); });
  command->add_option("IN", options->in, "The file to read; its extension says what it is")->required();
  command->add_option("OUT", options->out, "The file to write; its extension says as what")->required();
  command->add_option("--skin", options->convert.skin, "Name or number of a skin, if a file has several skeletons");
  command->add_option("--animation", options->convert.animation, "Name or number of the animation to write as BVH");
  command->add_option("--fps", options->convert.frames_per_second, "Frames a second of that BVH")
      ->check(CLI::Range(1.0, 1000.0))
      ->capture_default_str();
  command->add_option(
      "--unit", options->convert.unit,
      "The input's unit (m, dm, cm, mm, in, ft): lengths become metres; without it nothing is rescaled");
  command->add_option("--triangles", options->convert.triangles,
                      "NPY of triangles (N x 3) for an NPY of points [IN_triangles.npy]");
}

}  // namespace sinew::cli
