#include <fmt/format.h>

#include <memory>

#include "sinew/offline/bodies/dress.h"
#include "sinew/offline/bodies/mix_bodies.h"
#include "sinew/offline/bodies/put_on.h"
#include "sinew/offline/bodies/remesh_character.h"
#include "sinew/offline/bodies/scale_bones.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/io/character_file.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

struct Files {
  std::vector<std::string> inputs;
  std::string output;
};

void AddFiles(CLI::App* command, Files& files, int fewest, int most) {
  command->add_option("INPUT", files.inputs, "The rigged character (.glb, .gltf)")->required()->expected(fewest, most);
  command->add_option("-o,--output", files.output, "File to write (.glb, .gltf)")->required();
}

Result Write(const Character& character, const Files& files, Json json, const std::string& how) {
  WriteCharacter(character, files.output);
  json["file"] = files.output;
  json["vertices"] = character.vertex_count();
  json["triangles"] = character.triangle_count();
  Result result;
  result.text = fmt::format("{}\n  vertices   {}\n  triangles  {}\n{}", files.output, character.vertex_count(),
                            character.triangle_count(), how);
  result.json = std::move(json);
  return result;
}

void AddRemesh(Commands& commands) {
  struct Call {
    Files files;
    int vertices = 0;
    std::string base;
    const CLI::Option *vertices_given = nullptr, *base_given = nullptr;
  };
  auto call = std::make_shared<Call>();
  CLI::App* command = commands.Add(
      "body remesh", "Give a character another mesh on the same surface, with weights, UVs and colours",
      "sinew body remesh body.glb -o other.glb --vertices 5000 --seed 3", [call](const Common& common) {
        const std::string& file = call->files.inputs[0];
        const Character character = ReadCharacter(file);
        bodies::RemeshRecipe recipe = bodies::DrawRemesh(bodies::PointCount(character, file), 2000, 20000, common.seed);
        if (call->base_given->count() > 0) recipe.base = bodies::BaseOfName(call->base);
        if (call->vertices_given->count() > 0) recipe.vertices = call->vertices;
        const std::string how = fmt::format("  mesh       {}\n", bodies::NameOf(recipe.base));
        return Write(bodies::RemeshCharacter(character, recipe, file).character, call->files,
                     {{"base", bodies::NameOf(recipe.base)}}, how);
      });
  AddFiles(command, call->files, 1, 1);
  call->base_given = command->add_option("--base", call->base,
                                         "same, simplified or isotropic; random edits follow; without it, drawn");
  call->vertices_given = command->add_option(
      "--vertices", call->vertices, "How many, about; seams come on top; without it, 2,000 to 20,000 are drawn");
}

void AddScale(Commands& commands) {
  struct Call {
    Files files;
    bodies::DrawScalesOptions options;
    bool apart = false;
  };
  auto call = std::make_shared<Call>();
  CLI::App* command =
      commands.Add("body scale", "Change the lengths of a character's bones at random; the skin follows",
                   "sinew body scale body.glb -o lanky.glb --seed 3", [call](const Common& common) {
                     const Character character = ReadCharacter(call->files.inputs[0]);
                     call->options.alike = !call->apart;
                     const bodies::BoneScales scales =
                         bodies::DrawScales(character.skeleton, call->options, common.seed, call->files.inputs[0]);
                     Json json;
                     std::string how;
                     for (int j = 0; j < character.skeleton.joint_count(); ++j) {
                       if (scales.factors[j] == 1) continue;
                       json["factors"][character.skeleton.joints[j].name] = scales.factors[j];
                       how += fmt::format("  {:<14} x {:.3f}\n", character.skeleton.joints[j].name, scales.factors[j]);
                     }
                     return Write(bodies::ScaleBones(character, scales), call->files, json, how);
                   });
  AddFiles(command, call->files, 1, 1);
  command->add_option("--low", call->options.low, "Least factor of a limb's bone")->capture_default_str();
  command->add_option("--high", call->options.high, "Largest factor of a limb's bone")->capture_default_str();
  command->add_flag("--sides-apart", call->apart, "Left and right need not be alike");
}

void AddMix(Commands& commands) {
  auto files = std::make_shared<Files>();
  CLI::App* command =
      commands.Add("body mix", "Mix bodies that share skeleton and triangles, at random",
                   "sinew body mix a.glb b.glb c.glb d.glb -o child.glb --seed 3", [files](const Common& common) {
                     std::vector<Character> characters;
                     for (const std::string& input : files->inputs) characters.push_back(ReadCharacter(input));
                     const bodies::MixRecipe recipe = bodies::DrawMix(static_cast<int>(characters.size()), common.seed);
                     std::vector<bodies::Parent> parents;
                     Json json;
                     std::string how;
                     for (size_t i = 0; i < recipe.parents.size(); ++i) {
                       const int parent = recipe.parents[i];
                       parents.push_back({files->inputs[parent], &characters[parent]});
                       json["parents"].push_back({{"file", files->inputs[parent]}, {"share", recipe.shares[i]}});
                       how += fmt::format("  {:6.3f}  {}\n", recipe.shares[i], files->inputs[parent]);
                     }
                     return Write(bodies::MixBodies(parents, recipe.shares), *files, json, how);
                   });
  AddFiles(command, *files, 2, 1000);
}

struct DressCall {
  Files files;
  std::vector<std::string> garments;
};

Result PutOnGarments(const DressCall& call) {
  Character character = ReadCharacter(call.files.inputs[0]);
  Json json;
  std::string how = "  wears     ";
  for (const std::string& file : call.garments) {
    character = bodies::PutOn(character, call.files.inputs[0], ReadCharacter(file), file);
    json["garments"].push_back(file);
    how += " " + file;
  }
  return Write(character, call.files, json, how + "\n");
}

Result DressAtRandom(const DressCall& call, uint64_t seed) {
  const Character character = ReadCharacter(call.files.inputs[0]);
  const bodies::DressRecipe recipe = bodies::DrawDress(seed);
  Json json;
  std::string how = "  wears     ";
  for (const bodies::Garment& garment : recipe.garments) {
    json["garments"].push_back(garment.name);
    how += " " + garment.name;
  }
  return Write(bodies::Dress(character, recipe, call.files.inputs[0]).character, call.files, json, how + "\n");
}

void AddDress(Commands& commands) {
  auto call = std::make_shared<DressCall>();
  CLI::App* command = commands.Add(
      "body dress", "Dress a character: at random, by cloth as thickness with sharp hems, or in garments from files",
      "sinew body dress body.glb -o dressed.glb --seed 3", [call](const Common& common) {
        return call->garments.empty() ? DressAtRandom(*call, common.seed) : PutOnGarments(*call);
      });
  AddFiles(command, call->files, 1, 1);
  command->add_option("--garment", call->garments,
                      "Garment to put on instead, on the body's joints (.glb, .gltf); may be given several times; one "
                      "that was made for another body is fitted");
}

}  // namespace

void AddBodyCommand(Commands& commands) {
  commands.AddGroup("body", "Bodies from bodies: remesh, scale, mix and dress them, by a seed");
  AddRemesh(commands);
  AddScale(commands);
  AddMix(commands);
  AddDress(commands);
}

}  // namespace sinew::cli
