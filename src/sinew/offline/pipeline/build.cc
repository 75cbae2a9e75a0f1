#include "sinew/offline/pipeline/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/folder_lock.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/core/write_error.h"
#include "sinew/offline/pipeline/calibrate.h"
#include "sinew/offline/pipeline/layout.h"

namespace sinew::pipeline {
namespace {

namespace fs = std::filesystem;

// Whether a folder contains nothing but hidden files, which a run killed before it wrote the settings may have left.
bool IsEmpty(const fs::path& folder) {
  const auto hidden = [](const fs::directory_entry& entry) {
    return entry.path().filename().string().starts_with(".");
  };
  return fs::is_directory(folder) && std::all_of(fs::directory_iterator(folder), fs::directory_iterator(), hidden);
}

void RefuseOthers(const fs::path& folder) {
  if (!fs::exists(folder) || IsEmpty(folder)) return;
  if (fs::is_regular_file(folder / kConfigFile)) return;
  throw FailedError(fmt::format("{}: exists and is not a build; name another folder or remove it", folder.string()));
}

// Removes temporary files of a run that was killed.
void RemoveLeftovers(const fs::path& folder) {
  std::vector<fs::path> found;
  for (auto it = fs::recursive_directory_iterator(folder); it != fs::recursive_directory_iterator(); ++it) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(".") || !name.ends_with(".tmp")) continue;
    found.push_back(it->path());
    it.disable_recursion_pending();
  }
  std::error_code ignored;
  for (const fs::path& path : found) fs::remove_all(path, ignored);
}

// Removes the note of a first stage that failed, if the character at hand has no such stage: nothing of it is kept.
void RemoveNoteOfRig(const fs::path& folder, const Subject& subject) {
  std::error_code ignored;
  if (subject.rig == RigSource::kOwn) fs::remove(folder / kRecords / "rig.begun", ignored);
}

double SecondsOf(const std::vector<PlannedStage>& planned) {
  double seconds = 0;
  for (const PlannedStage& stage : planned) seconds += stage.seconds;
  return seconds;
}

bool Simulates(const PlannedStage& planned) { return !planned.kept && planned.stage->name.ends_with("-truths"); }

// How long simulation would take by formula.
double SimulationSeconds(const std::vector<PlannedStage>& planned) {
  double seconds = 0;
  for (const PlannedStage& stage : planned) seconds += Simulates(stage) ? stage.seconds : 0;
  return seconds;
}

// Whether the settings, and the content of the character's file, are those that the folder was last built with. What is
// outdated then is so for another reason, or was agreed to when they were changed.
bool IsSameRequest(const fs::path& folder, const Request& request, const Subject& subject) {
  if (ReadTextFile(folder / kConfigFile) != request.config.Text()) return false;
  if (request.character.empty()) return true;
  const std::string hash = HashHex(subject.file);
  for (const char* name : {"input.json", "input.begun"}) {
    const fs::path record = folder / kRecords / name;
    if (fs::is_regular_file(record) && ReadTextFile(record).find(hash) != std::string::npos) return true;
  }
  return false;
}

// Returns a sentence about the work that a changed request would delete; empty if that took less than a minute.
std::string LossOf(const fs::path& folder, const Request& request, const Subject& subject,
                   const std::vector<Stage>& stages, const std::vector<std::string>& redo) {
  constexpr double kMinute = 60;
  if (!fs::is_regular_file(folder / kConfigFile) || IsSameRequest(folder, request, subject)) return "";
  double seconds = 0;
  std::string list, why;
  for (const PlannedStage& planned : PlanStages(folder, stages, {})) {
    const std::string& name = planned.stage->name;
    if (why.empty() && !planned.why.starts_with("it was ")) why = planned.why;
    if (planned.lost_seconds <= 0 || std::find(redo.begin(), redo.end(), name) != redo.end()) continue;
    seconds += planned.lost_seconds;
    if (planned.lost_seconds < 1) continue;
    list += fmt::format("{}{} ({}{})", list.empty() ? "" : ", ", name, planned.lost.empty() ? "" : planned.lost + ", ",
                        DurationText(planned.lost_seconds));
  }
  if (seconds < kMinute) return "";
  return fmt::format(
      "{}: this call would delete {} of work that is there, since {}: {}; add --replace if that is meant, name another "
      "folder, or go on with the character and the settings that it has: sinew build -o {}",
      folder.string(), DurationText(seconds), why, list, folder.string());
}

// Measures what the estimates need, for a share of the time that the build will take. Nothing is measured for a build
// that takes less than `least` seconds by formula. Returns whether it was.
bool CalibrateFor(const std::vector<PlannedStage>& planned, double least, Request& request, Subject& subject) {
  const double simulation = SimulationSeconds(planned);
  if (simulation <= least) return false;
  constexpr double kShare = 0.05;
  const double seconds = std::clamp(kShare * simulation, 1.0, kCalibrationSeconds);
  Info("estimating how long it takes: a few poses are simulated and learned from");
  try {
    request.calibration = Calibrate(request, subject, seconds);
  } catch (const InputError&) {
    // A character without flesh can still be taught; the stage that would simulate it says what is wrong.
    if (request.config.String("truths", "from") != kTruthsTaught) throw;
    return false;
  }
  if (request.calibration.rigid) {
    Info("{}: nothing of it is flesh, so that skinning is already exact: it gets levels of detail and no correctives",
         subject.name);
  }
  return true;
}

void TellEstimate(const BuildPlan& plan) {
  const auto to_do = std::count_if(plan.planned.begin(), plan.planned.end(), [](const auto& p) { return !p.kept; });
  if (to_do == 0) return;
  Info("{} of {} stages have to run, about {} with {} threads", to_do, plan.planned.size(),
       DurationText(plan.seconds()), Pool().concurrency());
}

}  // namespace

double BuildPlan::seconds() const { return SecondsOf(planned); }

BuildPlan PlanBuild(const fs::path& folder, Request request, const BuildOptions& options) {
  RefuseOthers(folder);
  Subject subject = FindSubject(request);
  BuildPlan plan;
  plan.stages = MakeStages(request, subject);
  plan.planned = PlanStages(folder, plan.stages, options.redo);
  if (!options.replace) plan.refusal = LossOf(folder, request, subject, plan.stages, options.redo);
  // A mesh that a network has yet to rig has no joints to measure anything with.
  plan.calibrated = subject.rig != RigSource::kNetwork && CalibrateFor(plan.planned, 0, request, subject);
  plan.calibration = request.calibration;
  plan.stages = MakeStages(request, subject);
  plan.planned = PlanStages(folder, plan.stages, options.redo);
  return plan;
}

BuildResult Build(const fs::path& folder, Request request, const BuildOptions& options) {
  Subject subject = FindSubject(request);
  BuildPlan plan;
  plan.stages = MakeStages(request, subject);
  RefuseOthers(folder);
  if (!options.replace) {
    const std::string refusal = LossOf(folder, request, subject, plan.stages, options.redo);
    if (!refusal.empty()) throw UsageError(refusal);
  }
  std::error_code error;
  // The settings are written first: their file marks the folder as a build.
  fs::create_directories(folder, error);
  if (error) throw WriteError(folder.string(), error.value());
  const FolderLock lock(folder);
  WriteFileAtomic(folder / kConfigFile, request.config.Text());
  fs::create_directories(folder / kRecords, error);
  if (error) throw WriteError(folder.string(), error.value());
  RemoveLeftovers(folder);
  RemoveNoteOfRig(folder, subject);
  // Estimate, and run.
  constexpr double kWorthCalibrating = 30;
  plan.planned = PlanStages(folder, plan.stages, options.redo);
  CalibrateFor(plan.planned, kWorthCalibrating, request, subject);
  plan.stages = MakeStages(request, subject);
  plan.planned = PlanStages(folder, plan.stages, options.redo);
  TellEstimate(plan);
  BuildResult result;
  result.stages = RunStages(folder, plan.stages, options.redo);
  result.summary = ReadSummary(folder);
  return result;
}

Config StartingConfig(const fs::path& folder, Preset preset, bool anew, const std::string& character) {
  Config config(preset);
  const fs::path file = folder / kConfigFile;
  if (folder.empty() || !fs::is_regular_file(file)) return config;
  Config kept(preset);
  kept.Apply(ReadTextFile(file), file.string());
  const bool another = !character.empty() && character != kept.String("input", "character");
  if (anew && another) return config;
  // What belongs to the character is taken from the one, everything else from the other.
  Config& into = anew ? config : kept;
  const Config& from = another ? config : kept;
  constexpr std::pair<const char*, const char*> kOfCharacter[] = {
      {"input", "character"}, {"input", "kind"}, {"input", "unit"}, {"input", "skin"},
      {"input", "skeleton"},  {"rig", "from"},   {"rig", "joints"}};
  for (const auto& [section, key] : kOfCharacter) {
    into.Set(fmt::format("{}.{}={}", section, key, JsonText(from.At(section, key))));
  }
  if (anew) config.Set(fmt::format("input.seed={}", JsonText(kept.At("input", "seed"))));
  return into;
}

}  // namespace sinew::pipeline
