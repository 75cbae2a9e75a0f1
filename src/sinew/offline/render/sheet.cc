#include "sinew/offline/render/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/offline/core/error.h"

namespace sinew::render {
namespace {

constexpr int kRowGap = 4;
constexpr int kLargestPicture = 16384;
// Smallest and largest width of panels of automatic width, and the width added for the shadow beside the body, as
// multiples of the height.
constexpr float kNarrowest = 0.4f, kWidest = 2.2f, kShadowRoom = 0.16f;
// Smallest text size as a share of SheetOptions::max_width: still readable when the picture is shown at half its size.
constexpr float kTextOfWidth = 0.01f;
constexpr int kLowestPanel = 64;
constexpr Pixel kPage = {255, 255, 255, 255};
constexpr Pixel kInk = {38, 42, 50, 255};
constexpr Pixel kFaintInk = {92, 98, 108, 255};

// Returns the margins of a panel; text takes its space from the top margin of the first row.
Margins MarginsOf(float text_size, int height, bool first_row, bool labels, bool captions) {
  Margins margins;
  if (!first_row) return margins;
  const float line = 1.5f * text_size / static_cast<float>(height);
  margins.top += (labels ? line : 0) + (captions ? line : 0);
  return margins;
}

// Returns the middle of the points on the ground; with a common scale, panels are aligned at it and framed together.
Eigen::RowVector3f Anchor(const Points& points) {
  if (points.rows() == 0) return Eigen::RowVector3f::Zero();
  const Box box = BoundingBox(points);
  return {box.center().x(), box.min().y(), box.center().z()};
}

Points Union(const std::vector<Points>& sets) {
  Eigen::Index count = 0;
  for (const Points& set : sets) count += set.rows();
  Points all(count, 3);
  Eigen::Index next = 0;
  for (const Points& set : sets) {
    all.middleRows(next, set.rows()) = set.rowwise() - Anchor(set);
    next += set.rows();
  }
  return all;
}

// Points that each panel must show, and the origin that they are relative to.
struct Framing {
  std::vector<Points> points;
  std::vector<Eigen::RowVector3f> anchors;
};

Framing MakeFraming(const std::vector<Points>& extents, bool common_scale) {
  Framing framing{extents, std::vector<Eigen::RowVector3f>(extents.size(), Eigen::RowVector3f::Zero())};
  if (!common_scale) return framing;
  const Points all = Union(extents);
  for (size_t i = 0; i < extents.size(); ++i) {
    framing.points[i] = all;
    framing.anchors[i] = Anchor(extents[i]);
  }
  return framing;
}

void CheckSize(const SheetLayout& layout) {
  if (std::max(layout.width, layout.height) <= kLargestPicture) return;
  throw UsageError(
      fmt::format("a picture of {} x {} pixels is too large; choose a smaller --size, fewer inputs or fewer views",
                  layout.width, layout.height));
}

// Lightens the picture behind the lines of text at its top.
void DrawBand(int height, Image& image) {
  constexpr float kCoverage = 0.7f;
  for (int y = 0; y < std::min(height, image.height); ++y) {
    for (int x = 0; x < image.width; ++x) Blend(image.at(x, y), kPage, kCoverage);
  }
}

void DrawLabels(const SheetLayout& layout, const std::vector<Panel>& panels, bool band, Image& image) {
  const bool any = std::any_of(panels.begin(), panels.end(),
                               [](const Panel& panel) { return !panel.label.empty() || !panel.caption.empty(); });
  if (!any) return;
  const bool captions =
      std::any_of(panels.begin(), panels.end(), [](const Panel& panel) { return !panel.caption.empty(); });
  if (band) DrawBand(static_cast<int>((captions ? 3.2f : 2.0f) * layout.text_size), image);
  const Font font;
  const bool one_panel = panels.size() == 1;
  for (int column = 0; column < (one_panel ? 1 : layout.columns); ++column) {
    const SheetLayout::Cell& cell = layout.cells[column];
    const Panel& panel = panels[cell.panel];
    const auto width = static_cast<float>(one_panel ? layout.width : cell.width);
    const float middle = static_cast<float>(cell.x) + width / 2;
    const float size = layout.text_size, line = 1.5f * size;
    float y = 1.45f * size;
    if (!panel.label.empty()) {
      font.Draw(image, font.Fit(panel.label, size, width - size), middle, y, size, kInk, Align::kCenter);
      y += line * 0.9f;
    }
    const float small = 0.8f * size;
    font.Draw(image, font.Fit(panel.caption, small, width - size), middle, y, small, kFaintInk, Align::kCenter);
  }
}

}  // namespace

SheetLayout PlanSheet(const std::vector<Points>& extents, const std::vector<View>& views, const SheetOptions& options,
                      bool labels, bool captions) {
  // Rows, columns and the size of text.
  const int panels = static_cast<int>(extents.size());
  const bool one_panel = panels == 1;
  SheetLayout layout;
  layout.columns = one_panel ? static_cast<int>(views.size()) : panels;
  layout.rows = one_panel ? 1 : static_cast<int>(views.size());
  layout.text_size = std::max(std::clamp(0.029f * static_cast<float>(options.height), 14.0f, 34.0f),
                              kTextOfWidth * static_cast<float>(options.max_width));
  const Framing framing = MakeFraming(extents, options.common_scale);
  const auto panel_of = [&](int column) { return one_panel ? 0 : column; };
  const auto view_of = [&](int row, int column) -> const View& { return views[one_panel ? column : row]; };
  const auto margins_of = [&](int row) {
    return MarginsOf(layout.text_size, options.height, row == 0, labels, captions);
  };
  // Widths of the columns.
  std::vector<int> widths(layout.columns, options.width);
  for (int column = 0; column < layout.columns && options.width == 0; ++column) {
    float aspect = kNarrowest;
    for (int row = 0; row < layout.rows; ++row) {
      const float tight = TightAspect(view_of(row, column), framing.points[panel_of(column)], margins_of(row));
      aspect = std::max(aspect, std::min(tight + kShadowRoom, kWidest));
    }
    widths[column] = static_cast<int>(std::ceil(aspect * static_cast<float>(options.height)));
  }
  // If the picture is too wide, plans again with lower panels.
  const int together = std::accumulate(widths.begin(), widths.end(), 0);
  if (options.max_width > 0 && together > options.max_width && options.height > kLowestPanel) {
    SheetOptions lower = options;
    // Text keeps its size, so widths shrink a little less than heights, and this may happen more than once.
    lower.height = std::clamp(options.height * options.max_width / together, kLowestPanel, options.height - 1);
    lower.width = std::min(options.width, options.max_width / layout.columns);
    return PlanSheet(extents, views, lower, labels, captions);
  }
  // Positions and cameras of all cells.
  for (int row = 0; row < layout.rows; ++row) {
    int x = 0;
    for (int column = 0; column < layout.columns; ++column) {
      const int panel = panel_of(column);
      SheetLayout::Cell cell{panel, x, row * (options.height + kRowGap), widths[column], options.height, {}};
      const float aspect = static_cast<float>(cell.width) / static_cast<float>(cell.height);
      cell.camera = FrameCamera(view_of(row, column), framing.points[panel], aspect, margins_of(row));
      cell.camera.eye += framing.anchors[panel].transpose();
      layout.cells.push_back(cell);
      x += cell.width;
    }
    layout.width = x;
  }
  // Legend and total height.
  layout.legend_y = layout.rows * (options.height + kRowGap) - kRowGap;
  layout.height = layout.legend_y + (options.legend ? static_cast<int>(std::lround(4.6f * layout.text_size)) : 0);
  CheckSize(layout);
  return layout;
}

Image DrawSheet(Renderer& renderer, const SheetLayout& layout, const std::vector<Panel>& panels,
                const SheetOptions& options) {
  Image image(layout.width, layout.height, kPage);
  for (const SheetLayout::Cell& cell : layout.cells) {
    Paste(renderer.Render(panels[cell.panel].scene, cell.camera, cell.width, cell.height, options.style), cell.x,
          cell.y, image);
  }
  DrawLabels(layout, panels, options.text_band, image);
  if (options.legend) {
    const int top = layout.legend_y + static_cast<int>(std::lround(0.6f * layout.text_size));
    DrawLegend(*options.legend, Font(), 0, top, layout.width, 0.8f * layout.text_size, image);
  }
  return image;
}

Image RenderSheet(const std::vector<Panel>& panels, const std::vector<View>& views, const SheetOptions& options) {
  std::vector<Points> extents;
  bool labels = false, captions = false;
  for (const Panel& panel : panels) {
    extents.push_back(DrawnPoints(panel.scene));
    labels = labels || !panel.label.empty();
    captions = captions || !panel.caption.empty();
  }
  Renderer renderer;
  return DrawSheet(renderer, PlanSheet(extents, views, options, labels, captions), panels, options);
}

}  // namespace sinew::render
