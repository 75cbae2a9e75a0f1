#include "sinew/offline/render/sheet.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "tests/support/mesh_families.h"

namespace sinew::render {
namespace {

using sinew::testing::Moved;
using sinew::testing::Sphere;

const std::vector<View> kTwoViews = {ParseView("front"), ParseView("side")};

Panel BallPanel(const std::string& label, float radius, const Eigen::Vector3f& at = {0, 0, 0}) {
  RenderMesh mesh{.mesh = Moved(Sphere(24, 12), at, radius)};
  mesh.colors = Points::Zero(mesh.mesh.vertex_count(), 3);
  mesh.colors.col(1).setConstant(0.5f);
  return {.label = label, .scene = {.meshes = {mesh}}};
}

bool IsGreen(const Pixel& p) { return p[1] > p[0] + 20 && p[1] > p[2] + 20; }

// First and one past the last row of a column range that is green.
std::pair<int, int> GreenRows(const Image& image, int x0, int x1) {
  int first = image.height, last = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = x0; x < x1; ++x) {
      if (!IsGreen(image.at(x, y))) continue;
      first = std::min(first, y);
      last = y + 1;
    }
  }
  return {first, last};
}

TEST(Sheet, CellsTileThePicture) {
  for (const int panels : {1, 2, 3}) {
    const std::vector<Points> extents(panels, Sphere(12, 6).positions);
    const SheetLayout layout = PlanSheet(extents, kTwoViews, {.height = 200}, true, false);
    EXPECT_EQ(layout.columns, panels == 1 ? 2 : panels);
    EXPECT_EQ(layout.rows, panels == 1 ? 1 : 2);
    ASSERT_EQ(layout.cells.size(), static_cast<size_t>(layout.columns) * layout.rows);
    int area = 0;
    for (const auto& cell : layout.cells) {
      EXPECT_GE(cell.x, 0);
      EXPECT_LE(cell.x + cell.width, layout.width);
      EXPECT_LE(cell.y + cell.height, layout.height);
      area += cell.width * cell.height;
    }
    EXPECT_GT(area, layout.width * (layout.height - 8) - 1);
  }
}

TEST(Sheet, SizeIsThatOfOnePanel) {
  const std::vector<Points> extents(3, Sphere(12, 6).positions);
  const SheetLayout layout = PlanSheet(extents, {kTwoViews[0]}, {.height = 150, .width = 220}, false, false);
  EXPECT_EQ(layout.width, 660);
  EXPECT_EQ(layout.height, 150);
}

TEST(Sheet, CommonScaleKeepsProportionsAndGround) {
  const std::vector<Panel> panels = {BallPanel("", 1, {5, 1, 0}), BallPanel("", 0.5f, {-3, 2, 7})};
  SheetOptions options{.height = 300, .width = 300};
  const auto rows = [&] {
    const Image image = RenderSheet(panels, {ParseView("0:0")}, options);
    return std::pair(GreenRows(image, 0, 300), GreenRows(image, 300, 600));
  };
  const auto [own_a, own_b] = rows();
  EXPECT_NEAR(own_a.second - own_a.first, own_b.second - own_b.first, 3);
  options.common_scale = true;
  const auto [a, b] = rows();
  EXPECT_NEAR(0.5 * (a.second - a.first), b.second - b.first, 6);
  EXPECT_NEAR(a.second, b.second, 3);
}

TEST(Sheet, LabelsHaveInkAboveTheBody) {
  const Image plain = RenderSheet({BallPanel("", 1), BallPanel("", 1)}, {kTwoViews[0]}, {.height = 300, .width = 300});
  const Image labelled =
      RenderSheet({BallPanel("first", 1), BallPanel("", 1)}, {kTwoViews[0]}, {.height = 300, .width = 300});
  int dark_left = 0, dark_right = 0;
  const int body = GreenRows(labelled, 0, 300).first;
  EXPECT_GT(body, GreenRows(plain, 0, 300).first);
  for (int y = 0; y < body; ++y) {
    for (int x = 0; x < 600; ++x) (x < 300 ? dark_left : dark_right) += labelled.at(x, y)[0] < 120 ? 1 : 0;
  }
  EXPECT_GT(dark_left, 30);
  EXPECT_EQ(dark_right, 0);
}

TEST(Sheet, PanelsJoinWithoutASeam) {
  const Image image = RenderSheet({BallPanel("", 1), BallPanel("", 1)}, {kTwoViews[0]}, {.height = 300, .width = 300});
  for (int y = 0; y < 300; ++y) {
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(image.at(299, y)[c], image.at(300, y)[c], 2) << y;
  }
}

TEST(Sheet, LegendGetsAStripOfItsOwn) {
  SheetOptions options{.height = 300, .width = 400};
  options.legend = Legend{{0, 5}, "weight", ""};
  const Image image = RenderSheet({BallPanel("", 1)}, {kTwoViews[0]}, options);
  ASSERT_GT(image.height, 340);
  bool found = false;
  for (int y = 300; y < image.height; ++y) {
    found = found || std::count(image.pixels.begin() + y * 400, image.pixels.begin() + (y + 1) * 400,
                                ToPixel(SrgbFromLinear(MapColor(ColorMap::kSequential, 1)))) > 0;
  }
  EXPECT_TRUE(found);
}

TEST(Sheet, FitsAWidthWithTextThatCanBeRead) {
  for (const float wide : {0.3f, 1.0f, 5.0f}) {
    for (const int panels : {1, 5, 9}) {
      Points body = Sphere(12, 6).positions;
      body.col(0) *= wide;
      const std::vector<Points> extents(panels, body);
      const SheetLayout layout =
          PlanSheet(extents, {kTwoViews[0]}, {.height = 600, .max_width = 2200, .common_scale = true}, true, true);
      EXPECT_LE(layout.width, 2200) << panels;
      EXPECT_GE(layout.text_size, 22);
      const bool small =
          PlanSheet(extents, {kTwoViews[0]}, {.height = 600, .common_scale = true}, true, true).width <= 2100;
      EXPECT_EQ(layout.cells[0].height, small ? 600 : layout.cells[0].height);
      EXPECT_TRUE(small || layout.width > 1600) << "no smaller than it must be: " << layout.width;
    }
  }
}

TEST(Sheet, SaysWhenThePictureWouldBeTooLarge) {
  const std::vector<Points> extents(40, Sphere(12, 6).positions);
  EXPECT_THROW(PlanSheet(extents, kTwoViews, {.height = 4000}, false, false), UsageError);
}

}  // namespace
}  // namespace sinew::render
