#include "sinew/offline/multires/train_dataset.h"

#include <fmt/format.h>

#include <optional>

#include "sinew/offline/bake/bake_character.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/dataset/mirror_frames.h"
#include "sinew/offline/deformer/deformer_file.h"
#include "sinew/offline/tables/names.h"

namespace sinew::multires {
namespace {

namespace fs = std::filesystem;

std::string HashOf(const dataset::TrainingFrames& frames) {
  std::string all_hashes;
  for (const std::string& hash : frames.hashes) all_hashes += hash;
  return HashHex(std::as_bytes(std::span(all_hashes)));
}

Json ToJson(const LevelSummary& level, double unit) {
  const auto mm = [&](double length) { return 1e3 * unit * length; };
  const auto mean = [&](int sum) { return level.networks == 0 ? 0.0 : static_cast<double>(sum) / level.networks; };
  Json json = {{"networks", level.networks},
               {"mean_dimensions", mean(level.dimensions)},
               {"mean_own_dimensions", mean(level.own_dimensions)},
               {"basis_values", level.basis_values},
               {"network_values", level.network_values},
               {"residual_mm", mm(level.residual)},
               {"after_basis_mm", mm(level.after_basis)},
               {"training_mm", mm(level.training)},
               {"validation_mm", mm(level.validation)}};
  if (level.failed > 0) json["failed_networks"] = level.failed;
  if (!level.left_out.empty()) json["left_out"] = level.left_out;
  return json;
}

// Sentences about everything that was left out.
std::vector<std::string> LeftOut(const std::vector<LevelSummary>& levels) {
  std::vector<std::string> sentences;
  for (size_t i = 0; i < levels.size(); ++i) {
    if (levels[i].failed > 0) {
      sentences.push_back(fmt::format("level {} has {} without a corrective: training {} did not give finite numbers",
                                      i + 1,
                                      levels[i].failed == 1 ? "1 region" : fmt::format("{} regions", levels[i].failed),
                                      levels[i].failed == 1 ? "its network" : "their networks"));
    }
    if (!levels[i].left_out.empty()) {
      sentences.push_back(fmt::format("level {} has no correctives of its own: {}", i + 1, levels[i].left_out));
    }
  }
  return sentences;
}

Json CurvesOf(const std::vector<learn::Fit>& fits, const deformer::LevelCorrectives& level) {
  Json curves = Json::array();
  for (size_t k = 0; k < fits.size(); ++k) {
    Json steps = Json::array();
    for (const learn::FitCurve& at : fits[k].curve) steps.push_back({at.step, at.training, at.validation});
    curves.push_back({{"region", level.regions[k].region}, {"curve", std::move(steps)}});
  }
  return curves;
}

}  // namespace

Json TrainSettings(const TrainOptions& options, const dataset::Dataset& dataset,
                   const dataset::TrainingFrames& frames) {
  return TrainSettings(options, frames, dataset.manifest().metres_per_unit, dataset.manifest().settings);
}

Json TrainSettings(const TrainOptions& t, const dataset::TrainingFrames& frames, double metres_per_unit,
                   const Json& made) {
  Json settings = {{"method", t.blend_shapes > 0 ? deformer::kBlendShapes
                              : t.single_level   ? "single-level"
                                                 : "multi-resolution"},
                   {"device", t.device == TrainDevice::kCuda ? "cuda" : "cpu"},
                   {"epsilon", t.epsilon},
                   {"features", tables::NameOf(t.features)},
                   {"precision", tables::NameOf(t.precision)},
                   {"most_modes", t.max_modes},
                   {"most_width", t.max_width},
                   {"validation", t.validation},
                   {"outliers", t.outliers},
                   {"steps", t.fit.steps},
                   {"batch", t.fit.batch},
                   {"rate", t.fit.rate},
                   {"seed", t.seed},
                   {"frames", frames.count() - frames.images},
                   {"mirror_images", frames.images},
                   {"frames_hash", HashOf(frames)},
                   {"metres_per_unit", metres_per_unit},
                   {"dataset", made}};
  if (t.blend_shapes > 0) settings["shapes"] = t.blend_shapes;
  if (t.probe != nullptr) settings["probe_hash"] = HashOf(*t.probe);
  return settings;
}

fs::path PartialDeformer(const fs::path& output) { return output.string() + ".partial"; }

TrainedDataset TrainDataset(const fs::path& output, const lod::Hierarchy& hierarchy, const dataset::Dataset& dataset,
                            const TrainOptions& options, bool resume) {
  // Read the checkpoint if training is to resume.
  dataset::TrainingFrames frames = dataset::FramesOf(dataset, hierarchy);
  TrainedDataset result;
  if (options.mirror) dataset::AddMirrorImages(hierarchy.levels.back().character, frames);
  result.settings = TrainSettings(options, dataset, frames);
  const fs::path partial = PartialDeformer(output);
  std::optional<Checkpoint> kept;
  if (resume && fs::exists(partial)) kept = ParseCheckpoint(ReadFile(partial), result.settings, partial.string());
  // Train, writing checkpoints.
  TrainHooks hooks;
  hooks.resume = kept ? &*kept : nullptr;
  hooks.checkpoint = [&](const Checkpoint& so_far) {
    WriteFileAtomic(partial, FormatCheckpoint(so_far, result.settings));
  };
  Training& training = result.training;
  training = Train(hierarchy, frames, options, hooks);
  result.settings["epsilon"] = training.epsilon;
  result.levels = WriteTraining(output, hierarchy, result.settings, training);
  std::error_code ignored;
  fs::remove(partial, ignored);
  return result;
}

Json WriteTraining(const fs::path& output, const lod::Hierarchy& hierarchy, const Json& settings, Training& training) {
  training.deformer.settings = settings;
  Json levels = Json::array();
  Json summary = {{"deformer", output.filename().string()},
                  {"settings", settings},
                  {"training_frames", training.training_frames},
                  {"validation_frames", training.validation_frames},
                  {"outliers", training.outliers},
                  {"mirror_images", training.images},
                  {"image_misfit", training.image_misfit},
                  {"levels", Json::array()}};
  const std::vector<std::string> left_out = LeftOut(training.levels);
  for (const std::string& sentence : left_out) LogWarning(sentence);
  if (!left_out.empty()) summary["left_out"] = left_out;
  for (size_t i = 0; i < training.levels.size(); ++i) {
    levels.push_back(ToJson(training.levels[i], settings.at("metres_per_unit").get<double>()));
    summary["levels"].push_back(levels.back());
    summary["levels"].back()["curves"] = CurvesOf(training.fits[i], training.deformer.levels[i]);
  }
  deformer::WriteDeformer(output, hierarchy, training.deformer, summary);
  return levels;
}

}  // namespace sinew::multires
