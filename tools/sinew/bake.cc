#include <fmt/format.h>

#include <memory>

#include "sinew/offline/bake/bake_character.h"
#include "sinew/offline/bake/texture_section.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/deformer/deformer_file.h"
#include "sinew/offline/tables/names.h"
#include "tools/sinew/precision.h"
#include "tools/sinew/subcommands.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string deformer, output, precision = "i8";
  int budget = 0;
  bool no_normals = false, no_textures = false;
};

Json ToJson(const bake::PrecisionError& error, double metres_per_unit) {
  return {{"rms_mm", 1e3 * metres_per_unit * error.rms}, {"largest_mm", 1e3 * metres_per_unit * error.largest}};
}

Result Run(const Options& options, const Common& common) {
  const deformer::TrainedCharacter trained = deformer::ReadDeformer(options.deformer);
  bake::BakeRequest request{
      .precision = tables::PrecisionNamed(options.precision), .normals = !options.no_normals, .seed = common.seed};
  request.max_bytes = static_cast<size_t>(options.budget) * 1000;
  bake::BakedCharacter made = bake::BakeCharacter(trained.hierarchy, trained.deformer, request, options.deformer);
  size_t texture_bytes = 0;
  if (!options.no_textures) made.baked = bake::WithTextures(std::move(made.baked), trained.hierarchy, &texture_bytes);
  WriteFileAtomic(options.output, made.baked.file.bytes());

  const double unit = trained.deformer.settings.value("metres_per_unit", 1.0);
  const std::string assumed = trained.deformer.settings.value("precision", "");
  Result result;
  result.json = {{"file", options.output},         {"bytes", made.baked.file.bytes().size()},
                 {"texture_bytes", texture_bytes}, {"precision", tables::NameOf(made.precision)},
                 {"trained_for", assumed},         {"modes", made.modes},
                 {"dropped_modes", made.dropped},  {"cost", Json::array()}};
  result.text = fmt::format("wrote {}: {:.2f} MB in {}\n", options.output,
                            static_cast<double>(made.baked.file.bytes().size()) / 1e6, tables::NameOf(made.precision));
  if (texture_bytes > 0) {
    result.text += fmt::format("{:.2f} MB of that are textures\n", static_cast<double>(texture_bytes) / 1e6);
  }
  if (made.dropped > 0) {
    result.text += fmt::format(
        "left out {} of {} modes, those that do least for their bytes; a larger epsilon in "
        "`sinew train` would do it with less error\n",
        made.dropped, made.modes);
  }
  for (size_t i = 0; i < made.cost.size(); ++i) {
    result.json["cost"].push_back(ToJson(made.cost[i], unit));
    result.text += fmt::format("level {}: {} {:.4f} mm (largest {:.4f} mm), before skinning\n", i + 1,
                               made.dropped > 0 ? "that and the precision cost" : "the precision costs",
                               1e3 * unit * made.cost[i].rms, 1e3 * unit * made.cost[i].largest);
  }
  if (!assumed.empty() && assumed != tables::NameOf(made.precision)) {
    result.text +=
        fmt::format("trained for {}: what finer levels learned does not make up for this precision\n", assumed);
  }
  return result;
}

}  // namespace

void AddBakeCommand(Commands& commands) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      commands.Add("bake", "Bake a trained deformer into one file to ship, and say what its precision costs",
                   "sinew bake body.deformer -o body.sinew --precision i8",
                   [options](const Common& common) { return Run(*options, common); });
  command->add_option("DEFORMER", options->deformer, "What `sinew train` wrote")->required();
  command->add_option("-o,--output", options->output, "The bundle (.sinew)")->required();
  AddPrecisionOption(command, options->precision, "Of modes and networks: f32, f16 or i8");
  command
      ->add_option("--budget-kb", options->budget,
                   "At most so many kilobytes: precision and modes are chosen for the least error, whatever "
                   "--precision says")
      ->check(CLI::PositiveNumber);
  command->add_flag("--no-textures", options->no_textures,
                    "Leave out base colours and their images, which --budget-kb does not count");
  command->add_flag("--no-normals", options->no_normals,
                    "Leave out what normals from deformed triangles need: an eighth of the file");
}

}  // namespace sinew::cli
