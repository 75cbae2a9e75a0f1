#include "sinew/offline/scenes/draw_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew::scenes {
namespace {

using dynamics::ColliderShape;
using Eigen::Vector2d;

constexpr double kPanel = 320, kTitle = 26;
constexpr int kPerRow = 4;
constexpr const char* kBody = "fill=\"#e9b88a\" stroke=\"#8a5a2b\"";
constexpr const char* kOther = "fill=\"none\" stroke=\"#222222\" stroke-dasharray=\"4 3\"";
constexpr const char* kColliderColor = "#4477aa";

// Part of the plane that every panel shows.
struct View {
  Vector2d middle;
  double reach;  // from the middle to each side, in metre

  Vector2d OnPanel(const Vector2d& at) const {
    const double scale = kPanel / (2 * reach);
    return {kPanel / 2 + scale * (at[0] - middle[0]), kTitle + kPanel / 2 - scale * (at[1] - middle[1])};
  }
  double Length(double metres) const { return metres * kPanel / (2 * reach); }
};

View ViewOf(const SceneRun& run) {
  Vector2d low = Vector2d::Constant(INFINITY), high = -low;
  for (const SceneFrame& frame : run.frames) {
    for (size_t i = 0; i < frame.positions.size(); i += 2) {
      const Vector2d at(frame.positions[i], frame.positions[i + 1]);
      low = low.cwiseMin(at);
      high = high.cwiseMax(at);
    }
  }
  return {.middle = (low + high) / 2, .reach = std::max(0.65 * (high - low).maxCoeff(), 1e-6)};
}

// The outline as closed loops: a hole in the body stays a hole by the rule of even and odd crossings.
std::string OutlinePath(const dynamics::ObjectTable& object, const SceneFrame& frame, const View& view,
                        const char* style) {
  std::vector<int> next(static_cast<size_t>(object.node_count()), -1);
  for (int e = 0; e < object.boundary_count(); ++e) {
    next[object.boundary()[2 * e]] = static_cast<int>(object.boundary()[2 * e + 1]);
  }
  std::string path;
  for (int first = 0; first < object.node_count(); ++first) {
    for (int node = first, begin = 1; next[node] >= 0; begin = 0) {
      const Vector2d at = view.OnPanel({frame.positions[2 * node], frame.positions[2 * node + 1]});
      path += fmt::format("{}{:.2f} {:.2f}", begin != 0 ? "M" : "L", at[0], at[1]);
      const int following = next[node];
      next[node] = -1;
      node = following;
      if (next[node] < 0) path += "Z";
    }
  }
  return fmt::format("<path d=\"{}\" {} stroke-width=\"1\" fill-rule=\"evenodd\"/>", path, style);
}

std::string DrawCollider(const SceneCollider& collider, double seconds, const View& view) {
  const PoseKey pose = PoseAt(collider.keys, seconds);
  const Vector2d axis(std::cos(pose.angle), std::sin(pose.angle)), up(-axis[1], axis[0]);
  const auto place = [&](double x, double y) { return view.OnPanel(pose.position + x * axis + y * up); };
  const Vector2d middle = view.OnPanel(pose.position);
  if (collider.shape == ColliderShape::kCircle) {
    return fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" fill=\"{}\" opacity=\"0.7\"/>", middle[0],
                       middle[1], view.Length(collider.radius), kColliderColor);
  }
  std::vector<double> corners = collider.corners;
  // As much of the half plane as any panel can see.
  const double far = 4 * (view.reach + (pose.position - view.middle).norm());
  if (collider.shape == ColliderShape::kHalfPlane) corners = {-far, -far, far, -far, far, 0, -far, 0};
  std::string points;
  for (size_t i = 0; i < corners.size(); i += 2) {
    const Vector2d at = place(corners[i], corners[i + 1]);
    points += fmt::format("{:.2f},{:.2f} ", at[0], at[1]);
  }
  // A stroke of twice the rounding draws the rounded outline.
  return fmt::format(
      "<polygon points=\"{0}\" fill=\"{1}\" stroke=\"{1}\" stroke-width=\"{2:.2f}\" stroke-linejoin=\"round\" "
      "opacity=\"0.7\"/>",
      points, kColliderColor, 2 * view.Length(collider.rounding));
}

}  // namespace

std::string DrawScene(const Scene& scene, const LoadedObject& object, const SceneRun& run, const SceneRun* other) {
  const View view = ViewOf(run);
  const auto count = static_cast<int>(run.frames.size());
  const int columns = std::min(count, kPerRow), rows = (count + kPerRow - 1) / kPerRow;
  const double width = kPanel * columns, height = (kPanel + kTitle) * rows;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\"><rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>",
      width, height);
  for (int f = 0; f < count; ++f) {
    const SceneFrame& frame = run.frames[static_cast<size_t>(f)];
    std::string panel;
    for (const SceneCollider& collider : scene.colliders) panel += DrawCollider(collider, frame.seconds, view);
    panel += OutlinePath(object.table, frame, view, kBody);
    if (other != nullptr) panel += OutlinePath(object.table, other->frames[static_cast<size_t>(f)], view, kOther);
    svg += fmt::format(
        "<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">{}<text x=\"10\" y=\"18\" font-size=\"14\" "
        "fill=\"#222222\">{:.2f} s</text></svg>",
        kPanel * (f % kPerRow), (kPanel + kTitle) * (f / kPerRow), kPanel, kPanel + kTitle, panel, frame.seconds);
  }
  return svg + "</svg>\n";
}

}  // namespace sinew::scenes
