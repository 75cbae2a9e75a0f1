#include "sinew/offline/evaluate/dataset_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <list>

#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/evaluate/dataset_measures.h"
#include "sinew/offline/io/posed_meshes.h"
#include "sinew/offline/render/focus.h"

namespace sinew::evaluate {
namespace {

float Millimetres(const dataset::Dataset& dataset) {
  return static_cast<float>(1000 * dataset.manifest().metres_per_unit);
}

void CheckShape(const dataset::Dataset& dataset, int i) {
  if (i < 0 || i >= dataset.frame_count()) {
    throw UsageError(
        fmt::format("{} has no frame {}; it has {}, from 0", dataset.path().string(), i, dataset.frame_count()));
  }
  if (dataset.frame(i).ok()) return;
  throw UsageError(fmt::format("{}: frame {} has no shape: {}", dataset.path().string(), i, dataset.frame(i).failure));
}

// Mesh to be drawn, with one value per vertex to be shown as colour, and whether the camera frames it (both may be
// empty).
struct Drawn {
  Character mesh;
  std::vector<float> heat;
  std::vector<bool> framed;
};

// Returns the vertices that the camera frames; empty: all.
std::vector<bool> Framed(const Character& character, const std::string& focus) {
  return focus.empty() ? std::vector<bool>() : render::Surroundings(character, render::FocusJoint(character, focus));
}

render::PictureInput Input(const Drawn& drawn, std::string label) {
  render::PictureInput input{
      .character = &drawn.mesh, .label = std::move(label), .poses = {Pose()}, .framed = drawn.framed};
  if (!drawn.heat.empty()) input.heat.push_back(drawn.heat);
  return input;
}

render::Picture Draw(const std::vector<render::PictureInput>& inputs, const DatasetPictureOptions& options) {
  render::PictureOptions picture;
  picture.views = options.views;
  picture.sheet.height = options.height;
  picture.sheet.common_scale = true;
  picture.heat_title = "distance to linear blend skinning";
  picture.heat_unit = "mm";
  return render::MakePicture(inputs, picture);
}

}  // namespace

Character AsMesh(const Character& character, const Points& shape) {
  PosedCharacter posed;
  const std::vector<Points> parts = dataset::SplitIntoParts(character, shape);
  for (size_t p = 0; p < parts.size(); ++p) {
    PosedPart& part = posed.parts.emplace_back();
    part.positions = parts[p];
    part.normals = VertexNormals({parts[p], character.parts[p].mesh.triangles});
  }
  return PosedMesh(character, posed);
}

render::Picture DrawFrame(const dataset::Dataset& dataset, int frame, const DatasetPictureOptions& options) {
  CheckShape(dataset, frame);
  const Character character = dataset.ReadCharacter(dataset.frame(frame).character);
  const Points truth = dataset.Shape(frame), skinned = SkinnedShape(character, dataset.pose(frame));
  const std::vector<bool> framed = Framed(character, options.focus);
  const Drawn before{AsMesh(character, skinned), {}, framed}, after{AsMesh(character, truth), {}, framed};
  const Drawn heat{after.mesh, render::Distances(truth, skinned, Millimetres(dataset)), framed};
  return Draw({Input(before, "linear blend skinning"), Input(after, fmt::format("truth, frame {}", frame)),
               Input(heat, "distance")},
              options);
}

render::Picture DrawWorst(const dataset::Dataset& dataset, const std::vector<int>& frames, int count,
                          const DatasetPictureOptions& options) {
  std::vector<SkinningDistance> distances = MeasureAgainstSkinning(dataset, frames);
  if (distances.empty()) throw InputError(dataset.path().string(), "", "has no frame with a shape", "");
  std::stable_sort(distances.begin(), distances.end(), [](const auto& a, const auto& b) { return a.rms > b.rms; });
  if (static_cast<int>(distances.size()) > count) distances.resize(count);
  std::list<Drawn> drawn;
  std::vector<render::PictureInput> inputs;
  for (const SkinningDistance& d : distances) {
    const Character character = dataset.ReadCharacter(dataset.frame(d.frame).character);
    const Points truth = dataset.Shape(d.frame), skinned = SkinnedShape(character, dataset.pose(d.frame));
    drawn.push_back({AsMesh(character, truth), render::Distances(truth, skinned, Millimetres(dataset)),
                     Framed(character, options.focus)});
    inputs.push_back(
        Input(drawn.back(), fmt::format("frame {}: {:.2f} mm rms", d.frame, Millimetres(dataset) * d.rms)));
  }
  return Draw(inputs, options);
}

}  // namespace sinew::evaluate
