#include "sinew/offline/render/camera.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

#include "sinew/offline/core/error.h"

namespace sinew::render {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The named views; most are from a few degrees above, so that the ground is visible.
const std::array<View, 6> kViews = {View{"front", 0, 4},  View{"side", 90, 4},           View{"right", -90, 4},
                                    View{"back", 180, 4}, View{"three-quarter", 35, 10}, View{"top", 0, 89.9f}};

// Returns sine and cosine, exact at multiples of 90 degrees, where pictures should be symmetric.
std::array<float, 2> SinCos(float degrees) {
  const double radians = static_cast<double>(degrees) * std::numbers::pi / 180;
  return {static_cast<float>(std::round(std::sin(radians) * 1e7) / 1e7),
          static_cast<float>(std::round(std::cos(radians) * 1e7) / 1e7)};
}

Eigen::Matrix3f Axes(const View& view) {
  const auto [sin_a, cos_a] = SinCos(view.azimuth_degrees);
  const auto [sin_e, cos_e] = SinCos(view.elevation_degrees);
  Eigen::Matrix3f axes;
  axes.row(0) << cos_a, 0, -sin_a;
  axes.row(2) << sin_a * cos_e, sin_e, cos_a * cos_e;
  axes.row(1) = axes.row(2).cross(axes.row(0));
  return axes;
}

// Constraints on the eye along one axis of the picture. A point at (p, z) lies between the slopes -low and high seen
// from the eye at (e, e_z) exactly if   e - high e_z >= p - high z   and   e + low e_z <= p + low z. So all points
// together need   e - high e_z >= first   and   e + low e_z <= second.
struct Slopes {
  float low, high;
  float first = -kInfinity, second = kInfinity;

  void Include(float p, float z) {
    first = std::max(first, p - high * z);
    second = std::min(second, p + low * z);
  }
  // Returns the largest e_z for which there is an e.
  float NearestDepth() const { return (second - first) / (low + high); }
  float Middle(float depth) const { return (first + high * depth + second - low * depth) / 2; }
};

// Returns the points in the camera's axes; a unit box if there are none.
Points Turned(const View& view, const Points& points) {
  Points box(2, 3);
  box << -0.5f, 0, -0.5f, 0.5f, 1, 0.5f;
  return (points.rows() == 0 ? box : points) * Axes(view).transpose();
}

Slopes Vertical(const Points& turned, float tangent, const Margins& margins) {
  Slopes slopes{tangent * (1 - 2 * margins.bottom), tangent * (1 - 2 * margins.top)};
  for (Eigen::Index i = 0; i < turned.rows(); ++i) slopes.Include(turned(i, 1), -turned(i, 2));
  return slopes;
}

Slopes Horizontal(const Points& turned, float tangent, float aspect, const Margins& margins) {
  Slopes slopes{tangent * (aspect - 2 * margins.left), tangent * (aspect - 2 * margins.right)};
  for (Eigen::Index i = 0; i < turned.rows(); ++i) slopes.Include(turned(i, 0), -turned(i, 2));
  return slopes;
}

// Keeps the eye away from the nearest point: framing a single point would put the eye into it.
float KeepAway(const Points& turned, float depth) {
  const float nearest = (-turned.col(2)).minCoeff();
  const float size = (turned.colwise().maxCoeff() - turned.colwise().minCoeff()).norm();
  return std::min(depth, nearest - std::max(0.5f * size, 1e-3f));
}

}  // namespace

Eigen::Vector3f ToViewer(const View& view) { return Axes(view).row(2).transpose(); }

View ParseView(std::string_view text) {
  for (const View& view : kViews) {
    if (view.name == text) return view;
  }
  const std::string copy(text);
  const size_t colon = copy.find(':');
  if (colon != std::string::npos) {
    char* end_a = nullptr;
    char* end_e = nullptr;
    const float azimuth = std::strtof(copy.c_str(), &end_a);
    const float elevation = std::strtof(copy.c_str() + colon + 1, &end_e);
    const bool whole = end_a == copy.c_str() + colon && colon > 0 && colon + 1 < copy.size() && *end_e == '\0';
    if (whole && std::isfinite(azimuth) && std::abs(elevation) <= 90) return {copy, azimuth, elevation};
  }
  throw UsageError(fmt::format(
      "there is no view '{}'; choose front, side, right, back, three-quarter, top, turntable, or AZIMUTH:ELEVATION in "
      "degrees, such as 30:15",
      text));
}

Eigen::Vector3f Camera::ToCamera(const Eigen::Vector3f& point) const {
  const Eigen::Vector3f p = axes * (point - eye);
  return {p.x(), p.y(), -p.z()};
}

Eigen::Vector2f Camera::ToPicture(const Eigen::Vector3f& point) const {
  const Eigen::Vector3f p = ToCamera(point);
  return {0.5f + p.x() / (p.z() * tangent * aspect * 2), 0.5f - p.y() / (p.z() * tangent * 2)};
}

Eigen::Matrix4f Camera::ClipFromModel(float near, float far) const {
  Eigen::Matrix4f view = Eigen::Matrix4f::Identity();
  view.topLeftCorner<3, 3>() = axes;
  view.topRightCorner<3, 1>() = -axes * eye;
  Eigen::Matrix4f projection = Eigen::Matrix4f::Zero();
  projection(0, 0) = 1 / (tangent * aspect);
  projection(1, 1) = 1 / tangent;
  projection(2, 2) = -(far + near) / (far - near);
  projection(2, 3) = -2 * far * near / (far - near);
  projection(3, 2) = -1;
  return projection * view;
}

Camera FrameCamera(const View& view, const Points& points, float aspect, const Margins& margins) {
  Camera camera;
  camera.axes = Axes(view);
  camera.aspect = aspect;
  const Points turned = Turned(view, points);
  const Slopes vertical = Vertical(turned, camera.tangent, margins);
  const Slopes horizontal = Horizontal(turned, camera.tangent, aspect, margins);
  const float depth = KeepAway(turned, std::min(vertical.NearestDepth(), horizontal.NearestDepth()));
  const Eigen::Vector3f eye(horizontal.Middle(depth), vertical.Middle(depth), -depth);
  camera.eye = camera.axes.transpose() * eye;
  return camera;
}

float TightAspect(const View& view, const Points& points, const Margins& margins) {
  const Points turned = Turned(view, points);
  const float tangent = Camera().tangent;
  const float depth = KeepAway(turned, Vertical(turned, tangent, margins).NearestDepth());
  // NearestDepth() of the horizontal slopes grows with the aspect: bisection finds where it reaches the vertical one.
  float low = margins.left + margins.right + 0.01f, high = 20;
  for (int step = 0; step < 40; ++step) {
    const float middle = (low + high) / 2;
    (Horizontal(turned, tangent, middle, margins).NearestDepth() < depth ? low : high) = middle;
  }
  return high;
}

}  // namespace sinew::render
