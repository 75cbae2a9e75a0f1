#include "sinew/offline/dataset/begin_dataset.h"

#include <fmt/format.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/json_text.h"

namespace sinew::dataset {
namespace {

namespace fs = std::filesystem;

// Throws InputError unless the dataset to be continued has the manifest that this call would start with.
void CheckSame(const fs::path& path, const DatasetManifest& there, const DatasetManifest& asked) {
  const auto refuse = [&](const std::string& problem) {
    throw InputError(path.string(), "", problem, "go on with what it was begun with, or name another dataset");
  };
  if (there.characters != asked.characters) refuse("is a dataset of another character");
  if (there.poses != asked.poses || there.motions != asked.motions) refuse("was begun with other poses");
  if (there.metres_per_unit != asked.metres_per_unit) refuse("was begun with another unit");
  for (const auto& [key, value] : asked.settings.items()) {
    if (there.settings.value(key, Json()) == value) continue;
    refuse(fmt::format("was begun with {} {} instead of {}", key, JsonText(there.settings.value(key, Json("none"))),
                       JsonText(value)));
  }
  if (there.settings != asked.settings) refuse("was begun with other settings");
}

}  // namespace

void BeginDataset(const fs::path& path, const DatasetManifest& start, const StoredCharacter& character, bool resume) {
  if (fs::exists(path) && !IsDataset(path)) {
    throw FailedError(fmt::format("{}: exists and is not a dataset; name another folder or remove it", path.string()));
  }
  if (IsDataset(path)) {
    if (!resume) {
      throw FailedError(
          fmt::format("{}: exists; go on with it with --resume, name another folder, or remove it", path.string()));
    }
    return CheckSame(path, Dataset(path).manifest(), start);
  }
  const auto never = [](const fs::path&) { return false; };
  WriteFolderAtomic(path, never, [&](const fs::path& folder) {
    const DatasetWriter writer(folder, start, {{character.entry.file, character.file}});
  });
}

}  // namespace sinew::dataset
