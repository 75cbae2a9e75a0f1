#include "sinew/offline/corpus/merge_corpora.h"

#include <fmt/format.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/write_error.h"
#include "sinew/offline/corpus/leaks.h"
#include "sinew/offline/corpus/load_corpus.h"

namespace sinew::corpus {
namespace {

namespace fs = std::filesystem;

bool SamePlan(const CorpusBody& a, const CorpusBody& b) {
  return a.name == b.name && a.identity == b.identity && a.side == b.side && a.seed == b.seed &&
         a.parents == b.parents && a.dress == b.dress && a.garment == b.garment;
}

// Takes over the bodies that `part` has and `all` lacks. from: index of the part per body of `all`, -1 for none.
void TakeBodies(const Corpus& part, int index, CorpusManifest& all, std::vector<int>& from) {
  const CorpusManifest& manifest = part.manifest();
  const auto refuse = [&](const std::string& problem) {
    throw InputError(part.folder().string(), "", problem, "merge parts that were made of one recipe and its files");
  };
  if (manifest.recipe != all.recipe) refuse("was made of another recipe than the first part");
  if (manifest.bodies.size() != all.bodies.size() || manifest.clips != all.clips) {
    refuse("was made of other files than the first part");
  }
  for (size_t b = 0; b < all.bodies.size(); ++b) {
    const CorpusBody& body = manifest.bodies[b];
    if (!SamePlan(body, all.bodies[b])) refuse("was made of other files than the first part");
    if (!body.made()) continue;
    if (from[b] >= 0 && body != all.bodies[b])
      refuse(fmt::format("has another \"{}\" than an earlier part", body.name));
    if (from[b] >= 0) continue;
    all.bodies[b] = body;
    from[b] = index;
  }
}

void LinkOrCopy(const fs::path& source, const fs::path& target) {
  std::error_code error;
  fs::create_hard_link(source, target, error);
  if (error) fs::copy_file(source, target, error);
  if (error) throw WriteError(target.string(), error.value());
}

void CopyDataset(const fs::path& source, const fs::path& target) {
  std::error_code error;
  fs::create_directories(target, error);
  if (error) throw WriteError(target.string(), error.value());
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source)) {
    const fs::path place = target / fs::relative(entry.path(), source);
    if (entry.is_directory()) {
      fs::create_directories(place, error);
      if (error) throw WriteError(place.string(), error.value());
    } else {
      LinkOrCopy(entry.path(), place);
    }
  }
}

}  // namespace

MergeCorporaSummary MergeCorpora(const fs::path& folder, const std::vector<fs::path>& parts) {
  if (parts.empty()) throw UsageError("there is no part to merge; name at least one");
  std::vector<Corpus> corpora;
  for (const fs::path& part : parts) {
    if (fs::exists(folder) && fs::exists(part) && fs::equivalent(folder, part)) {
      throw UsageError(fmt::format("{}: is one of the parts; name another folder to write", folder.string()));
    }
    corpora.emplace_back(part, CorpusOptions{.unseen_family = "", .allow_missing = true});
  }
  CorpusManifest all = corpora[0].manifest();
  std::vector<int> from(all.bodies.size(), -1);
  for (size_t p = 0; p < corpora.size(); ++p) TakeBodies(corpora[p], static_cast<int>(p), all, from);
  RefuseLeaks(all, folder.string());
  MergeCorporaSummary summary;
  for (const CorpusBody& body : all.bodies) {
    summary.bodies += body.made();
    if (!body.made()) summary.missing.push_back(body.name);
  }
  WriteFolderAtomic(folder, IsCorpus, [&](const fs::path& target) {
    fs::create_directories(target / "bodies");
    for (size_t b = 0; b < all.bodies.size(); ++b) {
      if (from[b] < 0) continue;
      const std::string place = DatasetFolder(all.bodies[b]);
      CopyDataset(corpora[from[b]].folder() / place, target / place);
    }
    WriteFileAtomic(target / kCorpusFile, FormatCorpusManifest(all));
  });
  return summary;
}

}  // namespace sinew::corpus
