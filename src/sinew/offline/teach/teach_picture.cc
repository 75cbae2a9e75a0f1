#include "sinew/offline/teach/teach_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <numeric>

#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/evaluate/dataset_pictures.h"

namespace sinew::teach {
namespace {

constexpr int kWorst = 4;
constexpr int kForMean = 32;  // frames that the mean is taken over, evenly spaced

// Heat of the vertices in the frames of a dataset.
class FrameHeat {
 public:
  FrameHeat(const TaughtBody& body, const dataset::Dataset& dataset) : body_(body), dataset_(dataset) {
    const std::vector<std::string> names = dataset.ArrayNames(0);
    spread_ = std::find(names.begin(), names.end(), "spread") != names.end();
  }

  bool spread() const { return spread_; }

  std::vector<float> Of(int frame) const {
    if (!spread_) return body_.VertexDistances(dataset_.pose(frame));
    std::vector<float> heat = dataset_.Array(frame, "spread").ToFloats();
    for (float& value : heat) value *= static_cast<float>(1e3 * dataset_.manifest().metres_per_unit);
    return heat;
  }

  std::vector<float> Mean() const {
    const int count = dataset_.frame_count(), taken = std::min(count, kForMean);
    std::vector<float> mean(dataset_.manifest().characters[0].vertices, 0.0f);
    for (int k = 0; k < taken; ++k) {
      const std::vector<float> heat = Of(static_cast<int>(static_cast<int64_t>(k) * count / taken));
      for (size_t v = 0; v < mean.size(); ++v) mean[v] += heat[v] / static_cast<float>(taken);
    }
    return mean;
  }

 private:
  const TaughtBody& body_;
  const dataset::Dataset& dataset_;
  bool spread_ = false;
};

// Returns frames by falling score.
std::vector<int> ByScore(const dataset::Dataset& dataset) {
  std::vector<double> scores;
  for (int i = 0; i < dataset.frame_count(); ++i) scores.push_back(dataset.Array(i, "score").ToDoubles()[0]);
  std::vector<int> frames(scores.size());
  std::iota(frames.begin(), frames.end(), 0);
  std::stable_sort(frames.begin(), frames.end(), [&](int a, int b) { return scores[a] > scores[b]; });
  return frames;
}

}  // namespace

render::Picture DrawTeaching(const TaughtBody& body, const dataset::Dataset& dataset) {
  if (dataset.frame_count() == 0) throw InputError(dataset.path().string(), "", "has no frames to draw", "");
  const Character character = dataset.ReadCharacter(0);
  const FrameHeat heat(body, dataset);
  std::list<Character> meshes;
  std::vector<render::PictureInput> inputs;
  const auto add = [&](const Points& shape, const std::string& label, std::vector<float> values) {
    meshes.push_back(evaluate::AsMesh(character, shape));
    inputs.push_back({.character = &meshes.back(), .label = label, .poses = {Pose()}, .heat = {std::move(values)}});
  };
  add(SkinnedShape(character, character.skeleton.RestPose()), "mean over frames", heat.Mean());
  std::vector<int> frames = ByScore(dataset);
  frames.resize(std::min<size_t>(frames.size(), kWorst));
  for (const int i : frames) {
    const bool ok = dataset.frame(i).ok();
    const double score = dataset.Array(i, "score").ToDoubles()[0];
    add(ok ? dataset.Shape(i) : SkinnedShape(character, dataset.pose(i)),
        fmt::format("frame {}{}: score {:.2f}", dataset.frame(i).index, ok ? "" : ", dropped", score), heat.Of(i));
  }
  render::PictureOptions options;
  options.views = {render::ParseView("three-quarter")};
  options.sheet.common_scale = true;
  options.heat_title = heat.spread() ? "spread of the networks" : "distance from what was learned";
  options.heat_unit = heat.spread() ? "mm" : "";
  return render::MakePicture(inputs, options);
}

}  // namespace sinew::teach
