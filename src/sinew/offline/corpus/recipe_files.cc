#include "sinew/offline/corpus/recipe_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"

namespace sinew::corpus {

namespace fs = std::filesystem;

std::vector<fs::path> FilesIn(const fs::path& folder, const std::string& extension, const std::string& file) {
  std::vector<fs::path> files;
  if (fs::is_directory(folder)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (LowerExtension(entry.path()) == extension) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) {
    throw InputError(file, "", fmt::format("names {}, which has no {} files", folder.string(), extension),
                     "folders are relative to that of the recipe");
  }
  return files;
}

std::string NumberOf(const fs::path& path) {
  const std::string stem = path.stem().string();
  const size_t last = stem.find_last_not_of("0123456789");
  return last == std::string::npos ? stem : stem.substr(last + 1);
}

}  // namespace sinew::corpus
