#include "sinew/offline/skincells/objective.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/offline/core/parallel.h"
#include "sinew/offline/skincells/parameters.h"
#include "tests/support/gradient_check.h"
#include "tests/support/mesh_families.h"
#include "tests/support/skin_fields.h"
#include "tests/support/skin_scene.h"
#include "tests/support/skin_subjects.h"

namespace sinew::skincells {
namespace {

using testing::OnAChain;
using testing::Sausage;
using Scene = testing::SkinScene;

std::vector<int> Batch() { return testing::SceneBatch(); }

TEST(CellBlock, IsTheFieldForBothPrecisions) {
  for (int seed = 1; seed <= 20; ++seed) {
    const int cells = 2 + seed % 9, sites = 1 + seed % 6, l = 1 + seed % 5;
    SkinField field = testing::RandomField(seed, cells, sites, l, 0.1);
    const bool sparse = seed % 2 == 0;
    const Eigen::VectorXd parameters = ToParameters(field);
    Random random(seed, 1);
    CellBlock<double> fine;
    CellBlock<float> coarse;
    for (int i = 0; i < kBlock; ++i) {
      const Eigen::Vector3d x = testing::RandomPoint(random);
      fine.x[i] = x.x(), fine.y[i] = x.y(), fine.z[i] = x.z();
    }
    coarse.x = fine.x.cast<float>(), coarse.y = fine.y.cast<float>(), coarse.z = fine.z.cast<float>();
    EvaluateBlock(MakeCellTable<double>(parameters, cells, sites, l, sparse ? 0 : 1), fine);
    EvaluateBlock(MakeCellTable<float>(parameters, cells, sites, l, sparse ? 0 : 1), coarse);
    field = FromParameters(parameters, field);
    for (SkinCell& cell : field.cells) cell.c *= sparse ? 0 : 1;
    std::vector<double> expected(cells);
    for (int i = 0; i < kBlock; ++i) {
      EvaluateCells(field, {fine.x[i], fine.y[i], fine.z[i]}, expected);
      for (int j = 0; j < cells; ++j) {
        EXPECT_NEAR(fine.w[j][i], expected[j], 1e-12);
        EXPECT_NEAR(coarse.w[j][i], expected[j], 2e-4);
        EXPECT_EQ(fine.w[j][i] > 0, expected[j] > 0);
      }
    }
  }
}

TEST(Parameters, ComeBack) {
  const SkinField field = testing::RandomField(3, 5, 4, 4, 0.1);
  const Eigen::VectorXd parameters = ToParameters(field);
  EXPECT_LT((ToParameters(FromParameters(parameters, field)) - parameters).norm(), 1e-12);
}

struct Case {
  const char* name;
  LossWeights weights;
  double relax;
  int l;
};

// A few vertices of every block, one joint or two of each.
std::vector<Guide> SomeGuides(const TrainingSet& set) {
  std::vector<Guide> guides;
  for (int v = 0; v < set.vertex_count(); v += 3) {
    guides.push_back({v, v % set.joint_count, 0.3f, 1.0f + static_cast<float>(v % 4)});
    if (v % 2 == 0) guides.push_back({v, (v + 2) % set.joint_count, 0.9f, 0.5f});
  }
  return guides;
}

// A rigid body that the chain's own skin lies on and bends away from.
std::shared_ptr<const Collider> SomeBody(const Scene& scene) {
  auto collider = std::make_shared<Collider>();
  Points points(scene.set.points.cols(), 3);
  for (Eigen::Index v = 0; v < points.rows(); ++v) points.row(v) = scene.set.points.col(v).transpose().cast<float>();
  const Points normals = VertexNormals({points, scene.subject.surface.triangles});
  for (size_t p = 0; p < scene.set.poses.size(); ++p) collider->bodies.emplace_back(points, normals);
  collider->margins.assign(scene.set.vertex_count(), 0.005);
  return collider;
}

class GradientTest : public ::testing::TestWithParam<Case> {};

// Each loss by itself against finite differences, relaxed and sparse, with and without a cut.
TEST_P(GradientTest, IsThatOfTheLoss) {
  const LossWeights weights = GetParam().weights;
  const double relax = GetParam().relax;
  const int l = GetParam().l;
  const Scene scene(OnAChain(Sausage(), 5), 3, l);
  TrainingSet set = scene.set;
  if (weights.guide > 0) set.guides = SomeGuides(set);
  if (weights.col > 0) set.collider = SomeBody(scene);
  Objective<double> objective(set, 3, l, weights);
  const Eigen::VectorXd parameters = scene.Parameters(7);
  Eigen::VectorXd gradient;
  objective.Evaluate(parameters, Batch(), relax, &gradient);
  ASSERT_GT(gradient.norm(), 0);
  const auto loss = [&](const Eigen::VectorXd& at) { return objective.Evaluate(at, Batch(), relax, nullptr).total; };
  EXPECT_LT(GradientError(loss, parameters, gradient, 1e-6), 2e-5);
}

INSTANTIATE_TEST_SUITE_P(
    Losses, GradientTest,
    ::testing::Values(Case{"dm", {1, 0, 0, 0, 0}, 1, 2}, Case{"dm_sparse", {1, 0, 0, 0, 0}, 0, 2},
                      Case{"loc", {0, 1, 0, 0, 0}, 1, 2}, Case{"loc_sparse", {0, 1, 0, 0, 0}, 0, 3},
                      Case{"sp", {0, 0, 1, 0, 0}, 1, 2}, Case{"sp_one", {0, 0, 1, 0, 0}, 0.5, 1},
                      Case{"guide", {0, 0, 0, 1, 0}, 1, 2}, Case{"guide_sparse", {0, 0, 0, 1, 0}, 0, 3},
                      Case{"col", {0, 0, 0, 0, 1}, 1, 2}, Case{"col_sparse", {0, 0, 0, 0, 1}, 0, 3},
                      Case{"all", {1, 100, 1, 1, 1}, 0.7, 3}, Case{"no_cut", {1, 100, 1, 1, 1}, 1, 8}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(Objective, FloatIsCloseToDouble) {
  const Scene scene(OnAChain(Sausage(), 5), 3, 2);
  Objective<double> fine(scene.set, 3, 2, {});
  Objective<float> coarse(scene.set, 3, 2, {});
  const Eigen::VectorXd parameters = ToParameters(scene.field);
  Eigen::VectorXd a, b;
  const Losses x = fine.Evaluate(parameters, Batch(), 1, &a), y = coarse.Evaluate(parameters, Batch(), 1, &b);
  EXPECT_NEAR(y.total, x.total, 1e-3 * x.total);
  EXPECT_LT((a - b).norm(), 1e-2 * a.norm());
}

TEST(Objective, IsZeroAtRestAndIndependentOfTheUnit) {
  const Scene small(OnAChain(Sausage(), 4), 3, 2);
  const Scene large(OnAChain(testing::Moved(Sausage(), {5, -3, 2}, 100), 4), 3, 2);
  Objective<double> a(small.set, 3, 2, {}), b(large.set, 3, 2, {});
  const Eigen::VectorXd parameters = ToParameters(small.field);
  const Losses x = a.Evaluate(parameters, Batch(), 1, nullptr), y = b.Evaluate(parameters, Batch(), 1, nullptr);
  EXPECT_NEAR(x.total, y.total, 2e-2 * x.total);
  EXPECT_GT(x.total, 0);
  TrainingSet rest = small.set;
  for (TrainingPose& pose : rest.poses) {
    for (auto& T : pose.T) T.setIdentity();
    for (auto& q : pose.rotation) q.setIdentity();
  }
  EXPECT_NEAR(Objective<double>(rest, 3, 2, {}).Evaluate(parameters, Batch(), 1, nullptr).total, 0, 1e-12);
}

// How much smoothness counts against location, of one field, must not depend on how fine the mesh is.
TEST(Objective, IsBalancedAlikeOnCoarseAndFineMeshes) {
  const Scene middle(OnAChain(Sausage(), 4), 3, 2);
  const Eigen::VectorXd parameters = ToParameters(middle.field);
  std::vector<double> raw, balanced;
  for (const int around : {12, 16, 24, 32}) {
    const Scene scene(OnAChain(Sausage(around, around * 10 / 7), 4), 3, 2);
    const Losses x = Objective<double>(scene.set, 3, 2, {}).Evaluate(parameters, Batch(), 0, nullptr);
    raw.push_back(x.dm / x.loc);
    balanced.push_back(x.dm / (LocationBalance(scene.set) * x.loc));
  }
  const auto range = [](const std::vector<double>& values) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return *most / *least;
  };
  EXPECT_GT(range(raw), 3);
  EXPECT_LT(range(balanced), 1.3);
}

TEST(Objective, ItsBalanceHasNoUnitAndBounds) {
  const Scene small(OnAChain(Sausage(), 4), 3, 2);
  const Scene large(OnAChain(testing::Moved(Sausage(), {5, -3, 2}, 100), 4), 3, 2);
  EXPECT_NEAR(LocationBalance(small.set), LocationBalance(large.set), 1e-4 * LocationBalance(small.set));
  TrainingSet set = small.set;
  for (Spring& spring : set.springs) spring.rest = 0;
  EXPECT_EQ(LocationBalance(set), 1);
  for (Spring& spring : set.springs) spring.rest = 1e-30;
  EXPECT_LT(LocationBalance(set), 12);
  for (Spring& spring : set.springs) spring.joint = -1;
  EXPECT_EQ(LocationBalance(set), 1);
}

// A rigid motion of the whole body is no deformation.
TEST(Objective, IsBlindToRigidMotion) {
  const Scene scene(OnAChain(Sausage(), 4), 3, 2);
  TrainingSet moved = scene.set;
  Eigen::Affine3d motion = Eigen::Translation3d(1, 2, 3) * Eigen::AngleAxisd(1, Eigen::Vector3d(1, 2, 3).normalized());
  for (TrainingPose& pose : moved.poses) {
    for (auto& T : pose.T) T = motion * T;
    for (auto& q : pose.rotation) q = Eigen::Quaterniond(motion.rotation()) * q;
  }
  Objective<double> a(scene.set, 3, 2, {}), b(moved, 3, 2, {});
  const Eigen::VectorXd parameters = ToParameters(scene.field);
  const Losses x = a.Evaluate(parameters, Batch(), 1, nullptr), y = b.Evaluate(parameters, Batch(), 1, nullptr);
  EXPECT_NEAR(x.dm, y.dm, 1e-9 * x.dm);
  EXPECT_NEAR(x.loc, y.loc, 1e-9 * x.loc);
  EXPECT_NEAR(x.sp, y.sp, 1e-9 * x.sp);
}

TEST(Objective, HasTheSameBitsWhateverTheThreads) {
  const Scene scene(OnAChain(Sausage(20, 30), 6), 4, 3);
  const Eigen::VectorXd parameters = ToParameters(scene.field);
  Eigen::VectorXd one, three;
  SetThreads(1);
  const double a = Objective<float>(scene.set, 4, 3, {}).Evaluate(parameters, Batch(), 1, &one).total;
  SetThreads(3);
  const double b = Objective<float>(scene.set, 4, 3, {}).Evaluate(parameters, Batch(), 1, &three).total;
  SetThreads(0);
  EXPECT_EQ(a, b);
  EXPECT_EQ(one, three);
}

TEST(Springs, StandOrthogonallyAndMeetNothing) {
  // A second, larger shell around the first: its springs would pass through the inner one.
  TriMesh shells = Sausage();
  const int inner = shells.vertex_count();
  shells = testing::Merge(shells, testing::Moved(Sausage(), {0, 0, 0}, 1.5f));
  const Scene scene(OnAChain(shells, 5), 3, 2);
  int kept = 0;
  for (int v = 0; v < scene.set.vertex_count(); ++v) {
    const Spring& spring = scene.set.springs[v];
    if (spring.joint < 0) continue;
    // The chain is longer than the inner shell: beyond its ends nothing is in the way.
    if (std::abs(spring.anchor.y()) < 0.3) {
      EXPECT_LT(v, inner);
    }
    EXPECT_NEAR((scene.set.points.col(v) - spring.anchor).norm(), spring.rest, 1e-6);
    const Eigen::Vector3d across = (scene.set.points.col(v) - spring.anchor).normalized();
    EXPECT_LE(std::abs(across.y()), 0.1001);
    ++kept;
  }
  EXPECT_GT(kept, inner / 2);
}

}  // namespace
}  // namespace sinew::skincells
