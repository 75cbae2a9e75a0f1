#include "sinew/offline/skincells/simple_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/skin_subjects.h"

namespace sinew::skincells {
namespace {

constexpr double kNeck = 0.08, kHead = 0.5;  // radii
constexpr double kChin = 0.1;                // the head begins here, below its joint
constexpr double kHeadJoint = 0.5;           // height of the upper one of two joints on a chain from -1 to 1

// A thin neck with a ball on it that hangs over it, along y from -1 to 1.
TriMesh Lollipop(double unit = 1) {
  TriMesh mesh = testing::Sausage(24, 60);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const double y = mesh.positions(v, 1), round = std::sqrt(std::max(0.0, 1 - y * y));
    const double radius = round > 0 ? (y > kChin ? kHead : kNeck) * std::min(1.0, 3 * round) / round : 0;
    mesh.positions(v, 0) *= static_cast<float>(4 * radius);
    mesh.positions(v, 2) *= static_cast<float>(4 * radius);
  }
  mesh.positions *= static_cast<float>(unit);
  return mesh;
}

SkinWeights ByVoxels(const TriMesh& mesh) {
  const Subject subject = MakeSubject(testing::OnAChain(mesh, 2), "lollipop");
  return VoxelWeights(subject, FindBones(subject, SurfaceQuery(subject.surface)), 2);
}

double WeightOf(const SkinWeights& weights, int v, int joint) {
  double sum = 0;
  for (int k = 0; k < weights.influences; ++k) {
    const size_t i = static_cast<size_t>(v) * weights.influences + k;
    if (weights.joints[i] == joint) sum += weights.weights[i];
  }
  return sum;
}

TEST(VoxelWeights, GiveTheHeadWhatHangsOverTheNeck) {
  const TriMesh mesh = Lollipop();
  const SkinWeights weights = ByVoxels(mesh);
  int rim = 0, neck = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const double y = mesh.positions(v, 1);
    if (y > kChin && y < kHeadJoint) {  // nearer to the neck's bone, which runs beside it
      ++rim;
      EXPECT_GT(WeightOf(weights, v, 1), 0.6) << "at " << mesh.positions.row(v);
    } else if (y < 0) {
      ++neck;
      EXPECT_GT(WeightOf(weights, v, 0), 0.9) << "at " << mesh.positions.row(v);
    }
  }
  EXPECT_GT(rim, 50);
  EXPECT_GT(neck, 200);
}

TEST(VoxelWeights, DoNotDependOnTheUnit) {
  const SkinWeights metres = ByVoxels(Lollipop()), centimetres = ByVoxels(Lollipop(100));
  ASSERT_EQ(metres.weights.size(), centimetres.weights.size());
  for (int v = 0; v < static_cast<int>(metres.weights.size()) / metres.influences; ++v) {
    EXPECT_NEAR(WeightOf(metres, v, 1), WeightOf(centimetres, v, 1), 1e-3);
  }
}

}  // namespace
}  // namespace sinew::skincells
