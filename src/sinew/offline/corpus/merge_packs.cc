#include "sinew/offline/corpus/merge_packs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/corpus/recipe.h"

namespace sinew::corpus {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRemedy = "merge packs of parts that were made of one recipe";

PackManifest ReadPart(const fs::path& part) {
  if (!IsPack(part)) {
    throw InputError(part.string(), "", fmt::format("is no packed corpus: it has no {}", kPackFile),
                     "merge packs with packs, and corpora with corpora");
  }
  const std::string file = (part / kPackFile).string();
  return ParsePackManifest(ReadTextFile(file), file);
}

// Takes over the bodies that `part` has and `all` lacks. from: the folder of every body of `all`.
void TakeBodies(const fs::path& folder, const PackManifest& part, PackManifest& all,
                std::map<std::string, fs::path>& from) {
  const auto refuse = [&](const std::string& problem) { throw InputError(folder.string(), "", problem, kRemedy); };
  if (part.recipe != all.recipe) refuse("was made of another recipe than the first pack");
  for (const PackEntry& entry : part.bodies) {
    if (from.emplace(entry.body.name, folder).second) {
      all.bodies.push_back(entry);
      continue;
    }
    const auto other = std::find_if(all.bodies.begin(), all.bodies.end(),
                                    [&](const PackEntry& e) { return e.body.name == entry.body.name; });
    if (other->hash != entry.hash) refuse(fmt::format("has another \"{}\" than an earlier pack", entry.body.name));
  }
}

// Sorts bodies as the corpus lists them: by group, then by number, which their names end with.
void SortAsInRecipe(PackManifest& pack, const fs::path& file) {
  std::map<std::string, size_t> place;
  const Recipe recipe = ParseRecipe(pack.recipe, file);
  for (size_t g = 0; g < recipe.bodies.size(); ++g) place[recipe.bodies[g].name] = g;
  const auto key = [&](const PackEntry& entry) {
    return std::make_tuple(place[entry.body.group], entry.body.name.size(), entry.body.name);
  };
  std::sort(pack.bodies.begin(), pack.bodies.end(),
            [&](const PackEntry& a, const PackEntry& b) { return key(a) < key(b); });
}

}  // namespace

PackManifest MergePacks(const fs::path& folder, const std::vector<fs::path>& parts) {
  if (parts.empty()) throw UsageError("there is no pack to merge; name at least one");
  PackManifest all = ReadPart(parts[0]);
  all.bodies.clear();
  std::map<std::string, fs::path> from;
  for (const fs::path& part : parts) {
    const PackManifest manifest = ReadPart(part);
    if (fs::exists(folder) && fs::equivalent(folder, part)) {
      throw UsageError(fmt::format("{}: is one of the packs; name another folder to write", folder.string()));
    }
    TakeBodies(part, manifest, all, from);
  }
  SortAsInRecipe(all, parts[0] / kPackFile);
  RefusePackLeaks(all, folder.string());
  WriteFolderAtomic(folder, IsPack, [&](const fs::path& target) {
    fs::create_directories(target / "bodies");
    for (const PackEntry& entry : all.bodies) {
      WriteFileAtomic(target / PackedFile(entry.body), ReadPackedFile(from[entry.body.name], entry));
    }
    WriteFileAtomic(target / kPackFile, FormatPackManifest(all));
  });
  return all;
}

}  // namespace sinew::corpus
