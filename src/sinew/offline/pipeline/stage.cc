#include "sinew/offline/pipeline/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/interrupt.h"
#include "sinew/offline/core/json_text.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/nearest_words.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/write_error.h"
#include "sinew/offline/pipeline/clocks.h"
#include "sinew/offline/pipeline/config.h"
#include "sinew/offline/pipeline/layout.h"

namespace sinew::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGoesOn = "it was begun and goes on";

std::string HashText(const std::string& text) { return HashHex(std::as_bytes(std::span(text))); }

Json ReadRecord(const fs::path& path) {
  if (!fs::is_regular_file(path)) return {};
  const Json json = Json::parse(ReadTextFile(path), nullptr, false);
  return json.is_object() ? json : Json();
}

// Describes the first difference between two records.
std::string Difference(const Json& before, const Json& now) {
  for (const char* key : {"stage", "version", "sinew"}) {
    if (before.value(key, Json()) != now.at(key)) return "another version of Sinew made it";
  }
  const Json was = before.value("settings", Json::object());
  for (const auto& [key, value] : now.at("settings").items()) {
    const Json old = was.value(key, Json());
    if (old != value) return fmt::format("{} is {} and was {}", key, JsonText(value), JsonText(old));
  }
  if (was != now.at("settings")) return "its settings have changed";
  const Json inputs = before.value("inputs", Json::object());
  for (const auto& [key, value] : now.at("inputs").items()) {
    if (inputs.value(key, Json()) != value) return fmt::format("{} has changed", key);
  }
  return "its inputs have changed";
}

// The records, notes and outputs of stages in a build's folder. Each hash is computed once and cached.
class Keeper {
 public:
  explicit Keeper(const fs::path& folder) : folder_(folder), times_(folder / kTimes) {}

  Times& times() { return times_; }

  const std::string& HashOf(const std::string& output) {
    const auto known = hashes_.find(output);
    return known != hashes_.end() ? known->second : hashes_[output] = FindHash(output);
  }

  // Returns the present inputs of a stage, as its record stores them.
  Json InputsOf(const Stage& stage) {
    Json inputs = Json::object();
    for (const auto& [name, hash] : stage.outside) inputs[name] = hash;
    for (const std::string& need : stage.needs) inputs[need] = HashOf(need);
    return {{"stage", stage.name},
            {"version", stage.version},
            {"sinew", SINEW_VERSION},
            {"settings", stage.settings},
            {"inputs", inputs}};
  }

  // Returns an empty text if the stage is up to date, otherwise the reason why it is not.
  std::string Staleness(const Stage& stage) {
    Json record = RecordOf(stage);
    if (record.is_null()) return Unfinished(stage);
    const Json outputs = record.value("outputs", Json::object());
    record.erase("outputs");
    const Json now = InputsOf(stage);
    if (record != now) return Difference(record, now);
    for (const std::string& output : stage.outputs) {
      const Json kept = outputs.value(output, Json());
      if (HashOf(output).empty()) return fmt::format("{} is missing", output);
      if (kept != HashOf(output)) return fmt::format("{} was changed since", output);
    }
    return "";
  }

  // How long the results of a stage that has to run took, if running it deletes them; 0 if there are none, or if it
  // goes on from them. follows: whether an earlier stage has to run too, so that its inputs may become others.
  double LostSeconds(const Stage& stage, bool follows) {
    if (!HasResults(stage)) return 0;
    if (!RecordOf(stage).is_null()) {
      const Json* took = times_.Find("stages", stage.name);
      return took != nullptr && took->is_object() ? took->value("seconds", 0.0) : 0;
    }
    return !follows && GoesOn(stage) ? 0 : SecondsSinceBegun(stage);
  }

  // Prepares a run: writes the note of the stage's inputs. What an interrupted run with the same inputs left is kept,
  // unless `anew`; all other results of the stage are removed.
  void Begin(const Stage& stage, bool anew) {
    const bool goes_on = !anew && GoesOn(stage);
    Forget(stage);
    if (goes_on) return;
    for (const auto* list : {&stage.outputs, &stage.partial}) {
      for (const std::string& name : *list) Remove(name);
    }
    WriteFileAtomic(BegunPath(stage), JsonText(InputsOf(stage), 1) + "\n");
  }

  // Writes the record of a stage that has run.
  void Finish(const Stage& stage) {
    Json record = InputsOf(stage);
    for (const std::string& output : stage.outputs) {
      hashes_.erase(output);
      record["outputs"][output] = HashOf(output);
    }
    if (stage.measured) {
      times_.Set("records", stage.name, record);
    } else {
      WriteFileAtomic(RecordPath(stage), JsonText(record, 1) + "\n");
    }
    Settle(stage);
  }

  // Removes the note of a stage that has its record; a kill between the two leaves both.
  void Settle(const Stage& stage) {
    std::error_code ignored;
    fs::remove(BegunPath(stage), ignored);
  }

 private:
  fs::path RecordPath(const Stage& stage) const { return folder_ / kRecords / (stage.name + ".json"); }
  fs::path BegunPath(const Stage& stage) const { return folder_ / kRecords / (stage.name + ".begun"); }

  Json RecordOf(const Stage& stage) const {
    if (!stage.measured) return ReadRecord(RecordPath(stage));
    const Json* record = times_.Find("records", stage.name);
    return record != nullptr && record->is_object() ? *record : Json();
  }

  // Whether an interrupted run with the present inputs left its note.
  bool GoesOn(const Stage& stage) {
    const fs::path begun = BegunPath(stage);
    return RecordOf(stage).is_null() && fs::is_regular_file(begun) &&
           ReadTextFile(begun) == JsonText(InputsOf(stage), 1) + "\n";
  }

  // Why a stage without a record has to run.
  std::string Unfinished(const Stage& stage) {
    if (!fs::exists(BegunPath(stage))) return "it was not done yet";
    if (!GoesOn(stage)) return "it was begun with other settings or inputs";
    return stage.keeps.empty() || !HasResults(stage) ? "it was begun, and nothing of it is kept" : kGoesOn;
  }

  bool HasResults(const Stage& stage) const {
    const auto there = [this](const std::string& name) {
      return EntryOf(name).empty() ? fs::exists(folder_ / name) : times_.Find("measured", EntryOf(name)) != nullptr;
    };
    return std::any_of(stage.outputs.begin(), stage.outputs.end(), there) ||
           std::any_of(stage.partial.begin(), stage.partial.end(), there);
  }

  // About how long an unfinished stage has been worked on: from its note to the last change of its results. Pauses
  // between runs count too, since nothing tells them apart.
  double SecondsSinceBegun(const Stage& stage) const {
    std::error_code ignored;
    const auto begun = fs::last_write_time(BegunPath(stage), ignored);
    auto last = begun;
    for (const auto* list : {&stage.outputs, &stage.partial}) {
      for (const std::string& name : *list) last = std::max(last, LastChange(folder_ / name));
    }
    return std::chrono::duration<double>(last - begun).count();
  }

  static fs::file_time_type LastChange(const fs::path& path) {
    std::error_code ignored;
    auto last = fs::last_write_time(path, ignored);
    if (ignored) return fs::file_time_type::min();
    if (!fs::is_directory(path)) return last;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
      last = std::max(last, entry.last_write_time());
    }
    return last;
  }

  void Forget(const Stage& stage) {
    std::error_code ignored;
    fs::remove(RecordPath(stage), ignored);
    if (stage.measured) times_.Remove("records", stage.name);
    for (const std::string& output : stage.outputs) hashes_.erase(output);
  }

  static std::string EntryOf(const std::string& output) {
    const std::string prefix = fmt::format("{}#", kTimes);
    return output.starts_with(prefix) ? output.substr(prefix.size()) : "";
  }

  std::string FindHash(const std::string& output) const {
    const std::string entry = EntryOf(output);
    if (entry.empty()) return HashPath(folder_ / output);
    const Json* value = times_.Find("measured", entry);
    return value == nullptr ? "" : HashText(JsonText(*value));
  }

  void Remove(const std::string& output) {
    hashes_.erase(output);
    const std::string entry = EntryOf(output);
    std::error_code error;
    if (entry.empty()) {
      fs::remove_all(folder_ / output, error);
    } else {
      times_.Remove("measured", entry);
    }
    if (error) throw FailedError(fmt::format("{}: cannot be removed: {}", output, error.message()));
  }

  const fs::path folder_;
  Times times_;
  std::map<std::string, std::string> hashes_;
};

void CheckNames(const std::vector<Stage>& stages, const std::vector<std::string>& redo) {
  std::vector<std::string> names;
  names.reserve(stages.size());
  for (const Stage& stage : stages) names.push_back(stage.name);
  for (const std::string& name : redo) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw UsageError(fmt::format("--redo {}: there is no such stage; the nearest is '{}', and all are {}", name,
                                 Nearest(name, names), fmt::join(names, ", ")));
  }
}

bool Contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

double ModelledSeconds(const Stage& stage) { return stage.cost.Seconds(Pool().concurrency()); }

// Returns the estimated duration: that of cost.h, corrected by how far off it was the last time in this folder, if that
// run was not resumed.
double SecondsOf(const Stage& stage, const Times& times) {
  double seconds = ModelledSeconds(stage);
  const Json* before = times.Find("stages", stage.name);
  if (before != nullptr && before->is_object() && before->value("whole", false)) {
    const double modelled = before->value("modelled_seconds", 0.0), took = before->value("seconds", 0.0);
    if (modelled > 0 && took > 0) seconds *= took / modelled;
  }
  return seconds;
}

std::string InterruptSentence(const Stage& stage, const fs::path& folder) {
  return fmt::format("in stage {}; {} in {}, and the same call goes on {}: sinew build -o {}", stage.name,
                     stage.keeps.empty() ? "all stages before it are kept"
                                         : fmt::format("all stages before it and its {} so far are kept", stage.keeps),
                     folder.string(), stage.keeps.empty() ? "with this stage from its beginning" : "from there",
                     folder.string());
}

StageOutcome RunStage(const Stage& stage, const std::string& why, bool anew, const fs::path& folder, Keeper& keeper) {
  const bool whole = why != kGoesOn;
  StageOutcome outcome{.name = stage.name, .kept = false, .why = why};
  outcome.expected_seconds = SecondsOf(stage, keeper.times());
  const OnInterrupt interrupt(InterruptSentence(stage, folder));
  keeper.Begin(stage, anew);
  const double start = WallSeconds(), cpu = ProcessSeconds();
  try {
    stage.run({folder, keeper.times()});
  } catch (const WriteError& error) {
    // No setting of the stage makes room on a disk.
    throw Error(error.kind(), fmt::format("stage {}: {}", stage.name, error.what()));
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("stage {}: {}{}{}", stage.name, error.what(),
                                          stage.remedy.empty() ? "" : "; ", stage.remedy));
  }
  outcome.seconds = WallSeconds() - start;
  outcome.cpu_seconds = ProcessSeconds() - cpu;
  keeper.Finish(stage);
  keeper.times().Set("stages", stage.name,
                     {{"seconds", outcome.seconds},
                      {"cpu_seconds", outcome.cpu_seconds},
                      {"threads", Pool().concurrency()},
                      {"expected_seconds", outcome.expected_seconds},
                      {"modelled_seconds", ModelledSeconds(stage)},
                      {"whole", whole}});
  return outcome;
}

}  // namespace

std::string OutsideName(const Stage& stage, const fs::path& file) {
  const std::string name = file.filename().string();
  const auto taken = [&stage](const std::string& one) {
    return stage.outside.contains(one) || std::find(stage.needs.begin(), stage.needs.end(), one) != stage.needs.end();
  };
  if (!taken(name)) return name;
  for (int number = 2;; ++number) {
    const std::string numbered = fmt::format("{} ({})", name, number);
    if (!taken(numbered)) return numbered;
  }
}

std::string HashPath(const fs::path& path) {
  if (fs::is_regular_file(path)) return HashHex(ReadFile(path));
  if (!fs::is_directory(path)) return "";
  std::vector<std::string> names;
  for (auto it = fs::recursive_directory_iterator(path); it != fs::recursive_directory_iterator(); ++it) {
    if (it->path().filename().string().starts_with(".")) {
      it.disable_recursion_pending();
    } else if (it->is_regular_file()) {
      names.push_back(fs::relative(it->path(), path).generic_string());
    }
  }
  std::sort(names.begin(), names.end());
  std::string all;
  for (const std::string& name : names) all += fmt::format("{}\n{}\n", name, HashHex(ReadFile(path / name)));
  return HashText(all);
}

std::vector<PlannedStage> PlanStages(const fs::path& folder, const std::vector<Stage>& stages,
                                     const std::vector<std::string>& redo) {
  CheckNames(stages, redo);
  Keeper keeper(folder);
  std::map<std::string, std::string> changing;  // from each output to the stage that will write it
  std::vector<PlannedStage> plan;
  for (const Stage& stage : stages) {
    PlannedStage planned{.stage = &stage};
    const auto follows = std::find_if(stage.needs.begin(), stage.needs.end(),
                                      [&](const std::string& need) { return changing.contains(need); });
    if (Contains(redo, stage.name)) {
      planned.why = "asked for";
    } else if (follows != stage.needs.end()) {
      planned.why = fmt::format("follows from {}", changing[*follows]);
    } else {
      planned.why = keeper.Staleness(stage);
    }
    planned.kept = planned.why.empty();
    if (!planned.kept) {
      planned.seconds = SecondsOf(stage, keeper.times());
      planned.lost_seconds = keeper.LostSeconds(stage, follows != stage.needs.end());
      if (planned.lost_seconds > 0 && stage.contents) planned.lost = stage.contents(folder);
      for (const std::string& output : stage.outputs) changing[output] = stage.name;
    }
    plan.push_back(std::move(planned));
  }
  return plan;
}

std::vector<StageOutcome> RunStages(const fs::path& folder, const std::vector<Stage>& stages,
                                    const std::vector<std::string>& redo) {
  CheckNames(stages, redo);
  Keeper keeper(folder);
  std::vector<StageOutcome> outcomes;
  for (const Stage& stage : stages) {
    const bool asked = Contains(redo, stage.name);
    const std::string why = asked ? "asked for" : keeper.Staleness(stage);
    if (why.empty()) {
      keeper.Settle(stage);
      Info("{} of {}: {}: kept", outcomes.size() + 1, stages.size(), stage.name);
      outcomes.push_back({.name = stage.name, .kept = true, .why = {}});
      continue;
    }
    Info("{} of {}: {}: {} ({})", outcomes.size() + 1, stages.size(), stage.name, stage.does, why);
    outcomes.push_back(RunStage(stage, why, asked, folder, keeper));
  }
  return outcomes;
}

}  // namespace sinew::pipeline
