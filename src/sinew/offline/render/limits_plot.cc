#include "sinew/offline/render/limits_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "sinew/offline/core/markup.h"

namespace sinew::render {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kPanel = 190, kRadius = 68, kHeader = 54;
constexpr int kColumns = 6;
constexpr double kFullScale = 180;  // degrees at the outer circle

const char* ColorOf(LimitOrigin origin) {
  switch (origin) {
    case LimitOrigin::kFile:
      return "#7b3fa0";
    case LimitOrigin::kNames:
      return "#1b6ca8";
    case LimitOrigin::kAnimations:
      return "#2e7d4f";
    case LimitOrigin::kDefault:
      return "#8a8a8a";
  }
  return "#000000";
}

std::string Text(double x, double y, double size, const std::string& text, const char* color = "#333333",
                 const char* anchor = "middle") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.1f}\" fill=\"{}\" text-anchor=\"{}\">{}</text>\n",
                     x, y, size, color, anchor, EscapeMarkup(text));
}

double Reach(const AngleRange& range, double sign) { return sign < 0 ? -range.min : range.max; }

// Draws the swing region, bounded by four quarter ellipses: bend upwards, side to the right.
std::string Region(const JointLimit& limit, double cx, double cy) {
  std::string path;
  for (int i = 0; i < 96; ++i) {
    const double angle = i * std::numbers::pi / 48;
    const double bend = std::sin(angle) * Reach(limit.bend, std::sin(angle));
    const double side = std::cos(angle) * Reach(limit.side, std::cos(angle));
    path += fmt::format("{}{:.2f} {:.2f} ", i == 0 ? "M" : "L", cx + side / kDegree / kFullScale * kRadius,
                        cy - bend / kDegree / kFullScale * kRadius);
  }
  const char* color = ColorOf(limit.origin);
  return fmt::format("<path d=\"{}Z\" fill=\"{}\" fill-opacity=\"0.25\" stroke=\"{}\" stroke-width=\"1.8\"/>\n", path,
                     color, color);
}

// Draws the range of the twist as an arc outside of the circles; no twist is at the top.
std::string TwistArc(const JointLimit& limit, double cx, double cy) {
  if (limit.twist.width() == 0) return "";
  const double radius = kRadius + 7;
  const auto point = [&](double angle) {
    return fmt::format("{:.2f} {:.2f}", cx + radius * std::sin(angle), cy - radius * std::cos(angle));
  };
  return fmt::format("<path d=\"M{} A{:.1f} {:.1f} 0 {} 1 {}\" fill=\"none\" stroke=\"#d07a1f\" stroke-width=\"4\"/>\n",
                     point(limit.twist.min), radius, radius, limit.twist.width() > std::numbers::pi ? 1 : 0,
                     point(limit.twist.max));
}

std::string Grid(double cx, double cy) {
  std::string out;
  for (const double degrees : {45.0, 90.0, 135.0, 180.0}) {
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"none\" stroke=\"#dddddd\"/>\n", cx, cy,
                       degrees / kFullScale * kRadius);
  }
  out += fmt::format("<path d=\"M{0:.1f} {1:.1f} H{2:.1f} M{3:.1f} {4:.1f} V{5:.1f}\" stroke=\"#dddddd\"/>\n",
                     cx - kRadius, cy, cx + kRadius, cx, cy - kRadius, cy + kRadius);
  out += Text(cx + 2, cy - 90 / kFullScale * kRadius - 1, 7, "90°", "#aaaaaa", "start");
  return out;
}

// Returns the text of a range; empty if the range has no width.
std::string Caption(const char* name, const AngleRange& range) {
  if (range.width() == 0) return "";
  return fmt::format(" {} {:.0f}…{:.0f}° ", name, std::round(range.min / kDegree) + 0.0,
                     std::round(range.max / kDegree) + 0.0);
}

std::string JointPanel(const std::string& name, const JointLimit& limit, double x, double y) {
  const double cx = x + kPanel / 2, cy = y + 30 + kRadius;
  std::string out = Text(cx, y + 14, 12, name, "#111111");
  out += Grid(cx, cy) + Region(limit, cx, cy) + TwistArc(limit, cx, cy);
  // Position of the rest rotation relative to the neutral one.
  const SwingTwist rest = ToSwingTwist(limit, Eigen::Quaterniond::Identity());
  out += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"2.6\" fill=\"#111111\"/>\n",
                     cx + rest.side / kDegree / kFullScale * kRadius, cy - rest.bend / kDegree / kFullScale * kRadius);
  out += Text(cx, cy + kRadius + 19, 9, Caption("bend", limit.bend) + Caption("side", limit.side), "#555555");
  out += Text(cx, cy + kRadius + 31, 9, Caption("twist", limit.twist), "#555555");
  return out;
}

std::string Legend(double y) {
  std::string out;
  double x = 20;
  for (const LimitOrigin origin :
       {LimitOrigin::kFile, LimitOrigin::kNames, LimitOrigin::kAnimations, LimitOrigin::kDefault}) {
    out += fmt::format("<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"11\" height=\"11\" fill=\"{}\"/>\n", x, y - 10,
                       ColorOf(origin));
    out += Text(x + 16, y, 11, std::string("from ") + Name(origin), "#333333", "start");
    x += 130;
  }
  out += "<rect x=\"540\" y=\"" + fmt::format("{:.0f}", y - 7) + "\" width=\"14\" height=\"4\" fill=\"#d07a1f\"/>\n";
  out += Text(560, y, 11, "twist", "#333333", "start");
  out += fmt::format("<circle cx=\"625\" cy=\"{:.0f}\" r=\"3\" fill=\"#111111\"/>\n", y - 4);
  out += Text(634, y, 11, "rest.  Bend is up, side is right; circles every 45°, centre is neutral", "#333333", "start");
  return out;
}

}  // namespace

std::string PlotLimits(const Skeleton& skeleton, const JointLimits& limits, const std::string& title) {
  std::vector<int> drawn;
  std::string free, fixed;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const std::string name =
        (limits[j].free ? free.empty() : fixed.empty()) ? skeleton.joints[j].name : ", " + skeleton.joints[j].name;
    if (limits[j].free)
      free += name;
    else if (limits[j].fixed())
      fixed += name;
    else
      drawn.push_back(j);
  }
  const double row_height = kPanel + 20;
  const double rows = std::ceil(static_cast<double>(drawn.size()) / kColumns);
  const double width = kColumns * kPanel + 20, height = kHeader + rows * row_height + 44;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      width, height);
  out += Text(20, 22, 15, title, "#111111", "start") + Legend(42);
  for (size_t i = 0; i < drawn.size(); ++i) {
    const size_t column = i % kColumns, row = i / kColumns;
    const double x = 10 + static_cast<double>(column) * kPanel;
    const double y = kHeader + static_cast<double>(row) * row_height;
    out += JointPanel(skeleton.joints[drawn[i]].name, limits[drawn[i]], x, y);
  }
  if (!free.empty()) out += Text(20, height - 26, 10, "free: " + free, "#555555", "start");
  if (!fixed.empty()) out += Text(20, height - 10, 10, "fixed: " + fixed, "#555555", "start");
  return out + "</svg>\n";
}

}  // namespace sinew::render
