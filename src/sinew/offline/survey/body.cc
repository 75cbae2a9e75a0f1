#include "sinew/offline/survey/body.h"

#include <fmt/format.h>

#include <map>

#include "sinew/offline/core/error.h"
#include "sinew/offline/dataset/chosen_frames.h"
#include "sinew/offline/lod/single_level.h"

namespace sinew::survey {

namespace fs = std::filesystem;

Body ParseBody(std::string_view text) {
  Body body{.dataset = fs::path(text)};
  const size_t sign = text.find('=');
  if (sign != std::string_view::npos && !dataset::IsDataset(body.dataset)) {
    body.family = text.substr(0, sign);
    body.dataset = fs::path(text.substr(sign + 1));
  }
  const fs::path folder = body.dataset.has_filename() ? body.dataset : body.dataset.parent_path();
  body.name = body.identity = folder.stem().string();
  return body;
}

void RefuseRepeated(const std::vector<Body>& bodies) {
  std::map<std::string, fs::path> seen;
  for (const Body& body : bodies) {
    const auto [found, is_new] = seen.emplace(body.name, body.dataset);
    if (is_new) continue;
    throw UsageError(fmt::format("{} and {} are both named {}: give datasets of different names",
                                 found->second.string(), body.dataset.string(), body.name));
  }
}

Character ReadOnlyCharacter(const dataset::Dataset& dataset) {
  if (dataset.manifest().characters.size() != 1) {
    throw InputError(dataset.path().string(), "characters",
                     fmt::format("has {} of them where one body is measured", dataset.manifest().characters.size()),
                     "make one dataset per character");
  }
  return dataset.ReadCharacter(0);
}

LoadedBody::LoadedBody(const Body& read)
    : body(read),
      dataset(read.dataset),
      hierarchy(lod::SingleLevel(ReadOnlyCharacter(dataset), dataset.CharacterFile(0).string())),
      frames(CountedFrames(read, dataset)) {}

std::vector<int> CountedFrames(const Body& body, const dataset::Dataset& dataset) {
  if (!body.frames) return dataset.OkFrames();
  dataset::RequireShapes(dataset, *body.frames);
  return *body.frames;
}

}  // namespace sinew::survey
