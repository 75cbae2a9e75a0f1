#include "sinew/offline/graphnet/body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "sinew/offline/character/rest_surface.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/graphnet/joint_features.h"
#include "sinew/offline/graphnet/predictor.h"
#include "tests/support/small_graph_model.h"
#include "tests/support/test_character.h"

namespace sinew::graphnet {
namespace {

using ::testing::HasSubstr;

Pose RandomPose(const Skeleton& skeleton, uint64_t seed, double size) {
  Random random(seed);
  Pose pose = skeleton.RestPose();
  for (Transform& local : pose) {
    const Eigen::Vector3f axis = Eigen::Vector3d{random.Normal(), random.Normal(), random.Normal()}.cast<float>();
    const Eigen::Quaternionf turn(Eigen::AngleAxisf(static_cast<float>(size * random.Normal()), axis.normalized()));
    local.rotation = ToQuaternion((turn * ToEigen(local.rotation)).normalized());
  }
  return pose;
}

// The body turned and shifted as a whole, by its root.
Pose Moved(Pose pose, const Eigen::Quaternionf& turn, const Eigen::Vector3f& by) {
  pose[0].rotation = ToQuaternion((turn * ToEigen(pose[0].rotation)).normalized());
  pose[0].translation = ToFloat3(turn * ToEigen(pose[0].translation) + by);
  return pose;
}

class BodyTest : public ::testing::Test {
 protected:
  Body body_{sinew::testing::TestCharacter(), "body.glb"};
  const Skeleton& skeleton_ = body_.character().skeleton;
};

TEST_F(BodyTest, RestIsRest) {
  const Body::Frame frame = body_.Evaluate(MainBindPose(body_.character()));
  EXPECT_EQ(body_.columns(), 6 + static_cast<int>(body_.joints().size()));
  EXPECT_TRUE(frame.rotation.isApprox(Eigen::Matrix3f::Identity(), 1e-5f));
  // Nothing has turned, so relative skinning is the rest shape itself, up to a shift: the pelvis is its origin.
  const Points first = frame.features.leftCols(3) * static_cast<float>(body_.size());
  const RestSurface surface = CollectRestSurface(body_.character());
  Points skinned(body_.points(), 3);
  for (int i = 0; i < body_.points(); ++i) skinned.row(i) = frame.skinned.row(surface.welding.first_of[i]);
  const Eigen::RowVector3f shift = skinned.row(0) - first.row(0);
  EXPECT_LT(((first.rowwise() + shift) - skinned).rowwise().norm().maxCoeff(), 1e-5 * body_.size());
  EXPECT_GT(frame.features.rightCols(body_.joints().size()).minCoeff(), 0);
}

TEST_F(BodyTest, FeaturesDoNotSeeWhereTheBodyStands) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const Pose pose = RandomPose(skeleton_, seed, 0.4);
    const Eigen::Quaternionf turn(
        Eigen::AngleAxisf(2.1f, Eigen::Vector3f(1, static_cast<float>(seed), -1).normalized()));
    const Pose moved = Moved(pose, turn, {3, -1, 2});
    const Body::Frame here = body_.Evaluate(pose), there = body_.Evaluate(moved);
    EXPECT_LT((here.features - there.features).cwiseAbs().maxCoeff(), 1e-5f);
    // The same answer is the same shape, turned and shifted along.
    const RowMatrix answer = RowMatrix::Random(body_.points(), 3) * 0.01f;
    const Points expected =
        (body_.Apply(here, answer) * turn.toRotationMatrix().transpose()).rowwise() + Eigen::RowVector3f(3, -1, 2);
    EXPECT_LT((expected - body_.Apply(there, answer)).cwiseAbs().maxCoeff(), 1e-5f * (body_.size() + 3));
  }
}

// Positions move with the body, and nothing else that a network sees does.
TEST_F(BodyTest, PositionsAreWhereTheSkinnedPointsAre) {
  const Body body(sinew::testing::TestCharacter(), "body.glb", {.features = Features::kPositions});
  const Pose pose = RandomPose(skeleton_, 3, 0.4);
  const Eigen::Quaternionf turn(Eigen::AngleAxisf(2.1f, Eigen::Vector3f(1, 2, -1).normalized()));
  const Body::Frame here = body.Evaluate(pose), there = body.Evaluate(Moved(pose, turn, {3, -1, 2}));
  const auto size = static_cast<float>(body.size());
  const RowMatrix places = size * here.features.leftCols(3), moved = size * there.features.leftCols(3);
  const RowMatrix expected = (places * turn.toRotationMatrix().transpose()).rowwise() + Eigen::RowVector3f(3, -1, 2);
  EXPECT_LT((moved - expected).cwiseAbs().maxCoeff(), 1e-5f * size);
  const Eigen::Index others = body.columns() - 3;
  EXPECT_LT((here.features.rightCols(others) - there.features.rightCols(others)).cwiseAbs().maxCoeff(), 1e-5f);
  EXPECT_EQ(here.features.rightCols(others), body_.Evaluate(pose).features.rightCols(others));
  for (int c = 0; c < 3; ++c) {
    EXPECT_NEAR(places.col(c).minCoeff(), here.skinned.col(c).minCoeff(), 1e-5 * size);
    EXPECT_NEAR(places.col(c).maxCoeff(), here.skinned.col(c).maxCoeff(), 1e-5 * size);
  }
}

TEST_F(BodyTest, AnswersOfTheTruthMakeTheTruth) {
  const Body::Frame frame = body_.Evaluate(RandomPose(skeleton_, 9, 0.5));
  const RowMatrix answer = RowMatrix::Random(body_.points(), 3) * 0.02f;
  const Points truth = body_.Apply(frame, answer);
  EXPECT_LT((body_.Targets(frame, truth) - answer).cwiseAbs().maxCoeff(), 1e-5f);
}

TEST_F(BodyTest, FeaturesDoNotSeeTheUnit) {
  Character large = sinew::testing::TestCharacter();
  for (Part& part : large.parts) part.mesh.positions *= 100;
  for (Joint& joint : large.skeleton.joints) {
    joint.rest.translation = ToFloat3(100 * ToEigen(joint.rest.translation));
  }
  for (Skin& skin : large.skins) {
    for (Eigen::Affine3f& bind : skin.inverse_bind) bind.translation() *= 100;
  }
  const Body other(large, "large.glb");
  EXPECT_NEAR(other.size(), 100 * body_.size(), 1e-2);
  const Body::Frame small = body_.Evaluate(skeleton_.RestPose());
  const Body::Frame big = other.Evaluate(other.character().skeleton.RestPose());
  EXPECT_LT((small.features - big.features).cwiseAbs().maxCoeff(), 1e-4f);
}

TEST_F(BodyTest, SharesOfVerticesSumToOne) {
  double sum = 0;
  for (const float share : body_.VertexShares()) sum += share;
  EXPECT_NEAR(sum, 1, 1e-4);
}

// What our networks see and answer, with and without a working level.
class JointFeaturesTest : public ::testing::TestWithParam<double> {
 protected:
  BodyOptions options_ = {
      .features = Features::kCues, .answers = Answers::kLimb, .working_edge = GetParam(), .coarser_levels = 2};
  Body body_{sinew::testing::TestCharacter(), "body.glb", options_};
  const Skeleton& skeleton_ = body_.character().skeleton;
};

TEST_P(JointFeaturesTest, DoNotSeeWhereTheBodyStands) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const Pose pose = RandomPose(skeleton_, seed, 0.4);
    const Eigen::Quaternionf turn(
        Eigen::AngleAxisf(2.1f, Eigen::Vector3f(1, static_cast<float>(seed), -1).normalized()));
    const Body::Frame here = body_.Evaluate(pose), there = body_.Evaluate(Moved(pose, turn, {3, -1, 2}));
    EXPECT_LT((here.features - there.features).cwiseAbs().maxCoeff(), 1e-5f);
    const RowMatrix answer = RowMatrix::Random(body_.points(), 3) * 0.01f;
    const Points expected =
        (body_.Apply(here, answer) * turn.toRotationMatrix().transpose()).rowwise() + Eigen::RowVector3f(3, -1, 2);
    EXPECT_LT((expected - body_.Apply(there, answer)).cwiseAbs().maxCoeff(), 1e-5f * (body_.size() + 3));
  }
}

// An answer that is the same everywhere, which no way over other points blurs.
TEST_P(JointFeaturesTest, AnswersOfTheTruthMakeTheTruth) {
  const Body::Frame frame = body_.Evaluate(MainBindPose(body_.character()));
  const RowMatrix answer = RowMatrix::Ones(body_.points(), 3) * Eigen::Vector3f(0.02f, -0.01f, 0.03f).asDiagonal();
  const Points truth = body_.Apply(frame, answer);
  EXPECT_LT((body_.Targets(frame, truth) - answer).cwiseAbs().maxCoeff(), 1e-4f);
}

// At rest nothing has turned, and all methods agree.
TEST_P(JointFeaturesTest, RestHasNoCues) {
  const Body::Frame frame = body_.Evaluate(MainBindPose(body_.character()));
  constexpr int kFirst = JointFeatures::kSlots * JointFeatures::kPerSlot;
  for (int k = 0; k < JointFeatures::kSlots; ++k) {
    EXPECT_LT(frame.features.middleCols(k * JointFeatures::kPerSlot + 1, 6).cwiseAbs().maxCoeff(), 1e-5f);
  }
  EXPECT_LT(frame.features.middleCols(kFirst + 3, JointFeatures::kCueColumns - 3).cwiseAbs().maxCoeff(), 1e-4f);
  for (const Eigen::Matrix3f& turn : frame.turns) EXPECT_TRUE(turn.isIdentity(1e-4f));
}

// The mirrored body in the mirrored pose: every point where a mirror shows it.
TEST_P(JointFeaturesTest, MirrorsChangeSigns) {
  const auto mirrored = [](Transform local) {
    local.translation.x *= -1;
    local.rotation.y *= -1;
    local.rotation.z *= -1;
    return local;
  };
  if (GetParam() > 0) return;  // remeshing does not keep to mirrors
  Character other = sinew::testing::TestCharacter();
  for (Part& part : other.parts) {
    part.mesh.positions.col(0) *= -1;
    part.mesh.triangles.col(0).swap(part.mesh.triangles.col(1));
  }
  for (Joint& joint : other.skeleton.joints) {
    joint.rest = mirrored(joint.rest);
    joint.name = "thing";  // a left hip on the right would tell that the body looks back
  }
  for (Skin& skin : other.skins) {
    for (Eigen::Affine3f& bind : skin.inverse_bind) {
      const Eigen::Affine3f flip(Eigen::Scaling(-1.0f, 1.0f, 1.0f));
      bind = flip * bind * flip;
    }
  }
  const Body image(other, "image.glb", options_);
  const Pose pose = RandomPose(skeleton_, 4, 0.4);
  Pose seen;
  for (const Transform& local : pose) seen.push_back(mirrored(local));
  const Body::Frame frame = body_.Evaluate(pose), there = image.Evaluate(seen);
  const std::vector<float> signs = body_.MirrorSigns();
  ASSERT_EQ(static_cast<int>(signs.size()), body_.columns());
  const RowMatrix expected =
      frame.features * Eigen::Map<const Eigen::VectorXf>(signs.data(), body_.columns()).asDiagonal();
  EXPECT_LT((expected - there.features).cwiseAbs().maxCoeff(), 1e-4f);
  const RowMatrix answer = RowMatrix::Random(body_.points(), 3) * 0.01f;
  RowMatrix turned = answer;
  turned.col(0) *= -1;
  Points shape = body_.Apply(frame, answer);
  shape.col(0) *= -1;
  EXPECT_LT((shape - image.Apply(there, turned)).cwiseAbs().maxCoeff(), 1e-4f);
}

// Names and axes of joints do not matter.
TEST_P(JointFeaturesTest, AnySkeletonWorks) {
  if (GetParam() > 0) return;  // remeshing puts points elsewhere for the last bit of a coordinate
  Character other = sinew::testing::TestCharacter({.frames_seed = 5});
  for (size_t j = 0; j < other.skeleton.joints.size(); ++j) other.skeleton.joints[j].name = "thing" + std::to_string(j);
  const Body same(other, "things.glb", options_);
  const Body::Frame a = body_.Evaluate(skeleton_.RestPose());
  const Body::Frame b = same.Evaluate(other.skeleton.RestPose());
  ASSERT_EQ(a.features.cols(), b.features.cols());
  // Where two joints are as strong as each other, rounding decides which comes first.
  const auto differ = ((a.features - b.features).rowwise().lpNorm<Eigen::Infinity>().array() > 1e-4f).count();
  EXPECT_LT(differ, 0.05 * body_.points());
}

TEST_P(JointFeaturesTest, LevelsGetCoarser) {
  ASSERT_EQ(body_.coarser().size(), 2u);
  int before = body_.points();
  for (const layers::CoarserGraph& level : body_.coarser()) {
    EXPECT_EQ(level.fine_count(), before);
    EXPECT_LT(level.graph.node_count(), 0.4 * before);
    before = level.graph.node_count();
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, JointFeaturesTest, ::testing::Values(0.0, 0.12));

TEST(Body, AWorkingLevelHasFewerPointsAndAllVertices) {
  const Body fine(sinew::testing::TestCharacter(), "egg", {.features = Features::kJoints}),
      coarse(sinew::testing::TestCharacter(), "egg", {.features = Features::kJoints, .working_edge = 0.12});
  EXPECT_LT(coarse.points(), 0.75 * fine.points());
  EXPECT_EQ(coarse.VertexShares(), fine.VertexShares());
  // A field that is the same everywhere stays so on all vertices.
  const Body::Frame frame = coarse.Evaluate(coarse.character().skeleton.RestPose());
  const Points moved = coarse.Apply(frame, RowMatrix::Constant(coarse.points(), 3, 0.01f)) - frame.skinned;
  EXPECT_LT((moved.rowwise() - moved.row(0)).cwiseAbs().maxCoeff(), 1e-5f);
}

// The character with every triangle cut in four: the same surface and the same weights on it, with other vertices. The
// vertices of the character come first.
Character Quartered(Character character) {
  for (Part& part : character.parts) {
    part.normals.resize(0, 3);
    const TriMesh source = part.mesh;
    std::map<std::pair<int, int>, int> middles;
    std::vector<std::array<int, 2>> ends;
    const auto middle = [&](int a, int b) {
      const auto [found, added] =
          middles.try_emplace(std::minmax(a, b), source.vertex_count() + static_cast<int>(ends.size()));
      if (added) ends.push_back({a, b});
      return found->second;
    };
    part.mesh.triangles.resize(4 * source.triangle_count(), 3);
    for (int t = 0; t < source.triangle_count(); ++t) {
      const int a = source.triangles(t, 0), b = source.triangles(t, 1), c = source.triangles(t, 2);
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      part.mesh.triangles.middleRows(4 * t, 4) << a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca;
    }
    const auto added = static_cast<Eigen::Index>(ends.size());
    part.mesh.positions.conservativeResize(source.vertex_count() + added, 3);
    constexpr int kSlots = 4;  // each vertex of the test character goes with two joints
    const SkinWeights weights = part.weights;
    part.weights = {kSlots, {}, {}};
    const auto give = [&](int a, int b) {
      std::map<int, float> shares;
      for (const int v : {a, b}) {
        for (int k = 0; k < weights.influences; ++k) {
          const size_t at = static_cast<size_t>(v) * weights.influences + k;
          if (weights.weights[at] > 0) shares[weights.joints[at]] += weights.weights[at] / 2;
        }
      }
      ASSERT_LE(shares.size(), static_cast<size_t>(kSlots));
      for (const auto& [joint, share] : shares) {
        part.weights.joints.push_back(static_cast<uint16_t>(joint));
        part.weights.weights.push_back(share);
      }
      part.weights.joints.resize(part.weights.joints.size() + kSlots - shares.size(), 0);
      part.weights.weights.resize(part.weights.joints.size(), 0.0f);
    };
    for (int v = 0; v < source.vertex_count(); ++v) give(v, v);
    for (Eigen::Index e = 0; e < added; ++e) {
      const auto [a, b] = ends[e];
      part.mesh.positions.row(source.vertex_count() + e) = (source.positions.row(a) + source.positions.row(b)) / 2;
      give(a, b);
    }
  }
  return character;
}

// Root mean square over the vertices that two bodies share, of what a network nobody has trained adds to skinning; and
// of the difference of what it adds to both.
std::array<double, 2> AnswersOf(const Body& body, const Body& finer, const Pose& pose) {
  const learn::Model model = sinew::testing::SmallGraphModel(body, {}, "hierarchy");
  const Predictor predictor(model, "random.model");
  const auto added = [&](const Body& one) -> Points {
    const Body::Frame frame = one.Evaluate(pose);
    return predictor.Shape(one, MakeBodyGraph(one), frame) - frame.skinned;
  };
  const Points coarse = added(body), fine = added(finer).topRows(coarse.rows());
  return {coarse.norm(), (coarse - fine).norm()};
}

TEST(Body, AnswersDoNotDependOnTheMesh) {
  const BodyOptions options = {
      .features = Features::kCues, .answers = Answers::kLimb, .working_edge = 0.03, .coarser_levels = 3};
  const Character character = sinew::testing::TestCharacter();
  ASSERT_EQ(character.parts.size(), 1u);
  const Body body(character, "coarse", options), finer(Quartered(character), "fine", options);
  const auto count = static_cast<double>(body.points());
  EXPECT_NEAR(finer.points(), count, 0.02 * count);
  const auto [size, difference] = AnswersOf(body, finer, RandomPose(character.skeleton, 3, 0.3));
  EXPECT_GT(size, 0);
  EXPECT_LT(difference, 0.15 * size);

  // On points of the file's own they do.
  BodyOptions own = options;
  own.working_edge = 0;
  const auto [own_size, own_difference] = AnswersOf(
      Body(character, "coarse", own), Body(Quartered(character), "fine", own), RandomPose(character.skeleton, 3, 0.3));
  EXPECT_GT(own_difference, 0.15 * own_size);
}

// A file with other axes: everything at rest is turned by a right angle.
class AxesTest : public ::testing::TestWithParam<BodyOptions> {};

TEST_P(AxesTest, FeaturesDoNotSeeTheAxesOfTheFile) {
  const BodyOptions options = GetParam();
  const Character upright = sinew::testing::TestCharacter();
  Character lying = upright;
  Eigen::Matrix3f turn;
  turn << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  const Eigen::Affine3f map(turn);
  for (Part& part : lying.parts) part.mesh.positions = (part.mesh.positions * turn.transpose()).eval();
  for (Skin& skin : lying.skins) {
    for (Eigen::Affine3f& bind : skin.inverse_bind) bind = bind * map.inverse();
  }
  const auto turned = [&map](Pose pose) {
    pose[0] = ToTransform(map * ToAffine(pose[0]));
    return pose;
  };
  lying.skeleton.joints[0].rest = turned(upright.skeleton.RestPose())[0];
  const Pose pose = RandomPose(upright.skeleton, 6, 0.3);
  const Body first(upright, "upright.glb", options), second(lying, "lying.glb", options);
  const Body::Frame here = first.Evaluate(pose), there = second.Evaluate(turned(pose));
  EXPECT_LT((here.features - there.features).cwiseAbs().maxCoeff(), 1e-4f);
  const RowMatrix answer = RowMatrix::Random(first.points(), 3) * 0.01f;
  const Points expected = first.Apply(here, answer) * turn.transpose();
  EXPECT_LT((expected - second.Apply(there, answer)).cwiseAbs().maxCoeff(), 1e-4f);
}

INSTANTIATE_TEST_SUITE_P(Options, AxesTest,
                         ::testing::Values(BodyOptions{.features = Features::kCues, .answers = Answers::kLimb},
                                           BodyOptions{.features = Features::kPositions}));

TEST(BodyOptions, GoThroughJson) {
  const BodyOptions options = {
      .features = Features::kJoints, .answers = Answers::kLimb, .working_edge = 0.02, .coarser_levels = 3};
  EXPECT_EQ(BodyOptionsOf(JsonOf(options), "x.model"), options);
  EXPECT_EQ(BodyOptionsOf(Json::object(), "x.model"), BodyOptions{});
  const auto error = [&](const char* key, const Json& value) -> std::string {
    Json json = JsonOf(options);
    json[key] = value;
    try {
      BodyOptionsOf(json, "x.model");
    } catch (const InputError& problem) {
      return problem.what();
    }
    return "no error";
  };
  EXPECT_THAT(error("features", "smells"), HasSubstr("\"features\" is \"smells\", which this program does not know"));
  EXPECT_THAT(error("answers", 3), HasSubstr("x.model: settings: body"));
  EXPECT_THAT(error("working_edge", -1), HasSubstr("working_edge"));
  EXPECT_THAT(error("coarser_levels", 99), HasSubstr("coarser_levels"));
}

TEST(Body, NeedsLegs) {
  Character character = sinew::testing::TestCharacter();
  for (size_t j = 0; j < character.skeleton.joints.size(); ++j) {
    character.skeleton.joints[j].name = "thing" + std::to_string(j);
  }
  try {
    const Body body(character, "things.glb");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("things.glb: skeleton: has no joint that is known as left_hip"));
  }
}

}  // namespace
}  // namespace sinew::graphnet
