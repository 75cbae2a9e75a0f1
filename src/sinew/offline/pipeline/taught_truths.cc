// The stage of a build whose shapes to learn from are taught or given, and who judges then.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/dataset/copy_frames.h"
#include "sinew/offline/dataset/training_frames.h"
#include "sinew/offline/pipeline/chain.h"
#include "sinew/offline/pipeline/few_shot.h"
#include "sinew/offline/pipeline/layout.h"
#include "sinew/offline/teach/teach_dataset.h"

namespace sinew::pipeline {
namespace {

namespace fs = std::filesystem;

// Throws FailedError if the model that comes with the program is asked for and is not there, UsageError if the program
// cannot look for one.
std::vector<fs::path> ModelsOf(const Request& request) {
  const std::vector<std::string> named = request.config.Strings("truths", "models");
  if (named.empty() && !request.find_model) {
    throw UsageError("no model to teach with comes with this program; name one with --set truths.models=FILE");
  }
  if (named.empty()) return teach::MembersBeside(request.find_model("teach.model"));
  return {named.begin(), named.end()};
}

// Returns the dataset of simulated shapes that networks are tuned to; empty if there is none or it has too few.
fs::path ExamplesIn(const fs::path& folder, int few_shot) {
  if (few_shot == 0 || dataset::Dataset(folder / kFewTruths).OkFrames().size() < 2) return {};
  return folder / kFewTruths;
}

// examples: dataset of true shapes that the networks are tuned to, may be empty.
void Teach(const Request& request, const StageContext& context, const char* poses, const char* truths, bool keep_all,
           const fs::path& examples) {
  const dataset::StoredCharacter stored = dataset::ReadStoredCharacter(context.folder / kCharacter, kQuietly);
  const dataset::PoseSequence sequence =
      dataset::ReadPoseSequence({(context.folder / poses).string()}, stored.character.skeleton);
  const dataset::SimulateOptions flesh = FleshOptions(request.config, context.folder);
  const teach::Teacher teacher(ModelsOf(request));
  const teach::TeachSummary summary =
      teach::TeachDataset(context.folder / truths, stored, kCharacter, sequence, {0, sequence.frame_count()}, teacher,
                          {.metres_per_unit = flesh.metres_per_unit,
                           .roles = flesh.flesh.roles,
                           .examples = examples,
                           .keep_all = keep_all,
                           .resume = true});
  for (const auto& [reason, frames] : dataset::KindsOf(summary.dropped)) {
    Warn("{} of {} frames are left out: {}", frames.size(), summary.frames, reason);
  }
  if (!summary.tuned.faded.empty()) {
    Warn("around {} the networks are worse than skinning, so they correct nothing there",
         fmt::join(summary.tuned.faded, ", "));
  }
}

// Copies the frames of the user's dataset that have a shape, after a check that it is of this character.
void CopyGiven(const fs::path& given, const fs::path& folder) {
  const dataset::Dataset from(given);
  const dataset::StoredCharacter stored = dataset::ReadStoredCharacter(folder / kCharacter, kQuietly);
  std::vector<dataset::FrameSource> sources;
  std::set<int> checked;  // characters
  for (const int i : from.OkFrames()) {
    sources.push_back({&from, i, from.frame(i)});
    const int c = from.frame(i).character;
    if (!checked.insert(c).second) continue;
    const dataset::DatasetCharacter& character = from.manifest().characters[c];
    if (character.vertices != stored.entry.vertices || character.joints != stored.entry.joints) {
      throw InputError(given.string(), fmt::format("character {}", character.name),
                       fmt::format("has {} vertices and {} joints, and the one that is built {} and {}",
                                   character.vertices, character.joints, stored.entry.vertices, stored.entry.joints),
                       "give a dataset of this character, with weights and vertices as they are");
    }
    dataset::RequireJoints(from, c, stored.character.skeleton);
  }
  if (sources.empty()) throw InputError(given.string(), "", "has no frame with a shape", "see 'sinew dataset info'");
  dataset::DatasetManifest start = from.manifest();
  start.frames.clear();
  start.chunks.clear();
  WriteFolderAtomic(folder / kTrainingTruths, dataset::IsDataset,
                    [&](const fs::path& into) { dataset::CopyFrames(into, start, from, sources); });
}

Stage GivenStage(const Request& request) {
  const fs::path given = request.config.String("truths", "given");
  if (given.empty()) throw UsageError("truths.from is given, so name the dataset: --set truths.given=FOLDER");
  if (!dataset::IsDataset(given)) {
    throw InputError(given.string(), "", "is no dataset", "give the folder of one with truths.given");
  }
  Stage stage{.name = "training-truths", .does = "take the shapes that are given", .needs = {kCharacter}};
  stage.outside["the given dataset"] = HashPath(given / "dataset.json");
  stage.run = [given](const StageContext& context) { CopyGiven(given, context.folder); };
  return stage;
}

Stage TeachingStage(const Request& request, const Subject& subject) {
  const int frames = TrainingFrames(request.config, subject);
  Stage stage{.name = "training-truths",
              .does = fmt::format("let networks answer the shapes in about {} poses", frames),
              .needs = {kCharacter, kInputFacts, kTrainingPoses}};
  stage.settings.update(request.config.Pick("simulation", {"parts"}));
  double parameters = 0;
  for (const fs::path& model : ModelsOf(request)) {
    stage.outside[OutsideName(stage, model)] = HashPath(model);
    if (fs::is_regular_file(model)) parameters += static_cast<double>(fs::file_size(model)) / sizeof(float);
  }
  stage.cost = TeachingCost(request.calibration, frames, subject.vertices, parameters);
  stage.keeps = "chunks of taught frames";
  stage.remedy = "--set truths.from=simulate makes them by simulation";
  const bool keep_all = request.config.Flag("truths", "keep_all");
  const int few_shot = request.config.Whole("truths", "few_shot");
  if (few_shot > 0) stage.needs.emplace_back(kFewTruths);
  stage.run = [request, keep_all, few_shot](const StageContext& context) {
    Teach(request, context, kTrainingPoses, kTrainingTruths, keep_all, ExamplesIn(context.folder, few_shot));
  };
  return stage;
}

}  // namespace

Stage LearnedTruthsStage(const Request& request, const Subject& subject) {
  const bool taught = request.config.String("truths", "from") == kTruthsTaught;
  Stage stage = taught ? TeachingStage(request, subject) : GivenStage(request);
  stage.settings.update(request.config.Section("truths"));
  stage.outputs = {kTrainingTruths};
  return stage;
}

void TeachJudgedTruths(const Request& request, const StageContext& context, const char* poses, const char* truths) {
  Teach(request, context, poses, truths, true, {});
}

std::string WhoJudged(const Json& learned, const Json& judged) {
  const std::string from = learned.value("maker", ""), by = judged.value("maker", "");
  if (from == "simulate" && by == "simulate") return "";
  std::string taught = "what trained networks answer";
  if (learned.contains("examples")) {
    taught += fmt::format(" that were tuned to {} simulated poses", learned.at("examples").at("frames").get<int>());
  }
  std::string text = fmt::format("It learned from {}", from == "simulate" ? "simulated flesh"
                                                       : from == "teach"  ? taught
                                                                          : "shapes that were given");
  if (by == "simulate") return text + " and is judged by simulated flesh.";
  return text +
         " and is judged by them, too, since no flesh can be made: the errors say how well it follows the networks, "
         "not how true it is.";
}

}  // namespace sinew::pipeline
