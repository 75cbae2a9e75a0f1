#include "sinew/offline/render/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/progress.h"
#include "sinew/offline/render/animation.h"

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

// All frames of a picture's scenes, placed so that one camera serves them all.
class Stage {
 public:
  Stage(const std::vector<PictureInput>& inputs, const PictureOptions& options)
      : inputs_(inputs), options_(options), pose_frames_(CheckedFrameCount(inputs)) {
    for (const PictureInput& input : inputs) drawings_.emplace_back(*input.character, options.drawing);
    scale_ = options.heat_scale                      ? *options.heat_scale
             : !options.drawing.weight_joint.empty() ? HeatScale{0, 1}
                                                     : FitHeatScale(inputs);
    for (size_t i = 0; i < inputs.size(); ++i) PlacePanel(static_cast<int>(i));
  }

  int frames() const { return options_.turntable && pose_frames_ == 1 ? options_.turn_frames : pose_frames_; }
  const std::vector<Points>& extents() const { return extents_; }
  bool has_heat() const {
    return std::any_of(inputs_.begin(), inputs_.end(), [](const PictureInput& input) { return !input.heat.empty(); });
  }
  const HeatScale& scale() const { return scale_; }

  std::vector<Panel> PanelsAt(int frame) const {
    std::vector<Panel> panels;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      Panel panel{inputs_[i].label, "", PosedScene(static_cast<int>(i), std::min(frame, pose_frames_ - 1))};
      panel.scene.heat = scale_;
      panel.scene.ground = grounds_[i];
      if (!inputs_[i].heat.empty()) panel.caption = HeatCaption(At(inputs_[i].heat, frame), options_.heat_unit);
      if (options_.turntable) {
        const float degrees = -360.0f * static_cast<float>(frame) / static_cast<float>(frames());
        MoveScene(panel.scene, axes_[i], degrees, Eigen::Vector3f::Zero());
      }
      panels.push_back(std::move(panel));
    }
    return panels;
  }

 private:
  // In its pose, and where the camera follows it.
  Scene PosedScene(int input, int frame) const {
    const std::vector<float> none;
    const PictureInput& from = inputs_[input];
    Scene scene = drawings_[input].At(At(from.poses, frame), from.heat.empty() ? none : At(from.heat, frame));
    if (pose_frames_ == 1 || !options_.follow) return scene;
    const Points points = DrawnPoints(scene);
    if (points.rows() == 0) return scene;
    const Eigen::Vector3f mean = points.colwise().mean().transpose();
    MoveScene(scene, Eigen::Vector3f::Zero(), 0, {-mean.x(), 0, -mean.z()});
    return scene;
  }

  void PlacePanel(int input) {
    if (pose_frames_ == 1 && !options_.turntable) {
      extents_.push_back(DrawnPoints(PosedScene(input, 0)));
    } else {
      std::vector<Points> frames;
      Eigen::Index count = 0;
      for (int f = 0; f < pose_frames_; ++f) {
        frames.push_back(OutermostPoints(DrawnPoints(PosedScene(input, f))));
        count += frames.back().rows();
      }
      Points all(count, 3);
      count = 0;
      for (const Points& frame : frames) {
        all.middleRows(count, frame.rows()) = frame;
        count += frame.rows();
      }
      extents_.push_back(std::move(all));
    }
    const Box box = BoundingBox(extents_.back());
    axes_.push_back(extents_.back().rows() == 0 ? Eigen::Vector3f::Zero() : Eigen::Vector3f(box.center()));
    grounds_.push_back(extents_.back().rows() == 0 ? 0 : box.min().y());
    if (options_.turntable) extents_.back() = SweptPoints(extents_.back(), axes_.back());
  }

  const std::vector<PictureInput>& inputs_;
  const PictureOptions& options_;
  int pose_frames_;
  HeatScale scale_;
  std::vector<CharacterDrawing> drawings_;
  std::vector<Points> extents_;
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
  const bool labels = std::any_of(inputs.begin(), inputs.end(), [](const PictureInput& i) { return !i.label.empty(); });
  const std::vector<View> views = options.turntable ? std::vector<View>{{"turntable", 0, 8}} : options.views;
  const SheetLayout layout = PlanSheet(stage.extents(), views, sheet, labels, stage.has_heat());
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
