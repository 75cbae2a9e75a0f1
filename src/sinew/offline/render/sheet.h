// Draws several scenes side by side from several views, for comparison. Each scene is a column and each view a row; a
// single scene has its views side by side.
//
//   std::vector<render::Panel> panels = {{.label = "ours", .scene = a}, {.label = "theirs", .scene = b}};
//   render::WritePng("both.png", render::RenderSheet(panels, {render::ParseView("front"), render::ParseView("side")}));
#ifndef SINEW_OFFLINE_RENDER_SHEET_H_
#define SINEW_OFFLINE_RENDER_SHEET_H_

#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/render/camera.h"
#include "sinew/offline/render/legend.h"
#include "sinew/offline/render/renderer.h"

namespace sinew::render {

struct Panel {
  std::string label = {};    // above the panel; may be empty
  std::string caption = {};  // smaller, below the label; may be empty
  Scene scene = {};
};

struct SheetOptions {
  int height = 900;           // height of one panel, pixels
  int width = 0;              // width of one panel, pixels; 0: as wide as its contents need
  int max_width = 0;          // of the whole picture, pixels, to keep text readable on a page; 0: any
  bool common_scale = false;  // the same scale in every column, and one common ground line
  bool text_band = false;     // a light band behind the text, for panels that their contents fill
  Style style = {};
  std::optional<Legend> legend = {};
};

// Positions and sizes of everything, in pixels; the same for every frame of an animation.
struct SheetLayout {
  struct Cell {
    int panel = 0;
    int x = 0, y = 0, width = 0, height = 0;
    Camera camera;
  };
  int width = 0, height = 0;  // of the whole picture
  int columns = 0, rows = 0;
  int legend_y = 0;  // top of the legend's strip
  float text_size = 0;
  std::vector<Cell> cells;  // row by row
};

// Plans the layout. Throws UsageError if the picture would be wider or higher than 16384 pixels.
// extents: for each panel the points that must be visible (those of all frames, for an animation).
// labels, captions: whether a first and a second line of text are needed.
SheetLayout PlanSheet(const std::vector<Points>& extents, const std::vector<View>& views, const SheetOptions& options,
                      bool labels, bool captions);

// Draws one frame.
Image DrawSheet(Renderer& renderer, const SheetLayout& layout, const std::vector<Panel>& panels,
                const SheetOptions& options);

// Plans and draws one still picture.
Image RenderSheet(const std::vector<Panel>& panels, const std::vector<View>& views, const SheetOptions& options = {});

}  // namespace sinew::render

#endif  // SINEW_OFFLINE_RENDER_SHEET_H_
