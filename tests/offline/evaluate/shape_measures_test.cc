// Measures of shapes that are wrong in a known way, with the values that follow from it.
#include "sinew/offline/evaluate/shape_measures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/offline/core/random.h"
#include "sinew/offline/evaluate/crossings.h"
#include "sinew/offline/evaluate/regions.h"
#include "tests/support/mesh_families.h"
#include "tests/support/skinned_mesh.h"

namespace sinew::evaluate {
namespace {

using testing::kPi;

lod::Level LevelOf(const TriMesh& mesh) {
  lod::Level level;
  level.character = testing::SkinnedMesh(mesh);
  level.point_count = mesh.vertex_count();
  level.point_of_vertex.resize(mesh.vertex_count());
  std::iota(level.point_of_vertex.begin(), level.point_of_vertex.end(), 0);
  return level;
}

LevelSurface SurfaceOfMesh(const TriMesh& mesh, Role role = Role::kFlesh) {
  return SurfaceOf(LevelOf(mesh), mesh.positions, std::vector<Role>(mesh.vertex_count(), role));
}

// Lengths in metres.
constexpr MeasureLengths kLengths = {.size = 2, .farther = 0.002};

// Measures one shape against the truth, where linear blend skinning is the truth itself unless given.
LevelError Measure(const LevelSurface& surface, const Points& shape, const Points& truth,
                   const Points* linear = nullptr) {
  ShapeTally tally;
  tally.AddFrame(surface, kLengths, View(surface, shape), View(surface, truth), Distances(shape, truth),
                 Distances(linear == nullptr ? truth : *linear, truth));
  return tally.Total(surface, kLengths);
}

Points Turned(const Points& points, double degrees, const Eigen::Vector3f& axis) {
  const Eigen::AngleAxisf turn(static_cast<float>(degrees * kPi / 180), axis);
  return points * turn.toRotationMatrix().transpose();
}

TEST(ShapeMeasures, AShiftIsEverywhereTheSame) {
  const TriMesh ball = testing::Sphere(40, 20);
  const LevelSurface surface = SurfaceOfMesh(ball);
  Points shifted = ball.positions;
  shifted.rowwise() += Eigen::RowVector3f(0.003f, 0.004f, 0);
  const LevelError error = Measure(surface, shifted, ball.positions);
  for (const double value : {error.mean, error.rms, error.soft_rms, error.point_rms, error.max}) {
    EXPECT_NEAR(value, 0.005, 1e-6);
  }
  for (const double percentile : {error.p95, error.p99}) EXPECT_NEAR(percentile, 0.005, 0.005 / 128);
  EXPECT_NEAR(error.normal_mean, 0, 1e-3);
  EXPECT_NEAR(error.normal_p95, 0, 0.01);
  ASSERT_TRUE(error.volume);
  EXPECT_NEAR(error.volume->mean, 0, 1e-6);
  EXPECT_NEAR(error.farther_share, 1, 1e-9);
  EXPECT_FALSE(error.flicker);
}

TEST(ShapeMeasures, OneVertexCountsByItsArea) {
  const TriMesh ball = testing::Sphere(40, 20);
  const LevelSurface surface = SurfaceOfMesh(ball);
  for (const int vertex : {0, 57, ball.vertex_count() / 2}) {
    Points off = ball.positions;
    off.row(vertex) *= 1.01f;
    const LevelError error = Measure(surface, off, ball.positions);
    const double area = surface.areas[vertex];
    EXPECT_NEAR(error.mean, 0.01 * area, 1e-7) << vertex;
    EXPECT_NEAR(error.rms, 0.01 * std::sqrt(area), 1e-6) << vertex;
    EXPECT_NEAR(error.point_rms, 0.01 / std::sqrt(ball.vertex_count()), 1e-6) << vertex;
    EXPECT_NEAR(error.max, 0.01, 1e-6) << vertex;
    EXPECT_LT(error.p95, 1e-6 * kLengths.size) << vertex;
    EXPECT_NEAR(error.farther_share, area, 1e-9) << vertex;
    EXPECT_GT(error.normal_mean, 0) << vertex;
    // What linear blend skinning has wrong as well is not worse.
    EXPECT_EQ(Measure(surface, off, ball.positions, &off).farther_share, 0) << vertex;
  }
}

TEST(ShapeMeasures, DoNotDependOnWhereAMeshHasManyPoints) {
  // Two squares of the same size, one of them with 16 times as many triangles; that one is off.
  const TriMesh coarse = testing::Grid(5, 5), fine = testing::Moved(testing::Grid(20, 20), {2, 0, 0});
  const TriMesh both = testing::Merge(coarse, fine);
  Points off = both.positions;
  off.bottomRows(fine.vertex_count()).col(2).array() += 0.01f;
  const LevelError error = Measure(SurfaceOfMesh(both), off, both.positions);
  EXPECT_NEAR(error.mean, 0.005, 1e-6);
  EXPECT_NEAR(error.rms, 0.01 * std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(error.point_rms, 0.01 * std::sqrt(441.0 / (441 + 36)), 1e-6);
  EXPECT_FALSE(error.volume) << "squares are open";
  // A small square with most of the points, but not with a twentieth of the area.
  const TriMesh dense = testing::Merge(coarse, testing::Moved(testing::Grid(20, 20), {2, 0, 0}, 0.2f));
  off = dense.positions;
  off.bottomRows(fine.vertex_count()).col(2).array() += 0.01f;
  const LevelError small = Measure(SurfaceOfMesh(dense), off, dense.positions);
  EXPECT_LT(small.p95, 1e-5);
  EXPECT_NEAR(small.p99, 0.01, 0.01 / 127);
}

TEST(ShapeMeasures, PercentilesAreThoseOfASortedList) {
  Random random(3);
  for (const int count : {1, 2, 7, 500}) {
    WeightedHistogram even, odd;
    std::vector<std::pair<double, double>> values;
    double total = 0;
    for (int k = 0; k < count; ++k) {
      values.emplace_back(std::exp(random.Uniform(-12, 4)), random.Uniform(0.1, 2));
      total += values.back().second;
      (k % 2 == 0 ? even : odd).Add(values.back().first, values.back().second);
    }
    even.Add(odd);
    EXPECT_NEAR(even.total(), total, 1e-9 * total);
    std::sort(values.begin(), values.end());
    for (const double share : {0.01, 0.5, 0.95, 0.99, 1.0}) {
      double below = 0;
      size_t at = 0;
      while (at + 1 < values.size() && below + values[at].second < share * total) below += values[at++].second;
      EXPECT_NEAR(even.Quantile(share), values[at].first, values[at].first / 127) << count << " " << share;
    }
  }
  EXPECT_EQ(WeightedHistogram().Quantile(0.95), 0);
  WeightedHistogram huge;
  huge.Add(1e30, 1);
  EXPECT_NEAR(huge.Quantile(0.5), 256, 1) << "the last bin";
}

TEST(ShapeMeasures, NormalsOfATiltedSheetAreOffByTheTilt) {
  const TriMesh sheet = testing::Grid();
  const LevelSurface surface = SurfaceOfMesh(sheet);
  for (const double tilt : {1.0, 20.0, 90.0, 135.0}) {
    const LevelError error = Measure(surface, Turned(sheet.positions, tilt, {1, 0, 0}), sheet.positions);
    EXPECT_NEAR(error.normal_mean, tilt, 1e-3);
    EXPECT_NEAR(error.normal_p95, tilt, tilt / 127);
    // Turned in its plane, a sheet faces the same side.
    EXPECT_NEAR(Measure(surface, Turned(sheet.positions, tilt, {0, 0, 1}), sheet.positions).normal_mean, 0, 1e-3);
  }
  Points mirrored = sheet.positions;
  mirrored.col(0) *= -1;
  EXPECT_NEAR(Measure(surface, mirrored, sheet.positions).normal_mean, 180, 1e-3);
  const Points collapsed = Points::Zero(sheet.vertex_count(), 3);
  EXPECT_NEAR(Measure(surface, collapsed, sheet.positions).normal_mean, 90, 1e-9);
  EXPECT_EQ(Measure(surface, sheet.positions, collapsed).normal_mean, 0) << "the truth has no normals";
}

TEST(ShapeMeasures, VolumeOfABallShrinksWithTheCubeOfItsRadius) {
  const TriMesh ball = testing::Moved(testing::Sphere(), {5, -3, 1});
  const auto scaled = [&](float factor) { return Points(factor * ball.positions); };
  // A ball that is modelled inside out loses volume as well, and none is gained by both together.
  for (const TriMesh& mesh : {ball, testing::InsideOut(ball), testing::Merge(ball, testing::InsideOut(ball))}) {
    const LevelSurface surface = SurfaceOfMesh(mesh);
    EXPECT_NEAR(surface.closed_share, 1, 1e-9);
    const Points shrunk = 0.9f * mesh.positions;
    const LevelError error = Measure(surface, shrunk, mesh.positions);
    ASSERT_TRUE(error.volume);
    EXPECT_NEAR(error.volume->mean, 0.729 - 1, 1e-5);
    EXPECT_NEAR(error.volume->worst, 1 - 0.729, 1e-5);
  }
  // A mirrored ball is inside out: all of its volume is lost twice.
  const LevelSurface surface = SurfaceOfMesh(ball);
  Points mirrored = ball.positions;
  mirrored.col(1) *= -1;
  EXPECT_NEAR(Measure(surface, mirrored, ball.positions).volume->mean, -2, 1e-5);
  // Gains and losses cancel in the mean alone.
  ShapeTally tally;
  for (const float factor : {0.9f, 1.1f}) {
    const Points shape = scaled(factor);
    const Eigen::VectorXd distances = Distances(shape, ball.positions);
    tally.AddFrame(surface, kLengths, View(surface, shape), View(surface, ball.positions), distances, distances);
  }
  const LevelError both = tally.Total(surface, kLengths);
  EXPECT_NEAR(both.volume->mean, (0.729 + 1.331) / 2 - 1, 1e-5);
  EXPECT_NEAR(both.volume->worst, 0.331, 1e-5);
}

TEST(ShapeMeasures, VolumeIsOfClosedSoftPiecesOnly) {
  for (const testing::MeshFamily& family : testing::MeshFamilies()) {
    const Points larger = 1.1f * family.mesh.positions;
    const LevelSurface soft = SurfaceOfMesh(family.mesh);
    EXPECT_EQ(Measure(soft, larger, family.mesh.positions).volume.has_value(), soft.closed_share > 0) << family;
    if (family.closed()) {
      EXPECT_NEAR(soft.closed_share, 1, 1e-9) << family;
    }
    EXPECT_EQ(SurfaceOfMesh(family.mesh, Role::kRigid).closed_share, 0) << family;
  }
  EXPECT_EQ(SurfaceOfMesh(testing::Cylinder()).closed_share, 0);
  const TriMesh ball = testing::Sphere();
  EXPECT_NEAR(SurfaceOfMesh(testing::Merge(ball, testing::Moved(testing::Grid(), {9, 0, 0}))).closed_share,
              4 * kPi / (4 * kPi + 1), 0.01);
}

TEST(ShapeMeasures, FlickerIsTheSecondDifferenceOfTheError) {
  const TriMesh ball = testing::Sphere();
  const LevelSurface surface = SurfaceOfMesh(ball);
  const auto flicker = [&](float a, float b, float c) {
    Points shapes[3], truths[3];
    for (int k = 0; k < 3; ++k) {
      // The truth itself moves unevenly, which is no flicker.
      truths[k] = ball.positions;
      truths[k].col(1).array() += 0.125f * static_cast<float>(k * k);
      shapes[k] = truths[k];
    }
    shapes[0].col(0).array() += a, shapes[1].col(0).array() += b, shapes[2].col(0).array() += c;
    return std::sqrt(
        FlickerSquare(surface, {&shapes[0], &shapes[1], &shapes[2]}, {&truths[0], &truths[1], &truths[2]}));
  };
  EXPECT_NEAR(flicker(0.001f, -0.001f, 0.001f), 0.004, 1e-6);
  EXPECT_NEAR(flicker(0.005f, 0.005f, 0.005f), 0, 1e-6) << "an error that stays";
  EXPECT_NEAR(flicker(0.001f, 0.002f, 0.003f), 0, 1e-6) << "an error that moves evenly";
  EXPECT_NEAR(flicker(0, 0, 0.003f), 0.003, 1e-6);
}

TEST(ShapeMeasures, RegionsAreThePointsOfTheirStrongestJoint) {
  const TriMesh ball = testing::Sphere(30, 16);
  const lod::Level level = LevelOf(ball);
  std::vector<Role> roles(ball.vertex_count(), Role::kFlesh);
  for (int p = 0; p < ball.vertex_count(); p += 3) roles[p] = Role::kRigid;
  const LevelSurface surface = SurfaceOf(level, ball.positions, roles);
  Random random(5);
  ShapeTally linear, ours;
  const SurfaceView view = View(surface, ball.positions);
  std::vector<double> squares(surface.joint_count, 0), areas(surface.joint_count, 0);
  for (int frame = 0; frame < 3; ++frame) {
    Eigen::VectorXd far(ball.vertex_count()), near(ball.vertex_count());
    for (int p = 0; p < ball.vertex_count(); ++p) {
      far[p] = random.Uniform(0, 1);
      near[p] = surface.joints[p] == 1 ? 2 * far[p] : 0.25 * far[p];
      if (roles[p] == Role::kRigid) continue;
      squares[surface.joints[p]] += surface.areas[p] * near[p] * near[p] / 3;
      if (frame == 0) areas[surface.joints[p]] += surface.areas[p];
    }
    linear.AddFrame(surface, kLengths, view, view, far, far);
    ours.AddFrame(surface, kLengths, view, view, near, far);
  }
  const Skeleton& skeleton = level.character.skeleton;
  const std::vector<JointRegion> regions = RegionsOf(skeleton, surface, {&linear, &ours});
  ASSERT_EQ(regions.size(), 3u);
  const ShapeTally none;
  EXPECT_EQ(RegionsOf(skeleton, surface, {&none})[2].rms, std::vector<double>{0}) << "no frames";
  double shares = 0;
  for (size_t j = 0; j < 3; ++j) {
    EXPECT_EQ(regions[j].joint, skeleton.joints[j].name);
    EXPECT_NEAR(regions[j].share, areas[j], 1e-12);
    EXPECT_NEAR(regions[j].rms[1], std::sqrt(squares[j] / areas[j]), 1e-9);
    EXPECT_NEAR(regions[j].rms[1], (j == 1 ? 2 : 0.25) * regions[j].rms[0], 1e-9);
    shares += regions[j].share;
  }
  EXPECT_NEAR(shares, surface.soft_share(), 1e-9);
  const RegionChanges changes = FindChanges(regions, 1, 1e-6, 1);
  EXPECT_EQ(changes.losses, std::vector<size_t>{1});
  EXPECT_EQ(changes.gains, std::vector<size_t>{regions[0].rms[0] >= regions[2].rms[0] ? 0u : 2u});
  EXPECT_EQ(FindChanges(regions, 1, 1e-6, 9).gains.size(), 2u);
  EXPECT_TRUE(FindChanges(regions, 0, 1e-6, 9).gains.empty()) << "linear blend against itself";
  EXPECT_TRUE(FindChanges(regions, 1, 9, 9).losses.empty()) << "all differences are small";
}

TEST(ShapeMeasures, CrossingsAreThoseThatRestHasNot) {
  // Three balls in a row; the first two reach into each other at rest, and the third one is pushed into them.
  const TriMesh ball = testing::Sphere(12, 8);
  const TriMesh rest =
      testing::Merge(testing::Merge(ball, testing::Moved(ball, {1.3f, 0.05f, 0.02f})), testing::Moved(ball, {5, 0, 0}));
  TriMesh posed = rest;
  posed.positions.bottomRows(ball.vertex_count()).rowwise() += Eigen::RowVector3f(-2.5f, 0.11f, 0.07f);
  const CrossingCounter counter(rest.triangles, rest.positions);
  size_t at_rest = 0, more = 0;
  for (int s = 0; s < rest.triangle_count(); ++s) {
    for (int t = s + 1; t < rest.triangle_count(); ++t) {
      const bool crosses = TrianglesIntersect(rest, s, t);
      at_rest += crosses ? 1 : 0;
      more += !crosses && TrianglesIntersect(posed, s, t) ? 1 : 0;
    }
  }
  EXPECT_GT(at_rest, 0u);
  EXPECT_GT(more, 0u);
  EXPECT_EQ(counter.at_rest(), at_rest);
  EXPECT_EQ(counter.Count(rest.positions), 0u);
  EXPECT_EQ(counter.Count(posed.positions), more);
}

}  // namespace
}  // namespace sinew::evaluate
