#include "sinew/offline/poses/body_spheres.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

#include "tests/support/hard_meshes.h"
#include "tests/support/limb_figure.h"
#include "tests/support/skinned_mesh.h"

namespace sinew::poses {
namespace {

// Enough slivers that a lattice of points on each would be more than there is room for.
TEST(BodySpheres, OfSliversLieInsideTheSkin) {
  const BodySpheres body = FindBodySpheres(testing::SkinnedMesh(testing::ConeOfSlivers(600)));
  ASSERT_FALSE(body.spheres.empty());
  for (const BodySphere& sphere : body.spheres) {
    const Eigen::Vector3d& c = sphere.centre_rest;
    const double to_side = (0.5 * (1 - c.y()) - std::hypot(c.x(), c.z())) / std::sqrt(1.25);
    EXPECT_LE(sphere.radius, std::min(c.y(), to_side) + 0.01);
  }
}

// A cone has hard edges, where the normals of vertices are those of no triangle.
TEST(BodySpheres, FillABodyWithHardEdges) {
  for (const int count : {30, 600}) {
    const BodySpheres body = FindBodySpheres(testing::SkinnedMesh(testing::ConeOfSlivers(count)));
    constexpr int kSteps = 30;
    int inside = 0, covered = 0;
    for (int i = 0; i < kSteps * kSteps * kSteps; ++i) {
      const Eigen::Vector3i cell(i % kSteps, i / kSteps % kSteps, i / (kSteps * kSteps));
      const Eigen::Vector3d p =
          (cell.cast<double>() + Eigen::Vector3d::Constant(0.5)) / kSteps - Eigen::Vector3d(0.5, 0, 0.5);
      if (std::hypot(p.x(), p.z()) > 0.5 * (1 - p.y())) continue;
      ++inside;
      covered += std::any_of(body.spheres.begin(), body.spheres.end(),
                             [&](const BodySphere& sphere) { return (sphere.centre_rest - p).norm() < sphere.radius; });
    }
    EXPECT_GT(covered, 0.95 * inside) << count << " slivers";
  }
}

std::set<int> JointsWithSpheres(const BodySpheres& body) {
  std::set<int> joints;
  for (const BodySphere& sphere : body.spheres) joints.insert(sphere.influences.joints[0]);
  return joints;
}

// A body of one piece per bone: no piece uses up the number of spheres.
TEST(BodySpheres, AreSpreadOverAllPieces) {
  const Character figure = testing::MakeLimbFigure().character;
  const BodySpheres all = FindBodySpheres(figure);
  const int few = static_cast<int>(all.spheres.size()) / 2;
  const BodySpheres limited = FindBodySpheres(figure, {.max_spheres = few});
  EXPECT_EQ(limited.spheres.size(), static_cast<size_t>(few));
  EXPECT_EQ(JointsWithSpheres(limited), JointsWithSpheres(all));
}

// A shield three times as large as the body, attached to its first joint.
TEST(BodySpheres, AttachedPartsCountOnlyByThemselves) {
  Character figure = testing::MakeLimbFigure().character;
  const BodySpheres body = FindBodySpheres(figure);
  figure.skins.push_back(figure.skins[0]);
  figure.skins[1].attached = true;
  figure.parts.push_back(figure.parts[0]);
  figure.parts[1].skin = 1;
  figure.parts[1].mesh.positions *= 3;
  std::fill(figure.parts[1].weights.joints.begin(), figure.parts[1].weights.joints.end(), uint16_t{0});
  const BodySpheres armed = FindBodySpheres(figure);
  EXPECT_EQ(armed.size, body.size);
  EXPECT_EQ(armed.spheres.size(), body.spheres.size());
  figure.parts.erase(figure.parts.begin());
  EXPECT_NEAR(FindBodySpheres(figure).size, 3 * body.size, 1e-5);
}

}  // namespace
}  // namespace sinew::poses
