#include "sinew/offline/elasticity/quasi_static.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/core/random.h"
#include "tests/support/mesh_families.h"
#include "tests/support/tet_families.h"

namespace sinew::elasticity {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::Bar;
using testing::kPi;
using testing::NodesBetween;

constexpr double kTiny = 1e-9;

double Diagonal(const TetMesh& mesh) {
  return (mesh.positions.colwise().maxCoeff() - mesh.positions.colwise().minCoeff()).norm();
}

double LargestDistance(const Nodes& a, const Nodes& b) { return (a - b).rowwise().norm().maxCoeff(); }

void ExpectFalling(const SolveReport& report) {
  for (size_t i = 1; i < report.energies.size(); ++i) EXPECT_LT(report.energies[i], report.energies[i - 1]);
  EXPECT_EQ(report.energies.size(), report.newton_steps + 1u);
}

// A bar along x whose ends are held, the far one turned around z by an angle as if the bar were bent into an arc.
struct BentBar {
  TetMesh mesh;
  double length, width;
  std::vector<int> pins;
  Nodes start;  // only the ends moved

  BentBar(int cubes_across, double angle)
      : mesh(Bar({4 * cubes_across, cubes_across, cubes_across}, 0.2 / cubes_across)),
        length(0.8),
        width(0.2),
        start(mesh.positions) {
    pins = NodesBetween(mesh, 0, -kTiny, kTiny);
    const double radius = length / angle;
    for (const int n : NodesBetween(mesh, 0, length - kTiny, length + kTiny)) {
      pins.push_back(n);
      const double across = start(n, 1) - width / 2;
      start(n, 0) = (radius - across) * std::sin(angle);
      start(n, 1) = width / 2 + radius - (radius - across) * std::cos(angle);
    }
  }
};

TEST(QuasiStatic, RestIsAFixedPoint) {
  for (const testing::TetFamily& family : testing::TetFamilies()) {
    const QuasiStaticSolver solver(family.mesh, {});
    Nodes x = family.mesh.positions;
    const SolveReport report = solver.Solve(PinnedNodes({}), nullptr, x);
    EXPECT_EQ(report.status, SolveStatus::kConverged) << family.name;
    EXPECT_LE(LargestDistance(x, family.mesh.positions), 1e-6 * Diagonal(family.mesh)) << family.name;
  }
}

// Also from far away, with tetrahedra inside out.
// Shaken by much more than this, the bar has a second equilibrium within reach, twisted once around its axis, and
// rounding decides between the two.
TEST(QuasiStatic, ReturnsToRest) {
  const TetMesh mesh = Bar({4, 2, 2}, 0.1);
  const QuasiStaticSolver solver(mesh, {}, {.step_tolerance = 1e-9});
  const std::vector<int> pins = NodesBetween(mesh, 0, -kTiny, kTiny);
  for (const uint64_t seed : {1, 2, 3, 4, 5}) {
    for (const double shake : {0.01, 0.05, 0.07}) {
      Random random(seed);
      Nodes x = mesh.positions;
      for (double& c : x.reshaped()) c += shake * random.Normal();
      for (const int n : pins) x.row(n) = mesh.positions.row(n);
      if (shake > 0.06) {
        EXPECT_GT(solver.body().InvertedCount(x), 50);
      }
      const SolveReport report = solver.Solve(PinnedNodes(pins), nullptr, x);
      EXPECT_EQ(report.status, SolveStatus::kConverged);
      EXPECT_EQ(report.inverted_tets, 0);
      EXPECT_LE(LargestDistance(x, mesh.positions), 1e-6 * Diagonal(mesh)) << "shake " << shake << ", seed " << seed;
      ExpectFalling(report);
    }
  }
}

TEST(QuasiStatic, TurnsWithItsBoundary) {
  const BentBar bar(2, kPi / 3);
  const QuasiStaticSolver solver(bar.mesh, {}, {.step_tolerance = 1e-8});
  const Eigen::Matrix3d R = Eigen::AngleAxisd(2, Vector3d(1, -2, 0.5).normalized()).toRotationMatrix();
  const Eigen::RowVector3d shift(3, -1, 2);
  Nodes plain = bar.start, turned = (bar.start * R.transpose()).rowwise() + shift;
  EXPECT_EQ(solver.Solve(PinnedNodes(bar.pins), nullptr, plain).status, SolveStatus::kConverged);
  EXPECT_EQ(solver.Solve(PinnedNodes(bar.pins), nullptr, turned).status, SolveStatus::kConverged);
  EXPECT_LE(LargestDistance(turned, (plain * R.transpose()).rowwise() + shift), 1e-6 * Diagonal(bar.mesh));
}

// The ends keep their x and slide freely; one node at each end, in its middle, keeps everything.
class SlidingEnds : public Projector {
 public:
  explicit SlidingEnds(const TetMesh& mesh, double length, double width) {
    for (const double end : {0.0, length}) {
      for (const int n : NodesBetween(mesh, 0, end - kTiny, end + kTiny)) {
        fixed_.push_back(3 * n);
        const Vector3d middle(end, width / 2, width / 2);
        if ((mesh.positions.row(n).transpose() - middle).norm() < kTiny) {
          fixed_.insert(fixed_.end(), {3 * n + 1, 3 * n + 2});
        }
        // One more, against turning around x.
        if ((mesh.positions.row(n).transpose() - Vector3d(end, 0, width / 2)).norm() < kTiny) {
          fixed_.push_back(3 * n + 2);
        }
      }
    }
  }
  void Apply(VectorXd& v) const override {
    for (const int i : fixed_) v[i] = 0;
  }

 private:
  std::vector<int> fixed_;
};

// The stretch across a bar at which nothing pulls sideways, by bisection of the material's own stress.
double StretchAcross(const StableNeoHookean& material, double along) {
  double low = 0.3, high = 2;
  for (int i = 0; i < 80; ++i) {
    const double middle = 0.5 * (low + high);
    const Eigen::Matrix3d F = Vector3d(along, middle, middle).asDiagonal();
    (material.Stress(F)(1, 1) < 0 ? low : high) = middle;
  }
  return low;
}

TEST(QuasiStatic, AStretchedBarIsTheKnownSolution) {
  const double width = 0.2, length = 0.6;
  const TetMesh mesh = Bar({6, 2, 2}, 0.1);
  for (const double poisson : {0.0, 0.3, 0.47}) {
    const Elasticity elasticity{.young = 5e3, .poisson = poisson};
    const QuasiStaticSolver solver(mesh, elasticity, {.step_tolerance = 1e-9});
    const StableNeoHookean material = StableNeoHookean::FromYoungPoisson(5e3, poisson);
    for (const double along : {0.7, 1.2, 1.8}) {
      // Starts without the sideways part.
      Nodes x = mesh.positions;
      x.col(0) *= along;
      const SolveReport report = solver.Solve(SlidingEnds(mesh, length, width), nullptr, x);
      EXPECT_EQ(report.status, SolveStatus::kConverged);
      ExpectFalling(report);
      const double across = StretchAcross(material, along);
      Nodes expected = mesh.positions;
      expected.col(0) *= along;
      for (const int k : {1, 2}) expected.col(k) = (expected.col(k).array() - width / 2) * across + width / 2;
      EXPECT_LE(LargestDistance(x, expected), 1e-6 * length) << poisson << " " << along;
      const Eigen::Matrix3d F = Vector3d(along, across, across).asDiagonal();
      EXPECT_NEAR(report.energies.back(), material.Energy(F) * width * width * length,
                  1e-9 * std::abs(report.energies[0]));
    }
  }
}

// How far a cantilever's tip sinks under a small load, over what Timoshenko's beam does.
double Sinking(int cubes_across, const Elasticity& elasticity) {
  const double width = 0.2, length = 1, load = 0.02;
  const TetMesh mesh = Bar({5 * cubes_across, cubes_across, cubes_across}, width / cubes_across);
  const std::vector<int> tip = NodesBetween(mesh, 0, length - kTiny, length + kTiny);
  Nodes forces = Nodes::Zero(mesh.node_count(), 3);
  for (const int n : tip) forces(n, 1) = -load / static_cast<double>(tip.size());
  Nodes x = mesh.positions;
  const QuasiStaticSolver solver(mesh, elasticity, {.step_tolerance = 1e-7});
  const SolveReport report = solver.Solve(PinnedNodes(NodesBetween(mesh, 0, -kTiny, kTiny)), &forces, x);
  EXPECT_EQ(report.status, SolveStatus::kConverged);
  ExpectFalling(report);
  double sinking = 0;
  for (const int n : tip) sinking += (mesh.positions(n, 1) - x(n, 1)) / static_cast<double>(tip.size());
  const double I = std::pow(width, 4) / 12, shear = elasticity.young / (2 * (1 + elasticity.poisson));
  return sinking /
         (load * std::pow(length, 3) / (3 * elasticity.young * I) + load * length / (5.0 / 6 * shear * width * width));
}

// Linear tetrahedra are too stiff in bending, the less the smaller they are.
TEST(QuasiStatic, ACantileverComesToTheBeamAsItIsRefined) {
  const Elasticity elasticity{.young = 1e4, .poisson = 0.3};
  const double coarse = Sinking(1, elasticity), middle = Sinking(2, elasticity), fine = Sinking(4, elasticity);
  EXPECT_GT(coarse, 0.5);
  EXPECT_GT(middle, coarse + 0.1);
  EXPECT_GT(fine, middle + 0.05);
  EXPECT_GT(fine, 0.92);
  EXPECT_LT(fine, 1.02);
}

TEST(QuasiStatic, VolumesKeptByNodesLockLess) {
  for (const double poisson : {0.47, 0.499}) {
    const double by_nodes = Sinking(2, {.young = 1e4, .poisson = poisson, .tet_poisson = 0.3});
    const double by_tets = Sinking(2, {.young = 1e4, .poisson = poisson, .tet_poisson = 0.5});
    EXPECT_GT(by_nodes, by_tets * 1.01);
    EXPECT_LT(by_nodes, 1);
  }
}

TEST(QuasiStatic, ABentBarKeepsItsVolume) {
  for (const int cubes : {1, 2, 3}) {
    const BentBar bar(cubes, kPi / 3);
    const QuasiStaticSolver solver(bar.mesh, {.young = 1e4, .poisson = 0.47});
    Nodes x = bar.start;
    const SolveReport report = solver.Solve(PinnedNodes(bar.pins), nullptr, x);
    EXPECT_EQ(report.status, SolveStatus::kConverged);
    EXPECT_EQ(report.inverted_tets, 0);
    ExpectFalling(report);
    EXPECT_NEAR(SignedVolume(TetMesh{x, bar.mesh.tets}), SignedVolume(bar.mesh), 0.02 * SignedVolume(bar.mesh));
  }
}

// What "converged" promises, on a rod so soft that coarse linear solves stop before its tip has moved (without the
// last, fine one it would be 2e-3 off).
TEST(QuasiStatic, ConvergedMeansNearTheMinimum) {
  const double length = 4.8;
  const TetMesh mesh = Bar({24, 1, 1}, 0.2);
  const PinnedNodes pins(NodesBetween(mesh, 0, -kTiny, kTiny));
  Nodes forces = Nodes::Zero(mesh.node_count(), 3);
  for (const int n : NodesBetween(mesh, 0, length - kTiny, length + kTiny)) forces(n, 1) = -0.004;
  Nodes x = mesh.positions;
  const SolveReport report = QuasiStaticSolver(mesh, {}).Solve(pins, &forces, x);
  EXPECT_EQ(report.status, SolveStatus::kConverged);
  ExpectFalling(report);
  Nodes exact = x;
  const QuasiStaticOptions fine{.step_tolerance = 1e-8, .cg_tolerance = 1e-8, .last_cg_tolerance = 1e-8};
  EXPECT_EQ(QuasiStaticSolver(mesh, {}, fine).Solve(pins, &forces, exact).status, SolveStatus::kConverged);
  EXPECT_GT(LargestDistance(exact, mesh.positions), 0.05 * length);
  EXPECT_LE(LargestDistance(x, exact), 1e-4 * length);
}

TEST(QuasiStatic, IsTheSameWhateverTheThreads) {
  const BentBar bar(2, kPi / 3);
  const QuasiStaticSolver solver(bar.mesh, {});
  const auto solve = [&](int threads) {
    SetThreads(threads);
    Nodes x = bar.start;
    solver.Solve(PinnedNodes(bar.pins), nullptr, x);
    SetThreads(0);
    return x;
  };
  EXPECT_EQ(solve(1), solve(3));
}

// Two bones skin the bar; what they can do is taken from the solution, the rest is solved for.
TEST(QuasiStatic, LeavesASkinningSubspaceAlone) {
  const TetMesh mesh = Bar({6, 2, 2}, 0.1);
  std::vector<Eigen::Triplet<double>> entries;
  for (int n = 0; n < mesh.node_count(); ++n) {
    const double weight = std::clamp(mesh.positions(n, 0) / 0.6, 0.0, 1.0);
    const Eigen::Vector4d h(mesh.positions(n, 0), mesh.positions(n, 1), mesh.positions(n, 2), 1);
    for (int bone = 0; bone < 2; ++bone) {
      for (int i = 0; i < 4; ++i) entries.emplace_back(n, 4 * bone + i, (bone ? weight : 1 - weight) * h[i]);
    }
  }
  Eigen::SparseMatrix<double> B(mesh.node_count(), 8);
  B.setFromTriplets(entries.begin(), entries.end());

  // A skinned start: the second bone turned by 50 degrees.
  const Eigen::Matrix3d R = Eigen::AngleAxisd(0.9, Vector3d::UnitZ()).toRotationMatrix();
  Nodes x = mesh.positions;
  for (int n = 0; n < mesh.node_count(); ++n) {
    const Vector3d p = mesh.positions.row(n).transpose(), pivot(0.3, 0.1, 0.1);
    const double weight = std::clamp(p[0] / 0.6, 0.0, 1.0);
    x.row(n) = ((1 - weight) * p + weight * (pivot + R * (p - pivot))).transpose();
  }
  const Nodes skinned = x;
  const QuasiStaticSolver solver(mesh, {});
  const SolveReport report = solver.Solve(NullSpace(B, 3), nullptr, x);
  EXPECT_EQ(report.status, SolveStatus::kConverged);
  EXPECT_GT(report.newton_steps, 1);
  ExpectFalling(report);
  const Nodes moved = x - skinned;
  EXPECT_GT(moved.norm(), 1e-3);
  EXPECT_LE((B.transpose() * moved).norm(), 1e-10 * moved.norm());
}

TEST(QuasiStatic, RefusesWhatItCannotUse) {
  const TetMesh mesh = Bar({1, 1, 1}, 1);
  const QuasiStaticSolver solver(mesh, {});
  Nodes few = mesh.positions.topRows(3), broken = mesh.positions;
  broken(2, 1) = NAN;
  EXPECT_THROW(solver.Solve(PinnedNodes({}), nullptr, few), UsageError);
  EXPECT_THROW(solver.Solve(PinnedNodes({}), nullptr, broken), UsageError);
  Nodes x = mesh.positions;
  EXPECT_THROW(solver.Solve(PinnedNodes({}), &few, x), UsageError);
  EXPECT_THROW(solver.Solve(PinnedNodes({}), &broken, x), UsageError);
}

}  // namespace
}  // namespace sinew::elasticity
