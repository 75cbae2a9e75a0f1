#include "sinew/offline/pipeline/build.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/folder_lock.h"
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

}  // namespace

std::vector<PlannedStage> PlanBuild(const fs::path& folder, const std::vector<Stage>& stages,
                                    const std::vector<std::string>& redo) {
  RefuseOthers(folder);
  return PlanStages(folder, stages, redo);
}

BuildResult Build(const fs::path& folder, const Request& request, const std::vector<std::string>& redo) {
  const Subject subject = FindSubject(request);
  const std::vector<Stage> stages = MakeStages(request, subject);
  RefuseOthers(folder);
  std::error_code error;
  // The settings are written first: their file marks the folder as a build.
  fs::create_directories(folder, error);
  if (error) throw FailedError(fmt::format("{}: cannot be written: {}", folder.string(), error.message()));
  const FolderLock lock(folder);
  WriteFileAtomic(folder / kConfigFile, request.config.Text());
  fs::create_directories(folder / kRecords, error);
  if (error) throw FailedError(fmt::format("{}: cannot be written: {}", folder.string(), error.message()));
  RemoveLeftovers(folder);
  BuildResult result;
  result.stages = RunStages(folder, stages, redo);
  result.summary = ReadSummary(folder);
  return result;
}

}  // namespace sinew::pipeline
