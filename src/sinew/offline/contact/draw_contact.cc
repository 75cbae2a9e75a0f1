#include "sinew/offline/contact/draw_contact.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/markup.h"

namespace sinew::contact {
namespace {

using Eigen::Vector2d;

constexpr double kPanel = 360, kTitle = 28;
constexpr double kReach = 1.6;  // of the panel around the collider, in collider sizes

// In the collider's space the collider stays upright and in the middle of every panel.
std::vector<Vector2d> PlacesOf(const PlaneObject& object, const SampleRef& ref, const learn::RowMatrix& r) {
  const FieldInputs inputs(object, FieldKind::kDense, ref);
  std::vector<Vector2d> places;
  for (int n = 0; n < object.mesh.node_count(); ++n) {
    places.push_back(inputs.Place(n).cast<double>());
    if (r.rows() > 0) places.back() += r.row(n).cast<double>().transpose();
  }
  return places;
}

Vector2d OnPanel(const Vector2d& place) {
  return Vector2d(kPanel / 2, kPanel / 2 + kTitle) + kPanel / (2 * kReach) * Vector2d(place[0], -place[1]);
}

// From pale to strong.
std::string ColorOf(double share) {
  const double t = std::clamp(share, 0.0, 1.0);
  return fmt::format("rgb({:.0f},{:.0f},{:.0f})", 232 - 32 * t, 226 - 160 * t, 214 - 170 * t);
}

double LengthOf(const learn::RowMatrix& r, int node) {
  return r.rows() > 0 ? static_cast<double>(r.row(node).norm()) : 0;
}

std::string DrawPanel(const PlaneObject& object, const SampleRef& ref, const ContactPanel& panel, double largest) {
  const std::vector<Vector2d> places = PlacesOf(object, ref, panel.r);
  std::string svg;
  for (int t = 0; t < object.mesh.triangle_count(); ++t) {
    const auto corner = [&](int k) { return object.mesh.triangles(t, k); };
    const bool outside = places[corner(0)].cwiseAbs().maxCoeff() > kReach * 1.1;
    if (outside) continue;
    double length = 0;
    std::string points;
    for (int k = 0; k < 3; ++k) {
      const Vector2d at = OnPanel(places[corner(k)]);
      points += fmt::format("{:.2f},{:.2f} ", at[0], at[1]);
      length += LengthOf(panel.r, corner(k)) / 3;
    }
    const std::string color = ColorOf(length / largest);
    svg += fmt::format("<polygon points=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"0.4\"/>", points, color, color);
  }
  std::string outline;
  const double size = object.collider.size();
  for (const Vector2d& corner : object.collider.corners()) {
    const Vector2d at = OnPanel(corner / size);
    outline += fmt::format("{:.2f},{:.2f} ", at[0], at[1]);
  }
  // A stroke of twice the rounding draws the rounded outline.
  svg += fmt::format(
      "<polygon points=\"{}\" fill=\"#4477aa\" stroke=\"#4477aa\" stroke-width=\"{:.2f}\" stroke-linejoin=\"round\" "
      "opacity=\"0.55\"/>",
      outline, 2 * object.collider.rounding() / size * kPanel / (2 * kReach));
  return svg;
}

}  // namespace

std::string DrawContact(const PlaneObject& object, const SampleRef& ref, const std::vector<ContactPanel>& panels) {
  double largest = 1e-9;
  for (int n = 0; n < object.mesh.node_count(); ++n) largest = std::max(largest, LengthOf(panels.front().r, n));
  const double width = kPanel * static_cast<double>(panels.size()), height = kPanel + kTitle;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"sans-serif\"><rect width=\"{0}\" height=\"{1}\" "
      "fill=\"#ffffff\"/>",
      width, height);
  for (size_t p = 0; p < panels.size(); ++p) {
    svg += fmt::format(
        "<svg x=\"{}\" width=\"{}\" height=\"{}\">{}<text x=\"12\" y=\"20\" font-size=\"15\" "
        "fill=\"#222222\">{}</text></svg>",
        kPanel * static_cast<double>(p), kPanel, height, DrawPanel(object, ref, panels[p], largest),
        EscapeMarkup(panels[p].title));
  }
  return svg + "</svg>\n";
}

}  // namespace sinew::contact
