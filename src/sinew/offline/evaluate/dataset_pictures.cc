#include "sinew/offline/evaluate/dataset_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <list>

#include "sinew/offline/core/error.h"
#include "sinew/offline/dataset/skinned_shape.h"
#include "sinew/offline/evaluate/dataset_measures.h"
#include "sinew/offline/io/posed_meshes.h"

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

// Mesh to be drawn, with one value per vertex to be shown as colour (may be empty).
struct Drawn {
  Character mesh;
  std::vector<float> heat;
};

bool IsBelow(const Skeleton& skeleton, int joint, int ancestor) {
  while (joint >= 0 && joint != ancestor) joint = skeleton.joints[joint].parent;
  return joint >= 0;
}

std::vector<bool> Carried(const Skeleton& skeleton, const Part& part, int focus) {
  std::vector<bool> carried(part.mesh.vertex_count(), false);
  for (int v = 0; v < part.mesh.vertex_count() && !part.weights.empty(); ++v) {
    carried[v] = IsBelow(skeleton, part.weights.joints[static_cast<size_t>(v) * part.weights.influences], focus);
  }
  return carried;
}

// Removes the triangles that are not carried by the joint `focus` with all their corners; vertices keep their indices.
// character: the one with skinning weights, since `mesh` has none.
void KeepCarried(const Character& character, const std::string& focus, Character& mesh) {
  if (focus.empty()) return;
  const int joint = character.skeleton.Find(focus);
  if (joint < 0) throw UsageError(fmt::format("--focus {}: the character has no such joint", focus));
  for (size_t p = 0; p < mesh.parts.size(); ++p) {
    const std::vector<bool> carried = Carried(character.skeleton, character.parts[p], joint);
    Triangles& triangles = mesh.parts[p].mesh.triangles;
    int kept = 0;
    for (int t = 0; t < triangles.rows(); ++t) {
      const bool all = carried[triangles(t, 0)] && carried[triangles(t, 1)] && carried[triangles(t, 2)];
      if (all) triangles.row(kept++) = triangles.row(t).eval();
    }
    triangles.conservativeResize(kept, 3);
    // Move vertices without triangles to a visible one, so that they do not widen the picture.
    Points& positions = mesh.parts[p].mesh.positions;
    for (int v = 0; v < positions.rows() && kept > 0; ++v) {
      if (!carried[v]) positions.row(v) = positions.row(triangles(0, 0)).eval();
    }
  }
}

render::PictureInput Input(const Drawn& drawn, std::string label) {
  render::PictureInput input{.character = &drawn.mesh, .label = std::move(label), .poses = {Pose()}};
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
  const Points truth = dataset.Shape(frame), skinned = dataset::SkinnedShape(character, dataset.pose(frame));
  Drawn before{AsMesh(character, skinned), {}}, after{AsMesh(character, truth), {}};
  KeepCarried(character, options.focus, before.mesh);
  KeepCarried(character, options.focus, after.mesh);
  const Drawn heat{after.mesh, render::Distances(truth, skinned, Millimetres(dataset))};
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
    const Points truth = dataset.Shape(d.frame), skinned = dataset::SkinnedShape(character, dataset.pose(d.frame));
    drawn.push_back({AsMesh(character, truth), render::Distances(truth, skinned, Millimetres(dataset))});
    KeepCarried(character, options.focus, drawn.back().mesh);
    inputs.push_back(
        Input(drawn.back(), fmt::format("frame {}: {:.2f} mm rms", d.frame, Millimetres(dataset) * d.rms)));
  }
  return Draw(inputs, options);
}

}  // namespace sinew::evaluate
