// Draws line plots and bar plots as SVG. Colours are CSS variables with fallback values, so that a plot inside a page
// follows the page's colours (light, dark, paper) and a plot in a file of its own is still right.
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
  double decades = 5;                 // longest logarithmic y axis; smaller values are drawn along its lower end
  bool from_zero = true;              // the y axis includes 0, unless it is logarithmic
};
// Returns an SVG element.
std::string DrawLines(const LinePlot& plot);

struct BarPlot {
  std::string title = {};
  std::string y_label = {};
  std::vector<std::string> names = {};
  // Series as (name, values), with one value per entry of `names`; bars of one name stand side by side. Negative values
  // count as 0.
  std::vector<std::pair<std::string, std::vector<double>>> series = {};
  // Index of each series' colour, so that a thing has the same colour in several plots; empty: colours in order.
  std::vector<size_t> colors = {};
};
// Returns an SVG element.
std::string DrawBars(const BarPlot& plot);

// Returns round numbers at which to mark an axis from low to high: about `count` multiples of 1, 2 or 5 times a power
// of ten, the first at or above low and the last at or below high. low < high, both finite.
std::vector<double> Ticks(double low, double high, int count);

}  // namespace sinew::report

#endif  // SINEW_OFFLINE_REPORT_PLOT_H_
