#include "sinew/offline/ablation/run_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <thread>

#include "sinew/offline/ablation/child_programs.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/progress.h"

namespace sinew::ablation {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double SecondsLeft(const RunOptions& options) {
  constexpr double kLong = 3600;
  if (!options.deadline) return kLong;
  return std::chrono::duration<double>(*options.deadline - Clock::now()).count();
}

std::vector<std::string> WordsOf(const Row& row, const Trial& trial, const TrialFolder& folder,
                                 const RunOptions& options) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int threads = std::max(1, (options.threads > 0 ? options.threads : cores) / options.at_once);
  std::vector<std::string> words = {"learn", "train"};
  words.insert(words.end(), options.inputs.begin(), options.inputs.end());
  words.insert(words.end(), {"--output", folder.Model(trial).string(), "--threads", fmt::format("{}", threads)});
  const std::vector<std::string> own = TrainWords(row, trial.rate);
  words.insert(words.end(), own.begin(), own.end());
  if (fs::exists(folder.State(trial))) words.emplace_back("--resume");
  return words;
}

// Returns the last line of a failed training.
std::string FailureOf(const fs::path& log, int code) {
  std::istringstream text(ReadTextFile(log));
  const std::string mark = "sinew: ";
  std::string failure;
  for (std::string line; std::getline(text, line);) {
    if (line.rfind(mark, 0) == 0) failure = line.substr(mark.size());
  }
  return failure.empty() ? fmt::format("it ended with code {}", code) : failure;
}

class Runner {
 public:
  Runner(const std::vector<Row>& rows, const std::vector<Trial>& trials, const TrialFolder& folder,
         const RunOptions& options)
      : rows_(rows), trials_(trials), folder_(folder), options_(options), children_(options.program) {}

  std::vector<TrialEnd> Run() {
    std::vector<TrialEnd> ends(trials_.size());
    for (size_t t = 0; t < trials_.size(); ++t) ends[t].done = folder_.IsDone(trials_[t]);
    size_t next = 0;
    while (SecondsLeft(options_) > 0) {
      while (next < trials_.size() && children_.running() < options_.at_once) {
        if (!ends[next].done) Start(next);
        ++next;
      }
      if (children_.running() == 0) break;
      const auto ended = children_.Wait(SecondsLeft(options_));
      if (ended) Note(ended->number, ended->code, ends);
    }
    children_.End();
    return ends;
  }

 private:
  void Start(size_t t) {
    const Trial& trial = trials_[t];
    const bool goes_on = fs::exists(folder_.State(trial));
    const std::vector<std::string> words = WordsOf(rows_[trial.row], trial, folder_, options_);
    Started started{t, Clock::now()};
    started_.emplace(children_.Start(words, folder_.Log(trial)), started);
    Info("{}: {}, as {}", trial.name, goes_on ? "goes on" : "training starts", folder_.Log(trial).string());
  }

  void Note(int number, int code, std::vector<TrialEnd>& ends) {
    const auto [t, start] = started_.at(number);
    const Trial& trial = trials_[t];
    if (code == 0 && folder_.IsDone(trial)) {
      ends[t].done = true;
      Info("{}: trained in {}", trial.name, DurationText(std::chrono::duration<double>(Clock::now() - start).count()));
      return;
    }
    ends[t].failure = FailureOf(folder_.Log(trial), code);
    Warn("{}: was not trained: {}", trial.name, ends[t].failure);
  }

  struct Started {
    size_t trial = 0;
    Clock::time_point start;
  };
  const std::vector<Row>& rows_;
  const std::vector<Trial>& trials_;
  const TrialFolder& folder_;
  const RunOptions& options_;
  ChildPrograms children_;
  std::map<int, Started> started_;  // by number of the program
};

}  // namespace

std::vector<TrialEnd> RunTrials(const std::vector<Row>& rows, const std::vector<Trial>& trials,
                                const TrialFolder& folder, const RunOptions& options) {
  return Runner(rows, trials, folder, options).Run();
}

}  // namespace sinew::ablation
