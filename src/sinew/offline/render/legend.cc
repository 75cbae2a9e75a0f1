#include "sinew/offline/render/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew::render {
namespace {

constexpr Pixel kInk = {45, 49, 56, 255};

double RoundStep(double span, int count) {
  const double raw = span / std::max(count, 1);
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw * 0.999) return factor * power;
  }
  return 10 * power;
}

// Draws a triangle that points away from the bar. x: first column outside of the bar. direction: 1 or -1.
void DrawArrow(const LegendBar& bar, int x, int direction, const Pixel& color, Image& image) {
  const int half = (bar.y1 - bar.y0) / 2;
  for (int k = 0; k < half; ++k) {
    const int column = x + direction * k;
    FillRectangle(image, column, bar.y0 + k, column + 1, bar.y1 - k, color);
  }
}

}  // namespace

std::vector<double> RoundTicks(double low, double high, int count) {
  if (!(high > low)) return {low};
  std::vector<double> ticks;
  while (ticks.size() < 3) {
    ticks.clear();
    const double step = RoundStep(high - low, count++);
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1) ticks.push_back(k * step);
  }
  return ticks;
}

std::string TickText(double value, double step) {
  const double size = std::max(std::abs(value), step);
  if (size >= 1e6 || step < 1e-5) return fmt::format("{:.3g}", value);
  const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  return fmt::format("{:.{}f}", value == 0 ? 0.0 : value, digits);
}

LegendBar DrawLegend(const Legend& legend, const Font& font, int x, int y, int width, float text_size, Image& image) {
  const int bar_width = std::min(width * 9 / 10, std::max(width * 2 / 5, 320));
  const int bar_height = static_cast<int>(std::lround(0.8f * text_size));
  const int title_height = static_cast<int>(std::lround(1.4f * text_size));
  LegendBar bar{x + (width - bar_width) / 2, y + title_height, 0, y + title_height + bar_height};
  bar.x1 = bar.x0 + bar_width;
  // Title.
  const std::string title = legend.unit.empty() ? legend.title : fmt::format("{} ({})", legend.title, legend.unit);
  font.Draw(image, font.Fit(title, text_size, static_cast<float>(width)),
            static_cast<float>(x) + static_cast<float>(width) * 0.5f, static_cast<float>(y) + text_size * 0.8f,
            text_size, kInk, Align::kCenter);
  // Colour bar and its arrows.
  for (int column = bar.x0; column < bar.x1; ++column) {
    const float t = static_cast<float>(column - bar.x0) / static_cast<float>(bar_width - 1);
    FillRectangle(image, column, bar.y0, column + 1, bar.y1, ToPixel(SrgbFromLinear(MapColor(legend.scale.map, t))));
  }
  const auto end_color = [&](float t) { return ToPixel(SrgbFromLinear(MapColor(legend.scale.map, t))); };
  if (legend.clipped_below) DrawArrow(bar, bar.x0 - 1, -1, end_color(0), image);
  if (legend.clipped_above) DrawArrow(bar, bar.x1, 1, end_color(1), image);
  // Ticks and their values.
  const double low = legend.scale.low, high = legend.scale.high;
  const int count = std::clamp(static_cast<int>(static_cast<float>(bar_width) / (text_size * 4.5f)), 2, 6);
  const std::vector<double> ticks = RoundTicks(low, high, count);
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : std::max(std::abs(low), 1.0);
  for (const double tick : ticks) {
    const double t = high > low ? (tick - low) / (high - low) : 0;
    const int at = bar.x0 + static_cast<int>(std::lround(t * (bar_width - 1)));
    FillRectangle(image, at, bar.y1, at + 1, bar.y1 + std::max(3, bar_height / 4), kInk);
    font.Draw(image, TickText(tick, step), static_cast<float>(at) + 0.5f,
              static_cast<float>(bar.y1) + 1.35f * text_size, 0.9f * text_size, kInk, Align::kCenter);
  }
  return bar;
}

}  // namespace sinew::render
