// Plots as SVG, drawn by us: lines over an axis of numbers, and bars over names. Colours are CSS variables with a value
// to fall back on, so that a plot inside a page follows the page (light, dark, paper) and one in a file of its own is
// still right.
#ifndef SINEW_OFFLINE_REPORT_PLOT_H_
#define SINEW_OFFLINE_REPORT_PLOT_H_

#include <string>
#include <utility>
#include <vector>

namespace sinew::report {

struct Series {
  std::string name = {};
  std::vector<std::pair<double, double>> points = {};  // x increasing; a point that is not finite breaks the line
  bool dots = false;                                   // mark every point
};

struct LinePlot {
  std::string title = {};
  std::string x_label = {}, y_label = {};
  std::vector<Series> series = {};
  bool log_x = false, log_y = false;  // values that are not positive break the line
  double decades = 5;                 // of a logarithmic axis, at most: what is smaller runs along its foot
  bool from_zero = true;              // the axis of y starts at 0, if it is not logarithmic
};
std::string DrawLines(const LinePlot& plot);

struct BarPlot {
  std::string title = {};
  std::string y_label = {};
  std::vector<std::string> names = {};
  // One per series, each with one value per name: bars of one name stand side by side. Values below 0 count as 0.
  std::vector<std::pair<std::string, std::vector<double>>> series = {};
  // The number of each series' colour, so that a thing has the same one in several plots; empty: in their order.
  std::vector<size_t> colors = {};
};
std::string DrawBars(const BarPlot& plot);

// Round numbers that an axis from low to high should be marked at: steps of 1, 2 or 5 times a power of ten, about
// `count` of them, the first at or above low and the last at or below high. low < high, both finite.
std::vector<double> Ticks(double low, double high, int count);

}  // namespace sinew::report

#endif  // SINEW_OFFLINE_REPORT_PLOT_H_
