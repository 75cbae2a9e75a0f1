#include "sinew/offline/survey/corpus_bodies.h"

#include <fmt/format.h>

#include <iterator>

#include "sinew/offline/core/error.h"
#include "sinew/offline/corpus/load_corpus.h"

namespace sinew::survey {
namespace {

namespace fs = std::filesystem;

std::vector<Body> OpenCorpus(const fs::path& path, const SideOptions& options) {
  std::vector<Body> bodies = BodiesOfCorpus(path, options);
  if (!bodies.empty()) return bodies;
  throw InputError(path.string(), "", fmt::format("has no frame on the side \"{}\"", dataset::Name(options.side)),
                   "see `sinew corpus info`, and the splits of its recipe");
}

}  // namespace

bool NamesBodies(std::string_view text) {
  if (corpus::IsCorpus(text)) return true;
  const fs::path path = ParseBody(text).dataset;
  return dataset::IsDataset(path) || corpus::IsCorpus(path);
}

std::vector<Body> BodiesOfCorpus(const fs::path& path, const SideOptions& options) {
  const corpus::Corpus corpus(path, {.unseen_family = options.unseen_family});
  std::vector<Body> bodies;
  for (const int b : corpus.Bodies()) {
    const dataset::Dataset dataset = corpus.Open(b);
    std::vector<int> frames = corpus.Frames(b, dataset, options.side);
    if (frames.empty()) continue;
    const corpus::CorpusBody& body = corpus.body(b);
    bodies.push_back({dataset.path(), body.family, body.name, body.identity, std::move(frames)});
  }
  return bodies;
}

std::vector<Body> OpenBodies(const std::vector<std::string>& texts, const SideOptions& options) {
  std::vector<Body> bodies;
  for (const std::string& text : texts) {
    if (corpus::IsCorpus(text)) {
      std::vector<Body> of_corpus = OpenCorpus(text, options);
      std::move(of_corpus.begin(), of_corpus.end(), std::back_inserter(bodies));
      continue;
    }
    bodies.push_back(ParseBody(text));
    const Body& body = bodies.back();
    if (!corpus::IsCorpus(body.dataset)) continue;
    throw UsageError(fmt::format("{}: a corpus has families of its own; give {} without \"{}=\"", text,
                                 body.dataset.string(), body.family));
  }
  return bodies;
}

}  // namespace sinew::survey
