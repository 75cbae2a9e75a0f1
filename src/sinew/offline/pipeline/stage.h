// Runs a sequence of stages; the result of each is kept and reused as long as its inputs have not changed.
//
// The inputs of a stage are its version, its settings and the content of what it reads. After its outputs, a record of
// the stage is written: all of these inputs, and the hash of every output. A stage is up to date if its record exists
// and equals its present inputs, and the outputs still have the recorded hashes. Before a stage runs, a note of its
// inputs is written. A stage that was interrupted finds this note when it runs again, and resumes from its partial
// results if its inputs are still the same.
#ifndef SINEW_OFFLINE_PIPELINE_STAGE_H_
#define SINEW_OFFLINE_PIPELINE_STAGE_H_

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/pipeline/cost.h"
#include "sinew/offline/pipeline/times.h"

namespace sinew::pipeline {

struct StageContext {
  std::filesystem::path folder;
  Times& times;
};

struct Stage {
  std::string name;
  std::string does;  // one line of description for messages
  // Outputs of earlier stages that it reads: names relative to the build's folder.
  std::vector<std::string> needs = {};
  // Inputs from outside of the folder: name and hash of the content.
  std::map<std::string, std::string> outside = {};
  int version = 1;  // increased when the same inputs and settings give another result
  Json settings = Json::object();
  // Files and folders that it writes, relative to the build's folder. "times.json#NAME" is the entry NAME of the group
  // "measured" of Times.
  std::vector<std::string> outputs = {};
  // Files and folders that an interrupted run may leave besides unfinished outputs.
  std::vector<std::string> partial = {};
  // Whether the outputs contain measured times. The record is then kept in Times, so that the records of all other
  // stages are the same bytes in every run.
  bool measured = false;
  Cost cost = {};           // estimated duration
  std::string remedy = {};  // what the user can do when it fails; a clause
  // What an interrupted run leaves for the next one to go on from, such as "simulated frames"; empty: it begins anew.
  std::string keeps = {};
  // Describes its results in the folder, finished or not, such as "240 frames"; may be empty, and may return nothing.
  std::function<std::string(const std::filesystem::path& folder)> contents = {};
  std::function<void(const StageContext&)> run = {};
};

// Returns a name for Stage::outside that none of the stage's inputs has yet: that of the file without folders, with a
// number where there are several of one name.
std::string OutsideName(const Stage& stage, const std::filesystem::path& file);

struct PlannedStage {
  const Stage* stage = nullptr;
  bool kept = false;     // whether its result is up to date and kept
  std::string why = {};  // reason why it would run; empty if it is kept
  double seconds = 0;    // estimated duration; 0 if it is kept
  // Work of earlier runs that would be deleted: how long it took, and what it is, as Stage::contents describes it.
  double lost_seconds = 0;
  std::string lost = {};
};

// Returns what RunStages() would do. Writes nothing. A stage that reads an output of a stage that would run is assumed
// to run too. Throws UsageError with a list of all stages if `redo` contains an unknown name.
// redo: names of stages to run even if they are up to date.
std::vector<PlannedStage> PlanStages(const std::filesystem::path& folder, const std::vector<Stage>& stages,
                                     const std::vector<std::string>& redo);

struct StageOutcome {
  std::string name;
  bool kept = false;                    // as in PlannedStage
  std::string why = {};                 // as in PlannedStage
  double seconds = 0, cpu_seconds = 0;  // wall clock and processor time of this run; 0 if it is kept
  double expected_seconds = 0;          // estimate of `seconds` before the run
};

// Runs the stages that are not up to date, in order. The folder must exist and be locked by the caller (FolderLock).
// While it runs, an interrupt says what is kept (OnInterrupt). An
// Error of a stage is rethrown with the stage's name before its message and the remedy after it.
std::vector<StageOutcome> RunStages(const std::filesystem::path& folder, const std::vector<Stage>& stages,
                                    const std::vector<std::string>& redo);

// Returns the hash of a file's bytes, or of the names and bytes of all files below a folder, without hidden ones; empty
// if the path does not exist.
std::string HashPath(const std::filesystem::path& path);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_STAGE_H_
