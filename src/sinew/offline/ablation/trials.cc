#include "sinew/offline/ablation/trials.h"

#include <fmt/format.h>

#include <utility>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/json_text.h"

namespace sinew::ablation {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "ablation.json";
constexpr const char* kTrainings = "trainings";
constexpr const char* kResults = "results";

Json ReadSettings(const fs::path& file) {
  const Json kept = Json::parse(ReadTextFile(file), nullptr, false);
  if (kept.is_object()) return kept;
  throw InputError(file.string(), "", "is no JSON object", "give another folder");
}

void RequireSame(const Json& kept, const Json& wanted, const fs::path& folder) {
  for (const auto& [key, value] : wanted.items()) {
    const Json old = kept.value(key, Json());
    if (old == value) continue;
    throw UsageError(
        fmt::format("{} has trainings with another value of \"{}\": {} and not {}; call it as before, or "
                    "give another folder",
                    folder.string(), key, JsonText(old), JsonText(value)));
  }
}

}  // namespace

std::vector<Trial> MakeTrials(const std::vector<Row>& rows, const std::vector<double>& rates) {
  std::vector<Trial> trials;
  for (size_t r = 0; r < rows.size(); ++r) {
    for (const double rate : rates) trials.push_back({r, rate, fmt::format("{}-{}", rows[r].name, rate)});
  }
  return trials;
}

TrialFolder::TrialFolder(fs::path path, const Json& settings) : path_(std::move(path)) {
  const fs::path manifest = path_ / kManifest;
  const bool known = fs::exists(manifest);
  if (!known && fs::exists(path_) && (!fs::is_directory(path_) || !fs::is_empty(path_))) {
    throw UsageError(
        fmt::format("{} is there and holds no trainings of `sinew learn ablate`; give another folder", path_.string()));
  }
  if (known) RequireSame(ReadSettings(manifest), settings, path_);
  fs::create_directories(path_);
  lock_ = FolderLock(path_);
  if (!known) WriteFileAtomic(manifest, JsonText(settings, 1) + "\n");
  fs::create_directories(path_ / kTrainings);
  fs::create_directories(path_ / kResults);
}

bool TrialFolder::IsDone(const Trial& trial) const { return fs::exists(Model(trial)) && !fs::exists(State(trial)); }

fs::path TrialFolder::Result(const std::string& name) const { return path_ / kResults / (name + ".json"); }

fs::path TrialFolder::File(const Trial& trial, const char* extension) const {
  return path_ / kTrainings / (trial.name + extension);
}

}  // namespace sinew::ablation
