// Reads and writes hierarchies: a folder with one GLB per level and one file of operators (docs/formats/hierarchy.md).
#ifndef SINEW_OFFLINE_LOD_HIERARCHY_FILE_H_
#define SINEW_OFFLINE_LOD_HIERARCHY_FILE_H_

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/core/file.h"
#include "sinew/offline/lod/hierarchy.h"

namespace sinew::lod {

// Whether a path is a folder with operators in it.
bool IsHierarchy(const std::filesystem::path& path);

// Writes a hierarchy whole or not at all. Replaces an older hierarchy of that name, and nothing else. extras(folder):
// writes more files into the same folder before it takes its place; may be empty.
void WriteHierarchy(const std::filesystem::path& path, const Hierarchy& hierarchy,
                    const std::function<void(const std::filesystem::path&)>& extras = {});

// Reads a hierarchy. Throws InputError for anything that docs/formats/hierarchy.md does not allow, and for level files
// other than those that the operators were made for.
Hierarchy ReadHierarchy(const std::filesystem::path& path);

// Contents of the file of operators.
struct Operators {
  std::vector<std::string> level_hashes;          // hashes of the levels' files, coarsest first
  std::vector<std::vector<int>> point_of_vertex;  // one per level
  std::vector<int> point_counts;                  // n_0 to n_r
  std::vector<Upsampling> U;                      // U_0 to U_{r-1}
};
Bytes FormatOperators(const Operators& operators);
Operators ParseOperators(std::span<const std::byte> bytes, const std::string& file);

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_HIERARCHY_FILE_H_
