// Trials, each of which trains one row at one learning rate, and the folder that they are kept in.
#ifndef SINEW_OFFLINE_ABLATION_TRIALS_H_
#define SINEW_OFFLINE_ABLATION_TRIALS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/ablation/rows.h"
#include "sinew/offline/core/folder_lock.h"
#include "sinew/offline/core/json.h"

namespace sinew::ablation {

struct Trial {
  size_t row = 0;  // index into the rows
  double rate = 0;
  std::string name;  // of its files: "ours-0.003"
};

// Returns all trials, row by row, so that whole rows are there early.
std::vector<Trial> MakeTrials(const std::vector<Row>& rows, const std::vector<double>& rates);

class TrialFolder {
 public:
  // Opens the folder for trials with these settings, on which all of them depend, or makes it. Throws UsageError for a
  // folder of other settings, naming the first that differs, and for one that holds something else; FailedError if
  // another program works in it.
  TrialFolder(std::filesystem::path path, const Json& settings);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path Model(const Trial& trial) const { return File(trial, ".model"); }
  std::filesystem::path State(const Trial& trial) const { return File(trial, ".model.state"); }
  std::filesystem::path Log(const Trial& trial) const { return File(trial, ".log"); }
  // File of what a row, or `name`, has come to.
  std::filesystem::path Result(const std::string& name) const;
  std::filesystem::path Fields() const { return path_ / "fields"; }  // of skincells, for the test
  // Whether it has been trained to its end.
  bool IsDone(const Trial& trial) const;

 private:
  std::filesystem::path File(const Trial& trial, const char* extension) const;

  std::filesystem::path path_;
  FolderLock lock_;
};

}  // namespace sinew::ablation

#endif  // SINEW_OFFLINE_ABLATION_TRIALS_H_
