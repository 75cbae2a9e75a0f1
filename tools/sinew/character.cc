#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <memory>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/embedded/kinds.h"
#include "sinew/offline/embedded/make_character.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/mesh/measures.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

using embedded::Kind;
using embedded::Shape;
using embedded::ShapeParameter;

struct Options {
  std::string kind;
  std::string output;
  int vertices = 20000;
  std::vector<std::string> shapes;
  bool list = false;
  const CLI::Option* seed = nullptr;
};

std::pair<std::string, double> ParseShape(const std::string& text) {
  const size_t equals = text.find('=');
  double value = 0;
  if (equals != std::string::npos) {
    const char* begin = text.data() + equals + 1;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error == std::errc() && stop == end && begin != end) return {text.substr(0, equals), value};
  }
  throw UsageError(fmt::format("--shape '{}' is not NAME=VALUE, as in height=1.8", text));
}

embedded::Shape ChooseShape(const embedded::Kind& kind, const Options& options, uint64_t seed) {
  embedded::Shape shape =
      options.seed->count() > 0 ? embedded::RandomShape(kind.parameters, seed) : embedded::Shape(kind.parameters);
  for (const std::string& text : options.shapes) {
    const auto [name, value] = ParseShape(text);
    shape.Set(name, value);
  }
  return shape;
}

Result ListShapes(const embedded::Kind& kind) {
  Result result;
  result.text = fmt::format("{}: {}\n\n  {:<12} {:>8} {:>8} {:>8}\n", kind.name, kind.description, "shape", "from",
                            "neutral", "to");
  for (const embedded::ShapeParameter& p : kind.parameters) {
    result.json["shapes"].push_back(
        {{"name", p.name}, {"meaning", p.meaning}, {"low", p.low}, {"neutral", p.neutral}, {"high", p.high}});
    result.text += fmt::format("  {:<12} {:>8g} {:>8g} {:>8g}  {}\n", p.name, p.low, p.neutral, p.high, p.meaning);
  }
  result.json["kind"] = kind.name;
  return result;
}

Json ShapeJson(const embedded::Shape& shape) {
  Json json = Json::object();
  for (size_t i = 0; i < shape.values().size(); ++i) json[shape.parameters()[i].name] = shape.values()[i];
  return json;
}

Result Describe(const Character& character, const embedded::Shape& shape, const Options& options, double seconds) {
  const TriMesh& mesh = character.parts.front().mesh;
  const double height = BoundingBox(mesh.positions).sizes().y();
  const double area = SurfaceArea(mesh), volume = SignedVolume(mesh);
  Result result;
  result.json = {{"file", options.output},
                 {"kind", options.kind},
                 {"vertices", mesh.vertex_count()},
                 {"triangles", mesh.triangle_count()},
                 {"joints", character.skeleton.joint_count()},
                 {"height", height},
                 {"area", area},
                 {"volume", volume},
                 {"shape", ShapeJson(shape)},
                 {"seconds", seconds}};
  result.text = fmt::format(
      "{}\n  kind       {}\n  vertices   {}\n  triangles  {}\n  joints     {}\n  height     {:.3f} m\n  area       "
      "{:.3f} "
      "m2\n  volume     {:.4f} m3\n  time       {:.1f} s\n",
      options.output, options.kind, mesh.vertex_count(), mesh.triangle_count(), character.skeleton.joint_count(),
      height, area, volume, seconds);
  return result;
}

Result Run(const Options& options, const Common& common) {
  const embedded::Kind& kind = embedded::FindKind(options.kind);
  if (options.list) return ListShapes(kind);
  if (options.output.empty()) throw UsageError("where to write is missing: give -o FILE.glb, or --list-shapes");
  const embedded::Shape shape = ChooseShape(kind, options, common.seed);
  const auto start = std::chrono::steady_clock::now();
  const Character character = embedded::MakeCharacter(kind, shape, options.vertices);
  WriteCharacter(character, options.output);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return Describe(character, shape, options, seconds.count());
}

}  // namespace

void AddCharacterCommand(Commands& commands) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      commands.Add("character", "Make an embedded character: mesh, skeleton, weights and joint limits",
                   "sinew character biped -o body.glb --vertices 20000 --shape height=1.8 --shape belly=0.5\n"
                   "  sinew character biped -o someone.glb --seed 7",
                   [options](const Common& common) { return Run(*options, common); });
  std::string kinds;
  for (const embedded::Kind& kind : embedded::Kinds()) kinds += fmt::format("\n{}: {}", kind.name, kind.description);
  command->add_option("KIND", options->kind, "Which character:" + kinds)->required();
  command->add_option("-o,--output", options->output, "File to write (.glb, .gltf or .obj)");
  command
      ->add_option("--vertices", options->vertices,
                   "How many vertices, exactly; all shapes of a kind with the same "
                   "number have the same triangles")
      ->check(CLI::Range(embedded::kFewestVertices, embedded::kMaxVertices))
      ->capture_default_str();
  command->add_option("--shape", options->shapes, "NAME=VALUE of a shape parameter; may be given several times")
      ->take_all();
  command->add_flag("--list-shapes", options->list, "Show the kind's shape parameters and their ranges");
  options->seed = command->get_option("--seed");
  command->get_option("--seed")->description("Draw a random body: every parameter that --shape does not give");
}

}  // namespace sinew::cli
