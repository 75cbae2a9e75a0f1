#include "sinew/offline/pipeline/few_shot.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/dataset/begin_dataset.h"
#include "sinew/offline/pipeline/cost.h"
#include "sinew/offline/pipeline/layout.h"
#include "sinew/offline/poses/sample_poses.h"

namespace sinew::pipeline {
namespace {

// Chooses poses that differ most, in their order.
dataset::PoseSequence Spread(const dataset::PoseSequence& all, const Skeleton& skeleton, int count) {
  std::vector<int> chosen = poses::SelectSpread(Articulation(skeleton), all.poses, count);
  std::sort(chosen.begin(), chosen.end());
  dataset::PoseSequence few{.poses = {}, .entry = all.entry, .motions = all.motions, .frames = {}};
  for (const int i : chosen) {
    few.frames.push_back(all.frames[i]);
    few.frames.back().index = few.frame_count();
    few.poses.push_back(all.poses[i]);
  }
  few.entry.frames = few.frame_count();
  few.entry.hash = dataset::HashPoses(few.poses);
  return few;
}

// Writes a dataset in which no frame has a shape, each for the same reason.
void StoreFailures(const std::filesystem::path& path, const dataset::StoredCharacter& stored,
                   const dataset::PoseSequence& sequence, const std::string& reason) {
  dataset::BeginDataset(path, dataset::StartManifest(stored, sequence, {{"maker", "simulate"}}), stored, true);
  dataset::DatasetWriter writer(path);
  dataset::MakeFrames(writer, sequence, {0, sequence.frame_count()}, {.label = "storing"},
                      [&](int) { return dataset::FrameTruth{.shape = {}, .failure = reason, .arrays = {}}; });
}

void SimulateFew(const Request& request, const StageContext& context, int count) {
  const dataset::StoredCharacter stored = dataset::ReadStoredCharacter(context.folder / kCharacter, kQuietly);
  const dataset::PoseSequence all =
      dataset::ReadPoseSequence({(context.folder / kTrainingPoses).string()}, stored.character.skeleton);
  const dataset::PoseSequence few = Spread(all, stored.character.skeleton, count);
  dataset::SimulateOptions options = FleshOptions(request.config, context.folder);
  options.resume = true;
  options.needs_flesh = true;
  size_t failed = 0;
  try {
    const dataset::SimulateSummary summary =
        dataset::SimulateDataset(context.folder / kFewTruths, stored, few, {0, few.frame_count()}, options);
    for (const auto& [reason, frames] : summary.failures) failed += frames.size();
  } catch (const InputError& error) {
    Warn("{}; so the networks teach without simulated shapes to tune them to", error.what());
    StoreFailures(context.folder / kFewTruths, stored, few, "no flesh can be made");
    return;
  }
  if (failed + 1 >= few.poses.size()) {
    Warn("{} of {} poses have no true shape, so the networks teach without simulated shapes to tune them to", failed,
         few.poses.size());
  } else if (failed > 0) {
    Warn("{} of {} poses to tune the networks to have no true shape", failed, few.poses.size());
  }
}

}  // namespace

std::optional<Stage> FewTruthsStage(const Request& request, const Subject& subject) {
  const Config& config = request.config;
  const int few = config.Whole("truths", "few_shot");
  if (few == 0 || config.String("truths", "from") != kTruthsTaught) return std::nullopt;
  if (few < 2) throw UsageError("truths.few_shot is 1, and networks are tuned to two true shapes or more; 0: to none");
  Stage stage{.name = "few-truths",
              .does = fmt::format("simulate flesh in {} of the poses to learn from", few),
              .needs = {kCharacter, kInputFacts, kTrainingPoses}};
  stage.settings = config.Section("simulation");
  stage.settings.update(config.Pick("truths", {"few_shot"}));
  stage.outputs = {kFewTruths};
  stage.version = 2;  // before, skinned shapes stood for flesh that cannot be made
  const int tets = config.Whole("simulation", "tets");
  const flesh::Quality quality = flesh::QualityNamed(config.String("simulation", "quality"));
  stage.cost =
      SimulationCost(request.calibration, few, tets > 0 ? tets : flesh::QualityOf(quality).tets, subject.vertices);
  stage.keeps = "chunks of simulated frames";
  stage.remedy = "--set truths.few_shot=0 teaches without simulating any";
  stage.run = [request, few](const StageContext& context) { SimulateFew(request, context, few); };
  return stage;
}

}  // namespace sinew::pipeline
