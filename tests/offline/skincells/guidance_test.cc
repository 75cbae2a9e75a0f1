#include "sinew/offline/skincells/guidance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/core/random.h"
#include "sinew/offline/skincells/islands.h"
#include "sinew/offline/skincells/skin_character.h"
#include "tests/support/mesh_families.h"
#include "tests/support/skin_subjects.h"

namespace sinew::skincells {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

SkinOptions Quick(int steps = 60) {
  SkinOptions options;
  options.max_influences = 3;
  options.sites = 3;
  options.steps = steps;
  options.pose_count = 32;
  options.progress = false;
  return options;
}

// A limb on either side of a trunk: x to -x.
Character Cross() {
  const TriMesh bar = testing::Sausage(10, 24);
  TriMesh across = bar;
  for (int v = 0; v < bar.vertex_count(); ++v)
    across.positions.row(v) << bar.positions(v, 1), -bar.positions(v, 0), bar.positions(v, 2);
  Character character = testing::OnAChain(testing::Merge(bar, across), 1);
  character.skeleton.joints[0].name = "pelvis";
  character.skeleton.joints[0].rest.translation = {0, -0.5f, 0};
  const auto add = [&](const char* name, int parent, float x, float y) {
    Joint joint;
    joint.name = name;
    joint.parent = parent;
    joint.rest.translation = {x, y, 0};
    character.skeleton.joints.push_back(joint);
  };
  add("spine1", 0, 0, 0.5f);
  add("left_shoulder", 1, 0.3f, 0);
  add("right_shoulder", 1, -0.3f, 0);
  add("left_elbow", 2, 0.3f, 0);
  add("right_elbow", 3, -0.3f, 0);
  Skin& skin = character.skins[0];
  skin.inverse_bind.clear();
  for (const auto& at : LocalToModel(character.skeleton, character.skeleton.RestPose())) {
    skin.inverse_bind.push_back(at.inverse());
  }
  skin.has_joint.assign(skin.inverse_bind.size(), true);
  return character;
}

float WeightOf(const Part& part, int vertex, int joint) {
  const int l = part.weights.influences;
  float sum = 0;
  for (int k = 0; k < l; ++k) {
    if (part.weights.joints[vertex * l + k] == joint) sum += part.weights.weights[vertex * l + k];
  }
  return sum;
}

TEST(Mirror, GivesBothSidesTheSameWeights) {
  Character character = Cross();
  SkinOptions options = Quick();
  options.mirror = true;
  const SkinReport report = SkinCharacter(character, "cross", options);
  EXPECT_LT(report.optimization.after.total, report.optimization.before.total);
  const SkinField& field = report.optimization.field;
  const int other[] = {0, 1, 3, 2, 5, 4};
  Points left(200, 3), right;
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    for (int a = 0; a < 3; ++a) left(i, a) = static_cast<float>(random.Uniform(-1.2, 1.2));
  }
  right = left;
  right.col(0) = -right.col(0);
  const SkinWeights a = EvaluateField(field, left), b = EvaluateField(field, right);
  for (int i = 0; i < 200; ++i) {
    double here[6] = {}, there[6] = {};
    for (int k = 0; k < 3; ++k) {
      here[a.joints[3 * i + k]] += a.weights[3 * i + k];
      there[other[b.joints[3 * i + k]]] += b.weights[3 * i + k];
    }
    for (int j = 0; j < 6; ++j) EXPECT_NEAR(here[j], there[j], 1e-4) << i << " " << j;
  }
  options.mirror = false;
  Character free = Cross();
  EXPECT_NE(SkinCharacter(free, "cross", options).optimization.after.total, report.optimization.after.total);
}

TEST(Mirror, SaysWhatHasNoCounterpart) {
  Character lopsided = Cross();
  lopsided.skeleton.joints[5].name = "right_knee_of_a_chair";
  lopsided.skins[0].inverse_bind[5].translation() += Eigen::Vector3f(0, 0.5f, 0);
  SkinOptions options = Quick(2);
  options.mirror = true;
  try {
    SkinCharacter(lopsided, "cross.glb", options);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("counterpart"), std::string::npos) << error.what();
  }
  Character nameless = testing::OnAChain(testing::Sausage(), 4);
  EXPECT_THROW(SkinCharacter(nameless, "chain", options), InputError);
}

TEST(Keep, LockedJointsAndMaskedVerticesStayAsTheyWere) {
  for (const int l : {1, 2, 3, 8}) {
    for (const Method method : {Method::kSkinCells, Method::kProximity}) {
      Character before = testing::OnAChain(testing::Sausage(), 5);
      SkinOptions options = Quick(4);
      options.method = Method::kProximity;
      SkinCharacter(before, "chain", options);
      Character after = before;
      options.method = method;
      options.max_influences = l;
      options.locks = {"link_1"};
      options.mask.assign(before.vertex_count(), false);
      for (int v = 0; v < before.vertex_count(); v += 7) options.mask[v] = true;
      SkinCharacter(after, "chain", options);
      for (int v = 0; v < before.vertex_count(); ++v) {
        double sum = 0;
        for (int k = 0; k < l; ++k) sum += after.parts[0].weights.weights[v * l + k];
        ASSERT_NEAR(sum, 1, 1e-6);
        const bool fits = l >= 3;
        if (fits || !options.mask[v]) {
          // A kept vertex with more influences than there may be loses some, and its others grow.
          const float locked = WeightOf(before.parts[0], v, 1);
          if (fits || locked == 0) {
            ASSERT_NEAR(WeightOf(after.parts[0], v, 1), locked, 1e-6) << l << " " << v;
          }
        }
        for (int j = 0; options.mask[v] && fits && j < 5; ++j) {
          ASSERT_NEAR(WeightOf(after.parts[0], v, j), WeightOf(before.parts[0], v, j), 1e-6);
        }
      }
    }
  }
}

TEST(Keep, RefusesWhatIsNotThere) {
  Character character = testing::OnAChain(testing::Sausage(), 4);
  SkinOptions options = Quick(2);
  options.locks = {"no_such"};
  EXPECT_THROW(SkinCharacter(character, "chain", options), UsageError);
  options.locks.clear();
  options.mask = {true};
  EXPECT_THROW(SkinCharacter(character, "chain", options), UsageError);
}

// Half of the vertices are painted to a joint that would not have them.
double PaintedWeight(double strength, bool as_character) {
  constexpr int kPainted = 2;
  Character character = testing::OnAChain(testing::Sausage(), 4);
  const int vertices = character.vertex_count();
  SkinOptions options = Quick(150);
  Character painted = character;
  options.paint.emplace();
  options.paint->file = "paint";
  options.paint->strength = strength;
  options.paint->shape = {vertices, 4};
  options.paint->values.assign(vertices * 4, kNan);
  std::vector<int> chosen;
  for (int v = 0; v < vertices; ++v) {
    const bool middle = std::abs(character.parts[0].mesh.positions(v, 1)) < 0.25f;
    if (middle) chosen.push_back(v);
    for (int j = 0; middle && j < 4; ++j) options.paint->values[v * 4 + j] = j == kPainted ? 1 : 0;
  }
  if (as_character) {
    VertexAttribute attribute{.name = "_STRENGTH", .components = 1, .values = std::vector<float>(vertices, 0.0f)};
    for (const int v : chosen) attribute.values[v] = 1;
    painted.parts[0].attributes.push_back(attribute);
    painted.parts[0].weights.joints.assign(vertices, kPainted);
    options.paint->character = &painted;
  }
  SkinCharacter(character, "chain", options);
  double sum = 0;
  for (const int v : chosen) sum += WeightOf(character.parts[0], v, kPainted) / static_cast<double>(chosen.size());
  return sum;
}

TEST(Paint, PullsMoreTheStrongerItIs) {
  const double none = PaintedWeight(0, false), some = PaintedWeight(0.03, false), much = PaintedWeight(30, false);
  EXPECT_LT(none + 0.1, much);
  EXPECT_LE(none, some + 0.02);
  EXPECT_LE(some, much + 0.02);
  EXPECT_GT(much, 0.9);
  EXPECT_NEAR(PaintedWeight(30, true), much, 0.1);
}

TEST(Paint, RefusesTablesOfAnotherShapeAndWeightsOutOfRange) {
  Character character = testing::OnAChain(testing::Sausage(), 4);
  const int vertices = character.vertex_count();
  SkinOptions options = Quick(2);
  options.paint.emplace();
  options.paint->file = "a.npy";
  for (const std::vector<int64_t>& shape :
       std::vector<std::vector<int64_t>>{{}, {4}, {vertices, 3}, {4, vertices}, {vertices, 4, 3}}) {
    options.paint->shape = shape;
    int64_t size = 1;
    for (const int64_t s : shape) size *= s;
    options.paint->values.assign(size, 0);
    EXPECT_THROW(SkinCharacter(character, "chain", options), InputError);
  }
  options.paint->shape = {vertices, 4};
  options.paint->values.assign(vertices * 4, 2);
  EXPECT_THROW(SkinCharacter(character, "chain", options), InputError);
  Character far = testing::OnAChain(testing::Moved(testing::Sausage(), {9, 9, 9}), 4);
  options.paint->character = &far;
  EXPECT_THROW(SkinCharacter(character, "chain", options), InputError);
}

TEST(Islands, ThatNoJointReachesAreBoundToTheNearestAndSaid) {
  TriMesh mesh = testing::Sausage();
  const int body = mesh.vertex_count();
  mesh = testing::Merge(mesh, testing::Moved(testing::Sausage(), {0.1f, 2.2f, 0}, 0.05f));
  Character character = testing::OnAChain(testing::Sausage(), 4);
  character.parts[0] = testing::OnAChain(mesh, 4).parts[0];
  const CollectWarnings quiet;
  const SkinReport report = SkinCharacter(character, "chain.glb", Quick(4));
  EXPECT_EQ(quiet.messages(), report.warnings);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_NE(report.warnings[0].find("'link_3'"), std::string::npos) << report.warnings[0];
  for (int v = body; v < mesh.vertex_count(); ++v) EXPECT_EQ(WeightOf(character.parts[0], v, 3), 1);
  Character whole = testing::OnAChain(testing::Sausage(), 4);
  EXPECT_TRUE(SkinCharacter(whole, "chain.glb", Quick(4)).warnings.empty());
}

TEST(ApplyField, SaysWhenTheUnitIsLikelyAnotherAndTakesIt) {
  Character character = testing::OnAChain(testing::Sausage(), 4);
  const CollectWarnings quiet;
  const SkinField field = SkinCharacter(character, "chain", Quick(4)).optimization.field;
  const auto same = [&](const Character& other) {
    for (size_t i = 0; i < other.parts[0].weights.weights.size(); ++i) {
      EXPECT_NEAR(other.parts[0].weights.weights[i], character.parts[0].weights.weights[i], 1e-3);
    }
  };
  for (const bool rigged : {false, true}) {
    const TriMesh large = testing::Moved(testing::Sausage(), {0, 0, 0}, 100);
    Character in_cm = testing::OnAChain(large, 4);
    if (!rigged) {
      in_cm = {};
      in_cm.parts.emplace_back().mesh = large;
    }
    Character guessed = in_cm;
    const SkinReport wrong = ApplyField(field, "a.field", guessed, "cm.glb");
    ASSERT_FALSE(wrong.warnings.empty());
    EXPECT_NE(wrong.warnings[0].find("--unit"), std::string::npos) << wrong.warnings[0];
    const SkinReport right = ApplyField(field, "a.field", in_cm, "cm.glb", 0.01);
    EXPECT_TRUE(right.warnings.empty());
    same(in_cm);
  }
  SkinReport report;
  const SkinWeights points = ApplyField(field, "a.field", testing::Sausage().positions, "p.ply", 1, report);
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_EQ(points.weights, character.parts[0].weights.weights);
  ApplyField(field, "a.field", testing::Moved(testing::Sausage(), {9, 0, 0}).positions, "p.ply", 1, report);
  EXPECT_EQ(report.warnings.size(), 1u);
}

}  // namespace
}  // namespace sinew::skincells
