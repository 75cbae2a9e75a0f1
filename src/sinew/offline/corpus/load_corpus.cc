#include "sinew/offline/corpus/load_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/corpus/leaks.h"

namespace sinew::corpus {
namespace {

namespace fs = std::filesystem;

void RefuseMissing(const CorpusManifest& manifest, const std::string& file) {
  std::vector<std::string> missing;
  for (const CorpusBody& body : manifest.bodies) {
    if (!body.made()) missing.push_back(body.name);
  }
  if (missing.empty()) return;
  throw InputError(file, "",
                   fmt::format("{} of {} bodies are not made, the first is \"{}\"", missing.size(),
                               manifest.bodies.size(), missing[0]),
                   "go on with 'sinew corpus make', or join its parts with 'sinew corpus merge'");
}

}  // namespace

bool IsCorpus(const fs::path& path) { return fs::is_directory(path) && fs::is_regular_file(path / kCorpusFile); }

void LeaveOutFamily(const std::string& family, const std::string& file, CorpusManifest& manifest) {
  if (family.empty()) return;
  std::set<std::string> families;
  for (const CorpusBody& body : manifest.bodies) families.insert(body.family);
  if (!families.contains(family)) {
    throw InputError(file, "", fmt::format("has no bodies of the family \"{}\"", family),
                     fmt::format("its families are {}", fmt::join(families, ", ")));
  }
  std::erase_if(manifest.bodies,
                [&](const CorpusBody& body) { return body.family == family && !body.parents.empty(); });
  std::set<int> seen;  // dress recipes that stay in training or validation
  for (const CorpusBody& body : manifest.bodies) {
    if (body.family != family && body.side != Side::kTest) seen.insert(body.dress);
  }
  std::erase_if(manifest.bodies, [&](const CorpusBody& body) {
    return body.family == family && body.dress >= 0 && seen.contains(body.dress);
  });
  for (CorpusBody& body : manifest.bodies) {
    if (body.family == family) body.side = Side::kTest;
  }
  manifest.test_families.push_back(family);
}

Side SideOf(const CorpusManifest& manifest, const CorpusBody& body, const dataset::DatasetMotion& motion,
            const std::string& file) {
  if (!motion.timed) return body.side;
  const int clip = manifest.FindClip(motion.file);
  if (clip < 0) {
    throw InputError(file, fmt::format("motion \"{}\"", motion.name),
                     fmt::format("is of {}, a clip that the corpus does not list", motion.file),
                     "make the corpus again");
  }
  return std::max(body.side, manifest.clips[clip].side);
}

Corpus::Corpus(const fs::path& folder, const CorpusOptions& options) : folder_(folder) {
  const std::string file = (folder / kCorpusFile).string();
  if (!IsCorpus(folder)) {
    throw InputError(folder.string(), "", fmt::format("is no corpus: it has no {}", kCorpusFile),
                     "make one with 'sinew corpus make RECIPE -o FOLDER'");
  }
  manifest_ = ParseCorpusManifest(ReadTextFile(file), file);
  LeaveOutFamily(options.unseen_family, file, manifest_);
  RefuseLeaks(manifest_, file);
  if (!options.allow_missing) RefuseMissing(manifest_, file);
}

std::vector<int> Corpus::Bodies() const {
  std::vector<int> bodies;
  for (int b = 0; b < static_cast<int>(manifest_.bodies.size()); ++b) {
    if (manifest_.bodies[b].made()) bodies.push_back(b);
  }
  return bodies;
}

dataset::Dataset Corpus::Open(int b) const {
  const fs::path path = folder_ / DatasetFolder(body(b));
  if (!dataset::IsDataset(path)) {
    throw InputError(path.string(), "", "is missing, and the corpus lists it",
                     "copy it there, or make the corpus again");
  }
  const std::string text = ReadTextFile(path / "dataset.json");
  if (HashHex(std::as_bytes(std::span(text))) != body(b).dataset) {
    throw InputError(path.string(), "", "is not the dataset that the corpus was made with: the checksum differs",
                     "put that one back, or make the corpus again");
  }
  return dataset::Dataset(path);
}

std::vector<int> Corpus::Frames(int b, const dataset::Dataset& dataset, Side side) const {
  std::vector<Side> sides;  // one per motion
  for (const dataset::DatasetMotion& motion : dataset.manifest().motions) {
    sides.push_back(SideOf(manifest_, body(b), motion, dataset.path().string()));
  }
  std::vector<int> frames;
  for (const int i : dataset.OkFrames()) {
    if (sides[dataset.frame(i).motion] == side) frames.push_back(i);
  }
  return frames;
}

}  // namespace sinew::corpus
