#include "sinew/offline/embedded/make_character.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "sinew/offline/anatomy/limits_file.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/mesh/clearance.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/self_intersection.h"
#include "sinew/offline/mesh/topology.h"
#include "tests/support/test_figure.h"

namespace sinew::embedded {
namespace {

const CharacterMaker& Maker(int vertices) {
  static const CharacterMaker small(TestKind(), 1000), middle(TestKind(), 3000);
  return vertices == 1000 ? small : middle;
}

void ExpectSoundMesh(const TriMesh& mesh) {
  const Topology topology = AnalyzeTopology(mesh.triangles, mesh.vertex_count());
  ASSERT_EQ(topology.islands.size(), 1u);
  EXPECT_TRUE(topology.islands[0].manifold);
  EXPECT_TRUE(topology.watertight());
  EXPECT_EQ(topology.euler_characteristic(), 2);
  EXPECT_TRUE(topology.unused_vertices.empty());
  EXPECT_TRUE(SelfIntersections(mesh).empty());
  EXPECT_GT(SignedVolume(mesh), 0.02);
  const TriangleQuality quality = MeasureQuality(mesh);
  EXPECT_GT(quality.worst_min_angle * 180 / M_PI, 8);
  EXPECT_GT(quality.mean_min_angle * 180 / M_PI, 40);
  const auto clearance = MinimumClearance(mesh);
  EXPECT_GT(clearance ? clearance->distance : 1, 0.0005);
}

// Rows of the two sides, vertex by vertex: the mirror image follows the halves' common vertices.
std::vector<int> MirrorVertices(const Points& positions) {
  std::vector<int> mirror(positions.rows());
  int half = 0;
  while (half < positions.rows() && positions(half, 0) >= 0) ++half;
  int next = half;
  for (int v = 0; v < half; ++v) {
    mirror[v] = positions(v, 0) == 0 ? v : next++;
    mirror[mirror[v]] = v;
  }
  EXPECT_EQ(next, positions.rows());
  return mirror;
}

TEST(MakeCharacter, EveryShapeIsSoundAndSharesItsTriangles) {
  for (const int vertices : {1000, 3000}) {
    const Kind kind = TestKind();
    const Character neutral = Maker(vertices).Make(Shape(kind.parameters));
    ExpectSoundMesh(neutral.parts[0].mesh);
    for (const uint64_t seed : {1, 2, 3, 4}) {
      const Character character = Maker(vertices).Make(RandomShape(kind.parameters, seed));
      const TriMesh& mesh = character.parts[0].mesh;
      EXPECT_EQ(mesh.vertex_count(), vertices);
      EXPECT_EQ(mesh.triangles, neutral.parts[0].mesh.triangles);
      EXPECT_NE(mesh.positions, neutral.parts[0].mesh.positions);
      ExpectSoundMesh(mesh);
    }
  }
}

TEST(MakeCharacter, IsItsOwnMirrorImage) {
  const Kind kind = TestKind();
  const Character character = Maker(3000).Make(RandomShape(kind.parameters, 5));
  const Points& positions = character.parts[0].mesh.positions;
  const std::vector<int> mirror = MirrorVertices(positions);
  for (int v = 0; v < positions.rows(); ++v) {
    EXPECT_EQ(positions(mirror[v], 0), -positions(v, 0));
    EXPECT_EQ(positions(mirror[v], 1), positions(v, 1));
    EXPECT_EQ(positions(mirror[v], 2), positions(v, 2));
  }
}

double WeightOf(const SkinWeights& weights, int vertex, int joint) {
  double sum = 0;
  for (int k = 0; k < weights.influences; ++k) {
    if (weights.joints[vertex * weights.influences + k] == joint)
      sum += weights.weights[vertex * weights.influences + k];
  }
  return sum;
}

TEST(MakeCharacter, WeightsAreWhereTheyBelong) {
  const Kind kind = TestKind();
  const Character character = Maker(3000).Make(Shape(kind.parameters));
  const Part& part = character.parts[0];
  const std::vector<int> mirror = MirrorVertices(part.mesh.positions);
  ASSERT_EQ(part.weights.influences, 4);
  const Skeleton& skeleton = character.skeleton;
  const int left_hip = skeleton.Find("left_hip"), right_hip = skeleton.Find("right_hip");
  const int left_wrist = skeleton.Find("left_wrist"), right_wrist = skeleton.Find("right_wrist");
  for (int v = 0; v < part.mesh.vertex_count(); ++v) {
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += part.weights.weights[4 * v + k];
    EXPECT_NEAR(sum, 1, 1e-6);
    EXPECT_NEAR(WeightOf(part.weights, v, left_hip), WeightOf(part.weights, mirror[v], right_hip), 1e-6);
    const Eigen::RowVector3f p = part.mesh.positions.row(v);
    if (p.y() < 0.3 && p.x() > 0) {
      EXPECT_EQ(WeightOf(part.weights, v, right_hip), 0);
    }
    if (p.x() > 0.8) {
      EXPECT_GT(WeightOf(part.weights, v, left_wrist), 0.9);
    }
    if (p.x() < 0.4) {
      EXPECT_EQ(WeightOf(part.weights, v, left_wrist), 0);
    }
    if (p.x() > -0.4) {
      EXPECT_EQ(WeightOf(part.weights, v, right_wrist), 0);
    }
  }
}

TEST(MakeCharacter, BindsToItsSkeletonAndKnowsItsLimits) {
  const Kind kind = TestKind();
  const Character character = Maker(1000).Make(RandomShape(kind.parameters, 3));
  const auto model = LocalToModel(character.skeleton, character.skeleton.RestPose());
  for (int j = 0; j < character.skeleton.joint_count(); ++j) {
    EXPECT_TRUE((model[j] * character.skins[0].inverse_bind[j]).isApprox(Eigen::Affine3f::Identity(), 1e-5f));
  }
  EXPECT_NE(LimitsInExtras(character), nullptr);
}

TEST(MakeCharacter, SameWhateverTheThreads) {
  const Kind kind = TestKind();
  SetThreads(1);
  const Character one = MakeCharacter(kind, RandomShape(kind.parameters, 9), 1000);
  SetThreads(0);
  const Character all = Maker(1000).Make(RandomShape(kind.parameters, 9));
  EXPECT_EQ(one.parts[0].mesh.positions, all.parts[0].mesh.positions);
  EXPECT_EQ(one.parts[0].mesh.triangles, all.parts[0].mesh.triangles);
  EXPECT_EQ(one.parts[0].weights.weights, all.parts[0].weights.weights);
}

TEST(MakeCharacter, SaysHowManyVerticesThereMayBe) {
  try {
    CharacterMaker(TestKind(), 999);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "999 vertices are out of range; give 1000 to 300000");
  }
}

}  // namespace
}  // namespace sinew::embedded
