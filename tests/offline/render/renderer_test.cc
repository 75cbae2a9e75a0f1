#include "sinew/offline/render/renderer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sinew/offline/core/error.h"
#include "sinew/offline/render/vertex_data.h"
#include "tests/support/mesh_families.h"

namespace sinew::render {
namespace {

using sinew::testing::InsideOut;
using sinew::testing::Moved;

// Unit radius, about 0.
TriMesh Ball(int around) { return sinew::testing::Sphere(around, around / 2); }

// OpenGL starts once for all tests.
Renderer& SharedRenderer() {
  static Renderer renderer;
  return renderer;
}

// A colour that neither the lights nor the ground can make by themselves.
RenderMesh Green(TriMesh mesh) {
  RenderMesh out{.mesh = std::move(mesh)};
  out.colors = Points::Zero(out.mesh.vertex_count(), 3);
  out.colors.col(1).setConstant(0.5f);
  return out;
}

bool IsGreen(const Pixel& p) { return p[1] > p[0] + 20 && p[1] > p[2] + 20; }
bool IsGrey(const Pixel& p) { return std::abs(p[0] - p[2]) < 14 && std::abs(p[0] - p[1]) < 14; }

struct Blob {
  double area = 0, x = 0, y = 0;  // pixels
};

Blob MeasureGreen(const Image& image) {
  Blob blob;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      if (!IsGreen(image.at(x, y))) continue;
      blob.area += 1;
      blob.x += x + 0.5;
      blob.y += y + 0.5;
    }
  }
  blob.x /= blob.area;
  blob.y /= blob.area;
  return blob;
}

Image Render(const Scene& scene, const Camera& camera, int size = 300, const Style& style = {}) {
  return SharedRenderer().Render(scene, camera, size, size, style);
}

Camera CameraFor(const Scene& scene, const char* view = "front") {
  return FrameCamera(ParseView(view), DrawnPoints(scene), 1);
}

// A finger is framed from so near that the body it belongs to is behind the camera.
TEST(Renderer, DrawsWhatIsNearWhereTheRestIsBehindTheCamera) {
  TriMesh finger = Ball(32);
  finger.positions *= 0.02f;
  finger = Moved(finger, {0, 0, 3});
  const Scene scene{.meshes = {Green(finger), RenderMesh{.mesh = Ball(32)}}};
  const Style style{.ground = false};
  const double near = MeasureGreen(Render(scene, FrameCamera(ParseView("back"), finger.positions, 1), 200, style)).area;
  const Scene alone{.meshes = {Green(finger)}};
  const double expected =
      MeasureGreen(Render(alone, FrameCamera(ParseView("back"), finger.positions, 1), 200, style)).area;
  EXPECT_GT(expected, 10000);
  EXPECT_NEAR(near, expected, 0.02 * expected);
}

TEST(Renderer, SphereCoversWhatItsProjectionCovers) {
  for (const char* view : {"front", "side", "three-quarter", "top", "200:40"}) {
    const Scene scene{.meshes = {Green(Moved(Ball(64), {0.3f, 2, -1}))}};
    const Camera camera = CameraFor(scene, view);
    const Image image = Render(scene, camera);
    // A sphere of radius r at distance d is seen as a circle of tangent r / sqrt(d^2 - r^2), here near the axis.
    const double d = camera.ToCamera({0.3f, 2, -1}).norm();
    const double radius = 1 / std::sqrt(d * d - 1) / camera.tangent * 150;
    const Blob blob = MeasureGreen(image);
    EXPECT_NEAR(blob.area, testing::kPi * radius * radius, 0.02 * blob.area) << view;
    const Eigen::Vector2f center = camera.ToPicture({0.3f, 2, -1}) * 300;
    EXPECT_NEAR(blob.x, center.x(), 1.0) << view;
    EXPECT_NEAR(blob.y, center.y(), 1.0) << view;
  }
}

TEST(Renderer, NoHolesInsideTheBody) {
  const Scene scene{.meshes = {Green(Ball(48))}};
  const Camera camera = CameraFor(scene);
  for (const bool wireframe : {false, true}) {
    const Image image = Render(scene, camera, 300, {.wireframe = wireframe});
    const Blob blob = MeasureGreen(image);
    const double radius = std::sqrt(blob.area / testing::kPi) - 3;
    for (int y = 0; y < 300; ++y) {
      for (int x = 0; x < 300; ++x) {
        if (std::hypot(x + 0.5 - blob.x, y + 0.5 - blob.y) > radius) continue;
        EXPECT_LT(image.at(x, y)[0], 190) << "background at " << x << " " << y;
      }
    }
  }
}

TEST(Renderer, NothingTouchesTheBorder) {
  const Scene scene{.meshes = {Green(Ball(32))}};
  const Image image = Render(scene, CameraFor(scene));
  for (int i = 0; i < 300; ++i) {
    for (const Pixel& pixel : {image.at(i, 0), image.at(i, 299), image.at(0, i), image.at(299, i)}) {
      EXPECT_TRUE(IsGrey(pixel));
    }
  }
}

TEST(Renderer, NearerSurfacesHideFartherOnes) {
  RenderMesh red{.mesh = Moved(Ball(24), {0, 0, -3}, 1)};
  red.colors = Points::Zero(red.mesh.vertex_count(), 3);
  red.colors.col(0).setConstant(0.5f);
  for (const bool red_first : {false, true}) {
    Scene scene;
    scene.meshes = red_first ? std::vector{red, Green(Ball(24))} : std::vector{Green(Ball(24)), red};
    EXPECT_TRUE(IsGreen(Render(scene, CameraFor(scene, "0:0")).at(150, 150)));
    const Pixel from_behind = Render(scene, CameraFor(scene, "180:0")).at(150, 150);
    EXPECT_GT(from_behind[0], from_behind[1] + 20);
  }
}

// Squares across the picture, one behind the other and each of another green.
RenderMesh Stack(int layers, bool nearest_first) {
  RenderMesh stack;
  stack.mesh.positions.resize(4 * layers, 3);
  stack.mesh.triangles.resize(2 * layers, 3);
  stack.colors = Points::Zero(4 * layers, 3);
  for (int i = 0; i < layers; ++i) {
    const auto behind = static_cast<float>(nearest_first ? i : layers - 1 - i) / static_cast<float>(layers);
    for (int k = 0; k < 4; ++k) {
      stack.mesh.positions.row(4 * i + k) << (k == 1 || k == 2 ? 1 : -1), (k >= 2 ? 1 : -1), -behind;
      stack.colors(4 * i + k, 1) = 0.1f + 0.8f * behind;
    }
    stack.mesh.triangles.row(2 * i) << 4 * i, 4 * i + 1, 4 * i + 2;
    stack.mesh.triangles.row(2 * i + 1) << 4 * i, 4 * i + 2, 4 * i + 3;
  }
  return stack;
}

TEST(Renderer, ManyLayersLookTheSameInAnyOrder) {
  const Scene near_first{.meshes = {Stack(200, true)}}, far_first{.meshes = {Stack(200, false)}};
  const Camera camera = CameraFor(near_first, "10:10");
  const Image expected = Render(near_first, camera);
  EXPECT_TRUE(IsGreen(expected.at(150, 150)));
  EXPECT_EQ(Render(far_first, camera), expected);
}

TEST(Renderer, OpaqueMeshesLookAsTransparentOnesWithoutTransparency) {
  Scene opaque{.meshes = {Green(Ball(24)), Stack(3, false)}}, masked = opaque;
  for (RenderMesh& mesh : masked.meshes) mesh.transparency = Transparency::kMask;
  const Camera camera = CameraFor(opaque, "10:10");
  EXPECT_EQ(Render(masked, camera), Render(opaque, camera));
}

TEST(VertexData, SortsTrianglesFrontToBack) {
  VertexData far_first = MakeVertices(Stack(20, false), {});
  const VertexData near_first = MakeVertices(Stack(20, true), {});
  SortFrontToBack({0, 0, -1}, far_first);
  ASSERT_EQ(far_first.indices.size(), near_first.indices.size());
  for (size_t i = 0; i < near_first.indices.size(); ++i) {
    const Vertex &sorted = far_first.vertices[far_first.indices[i]],
                 &expected = near_first.vertices[near_first.indices[i]];
    for (int c = 0; c < 3; ++c) ASSERT_EQ(sorted.position[c], expected.position[c]) << i;
  }
}

TEST(VertexData, CountsLayersInThePicture) {
  const Eigen::Matrix4f as_it_is = Eigen::Matrix4f::Identity();
  EXPECT_NEAR(LayersInPicture(MakeVertices(Stack(20, true), {}), as_it_is), 20, 1e-4);
  Eigen::Matrix4f doubled = as_it_is, halved = as_it_is, behind = as_it_is;
  doubled.topRows(2) *= 2;
  halved.topRows(2) *= 0.5f;
  behind(3, 3) = -1;
  // A triangle counts for at most the whole picture, of which it was one half.
  EXPECT_NEAR(LayersInPicture(MakeVertices(Stack(20, true), {}), doubled), 40, 1e-4);
  EXPECT_NEAR(LayersInPicture(MakeVertices(Stack(20, true), {}), halved), 5, 1e-4);
  EXPECT_EQ(LayersInPicture(MakeVertices(Stack(20, true), {}), behind), 0);
}

TEST(Renderer, SymmetricBodiesHaveSymmetricOutlines) {
  const TriMesh left = Moved(Ball(32), {1.2f, 0, 0}), right = Moved(Ball(32), {-1.2f, 0, 0});
  const Scene scene{.meshes = {Green(left), Green(right)}};
  const Image image = Render(scene, CameraFor(scene));
  int different = 0;
  for (int y = 0; y < 300; ++y) {
    for (int x = 0; x < 150; ++x) different += IsGreen(image.at(x, y)) != IsGreen(image.at(299 - x, y)) ? 1 : 0;
  }
  EXPECT_LT(different, 60);
}

TEST(Renderer, CastsAShadowAwayFromTheKeyLight) {
  const Scene scene{.meshes = {Green(Ball(32))}};
  const Camera camera = FrameCamera(ParseView("0:20"), DrawnPoints(scene), 1, {0.3f, 0.3f, 0.3f, 0.3f});
  const Image with = Render(scene, camera), without = Render(scene, camera, 300, {.ground = false});
  const auto darkness = [&](int x, int y) { return without.at(x, y)[1] - with.at(x, y)[1]; };
  const Eigen::Vector2f foot = camera.ToPicture({0, -1, 0}) * 300;
  const int x = static_cast<int>(foot.x()), y = static_cast<int>(foot.y());
  EXPECT_GT(darkness(x + 75, y - 8), 15);
  EXPECT_LT(darkness(x - 75, y - 8), 5);
  EXPECT_LT(darkness(5, 290), 3);
}

TEST(Renderer, InsideOutBodiesAreTinted) {
  const auto tinted = [](const RenderMesh& mesh) {
    const Scene scene{.meshes = {mesh}};
    const Pixel p = Render(scene, CameraFor(scene)).at(150, 150);
    return p[0] > p[1] + 40 && p[0] > p[2] + 10;
  };
  EXPECT_FALSE(tinted(Green(Ball(24))));
  EXPECT_TRUE(tinted(Green(InsideOut(Ball(24)))));
  RenderMesh open = Green(InsideOut(Ball(24)));
  open.mesh.triangles.conservativeResize(open.mesh.triangle_count() - 1, 3);
  EXPECT_FALSE(tinted(open));
  open.backfaces = Backfaces::kTint;
  EXPECT_TRUE(tinted(open));
}

TEST(Renderer, HeatMapsTakeTheMapsColours) {
  for (const float value : {0.0f, 0.25f, 0.5f, 1.0f}) {
    RenderMesh mesh{.mesh = Ball(24)};
    mesh.scalars.assign(mesh.mesh.vertex_count(), 10 + 20 * value);
    const Scene scene{.meshes = {mesh}, .heat = {10, 30}};
    const Pixel pixel = Render(scene, CameraFor(scene)).at(140, 120);
    const Color seen = LinearFromSrgb(Color(pixel[0], pixel[1], pixel[2]) / 255.0f).normalized();
    EXPECT_GT(seen.dot(MapColor(ColorMap::kSequential, value).normalized()), 0.998f) << value;
  }
}

TEST(Renderer, ValuesThatAreNoNumbersAreGrey) {
  RenderMesh mesh{.mesh = Ball(24)};
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    mesh.scalars.assign(mesh.mesh.vertex_count(), value);
    const Scene scene{.meshes = {mesh}};
    const Pixel p = Render(scene, CameraFor(scene)).at(150, 150);
    EXPECT_TRUE(IsGrey(p));
    EXPECT_LT(p[0], 190);
  }
}

TEST(Renderer, BonesAreSeenThroughTheBody) {
  Scene scene{.meshes = {Green(Ball(24))}};
  const Image bare = Render(scene, CameraFor(scene));
  scene.bones = Bones{.joints = Points::Zero(2, 3), .parents = {-1, 0}};
  scene.bones->joints.row(1) << 0, 0.6f, 0;
  const Camera camera = CameraFor(scene);
  const Image image = Render(scene, camera);
  const Eigen::Vector2f at = camera.ToPicture({0, 0.2f, 0}) * 300;
  const Pixel p = image.at(static_cast<int>(at.x()), static_cast<int>(at.y()));
  EXPECT_TRUE(IsGreen(bare.at(static_cast<int>(at.x()), static_cast<int>(at.y()))));
  EXPECT_GT(p[0], p[2] + 20);
  EXPECT_FALSE(IsGreen(p));
}

TEST(Renderer, TexturesAreSampledFromTheirTopLeft) {
  auto texture = std::make_shared<Image>(2, 2, Pixel{255, 0, 0, 255});
  texture->at(0, 0) = {0, 255, 0, 255};
  RenderMesh quad;
  quad.mesh.positions.resize(4, 3);
  quad.mesh.positions << -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0;
  quad.mesh.triangles.resize(2, 3);
  quad.mesh.triangles << 0, 1, 2, 0, 2, 3;
  quad.texture_positions.resize(4, 2);
  quad.texture_positions << 0, 1, 1, 1, 1, 0, 0, 0;
  quad.texture = texture;
  const Scene scene{.meshes = {quad}};
  const Camera camera = CameraFor(scene, "0:0");
  const Image image = Render(scene, camera);
  EXPECT_TRUE(IsGreen(image.at(60, 60)));
  EXPECT_FALSE(IsGreen(image.at(240, 60)));
  EXPECT_FALSE(IsGreen(image.at(60, 230)));
  EXPECT_FALSE(IsGreen(Render(scene, camera, 300, {.textures = false}).at(60, 60)));
}

TEST(Renderer, FlatShadingShowsFacets) {
  const Scene scene{.meshes = {Green(Ball(6))}};
  const auto distinct = [](const Image& image) {
    std::vector<Pixel> row(image.pixels.begin() + 300 * 150, image.pixels.begin() + 300 * 151);
    int steps = 0;
    for (int x = 1; x < 300; ++x) {
      if (IsGreen(row[x]) && IsGreen(row[x - 1]) && std::abs(row[x][1] - row[x - 1][1]) > 6) ++steps;
    }
    return steps;
  };
  const Image smooth = Render(scene, CameraFor(scene));
  const Image flat = Render(scene, CameraFor(scene), 300, {.smooth = false});
  EXPECT_GT(distinct(flat), distinct(smooth));
}

TEST(Renderer, SameSceneSameBytes) {
  const Scene scene{.meshes = {Green(Ball(32))}};
  const Camera camera = CameraFor(scene);
  const Bytes first = EncodePng(Render(scene, camera));
  Render(scene, CameraFor(scene, "side"), 200);
  EXPECT_EQ(EncodePng(Render(scene, camera)), first);
  EXPECT_EQ(EncodePng(RenderScene(scene, ParseView("front"), 300, 300)), first);
}

TEST(Renderer, SeveralLiveSideBySide) {
  const Scene scene{.meshes = {Green(Ball(16))}};
  const Camera camera = CameraFor(scene);
  const Image expected = Render(scene, camera, 100);
  {
    Renderer other;
    EXPECT_EQ(other.Render(scene, camera, 100, 100), expected);
    EXPECT_EQ(Render(scene, camera, 100), expected);
    EXPECT_EQ(other.Render(scene, camera, 100, 100), expected);
  }
  EXPECT_EQ(Render(scene, camera, 100), expected);
}

TEST(Renderer, EmptySceneIsBackground) {
  const Image image = Render({}, CameraFor({}));
  EXPECT_NE(image.at(0, 0), image.at(0, 150)) << "not even a gradient";
  for (const Pixel& pixel : image.pixels) ASSERT_TRUE(IsGrey(pixel));
}

TEST(Renderer, SaysWhatIsWrongWithAMesh) {
  const auto sentence = [](const RenderMesh& mesh) -> std::string {
    try {
      const Scene scene{.meshes = {mesh}};
      Render(scene, Camera());
      return "";
    } catch (const UsageError& error) {
      return error.what();
    }
  };
  RenderMesh colors{.mesh = Ball(8)}, heat = colors, index = colors, infinite = colors;
  colors.colors = Points::Zero(3, 3);
  heat.scalars = {1};
  index.mesh.triangles(0, 0) = 100000;
  infinite.mesh.positions(0, 0) = std::numeric_limits<float>::infinity();
  EXPECT_NE(sentence(colors).find("colours"), std::string::npos);
  EXPECT_NE(sentence(heat).find("heat values"), std::string::npos);
  EXPECT_NE(sentence(index).find("triangles"), std::string::npos);
  EXPECT_NE(sentence(infinite).find("finite"), std::string::npos);
  EXPECT_THROW(SharedRenderer().Render({}, Camera(), 8, 100), UsageError);
  EXPECT_THROW(SharedRenderer().Render({}, Camera(), 100, 9000), UsageError);
}

}  // namespace
}  // namespace sinew::render
