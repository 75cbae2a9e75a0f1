// Stages in a row, each kept and reused as long as what went into it has not changed.
//
// What went into a stage is its version, its settings and the content of what it reads. After its outputs a stage's
// record is written: all of that, and the hash of every output. A stage is fresh if the record is there, says what
// would go in now, and the outputs still have their hashes. Before a stage works, a note of what goes in is left; one
// that was ended finds it and goes on with what it had, if that is the same.
#ifndef SINEW_OFFLINE_PIPELINE_STAGE_H_
#define SINEW_OFFLINE_PIPELINE_STAGE_H_

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sinew/offline/core/json.h"
#include "sinew/offline/pipeline/times.h"

namespace sinew::pipeline {

struct StageContext {
  std::filesystem::path folder;
  Times& times;
};

struct Stage {
  std::string name;
  std::string does;  // one line for people
  // Outputs of earlier stages that it reads: names below the folder.
  std::vector<std::string> needs = {};
  // What it reads from elsewhere: a name and the hash of its content.
  std::map<std::string, std::string> outside = {};
  int version = 1;  // counts up when the same inputs and settings give another result
  Json settings = Json::object();
  // Files and folders below the build's. "times.json#NAME" is an entry of Times' group "measured".
  std::vector<std::string> outputs = {};
  // What an ended run may leave behind besides unfinished outputs.
  std::vector<std::string> partial = {};
  // Its outputs hold times, so its record is in Times: records of other stages are then the same bytes in every run.
  bool measured = false;
  double cost = 0;          // about how many seconds of one thread it takes
  bool parallel = true;     // more threads make it faster
  std::string remedy = {};  // what to do when it fails; a clause
  std::function<void(const StageContext&)> run = {};
};

struct PlannedStage {
  const Stage* stage = nullptr;
  bool kept = false;
  std::string why = {};  // it is not kept
  double seconds = 0;    // about how long it would take; 0 if it is kept
};

// Writes nothing. redo: names of stages to do whatever is there; UsageError that lists all for a name that is none.
// A stage that reads what another one will write is taken to follow from it.
std::vector<PlannedStage> PlanStages(const std::filesystem::path& folder, const std::vector<Stage>& stages,
                                     const std::vector<std::string>& redo);

struct StageOutcome {
  std::string name;
  bool kept = false;
  std::string why = {};
  double seconds = 0, cpu_seconds = 0;  // of this run
};

// Does what has to be done, in order. The folder must exist and be held by the caller (FolderLock). An Error of a stage
// is thrown again with the stage's name before it and its remedy behind.
std::vector<StageOutcome> RunStages(const std::filesystem::path& folder, const std::vector<Stage>& stages,
                                    const std::vector<std::string>& redo);

// Of a file's bytes, or of all names and bytes below a folder; empty if there is neither. Hidden names do not count.
std::string HashPath(const std::filesystem::path& path);

}  // namespace sinew::pipeline

#endif  // SINEW_OFFLINE_PIPELINE_STAGE_H_
