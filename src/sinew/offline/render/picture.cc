#include "sinew/offline/render/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/anatomy/find_joint.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/render/animation.h"
#include "sinew/offline/render/focus.h"

namespace sinew::render {
namespace {

template <typename Entries>
const auto& At(const Entries& entries, int frame) {
  return entries[entries.size() == 1 ? 0 : frame];
}

int CheckedFrameCount(const std::vector<PictureInput>& inputs) {
  size_t frames = 1;
  const auto include = [&](size_t count) {
    if (count > 1 && frames > 1 && count != frames) {
      throw UsageError(
          fmt::format("inputs side by side have {} and {} frames; give them as many, or one", frames, count));
    }
    frames = std::max(frames, count);
  };
  for (const PictureInput& input : inputs) {
    include(input.poses.size());
    include(input.heat.size());
    include(input.morphed.size());
    include(input.captions.size());
    for (const auto& heat : input.heat) {
      if (static_cast<int>(heat.size()) == input.character->vertex_count()) continue;
      throw UsageError(fmt::format("the heat map for '{}' has {} values, but the character has {} vertices",
                                   input.character->name, heat.size(), input.character->vertex_count()));
    }
  }
  return static_cast<int>(frames);
}

std::string HeatCaption(const std::vector<float>& values, const std::string& unit) {
  double sum = 0, most = 0;
  int count = 0;
  for (const float value : values) {
    if (!std::isfinite(value)) continue;
    sum += value;
    most = count == 0 ? value : std::max(most, static_cast<double>(value));
    ++count;
  }
  if (count == 0) return "no values";
  const std::string space = unit.empty() ? "" : " ";
  return fmt::format("mean {:.3g}{}{}, max {:.3g}{}{}", sum / count, space, unit, most, space, unit);
}

// Returns those vertices of the scene's meshes that are marked in `chosen`.
Points Chosen(const Scene& scene, const std::vector<bool>& chosen) {
  Points points(std::count(chosen.begin(), chosen.end(), true), 3);
  Eigen::Index next = 0;
  size_t v = 0;
  for (const RenderMesh& mesh : scene.meshes) {
    for (Eigen::Index i = 0; i < mesh.mesh.positions.rows(); ++i) {
      if (chosen[v++]) points.row(next++) = mesh.mesh.positions.row(i);
    }
  }
  return points;
}

// Returns all points of several sets.
Points Stacked(const std::vector<Points>& sets) {
  Eigen::Index count = 0;
  for (const Points& set : sets) count += set.rows();
  Points all(count, 3);
  count = 0;
  for (const Points& set : sets) {
    all.middleRows(count, set.rows()) = set;
    count += set.rows();
  }
  return all;
}

// Adds the meshes and bones of another scene.
void Append(Scene&& other, Scene& scene) {
  for (RenderMesh& mesh : other.meshes) scene.meshes.push_back(std::move(mesh));
  if (!other.bones) return;
  if (!scene.bones) {
    scene.bones = std::move(other.bones);
    return;
  }
  Bones& bones = *scene.bones;
  const Eigen::Index before = bones.joints.rows(), added = other.bones->joints.rows();
  for (const int parent : other.bones->parents) {
    bones.parents.push_back(parent < 0 ? -1 : parent + static_cast<int>(before));
  }
  bones.joints.conservativeResize(before + added, 3);
  bones.joints.bottomRows(added) = other.bones->joints;
  if (bones.colors.rows() == 0) return;
  bones.colors.conservativeResize(before + added, 3);
  bones.colors.bottomRows(added) = other.bones->colors;
}

// Scenes of all frames of a picture, placed such that one camera serves them all.
class Stage {
 public:
  Stage(const std::vector<PictureInput>& inputs, const PictureOptions& options)
      : inputs_(inputs), options_(options), pose_frames_(CheckedFrameCount(inputs)) {
    for (const PictureInput& input : inputs) {
      drawings_.emplace_back(*input.character, options.drawing);
      in_focus_.push_back(InFocus(input));
    }
    near_ = std::any_of(in_focus_.begin(), in_focus_.end(), [](const auto& chosen) { return !chosen.empty(); });
    CheckFocus();
    scale_ = options.heat_scale                      ? *options.heat_scale
             : !options.drawing.weight_joint.empty() ? HeatScale{0, 1}
                                                     : FitHeatScale(inputs);
    columns_.resize(options.together ? 1 : inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) columns_[options.together ? 0 : i].push_back(static_cast<int>(i));
    for (size_t c = 0; c < columns_.size(); ++c) PlacePanel(static_cast<int>(c));
    if (options.same_camera) ShareCamera();
  }

  int frames() const { return options_.turntable && pose_frames_ == 1 ? options_.turn_frames : pose_frames_; }
  const std::vector<Points>& extents() const { return extents_; }
  // Whether the camera frames less than everything, so that what is drawn fills the panels.
  bool near() const { return near_; }
  bool has_captions() const {
    const auto captioned = [](const PictureInput& input) { return !input.captions.empty() || !input.heat.empty(); };
    return std::any_of(inputs_.begin(), inputs_.end(), captioned);
  }
  bool has_heat() const {
    return std::any_of(inputs_.begin(), inputs_.end(), [](const PictureInput& input) { return !input.heat.empty(); });
  }
  const HeatScale& scale() const { return scale_; }

  std::vector<Panel> PanelsAt(int frame) const {
    std::vector<Panel> panels;
    for (size_t i = 0; i < columns_.size(); ++i) {
      const PictureInput& first = inputs_[columns_[i].front()];
      const int posed = std::min(frame, pose_frames_ - 1);
      Panel panel{first.label, "", PosedScene(static_cast<int>(i), posed)};
      const Eigen::Vector3f& move = moves_[i][posed];
      MoveScene(panel.scene, Eigen::Vector3f::Zero(), 0, move);
      panel.scene.heat = scale_;
      panel.scene.ground = grounds_[i] + move.y();
      if (!first.captions.empty()) {
        panel.caption = At(first.captions, frame);
      } else if (!first.heat.empty())
        panel.caption = HeatCaption(At(first.heat, frame), options_.heat_unit);
      if (options_.turntable) {
        const float degrees = -360.0f * static_cast<float>(frame) / static_cast<float>(frames());
        MoveScene(panel.scene, axes_[i], degrees, Eigen::Vector3f::Zero());
      }
      panels.push_back(std::move(panel));
    }
    return panels;
  }

 private:
  // Returns which vertices of an input the camera frames; empty: all, or the input lacks the joint in focus.
  std::vector<bool> InFocus(const PictureInput& input) const {
    if (!input.framed.empty() || options_.focus.empty()) return input.framed;
    const Skeleton& skeleton = input.character->skeleton;
    const int joint = FindNamedJoint(skeleton, IdentifyJoints(skeleton), options_.focus);
    return joint < 0 ? std::vector<bool>() : Surroundings(*input.character, joint);
  }

  void CheckFocus() const {
    if (options_.focus.empty() || near_) return;
    FocusJoint(*inputs_.front().character, options_.focus);  // says what is wrong
  }

  // Returns the points of a column's scene that the camera must show: those in focus, or all if no input has the joint.
  Points FramedPoints(int column, const Scene& scene) const {
    std::vector<bool> chosen;
    for (const int input : columns_[column]) {
      const std::vector<bool>& focus = in_focus_[input];
      chosen.insert(chosen.end(), focus.begin(), focus.end());
      if (focus.empty()) chosen.insert(chosen.end(), inputs_[input].character->vertex_count(), false);
    }
    const bool all = std::find(chosen.begin(), chosen.end(), true) == chosen.end();
    return all ? DrawnPoints(scene) : Chosen(scene, chosen);
  }

  // Returns the scene of a column in the pose of a frame.
  Scene PosedScene(int column, int frame) const {
    const std::vector<float> no_heat;
    const MorphedRest no_morphs;
    Scene scene;
    for (const int input : columns_[column]) {
      const PictureInput& from = inputs_[input];
      Append(drawings_[input].At(At(from.poses, frame), from.heat.empty() ? no_heat : At(from.heat, frame),
                                 from.morphed.empty() ? no_morphs : At(from.morphed, frame)),
             scene);
    }
    return scene;
  }

  // Returns the movement that brings what the camera follows to the origin: over the ground and, from near, in height.
  Eigen::Vector3f Following(const Points& framed) const {
    if (pose_frames_ == 1 || !options_.follow || framed.rows() == 0) return Eigen::Vector3f::Zero();
    const Eigen::Vector3f mean = framed.colwise().mean().transpose();
    return {-mean.x(), near_ ? -mean.y() : 0, -mean.z()};
  }

  void PlacePanel(int column) {
    float ground = 0;
    moves_.emplace_back();
    const auto framed = [&](int frame) -> Points {
      const Scene scene = PosedScene(column, frame);
      const Points all = DrawnPoints(scene), points = FramedPoints(column, scene);
      if (all.rows() > 0) ground = frame == 0 ? all.col(1).minCoeff() : std::min(ground, all.col(1).minCoeff());
      const bool shared = options_.same_camera && column > 0;
      moves_[column].push_back(shared ? moves_[0][frame] : Following(points));
      return points.rowwise() + moves_[column].back().transpose();
    };
    if (pose_frames_ == 1 && !options_.turntable) {
      extents_.push_back(framed(0));
    } else {
      std::vector<Points> frames;
      frames.reserve(pose_frames_);
      for (int f = 0; f < pose_frames_; ++f) frames.push_back(OutermostPoints(framed(f)));
      extents_.push_back(Stacked(frames));
    }
    const Box box = BoundingBox(extents_.back());
    axes_.push_back(extents_.back().rows() == 0 ? Eigen::Vector3f::Zero() : Eigen::Vector3f(box.center()));
    grounds_.push_back(ground);
    if (options_.turntable) extents_.back() = SweptPoints(extents_.back(), axes_.back());
  }

  // Gives every column the points, the axis and the ground of all.
  void ShareCamera() {
    const Points all = Stacked(extents_);
    const Eigen::Vector3f axis = axes_[0];
    const float ground = *std::min_element(grounds_.begin(), grounds_.end());
    for (size_t c = 0; c < extents_.size(); ++c) extents_[c] = all, axes_[c] = axis, grounds_[c] = ground;
  }

  const std::vector<PictureInput>& inputs_;
  const PictureOptions& options_;
  int pose_frames_;
  bool near_ = false;  // whether the camera frames less than everything
  HeatScale scale_;
  std::vector<CharacterDrawing> drawings_;
  std::vector<std::vector<int>> columns_;    // indices of the inputs that share each column
  std::vector<std::vector<bool>> in_focus_;  // for each input, its vertices; empty: all
  std::vector<Points> extents_;
  std::vector<std::vector<Eigen::Vector3f>> moves_;  // for each column, per frame: where the camera follows it
  std::vector<Eigen::Vector3f> axes_;
  std::vector<float> grounds_;
};

template <typename Holds>
bool AnyValue(const std::vector<PictureInput>& inputs, const Holds& holds) {
  return std::any_of(inputs.begin(), inputs.end(), [&](const PictureInput& input) {
    return std::any_of(input.heat.begin(), input.heat.end(),
                       [&](const auto& frame) { return std::any_of(frame.begin(), frame.end(), holds); });
  });
}

std::optional<Legend> MakeLegend(const Stage& stage, const std::vector<PictureInput>& inputs,
                                 const PictureOptions& options) {
  const HeatScale& scale = stage.scale();
  if (stage.has_heat()) {
    return Legend{scale, options.heat_title, options.heat_unit,
                  AnyValue(inputs, [&](float value) { return value < scale.low; }),
                  AnyValue(inputs, [&](float value) { return value > scale.high; })};
  }
  if (options.drawing.weight_joint.empty()) return {};
  return Legend{scale, "weight of " + options.drawing.weight_joint, ""};
}

Bytes Animate(Renderer& renderer, const Stage& stage, const SheetLayout& layout, const PictureOptions& options,
              const SheetOptions& sheet) {
  Progress progress("drawing", stage.frames(), "frames");
  ApngWriter writer(options.frames_per_second);
  for (int f = 0; f < stage.frames(); ++f) {
    writer.Add(DrawSheet(renderer, layout, stage.PanelsAt(f), sheet));
    progress.Advance();
  }
  return writer.Finish();
}

}  // namespace

Picture MakePicture(const std::vector<PictureInput>& inputs, const PictureOptions& options) {
  const Stage stage(inputs, options);
  SheetOptions sheet = options.sheet;
  sheet.legend = MakeLegend(stage, inputs, options);
  sheet.text_band = sheet.text_band || stage.near();
  const bool labels = std::any_of(inputs.begin(), inputs.end(), [](const PictureInput& i) { return !i.label.empty(); });
  const std::vector<View> views = options.turntable ? std::vector<View>{{"turntable", 0, 8}} : options.views;
  const SheetLayout layout = PlanSheet(stage.extents(), views, sheet, labels, stage.has_captions());
  Renderer renderer;
  Picture picture{{}, layout.width, layout.height, stage.frames()};
  picture.file = stage.frames() == 1 ? EncodePng(DrawSheet(renderer, layout, stage.PanelsAt(0), sheet))
                                     : Animate(renderer, stage, layout, options, sheet);
  return picture;
}

HeatScale FitHeatScale(const std::vector<PictureInput>& inputs) {
  float low = 0, high = 0;
  for (const PictureInput& input : inputs) {
    for (const auto& frame : input.heat) {
      for (const float value : frame) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
  }
  const float most = std::max(-low, high);
  if (most == 0) return {0, 1};
  return low < 0 ? HeatScale{-most, most, ColorMap::kDiverging} : HeatScale{0, high};
}

std::vector<float> Distances(const Points& a, const Points& b, float scale) {
  if (a.rows() != b.rows()) {
    throw UsageError(
        fmt::format("shapes of {} and {} vertices cannot be compared vertex by vertex", a.rows(), b.rows()));
  }
  std::vector<float> distances(a.rows());
  for (Eigen::Index v = 0; v < a.rows(); ++v) distances[v] = scale * (a.row(v) - b.row(v)).norm();
  return distances;
}

}  // namespace sinew::render
