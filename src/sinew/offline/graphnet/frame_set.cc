#include "sinew/offline/graphnet/frame_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/corpus/load_corpus.h"
#include "sinew/offline/corpus/load_pack.h"

namespace sinew::graphnet {
namespace {

namespace fs = std::filesystem;

// Joints of a skeleton in a sentence: how many, and the first that is another one.
void RequireSameJoints(const std::vector<std::string>& wanted, const Body& body, const std::string& file) {
  if (body.joints() == wanted) return;
  size_t k = 0;
  while (k < wanted.size() && k < body.joints().size() && body.joints()[k] == wanted[k]) ++k;
  const auto name = [k](const std::vector<std::string>& joints) {
    return k < joints.size() ? fmt::format("'{}'", joints[k]) : "none";
  };
  throw InputError(
      file, "skeleton",
      fmt::format("its joint {} is {} and that of the first body is {}", k, name(body.joints()), name(wanted)),
      "a network is for bodies with the same joints in the same order");
}

void AddDataset(const fs::path& path, std::vector<FrameSource>& sources) {
  auto dataset = std::make_shared<const dataset::Dataset>(path);
  const std::vector<int> frames = dataset->OkFrames();
  if (frames.empty()) throw InputError(path.string(), "", "has no frame with a shape", "simulate it again");
  const fs::path clean = (path / "").parent_path();
  sources.push_back({StoreOf(dataset), clean.stem().string(), "", frames});
}

void AddCorpus(const fs::path& path, const SourceOptions& options, std::vector<FrameSource>& sources) {
  const corpus::Corpus corpus(path, {.unseen_family = options.unseen_family});
  for (const int b : corpus.Bodies()) {
    auto dataset = std::make_shared<const dataset::Dataset>(corpus.Open(b));
    const std::vector<int> frames = corpus.Frames(b, *dataset, options.side);
    if (!frames.empty()) sources.push_back({StoreOf(dataset), corpus.body(b).name, corpus.body(b).family, frames});
  }
}

void AddPack(const fs::path& path, const SourceOptions& options, std::vector<FrameSource>& sources) {
  if (options.side == dataset::Side::kTest) {
    throw InputError(path.string(), "", "is a packed corpus, which has no frames to test with",
                     "give the corpus that it was packed from");
  }
  const corpus::Pack pack(path, options.unseen_family);
  for (int b = 0; b < pack.body_count(); ++b) {
    corpus::PackedBody body = pack.Read(b);
    std::vector<int> frames;
    for (int f = 0; f < body.frame_count(); ++f) {
      if (pack.SideOf(b, body, f) == options.side) frames.push_back(f);
    }
    if (frames.empty()) continue;
    const std::string file = (path / corpus::PackedFile(pack.body(b))).string();
    sources.push_back({StoreOf(std::move(body), file), pack.body(b).name, pack.body(b).family, frames});
  }
}

}  // namespace

bool HasSides(const fs::path& path) { return corpus::IsCorpus(path) || corpus::IsPack(path); }

std::string DescribePaths(const std::vector<fs::path>& paths) {
  const auto count = [&paths](const auto& is) { return std::count_if(paths.begin(), paths.end(), is); };
  const auto corpora = count(corpus::IsCorpus), packs = count(corpus::IsPack);
  std::vector<std::string> texts;
  const auto add = [&texts](int64_t number, const char* one, const char* many) {
    if (number > 0) texts.push_back(number == 1 ? one : fmt::format("{} {}", number, many));
  };
  add(corpora, "a corpus", "corpora");
  add(packs, "a packed corpus", "packed corpora");
  add(static_cast<int64_t>(paths.size()) - corpora - packs, "a dataset", "datasets");
  return fmt::format("{}", fmt::join(texts, " and "));
}

std::vector<FrameSource> OpenSources(const std::vector<fs::path>& paths, const SourceOptions& options) {
  std::vector<FrameSource> sources;
  for (const fs::path& path : paths) {
    if (corpus::IsCorpus(path)) {
      AddCorpus(path, options, sources);
    } else if (corpus::IsPack(path)) {
      AddPack(path, options, sources);
    } else {
      AddDataset(path, sources);
    }
  }
  return sources;
}

CorpusHashes HashCorpora(const std::vector<fs::path>& paths) {
  std::string manifests, recipes;
  for (const fs::path& path : paths) {
    if (!HasSides(path)) continue;
    const bool packed = corpus::IsPack(path);
    manifests += ReadTextFile(path / (packed ? corpus::kPackFile : corpus::kCorpusFile));
    recipes += packed ? corpus::Pack(path).manifest().recipe : corpus::Corpus(path).manifest().recipe;
  }
  const auto hash = [](const std::string& text) { return text.empty() ? "" : HashHex(std::as_bytes(std::span(text))); };
  return {hash(manifests), hash(recipes)};
}

SplitSources SplitForValidation(const std::vector<FrameSource>& sources, double validation, uint64_t seed) {
  SplitSources split;
  for (const FrameSource& source : sources) {
    std::vector<dataset::FramePlace> places;
    for (const int i : source.frames) places.push_back(source.store->PlaceOf(i));
    const dataset::Deal deal = dataset::DealFrames(places, {.shares = {1 - validation, validation, 0}, .seed = seed});
    FrameSource train = source, held = source;
    train.frames.clear();
    held.frames.clear();
    for (size_t k = 0; k < places.size(); ++k) {
      if (deal.sides[k] == static_cast<int>(dataset::Side::kTrain)) train.frames.push_back(source.frames[k]);
      if (deal.sides[k] == static_cast<int>(dataset::Side::kValidation)) held.frames.push_back(source.frames[k]);
    }
    if (!train.frames.empty()) split.training.push_back(std::move(train));
    if (!held.frames.empty()) split.validation.push_back(std::move(held));
  }
  return split;
}

SplitSources OpenTraining(const TrainingInputs& inputs) {
  using dataset::Side;
  std::vector<FrameSource> sources = OpenSources(inputs.paths, {Side::kTrain, inputs.unseen_family});
  std::vector<fs::path> held = inputs.validation;
  if (held.empty()) std::copy_if(inputs.paths.begin(), inputs.paths.end(), std::back_inserter(held), HasSides);
  std::vector<FrameSource> validation = OpenSources(held, {Side::kValidation, inputs.unseen_family});
  SplitSources split = validation.empty() ? SplitForValidation(sources, inputs.share, inputs.seed)
                                          : SplitSources{std::move(sources), std::move(validation)};
  if (inputs.bodies > 0) split.training = ChooseBodies(split.training, inputs.bodies);
  return split;
}

std::vector<FrameSource> ChooseBodies(const std::vector<FrameSource>& sources, int count) {
  const auto have = static_cast<int>(sources.size());
  if (count < 1 || count > have) {
    throw UsageError(
        fmt::format("--bodies {}: the number of bodies to train on is {}; ask for at most that", count, have));
  }
  // The k-th of the n bodies of a family has its place at (k + 1/2) / n of the way through all.
  std::map<std::string, int> sizes, passed;
  for (const FrameSource& source : sources) ++sizes[source.family];
  std::vector<std::pair<double, int>> places;
  for (int s = 0; s < have; ++s) {
    const std::string& family = sources[s].family;
    places.emplace_back((passed[family]++ + 0.5) / sizes[family], s);
  }
  std::sort(places.begin(), places.end());
  std::vector<int> chosen;
  for (int k = 0; k < count; ++k) chosen.push_back(places[k].second);
  std::sort(chosen.begin(), chosen.end());
  std::vector<FrameSource> result;
  for (const int s : chosen) result.push_back(sources[s]);
  return result;
}

FrameSet::FrameSet(std::vector<FrameSource> sources, const BodyOptions& options) : sources_(std::move(sources)) {
  std::vector<int> source_of;  // per body
  for (size_t s = 0; s < sources_.size(); ++s) {
    std::map<int, int> body_of;  // by the character's number in the source
    for (const int i : sources_[s].frames) {
      const int c = sources_[s].store->CharacterOf(i);
      if (body_of.count(c) == 0) {
        body_of[c] = static_cast<int>(character_of_.size());
        character_of_.push_back(c);
        source_of.push_back(static_cast<int>(s));
      }
      entries_.push_back({body_of[c], static_cast<int>(s), i});
    }
  }
  std::vector<std::optional<Body>> bodies(character_of_.size());
  ParallelFor(static_cast<int>(bodies.size()), 1, [&](int b) {
    const FrameStore& store = *sources_[source_of[b]].store;
    bodies[b].emplace(store.ReadCharacter(character_of_[b]), store.CharacterFile(character_of_[b]), options);
  });
  for (size_t b = 0; b < bodies.size(); ++b) {
    bodies_.push_back(std::move(*bodies[b]));
    if (!NeedsOneSkeleton(options.features)) continue;
    RequireSameJoints(bodies_.front().joints(), bodies_.back(),
                      sources_[source_of[b]].store->CharacterFile(character_of_[b]));
  }
}

std::string FrameSet::NameOf(const Entry& entry) const {
  const FrameSource& source = sources_[entry.source];
  const bool several = source.store->character_count() > 1;
  return several ? fmt::format("{} {}", source.name, character_of_[entry.body]) : source.name;
}

Body::Frame FrameSet::Evaluate(int entry) const {
  const Entry& e = entries_[entry];
  return bodies_[e.body].Evaluate(sources_[e.source].store->PoseOf(e.frame));
}

Points FrameSet::Truth(int entry) const {
  const Entry& e = entries_[entry];
  return sources_[e.source].store->Shape(e.frame);
}

std::string FrameSet::HashOf(int entry) const {
  const Entry& e = entries_[entry];
  return sources_[e.source].store->HashOf(e.frame);
}

}  // namespace sinew::graphnet
