#include "sinew/offline/corpus/corpus_info.h"

#include <fmt/format.h>

#include <set>
#include <span>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/corpus/leaks.h"

namespace sinew::corpus {
namespace {

constexpr std::array kAllSides = {Side::kTrain, Side::kValidation, Side::kTest};

// Returns the errors of one body.
std::vector<std::string> DamageOf(const std::filesystem::path& folder, const CorpusManifest& manifest,
                                  const CorpusBody& body) {
  const std::filesystem::path path = folder / DatasetFolder(body);
  if (!body.made()) return {fmt::format("{}: is not made yet", path.string())};
  try {
    const std::string text = ReadTextFile(path / "dataset.json");
    if (HashHex(std::as_bytes(std::span(text))) != body.dataset) {
      return {fmt::format("{}: is not the dataset that the corpus was made with: the checksum differs", path.string())};
    }
    const dataset::Dataset dataset(path);
    for (const dataset::DatasetMotion& motion : dataset.manifest().motions) {
      SideOf(manifest, body, motion, path.string());
    }
    if (BuildOf(dataset.ReadCharacter(0).skeleton) != body.build) {
      return {fmt::format("{}: its character has other bones than the corpus says", path.string())};
    }
    return dataset::FindDamage(dataset);
  } catch (const Error& error) {
    return {error.what()};
  }
}

}  // namespace

CorpusCount CountCorpus(const Corpus& corpus) {
  CorpusCount count;
  std::set<std::string> identities;
  for (const int b : corpus.Bodies()) {
    const CorpusBody& body = corpus.body(b);
    const bool fresh = identities.insert(body.identity).second;
    const dataset::Dataset dataset = corpus.Open(b);
    count.made += 1;
    count.frames += body.frames;
    count.failed += body.failed;
    for (std::array<SideCount, dataset::kSides>* sides : {&count.all, &count.families[body.family]}) {
      SideCount& own = (*sides)[static_cast<size_t>(body.side)];
      own.bodies += 1;
      own.identities += fresh;
      for (const Side side : kAllSides) {
        (*sides)[static_cast<size_t>(side)].frames += static_cast<int>(corpus.Frames(b, dataset, side).size());
      }
    }
  }
  count.missing = static_cast<int>(corpus.manifest().bodies.size()) - count.made;
  return count;
}

std::vector<std::string> FindCorpusDamage(const std::filesystem::path& folder) {
  const std::string file = (folder / kCorpusFile).string();
  const CorpusManifest manifest = ParseCorpusManifest(ReadTextFile(file), file);
  std::vector<std::string> damage;
  for (const std::string& leak : FindLeaks(manifest)) damage.push_back(fmt::format("{}: {}", file, leak));
  for (const CorpusBody& body : manifest.bodies) {
    const std::vector<std::string> of_body = DamageOf(folder, manifest, body);
    damage.insert(damage.end(), of_body.begin(), of_body.end());
  }
  return damage;
}

}  // namespace sinew::corpus
