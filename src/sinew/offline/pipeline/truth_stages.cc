// Stages of a build that simulate the ground truth in its poses.
#include <fmt/format.h>

#include <string_view>

#include "sinew/offline/anatomy/roles.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/dataset/simulate.h"
#include "sinew/offline/pipeline/chain.h"
#include "sinew/offline/pipeline/cost.h"
#include "sinew/offline/pipeline/few_shot.h"
#include "sinew/offline/pipeline/layout.h"
#include "sinew/offline/poses/everyday_poses.h"

namespace sinew::pipeline {
namespace {

namespace fs = std::filesystem;

// needs_flesh: as in dataset::SimulateOptions.
void Simulate(const Request& request, const StageContext& context, const char* poses, const char* truths,
              bool needs_flesh) {
  const dataset::StoredCharacter stored = dataset::ReadStoredCharacter(context.folder / kCharacter, kQuietly);
  const dataset::PoseSequence sequence =
      dataset::ReadPoseSequence({(context.folder / poses).string()}, stored.character.skeleton);
  dataset::SimulateOptions options = FleshOptions(request.config, context.folder);
  options.resume = true;
  options.needs_flesh = needs_flesh;
  const dataset::SimulateSummary summary =
      dataset::SimulateDataset(context.folder / truths, stored, sequence, {0, sequence.frame_count()}, options);
  // The flesh is the same for all poses, so one stage says what is wrong with it.
  const bool first = std::string_view(truths) == kTrainingTruths;
  for (const std::string& warning : summary.flesh.warnings) {
    if (first) LogWarning(warning);
  }
  size_t failed = 0;
  std::string reasons;
  for (const auto& [reason, frames] : dataset::KindsOf(summary.failures)) {
    failed += frames.size();
    reasons += fmt::format("{}{} ({})", reasons.empty() ? "" : "; ", reason, frames.size());
  }
  if (failed > 0) Warn("{} of {} frames have no true shape and are left out: {}", failed, summary.frames, reasons);
}

// Describes how many frames a dataset has, finished or not.
std::string FramesIn(const fs::path& dataset) {
  if (!dataset::IsDataset(dataset)) return "";
  return fmt::format("{} frames", dataset::Dataset(dataset).manifest().frames.size());
}

Stage TruthStage(const Request& request, const Subject& subject, const std::string& name, const char* poses,
                 const char* truths, int frames) {
  Stage stage{.name = name,
              .does = fmt::format("{} in about {} poses",
                                  request.calibration.rigid ? "store skinned shapes" : "simulate flesh", frames),
              .needs = {kCharacter, kInputFacts, poses},
              .version = 5};
  stage.settings = request.config.Section("simulation");
  stage.outputs = {truths};
  const int tets = request.config.Whole("simulation", "tets");
  const flesh::Quality quality = flesh::QualityNamed(request.config.String("simulation", "quality"));
  stage.cost =
      SimulationCost(request.calibration, frames, tets > 0 ? tets : flesh::QualityOf(quality).tets, subject.vertices);
  stage.keeps = "chunks of simulated frames";
  stage.contents = [truths](const fs::path& folder) { return FramesIn(folder / truths); };
  stage.remedy = "'sinew inspect --deep' says what is wrong with a character";
  const bool taught = request.config.String("truths", "from") == kTruthsTaught;
  stage.run = [request, poses, truths, taught](const StageContext& context) {
    try {
      Simulate(request, context, poses, truths, taught);
    } catch (const InputError& error) {
      if (!taught) throw;
      Warn("{}; so the networks that taught it also judge it", error.what());
      TeachJudgedTruths(request, context, poses, truths);
    }
  };
  // What networks are tuned to decides nothing here: where flesh can be simulated they are not asked, and elsewhere
  // they are not tuned.
  if (taught) {
    stage.settings.update(request.config.Pick("truths", {"from", "models", "keep_all", "given"}));
    stage.version = 6;  // before, skinned shapes judged characters that no flesh can be made for
  }
  return stage;
}

}  // namespace

dataset::SimulateOptions FleshOptions(const Config& config) {
  dataset::SimulateOptions options;
  flesh::FleshSettings& flesh = options.flesh;
  flesh.quality = flesh::QualityNamed(config.String("simulation", "quality"));
  flesh.tets = config.Whole("simulation", "tets");
  flesh.young = config.Double("simulation", "young");
  flesh.poisson = config.Double("simulation", "poisson");
  flesh.fat = config.Double("simulation", "fat");
  flesh.contact = config.Flag("simulation", "contact");
  flesh.contact_distance = config.Double("simulation", "contact_distance");
  flesh.roles = ParseRoles(config.String("simulation", "parts"));
  return options;
}

dataset::SimulateOptions FleshOptions(const Config& config, const fs::path& folder) {
  const Json facts = ParseJson(ReadTextFile(folder / kInputFacts), kInputFacts);
  dataset::SimulateOptions options = FleshOptions(config);
  options.metres_per_unit = facts.at("metres_per_unit");
  options.flesh.scale = facts.at("of_person");
  return options;
}

void AddTruthStages(const Request& request, const Subject& subject, std::vector<Stage>& stages) {
  const Config& config = request.config;
  if (std::optional<Stage> few = FewTruthsStage(request, subject)) stages.push_back(std::move(*few));
  stages.push_back(config.String("truths", "from") == kTruthsSimulated
                       ? TruthStage(request, subject, "training-truths", kTrainingPoses, kTrainingTruths,
                                    TrainingFrames(config, subject))
                       : LearnedTruthsStage(request, subject));
  stages.push_back(TruthStage(request, subject, "test-truths", kTestPoses, kTestTruths, config.Whole("poses", "test")));
  Request motion = request;
  if (motion.calibration.motion_frame_seconds > 0) {
    motion.calibration.frame_seconds = motion.calibration.motion_frame_seconds;
  }
  stages.push_back(TruthStage(motion, subject, "motion-truths", kMotionPoses, kMotionTruths,
                              config.Whole("poses", "motion_frames")));
  if (!subject.biped) return;
  stages.push_back(
      TruthStage(request, subject, "everyday-truths", kEverydayPoses, kEverydayTruths, poses::kEverydayCount));
}

}  // namespace sinew::pipeline
