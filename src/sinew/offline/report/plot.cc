#include "sinew/offline/report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "sinew/offline/core/markup.h"

namespace sinew::report {
namespace {

constexpr double kWidth = 460, kHeight = 260;
constexpr double kLeft = 58, kRight = 12, kTop = 30, kBottom = 62;
constexpr const char* kInk = "var(--ink, #222222)";
constexpr const char* kFaint = "var(--faint, #666666)";
constexpr const char* kLine = "var(--line, #dddddd)";

// Series differ in hue, in lightness and, for lines, in their dashes, so that every reader can tell them apart, in the
// dark and on paper too.
constexpr std::array<const char*, 6> kColors = {"var(--series-1, #1b6ca8)", "var(--series-2, #c0561a)",
                                                "var(--series-3, #2e7d4f)", "var(--series-4, #7b3fa0)",
                                                "var(--series-5, #8a6d00)", "var(--series-6, #555555)"};
constexpr std::array<const char*, 6> kDashes = {"none", "7 3", "2 3", "9 3 2 3", "4 2", "1 2"};

std::string Text(double x, double y, double size, const std::string& text, const char* color, const char* anchor) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.3g}\" fill=\"{}\" text-anchor=\"{}\">{}</text>\n",
                     x, y, size, color, anchor, EscapeMarkup(text));
}

std::string Line(double x0, double y0, double x1, double y1, const char* color) {
  return fmt::format("<path d=\"M{:.1f} {:.1f} L{:.1f} {:.1f}\" stroke=\"{}\"/>\n", x0, y0, x1, y1, color);
}

std::string Number(double value) {
  if (value == 0) return "0";
  return std::abs(value) >= 1e6 || std::abs(value) < 1e-3 ? fmt::format("{:.0e}", value) : fmt::format("{:.6g}", value);
}

std::string Begin(const std::string& title) {
  const std::string label = EscapeMarkup(title);
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\" "
             "font-family=\"sans-serif\">\n",
             kWidth, kHeight, label) +
         Text(kLeft, 17, 13, title, kInk, "start");
}

// Maps the values low to high (their logarithms if logarithmic) to the coordinates from to to of the picture.
struct Axis {
  double low = 0, high = 1, from = 0, to = 1;
  bool logarithmic = false;

  double At(double value) const {
    const double v = logarithmic ? std::max(std::log10(value), low) : value;
    return from + (v - low) / (high - low) * (to - from);
  }
};

Axis MakeAxis(double low, double high, double from, double to) {
  if (!(low <= high)) low = 0, high = 1;
  const double middle = 0.5 * (low + high), least = std::max(1e-9 * std::abs(middle), 1e-300);
  if (high - low < least) {
    low -= 0.1 * std::abs(middle);
    high += middle == 0 ? 1 : 0.1 * std::abs(middle);
  }
  return {.low = low, .high = high, .from = from, .to = to, .logarithmic = false};
}

// Returns the marks of a logarithmic axis: powers of ten, with round numbers between them if those are too few.
std::vector<double> LogTicks(const Axis& axis) {
  std::vector<double> ticks;
  const int first = static_cast<int>(std::floor(axis.low)), last = static_cast<int>(std::ceil(axis.high));
  const int step = std::max(1, (last - first + 7) / 8);
  const bool between = axis.high - axis.low < 2;
  for (int power = first; power <= last; power += step) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double value = std::log10(digit) + power;
      if ((digit == 1 || between) && value >= axis.low - 1e-9 && value <= axis.high + 1e-9) {
        ticks.push_back(digit * std::pow(10.0, power));
      }
    }
  }
  return ticks;
}

std::string YAxis(const Axis& y, const std::string& label) {
  std::string out;
  for (const double tick : y.logarithmic ? LogTicks(y) : Ticks(y.low, y.high, 5)) {
    const double at = y.At(tick);
    out += Line(kLeft, at, kWidth - kRight, at, kLine) + Text(kLeft - 5, at + 3.5, 10, Number(tick), kFaint, "end");
  }
  out += fmt::format(
      "<text transform=\"translate(12 {:.1f}) rotate(-90)\" font-size=\"11\" fill=\"{}\" "
      "text-anchor=\"middle\">{}</text>\n",
      0.5 * (kTop + kHeight - kBottom), kFaint, EscapeMarkup(label));
  return out;
}

std::string XAxis(const Axis& x, const std::string& label) {
  const double bottom = kHeight - kBottom;
  std::string out = Line(kLeft, bottom, kWidth - kRight, bottom, kFaint);
  for (const double tick : x.logarithmic ? LogTicks(x) : Ticks(x.low, x.high, 7)) {
    out += Line(x.At(tick), bottom, x.At(tick), bottom + 4, kFaint);
    out += Text(x.At(tick), bottom + 15, 10, Number(tick), kFaint, "middle");
  }
  return out + Text(0.5 * (kLeft + kWidth - kRight), bottom + 29, 11, label, kFaint, "middle");
}

// Returns the colour assigned to a series, or the one at its own index.
const char* ColorOf(const std::vector<size_t>& colors, size_t series) {
  return kColors[(series < colors.size() ? colors[series] : series) % kColors.size()];
}

std::string Keys(const std::vector<std::string>& names, const std::vector<size_t>& colors, bool lines) {
  const auto width = [](const std::string& name) { return 40 + 6.2 * static_cast<double>(name.size()); };
  double wanted = 0;
  for (const std::string& name : names) wanted += width(name);
  // Many or long names are set smaller, so that the last one fits.
  const double fit = std::min(1.0, (kWidth - kLeft) / std::max(1.0, wanted));
  std::string out;
  double x = kLeft;
  const double y = kHeight - 10;
  for (size_t i = 0; i < names.size(); ++i) {
    const char* color = ColorOf(colors, i);
    out += lines ? fmt::format(
                       "<path d=\"M{:.1f} {:.1f} h22\" stroke=\"{}\" stroke-width=\"2\" "
                       "stroke-dasharray=\"{}\"/>\n",
                       x, y - 4, color, kDashes[i % kDashes.size()])
                 : fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"10\" fill=\"{}\"/>\n", x + 8,
                               y - 9, color);
    out += Text(x + 26, y, std::max(8.0, 11 * fit), names[i], kInk, "start");
    x += fit * width(names[i]);
  }
  return out;
}

using Shown = std::function<bool(const std::pair<double, double>&)>;

// Draws the line of a series, and a dot for each point without neighbours to connect to.
std::string Curve(const Series& series, const Axis& x, const Axis& y, const Shown& shown, size_t number) {
  const char* color = kColors[number % kColors.size()];
  std::string path, dots;
  int run = 0;
  for (size_t i = 0; i < series.points.size(); ++i) {
    if (!shown(series.points[i])) {
      run = 0;
      continue;
    }
    const double px = x.At(series.points[i].first), py = y.At(series.points[i].second);
    path += fmt::format("{}{:.1f} {:.1f} ", run == 0 ? "M" : "L", px, py);
    const bool last = i + 1 == series.points.size() || !shown(series.points[i + 1]);
    if (series.dots || (run == 0 && last)) {
      dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>\n", px, py, color);
    }
    ++run;
  }
  return fmt::format(
             "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\" "
             "stroke-dasharray=\"{}\"/>\n",
             path, color, kDashes[number % kDashes.size()]) +
         dots;
}

}  // namespace

std::vector<double> Ticks(double low, double high, int count) {
  const double rough = (high - low) / std::max(1, count), power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double digit : {5.0, 2.0, 1.0}) {
    if (digit * power >= rough * (1 - 1e-9)) step = digit * power;
  }
  std::vector<double> ticks;
  // Multiples of the step instead of sums, so that the numbers stay round.
  const double first = std::ceil(low / step - 1e-9), last = std::floor(high / step + 1e-9);
  for (double k = first; k <= last && ticks.size() < 1000; ++k) ticks.push_back(k == 0 ? 0 : k * step);
  return ticks;
}

std::string DrawLines(const LinePlot& plot) {
  const Shown shown = [&](const std::pair<double, double>& p) {
    return std::isfinite(p.first) && std::isfinite(p.second) && (!plot.log_x || p.first > 0) &&
           (!plot.log_y || p.second > 0);
  };
  // Range of the values.
  double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;
  for (const Series& series : plot.series) {
    for (const auto& point : series.points) {
      if (!shown(point)) continue;
      const double y = plot.log_y ? std::log10(point.second) : point.second;
      const double x = plot.log_x ? std::log10(point.first) : point.first;
      x_low = std::min(x_low, x), x_high = std::max(x_high, x);
      y_low = std::min(y_low, y), y_high = std::max(y_high, y);
    }
  }
  if (!plot.log_y && plot.from_zero) y_low = std::min(y_low, 0.0);
  if (plot.log_y) y_low = std::max(y_low, y_high - plot.decades);
  Axis x = MakeAxis(x_low, x_high, kLeft, kWidth - kRight);
  x.logarithmic = plot.log_x;
  Axis y = MakeAxis(y_low, y_high, kHeight - kBottom, kTop);
  y.logarithmic = plot.log_y;
  std::string out = Begin(plot.title) + YAxis(y, plot.y_label) + XAxis(x, plot.x_label);
  std::vector<std::string> names;
  for (size_t i = 0; i < plot.series.size(); ++i) {
    out += Curve(plot.series[i], x, y, shown, i);
    names.push_back(plot.series[i].name);
  }
  return out + Keys(names, {}, true) + "</svg>\n";
}

std::string DrawBars(const BarPlot& plot) {
  double high = 0;
  for (const auto& [name, values] : plot.series) {
    for (const double value : values) high = std::max(high, std::isfinite(value) ? value : 0);
  }
  const Axis y = MakeAxis(0, high, kHeight - kBottom, kTop);
  std::string out = Begin(plot.title) + YAxis(y, plot.y_label);
  const auto at_least_one = [](size_t count) { return std::max(1.0, static_cast<double>(count)); };
  const double bottom = kHeight - kBottom, room = (kWidth - kLeft - kRight) / at_least_one(plot.names.size());
  const double bar = 0.8 * room / at_least_one(plot.series.size());
  std::vector<std::string> names;
  for (size_t s = 0; s < plot.series.size(); ++s) {
    names.push_back(plot.series[s].first);
    for (size_t i = 0; i < std::min(plot.names.size(), plot.series[s].second.size()); ++i) {
      const double value = std::max(0.0, plot.series[s].second[i]);
      if (!std::isfinite(value)) continue;
      const double left = kLeft + (static_cast<double>(i) + 0.1) * room + static_cast<double>(s) * bar;
      out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", left,
                         y.At(value), 0.94 * bar, bottom - y.At(value), ColorOf(plot.colors, s));
    }
  }
  out += Line(kLeft, bottom, kWidth - kRight, bottom, kFaint);
  for (size_t i = 0; i < plot.names.size(); ++i) {
    out += Text(kLeft + (static_cast<double>(i) + 0.5) * room, bottom + 15, 10, plot.names[i], kFaint, "middle");
  }
  return out + Keys(names, plot.colors, false) + "</svg>\n";
}

}  // namespace sinew::report
