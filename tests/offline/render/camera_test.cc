#include "sinew/offline/render/camera.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"

namespace sinew::render {
namespace {

Points RandomPoints(uint64_t seed, const Eigen::Vector3f& extent) {
  Random random(seed);
  Points points(40, 3);
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    for (int c = 0; c < 3; ++c) points(i, c) = static_cast<float>(random.Uniform(-1, 1)) * extent[c] + 3;
  }
  return points;
}

// The smallest distance of any point to each border of the picture, in fractions of its height.
struct Borders {
  float left = 1e9f, right = 1e9f, top = 1e9f, bottom = 1e9f;
};

Borders Measure(const Camera& camera, const Points& points) {
  Borders b;
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    const Eigen::Vector2f p = camera.ToPicture(points.row(i).transpose());
    b.left = std::min(b.left, p.x() * camera.aspect);
    b.right = std::min(b.right, (1 - p.x()) * camera.aspect);
    b.top = std::min(b.top, p.y());
    b.bottom = std::min(b.bottom, 1 - p.y());
  }
  return b;
}

// What is long and thin along the view would be framed tightly from inside itself: the eye stays half its size away.
bool AsNearAsItMayBe(const Camera& camera, const Points& points) {
  Points seen(points.rows(), 3);
  for (Eigen::Index i = 0; i < points.rows(); ++i) seen.row(i) = camera.ToCamera(points.row(i).transpose()).transpose();
  const float size = (seen.colwise().maxCoeff() - seen.colwise().minCoeff()).norm();
  return seen.col(2).minCoeff() < 0.501f * size;
}

RC_GTEST_PROP(Camera, FramesEverythingTightly, (uint64_t seed)) {
  Random random(seed);
  const Eigen::Vector3f extent =
      Eigen::Vector3d{random.Uniform(0.1, 3), random.Uniform(0.1, 3), random.Uniform(0.1, 3)}.cast<float>();
  const Points points = RandomPoints(seed, extent);
  const View view{"any", static_cast<float>(random.Uniform(-180, 180)), static_cast<float>(random.Uniform(-80, 80))};
  const float aspect = static_cast<float>(random.Uniform(0.4, 2.5));
  const Margins margins{0.04f, 0.06f, 0.05f, 0.11f};
  const Borders b = Measure(FrameCamera(view, points, aspect, margins), points);
  const float e = 2e-3f;
  RC_ASSERT(b.left > margins.left - e && b.right > margins.right - e);
  RC_ASSERT(b.top > margins.top - e && b.bottom > margins.bottom - e);
  const bool tight_across = b.left < margins.left + e && b.right < margins.right + e;
  const bool tight_down = b.top < margins.top + e && b.bottom < margins.bottom + e;
  RC_ASSERT(tight_across || tight_down || AsNearAsItMayBe(FrameCamera(view, points, aspect, margins), points));
}

RC_GTEST_PROP(Camera, TightAspectTouchesBothMargins, (uint64_t seed)) {
  Random random(seed);
  const Points points = RandomPoints(seed, {1, static_cast<float>(random.Uniform(0.3, 3)), 1});
  const View view{"any", static_cast<float>(random.Uniform(-180, 180)), 10};
  const Margins margins;
  const Borders b = Measure(FrameCamera(view, points, TightAspect(view, points, margins), margins), points);
  RC_ASSERT(b.left < margins.left + 3e-3f && b.right < margins.right + 3e-3f);
  RC_ASSERT(b.top < margins.top + 3e-3f && b.bottom < margins.bottom + 3e-3f);
}

TEST(Camera, LooksFromWhereTheNameSays) {
  const Points points = RandomPoints(1, {1, 1, 1});
  const Eigen::Vector3f center = points.colwise().mean().transpose();
  const auto direction = [&](const char* name) {
    return Eigen::Vector3f((FrameCamera(ParseView(name), points, 1).eye - center).normalized());
  };
  EXPECT_GT(direction("front").z(), 0.95f);
  EXPECT_GT(direction("side").x(), 0.95f);
  EXPECT_LT(direction("right").x(), -0.95f);
  EXPECT_LT(direction("back").z(), -0.95f);
  EXPECT_GT(direction("top").y(), 0.95f);
  EXPECT_GT(direction("three-quarter").x(), 0.3f);
  EXPECT_GT(direction("90:0").x(), 0.95f);
  EXPECT_LT(direction("0:-60").y(), -0.7f);
}

TEST(Camera, SaysWhichViewsThereAre) {
  for (const char* wrong : {"below", "", "30:", ":", "30:100", "a:b", "1:2:3", "nan:0"}) {
    try {
      ParseView(wrong);
      FAIL() << wrong;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("three-quarter"), std::string::npos);
    }
  }
}

TEST(Camera, ClipSpaceAgreesWithThePicture) {
  const Points points = RandomPoints(5, {1, 2, 1});
  const Camera camera = FrameCamera({"any", 20, 30}, points, 1.5f);
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    const Eigen::Vector3f p = points.row(i).transpose();
    const Eigen::Vector4f clip = camera.ClipFromModel(0.1f, 100) * p.homogeneous();
    const Eigen::Vector2f picture = camera.ToPicture(p);
    EXPECT_NEAR(clip.x() / clip.w() * 0.5f + 0.5f, picture.x(), 1e-4f);
    EXPECT_NEAR(0.5f - clip.y() / clip.w() * 0.5f, picture.y(), 1e-4f);
    EXPECT_NEAR(clip.w(), camera.ToCamera(p).z(), 1e-4f);
  }
}

}  // namespace
}  // namespace sinew::render
