// Files that a recipe names. Internal to this folder.
#ifndef SINEW_OFFLINE_CORPUS_RECIPE_FILES_H_
#define SINEW_OFFLINE_CORPUS_RECIPE_FILES_H_

#include <filesystem>
#include <string>
#include <vector>

namespace sinew::corpus {

// Returns the files of a folder with this extension, sorted. file: the recipe. Throws InputError, naming both, if there
// is none.
std::vector<std::filesystem::path> FilesIn(const std::filesystem::path& folder, const std::string& extension,
                                           const std::string& file);

// Returns the digits at the end of a file's name without extension: "007" of wild_007.glb; empty if there are none.
std::string NumberOf(const std::filesystem::path& path);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_RECIPE_FILES_H_
