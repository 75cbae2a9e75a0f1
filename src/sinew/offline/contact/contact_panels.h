// Panels of pictures of contact, as SVG: what those of the plane and of space share. Internal to this folder.
#ifndef SINEW_OFFLINE_CONTACT_CONTACT_PANELS_H_
#define SINEW_OFFLINE_CONTACT_CONTACT_PANELS_H_

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sinew/offline/contact/draw_contact.h"
#include "sinew/offline/core/markup.h"

namespace sinew::contact {

inline constexpr double kPanel = 360, kTitle = 28;  // in pixels
inline constexpr double kReach = 1.6;               // of the panel around the collider, in collider sizes
inline constexpr const char* kColliderColor = "#4477aa";

// Place on a panel of a point around the collider, in collider sizes.
inline Eigen::Vector2d OnPanel(const Eigen::Vector2d& place) {
  return Eigen::Vector2d(kPanel / 2, kPanel / 2 + kTitle) +
         kPanel / (2 * kReach) * Eigen::Vector2d(place[0], -place[1]);
}

inline double LengthOf(const learn::RowMatrix& r, int node) {
  return r.rows() > 0 ? static_cast<double>(r.row(node).norm()) : 0;
}

inline double LargestLength(const learn::RowMatrix& r) {
  return r.rows() > 0 ? std::max(1e-9, static_cast<double>(r.rowwise().norm().maxCoeff())) : 1e-9;
}

// Polygon of the body. share: of the largest displacement; from pale to strong.
inline std::string BodyPolygon(const std::vector<Eigen::Vector2d>& corners, double share) {
  const double t = std::clamp(share, 0.0, 1.0);
  const std::string color = fmt::format("rgb({:.0f},{:.0f},{:.0f})", 232 - 32 * t, 226 - 160 * t, 214 - 170 * t);
  std::string points;
  for (const Eigen::Vector2d& corner : corners) {
    const Eigen::Vector2d at = OnPanel(corner);
    points += fmt::format("{:.2f},{:.2f} ", at[0], at[1]);
  }
  return fmt::format("<polygon points=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"0.4\"/>", points, color, color);
}

// The panels side by side. contents: one per panel.
inline std::string JoinPanels(const std::vector<ContactPanel>& panels, const std::vector<std::string>& contents) {
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
        kPanel * static_cast<double>(p), kPanel, height, contents[p], EscapeMarkup(panels[p].title));
  }
  return svg + "</svg>\n";
}

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_CONTACT_PANELS_H_
