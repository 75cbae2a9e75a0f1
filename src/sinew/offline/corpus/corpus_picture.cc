#include "sinew/offline/corpus/corpus_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/evaluate/dataset_pictures.h"
#include "sinew/offline/render/character_drawing.h"
#include "sinew/offline/render/sheet.h"

namespace sinew::corpus {
namespace {

// Spreads `count` choices evenly over a list.
std::vector<int> Spread(const std::vector<int>& list, int count) {
  const int size = static_cast<int>(list.size()), taken = std::min(count, size);
  std::vector<int> chosen;
  for (int i = 0; i < taken; ++i) chosen.push_back(list[static_cast<size_t>(i) * size / taken]);
  return chosen;
}

render::Scene SceneOf(const Character& character) {
  return render::CharacterDrawing(character, {.textures = false}).At(character.skeleton.RestPose());
}

// Panels of one body: at rest with its label, then in its poses.
std::vector<render::Panel> PanelsOf(const Corpus& corpus, int b, int poses) {
  const CorpusBody& body = corpus.body(b);
  const dataset::Dataset dataset = corpus.Open(b);
  const Character character = dataset.ReadCharacter(0);
  std::vector<render::Panel> panels = {{.label = body.name,
                                        .caption = fmt::format("{}, {}", body.family, dataset::Name(body.side)),
                                        .scene = SceneOf(character)}};
  for (const int i : Spread(dataset.OkFrames(), poses)) {
    const std::string motion = dataset.manifest().motions[dataset.frame(i).motion].name;
    panels.push_back({.label = fmt::format("{}", i),
                      .caption = motion,
                      .scene = SceneOf(evaluate::AsMesh(character, dataset.Shape(i)))});
  }
  return panels;
}

}  // namespace

render::Image DrawCorpus(const Corpus& corpus, const CorpusPictureOptions& options) {
  const std::vector<int> bodies = Spread(corpus.Bodies(), options.bodies);
  if (bodies.empty()) {
    throw InputError(corpus.folder().string(), "", "has no body that is made", "go on with 'sinew corpus make'");
  }
  std::vector<std::vector<render::Panel>> rows(static_cast<size_t>(options.poses) + 1,
                                               std::vector<render::Panel>(bodies.size()));
  for (size_t c = 0; c < bodies.size(); ++c) {
    std::vector<render::Panel> panels = PanelsOf(corpus, bodies[c], options.poses);
    for (size_t r = 0; r < panels.size(); ++r) rows[r][c] = std::move(panels[r]);
  }
  const render::SheetOptions sheet{.height = options.height, .width = options.height};
  std::vector<render::Image> strips;
  for (const std::vector<render::Panel>& row : rows) {
    strips.push_back(render::RenderSheet(row, {render::ParseView("three-quarter")}, sheet));
  }
  int width = 0, height = 0;
  for (const render::Image& strip : strips) {
    width = std::max(width, strip.width);
    height += strip.height;
  }
  render::Image picture(width, height);
  int y = 0;
  for (const render::Image& strip : strips) {
    render::Paste(strip, 0, y, picture);
    y += strip.height;
  }
  return picture;
}

}  // namespace sinew::corpus
