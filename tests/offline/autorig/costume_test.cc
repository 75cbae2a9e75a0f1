#include "sinew/offline/autorig/costume.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/offline/autorig/props.h"
#include "sinew/offline/mesh/edges.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/winding_number.h"
#include "tests/support/small_rig.h"

namespace sinew::autorig {
namespace {

constexpr int kPelvis = 0, kLeftKnee = 4, kRightKnee = 5, kChest = 9, kHead = 15, kLeftHand = 22;

const WeightedBody& SmallRest() {
  static const WeightedBody body = MakeWeightedBody(testing::SmallBiped(), "biped");
  return body;
}

// What a costume adds to the body, as a surface with all vertices.
TriMesh Added(const WeightedBody& worn) {
  const Eigen::Index old = SmallRest().surface.triangles.rows();
  TriMesh added = worn.surface;
  added.triangles = worn.surface.triangles.bottomRows(worn.surface.triangles.rows() - old).eval();
  return added;
}

void ExpectSound(const WeightedBody& worn) {
  const TriMesh added = Added(worn);
  const EdgeTable edges = BuildEdges(added.triangles, added.vertex_count());
  for (int e = 0; e < edges.edge_count(); ++e) EXPECT_EQ(edges.half_edges[e].size(), 2u);
  EXPECT_GT(SignedVolume(added), 0);  // seen from outside
  EXPECT_EQ(worn.surface.positions.topRows(SmallRest().surface.vertex_count()), SmallRest().surface.positions);
  EXPECT_TRUE(worn.surface.positions.allFinite());
  EXPECT_LT((worn.weights.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-4);
  EXPECT_GE(worn.weights.minCoeff(), 0);
  EXPECT_EQ(worn.joints, SmallRest().joints);
}

TEST(Costume, SurfacesAreClosedAndWeighted) {
  for (const bool solid : {false, true}) ExpectSound(PutOn(SmallRest(), Skirt{.folds = 5, .solid = solid}));
  ExpectSound(PutOn(SmallRest(), Hat{}));
  ExpectSound(PutOn(SmallRest(), Hair{}));
  ExpectSound(PutOn(SmallRest(), Cape{}));
  for (const double squareness : {0.0, 0.5, 1.0}) ExpectSound(PutOn(SmallRest(), Prop{.squareness = squareness}));
}

TEST(Costume, ASolidSkirtHasTheLegsInside) {
  const WeightedBody worn = PutOn(SmallRest(), Skirt{.hem = 0.9, .flare = 0.3, .solid = true});
  const WindingNumber winding(Added(worn));
  const TriMesh& body = SmallRest().surface;
  const double hips = SmallRest().joints(1, 1), knees = SmallRest().joints(kLeftKnee, 1);
  int seen = 0;
  for (int v = 0; v < body.vertex_count(); ++v) {
    const bool leg = SmallRest().weights.row(v).segment<5>(1).sum() > 0.9F && body.positions(v, 1) < hips - 0.05 &&
                     body.positions(v, 1) > knees;
    if (!leg) continue;
    EXPECT_TRUE(winding.Inside(body.positions.row(v).transpose())) << v;
    ++seen;
  }
  EXPECT_GT(seen, 50);
}

// The left of a skirt follows the left leg as the right follows the right one.
TEST(Costume, SkirtsFollowTheLegOfTheirSide) {
  const WeightedBody worn = PutOn(SmallRest(), Skirt{.hem = 0.9});
  for (int v = SmallRest().surface.vertex_count(); v < worn.surface.vertex_count(); ++v) {
    const float x = worn.surface.positions(v, 0), left = worn.weights(v, 1) + worn.weights(v, kLeftKnee),
                right = worn.weights(v, 2) + worn.weights(v, kRightKnee);
    if (std::abs(x) < 0.02F) continue;
    EXPECT_GE(x > 0 ? left : right, x > 0 ? right : left) << v;
  }
}

TEST(Costume, HatsAreOnTheHeadAndFollowItAlone) {
  const WeightedBody worn = PutOn(SmallRest(), Hat{.height = 1});
  const int first = SmallRest().surface.vertex_count();
  EXPECT_EQ(worn.weights.col(kHead).tail(worn.weights.rows() - first).minCoeff(), 1);
  EXPECT_GT(worn.surface.positions.col(1).maxCoeff(), SmallRest().surface.positions.col(1).maxCoeff() + 0.05F);
}

// Behind the back, the upper end with the chest and the lower one with the pelvis.
TEST(Costume, CapesHangBehindTheBack) {
  const WeightedBody worn = PutOn(SmallRest(), Cape{.hem = 0.6});
  const TriMesh& surface = worn.surface;
  const int first = SmallRest().surface.vertex_count();
  int highest = first, lowest = first;
  for (int v = first; v < surface.vertex_count(); ++v) {
    EXPECT_LT(surface.positions(v, 2), SmallRest().joints(kChest, 2)) << v;
    if (surface.positions(v, 1) > surface.positions(highest, 1)) highest = v;
    if (surface.positions(v, 1) < surface.positions(lowest, 1)) lowest = v;
  }
  EXPECT_GT(worn.weights(highest, kChest), 0.9F);
  EXPECT_GT(worn.weights(lowest, kPelvis), 0.9F);
}

// A turned block is where it should be, as large as it should be, and follows its joint alone.
TEST(Costume, PropsAreWhereTheyAreHeld) {
  const double height = BoundingBox(SmallRest().surface.positions).sizes().y();
  for (const double squareness : {0.0, 1.0}) {
    Prop prop{.joint = kLeftHand, .place = {0.02, 0.1, -0.05}, .half = {0.01, 0.2, 0.03}, .squareness = squareness};
    prop.turn = Eigen::Quaterniond(Eigen::AngleAxisd(std::numbers::pi / 2, Eigen::Vector3d::UnitX()));
    const WeightedBody worn = PutOn(SmallRest(), prop);
    const Eigen::Index added = worn.weights.rows() - SmallRest().surface.vertex_count();
    EXPECT_EQ(worn.weights.col(kLeftHand).tail(added).minCoeff(), 1);
    const Box box = BoundingBox(worn.surface.positions.bottomRows(added).eval());
    const Eigen::Vector3d from =
        (box.center().cast<double>() - SmallRest().joints.row(kLeftHand).transpose().cast<double>());
    EXPECT_LT((from - height * prop.place).norm(), 1e-3 * height);
    EXPECT_NEAR(box.sizes().x(), 0.02 * height, 2e-3 * height);
    EXPECT_NEAR(box.sizes().z(), 0.4 * height, 0.04 * height);
    EXPECT_NEAR(box.sizes().y(), 0.06 * height, 6e-3 * height);
  }
}

TEST(Costume, DrawnPropsAreSoundAndTheSameForASeed) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed), again(seed);
    const WeightedBody first = PutOnProps(SmallRest(), random);
    EXPECT_EQ(first.surface.positions, PutOnProps(SmallRest(), again).surface.positions);
    EXPECT_GT(first.surface.vertex_count(), SmallRest().surface.vertex_count());
    ExpectSound(first);
  }
}

TEST(Costume, DrawnOnesAreSoundAndTheSameForASeed) {
  Random untouched(5);
  PutOnCostume(SmallRest(), 0, untouched);
  EXPECT_EQ(untouched.state(), Random(5).state());
  int worn = 0;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed), again(seed);
    const WeightedBody first = PutOnCostume(SmallRest(), 0.7, random);
    EXPECT_EQ(first.surface.positions, PutOnCostume(SmallRest(), 0.7, again).surface.positions);
    if (first.surface.vertex_count() == SmallRest().surface.vertex_count()) continue;
    ExpectSound(first);
    ++worn;
  }
  EXPECT_GT(worn, 10);
  EXPECT_LT(worn, 30);
}

// Costumes stand in every stance, and the network sees them.
TEST(Costume, IsPartOfExamples) {
  const WeightedBody worn = PutOn(SmallRest(), Skirt{});
  const Example example = MakeExample(worn, TrainingStances(), 1200, 3, "worn");
  EXPECT_TRUE(example.input.features.allFinite());
  EXPECT_LT((example.weights->rowwise().sum().array() - 1).abs().maxCoeff(), 1e-4);
  EXPECT_NEAR(BoundingBox(example.surface.positions).sizes().y(), 1, 1e-5);
}

}  // namespace
}  // namespace sinew::autorig
