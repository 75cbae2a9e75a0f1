// Draws the legend of a heat map: its colours, round values, and the name of the quantity.
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
  std::string title;  // quantity, such as "distance to other.glb"
  std::string unit;   // such as "mm"; may be empty
  // Whether there are values beyond the scale; that end of the bar is then an arrow.
  bool clipped_below = false;
  bool clipped_above = false;
};

// Position of the colour bar without arrows: pixels [x0, x1) x [y0, y1). Column x has the colour of
// t = (x - x0) / (x1 - 1 - x0).
struct LegendBar {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

// Draws the legend with its top at (x, y), centred in `width`; all in pixels. Needs a height of about 4 * text_size.
LegendBar DrawLegend(const Legend& legend, const Font& font, int x, int y, int width, float text_size, Image& image);

// Returns round values from low to high, about `count` but at least 3: multiples of 1, 2 or 5 times a power of ten.
std::vector<double> RoundTicks(double low, double high, int count);
// Formats a value with as few digits as distinguish it from its neighbours, which are `step` away.
std::string TickText(double value, double step);

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_LEGEND_H_
