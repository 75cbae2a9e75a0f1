// The legend of a heat map: its colours, values at round numbers, and what is measured.
#ifndef SINEW_OFFLINE_RENDER_LEGEND_H_
#define SINEW_OFFLINE_RENDER_LEGEND_H_

#include <string>
#include <vector>

#include "sinew/offline/render/image.h"
#include "sinew/offline/render/scene.h"
#include "sinew/offline/render/text.h"

namespace sinew::render {

struct Legend {
  HeatScale scale;
  std::string title;  // "distance to other.glb"
  std::string unit;   // "mm"; may be empty
  // Values beyond the scale exist: the bar's end is then an arrow.
  bool clipped_below = false;
  bool clipped_above = false;
};

// Where the colour bar was drawn, without arrows: pixels [x0, x1) x [y0, y1); column x has the colour of
// t = (x - x0) / (x1 - 1 - x0).
struct LegendBar {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

// Centred in the rectangle's width, `text_size` in pixels. Needs a height of about 4 * text_size.
LegendBar DrawLegend(const Legend& legend, const Font& font, int x, int y, int width, float text_size, Image& image);

// Round values from low to high: multiples of 1, 2 or 5 times a power of ten, about `count` of them, at least 3.
std::vector<double> RoundTicks(double low, double high, int count);
// As short as tells neighbouring ticks apart.
std::string TickText(double value, double step);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_LEGEND_H_
