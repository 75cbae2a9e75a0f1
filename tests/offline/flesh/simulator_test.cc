#include "sinew/offline/flesh/simulator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/offline/character/posing.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/elasticity/rigid_collider.h"
#include "sinew/offline/flesh/core_bones.h"
#include "sinew/offline/flesh/flesh_lattice.h"
#include "sinew/offline/flesh/rest_skin.h"
#include "sinew/offline/mesh/measures.h"
#include "tests/offline/flesh/small_flesh.h"
#include "tests/support/flesh_arm.h"
#include "tests/support/mesh_families.h"

namespace sinew::flesh {
namespace {

using testing::BentArm;
using testing::FleshArm;

TEST(Simulator, RestIsAFixedPoint) {
  const Character arm = FleshArm();
  const FleshModel model(arm, Small());
  const FrameResult result = model.Solve(arm.skeleton.RestPose());
  EXPECT_TRUE(result.converged) << result.reason;
  EXPECT_LT(Furthest(result.parts[0], arm.parts[0].mesh.positions), 1e-6);
  EXPECT_NEAR(result.volume_ratio, 1, 1e-6);
}

TEST(Simulator, KeepsItsVolumeInABend) {
  const Character arm = FleshArm();
  const FleshModel model(arm, Small());
  const FrameResult result = model.Solve(BentArm(arm, 60));
  EXPECT_TRUE(result.converged) << result.reason;
  EXPECT_NEAR(result.volume_ratio, 1, 0.02);
  EXPECT_EQ(result.inverted_tets, 0);
}

// Weights that change within a small part of a cell, as at the elbows of many characters.
Character SharpArm() {
  Character arm = FleshArm();
  SkinWeights& weights = arm.parts[0].weights;
  for (int v = 0; v < arm.parts[0].mesh.vertex_count(); ++v) {
    const bool is_lower = arm.parts[0].mesh.positions(v, 0) > 0;
    weights.joints[2 * v] = is_lower;
    weights.joints[2 * v + 1] = !is_lower;
    weights.weights[2 * v] = 1;
    weights.weights[2 * v + 1] = 0;
  }
  return arm;
}

TEST(Simulator, NoFoldTurnsInsideOut) {
  for (const Character& arm : {FleshArm(), SharpArm()}) {
    const FleshModel model(arm, Small());
    EXPECT_EQ(model.Solve(arm.skeleton.RestPose()).inside_out, 0);
    for (const double degrees : {60, 100}) {
      const FrameResult result = model.Solve(BentArm(arm, degrees));
      EXPECT_TRUE(result.converged) << result.reason;
      EXPECT_LT(result.inside_out, 1e-3) << degrees;
      EXPECT_EQ(result.inverted_core, 0) << degrees;
    }
  }
}

// Two bones along X that meet at 0. Bent, what lies on the inner side is let go of, all else is held.
TEST(CoreBones, LetGoWhereAnotherBoneComesNearer) {
  const std::vector<CoreBone> rest = {{Eigen::Vector3d(-1, 0, 0), Eigen::Vector3d::Zero(), 0},
                                      {Eigen::Vector3d::Zero(), Eigen::Vector3d(1, 0, 0), 1}};
  Influences upper;
  upper.count = 1;
  upper.weights[0] = 1;
  const auto hold = [&](double degrees, double x, double y) {
    const Eigen::Affine3d bend(Eigen::AngleAxisd(degrees * EIGEN_PI / 180, Eigen::Vector3d::UnitZ()));
    const Eigen::Vector3d point(x, y, 0);
    return CoreHold(rest, MovedBones(rest, {Eigen::Affine3d::Identity(), bend}), upper, point, point);
  };
  for (const double x : {-0.5, -0.2, -0.01}) {
    for (const double y : {-0.3, 0.0, 0.3}) EXPECT_EQ(hold(0, x, y), 1);
    for (const double degrees : {30, 90, 150}) {
      EXPECT_EQ(hold(degrees, x, -0.3), 1);
      // Half of the angle between the bones is left on either side.
      const double middle = -x * std::tan(EIGEN_PI / 2 - degrees * EIGEN_PI / 360);
      EXPECT_EQ(hold(degrees, x, 0.99 * middle), 1);
      EXPECT_LT(hold(degrees, x, 1.01 * middle), 1);
    }
    EXPECT_EQ(hold(150, x, -x), 0);
  }
}

TEST(FleshLattice, BonesHoldWhatIsNearThemMostFirmly) {
  const Character arm = FleshArm();
  const RestSkin skin = CollectRestSkin(arm);
  const TriMesh& mesh = arm.parts[0].mesh;
  const FleshLattice lattice =
      BuildFleshLattice(mesh, skin.influences, arm.skeleton, skin.joints, {.tets = 1500, .fat = 0.03});
  // In the middle of a bone, from its axis to the core's surface.
  std::vector<std::pair<double, double>> firmness;
  for (const CorePoint& point : lattice.core) {
    if (std::abs(point.rest.x() + 0.2) < 0.1) firmness.emplace_back(point.rest.tail<2>().norm(), point.firmness);
  }
  std::sort(firmness.begin(), firmness.end());
  ASSERT_GT(firmness.size(), 10u);
  EXPECT_GT(firmness.front().second, 3);
  EXPECT_GT(firmness.back().second, 0);
  EXPECT_LT(firmness.back().second, 0.2);
}

// A disc two centimetres thick, with a bone across its middle, and a ball as wide.
TEST(FleshLattice, ThinPartsAreHeldInTheirMiddleFarFromBones) {
  const Character arm = FleshArm();
  const RestSkin skin = CollectRestSkin(arm);
  for (const float height : {0.01f, 0.3f}) {
    TriMesh mesh = testing::Sphere(48, 32);
    for (Eigen::Index v = 0; v < mesh.positions.rows(); ++v) {
      mesh.positions.row(v).array() *= Eigen::Array3f(0.3f, height, 0.3f).transpose();
    }
    Influences one;
    one.count = 1;
    one.weights[0] = 1;
    const std::vector<Influences> influences(mesh.vertex_count(), one);
    const FleshLattice lattice =
        BuildFleshLattice(mesh, influences, arm.skeleton, skin.joints, {.tets = 6000, .fat = 0.03});
    double far_firmness = 0;
    for (const CorePoint& point : lattice.core) {
      if (std::abs(point.rest.z()) > 0.15) far_firmness = std::max(far_firmness, point.firmness);
    }
    EXPECT_EQ(far_firmness > 2, height < 0.1f) << far_firmness;
  }
}

// Toes: the last cell and a half of something less than a cell thick, whose weights are another joint's.
TEST(FleshLattice, NodesAtAShortEndHaveTheWeightsOfItsSkin) {
  const Character arm = FleshArm();
  const RestSkin skin = CollectRestSkin(arm);
  TriMesh mesh = testing::Sphere(96, 64);
  for (Eigen::Index v = 0; v < mesh.positions.rows(); ++v) {
    mesh.positions.row(v).array() *= Eigen::Array3f(0.3f, 0.02f, 0.06f).transpose();
  }
  const double first_of_end = 0.23;
  std::vector<Influences> influences(mesh.vertex_count());
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    influences[v].count = 1;
    influences[v].joints[0] = mesh.positions(v, 0) > first_of_end;
    influences[v].weights[0] = 1;
  }
  const FleshLattice lattice =
      BuildFleshLattice(mesh, influences, arm.skeleton, skin.joints, {.tets = 500, .fat = 0.03});
  ASSERT_GT(lattice.cell_size, 0.04);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (mesh.positions(v, 0) < 0.28) continue;
    double weight = 0;
    for (int k = 0; k < 4; ++k) {
      const Influences& of_node = lattice.influences[lattice.mesh().tets(lattice.skin().tets[v], k)];
      for (int i = 0; i < of_node.count; ++i) {
        if (of_node.joints[i] == 1) weight += lattice.skin().weights(v, k) * of_node.weights[i];
      }
    }
    EXPECT_GT(weight, 0.8) << mesh.positions.row(v);
  }
}

// The lower half of the bar is pushed into the upper one.
TEST(Simulator, ACoreThatInvertsIsAFailedFrame) {
  const Character arm = FleshArm();
  FleshSettings settings = Small();
  settings.contact = false;
  Pose pose = arm.skeleton.RestPose();
  pose[1].translation.x = -0.3f;
  const FrameResult result = FleshModel(arm, settings).Solve(pose);
  EXPECT_FALSE(result.converged);
  EXPECT_GT(result.inverted_core, 0.01);
  EXPECT_NE(result.reason.find("core"), std::string::npos) << result.reason;
}

TEST(Simulator, TurnsWithTheWholeBody) {
  const Character arm = FleshArm();
  const FleshModel model(arm, Small());
  Pose pose = BentArm(arm, 80);
  const FrameResult straight = model.Solve(pose);
  const Eigen::Quaternionf turn(Eigen::AngleAxisf(1.1f, Eigen::Vector3f(1, 2, -1).normalized()));
  const Eigen::Vector3f shift(0.3f, -0.2f, 0.7f);
  const Eigen::Vector3f at = ToEigen(pose[0].translation);
  pose[0].translation = ToFloat3(turn * at + shift);
  pose[0].rotation = ToQuaternion(turn * ToEigen(pose[0].rotation));
  const FrameResult turned = model.Solve(pose);
  const Points expected = (straight.parts[0] * turn.toRotationMatrix().transpose()).rowwise() + shift.transpose();
  EXPECT_LT(Furthest(turned.parts[0], expected), 2e-4);
}

TEST(Simulator, DoesNotDependOnThreadsOrOtherFrames) {
  const Character arm = FleshArm();
  SetThreads(1);
  const FleshModel one(arm, Small());
  const Points alone = one.Solve(BentArm(arm, 70)).parts[0];
  SetThreads(0);
  const FleshModel model(arm, Small());
  std::vector<Points> shapes(4);
  ParallelFor(4, 1, [&](int i) { shapes[i] = model.Solve(BentArm(arm, i % 2 == 0 ? 70 : 20)).parts[0]; });
  EXPECT_EQ(shapes[0], alone);
  EXPECT_EQ(shapes[2], alone);
}

// As the fingers of a whole body: what is much thinner than a cell goes where its bones are.
TEST(Simulator, PartsMuchThinnerThanACellFollowTheirBones) {
  const Character arm = FleshArm(0.03f);
  FleshSettings settings = Small();
  settings.tets = 50;
  const FleshModel model(arm, settings);
  ASSERT_GT(model.report().cell_size, 0.15);
  ASSERT_EQ(model.report().follows_bones.size(), 2u);
  EXPECT_EQ(model.report().follows_bones[1].joint, arm.skeleton.joints[1].name);
  EXPECT_GT(model.report().follows_bones[1].vertices, 50);
  EXPECT_TRUE(FleshModel(FleshArm(), Small()).report().follows_bones.empty());
  const Pose pose = BentArm(arm, 60);
  const Points moved = model.Solve(pose).parts[0];
  const Points skinned = Poser(arm, {.method = SkinMethod::kDualQuaternion}).Evaluate(pose).parts[0].positions;
  int compared = 0;
  for (int v = 0; v < arm.parts[0].mesh.vertex_count(); ++v) {
    // The round ends are thick along the bar.
    if (std::abs(arm.parts[0].mesh.positions(v, 0)) > 0.2f) continue;
    EXPECT_LT((moved.row(v) - skinned.row(v)).norm(), 0.02 * model.report().cell_size);
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

TEST(Simulator, RigidPiecesFollowTheirJoint) {
  Character arm = FleshArm();
  Part button = arm.parts[0];
  button.name = "button";
  button.mesh = testing::Moved(testing::Sphere(8, 4), {0.3f, 0.13f, 0}, 0.02f);
  button.weights = {.influences = 1,
                    .joints = std::vector<uint16_t>(button.mesh.vertex_count(), 1),
                    .weights = std::vector<float>(button.mesh.vertex_count(), 1)};
  arm.parts.push_back(button);
  const FleshModel model(arm, Small());
  ASSERT_EQ(model.report().pieces.size(), 2u);
  EXPECT_EQ(model.report().pieces[0].role, Role::kFlesh);
  EXPECT_EQ(model.report().pieces[1].part, "button");
  EXPECT_EQ(model.report().pieces[1].role, Role::kRigid);
  const Points moved = model.Solve(BentArm(arm, 90)).parts[1];
  // A quarter turn about the middle.
  for (int v = 0; v < button.mesh.vertex_count(); ++v) {
    const Eigen::RowVector3f p = button.mesh.positions.row(v);
    EXPECT_LT((moved.row(v) - Eigen::RowVector3f(-p.y(), p.x(), p.z())).norm(), 1e-5);
  }
}

// Two bars side by side, hardly apart.
TEST(Simulator, SkinThatIsCloseAtRestIsListedAndStays) {
  Character arm = FleshArm();
  EXPECT_TRUE(FleshModel(arm, Small()).report().close_at_rest.empty());
  arm.parts.push_back(arm.parts[0]);
  arm.parts[1].mesh = testing::Moved(arm.parts[1].mesh, {0, 0.244f, 0}, 1);
  const FleshModel model(arm, Small());
  ASSERT_FALSE(model.report().close_at_rest.empty());
  double least = 1;
  for (const CloseSkin& close : model.report().close_at_rest) {
    EXPECT_LE(close.joint, close.other);
    EXPECT_GT(close.points, 0);
    least = std::min(least, close.gap);
  }
  EXPECT_NEAR(least, 0.004, 5e-4);
  const FrameResult result = model.Solve(arm.skeleton.RestPose());
  EXPECT_TRUE(result.converged) << result.reason;
  EXPECT_LT(Furthest(result.parts[0], arm.parts[0].mesh.positions), 1e-6);
}

TEST(RigidCollider, IsTheSignedDistance) {
  const TriMesh ball = testing::Moved(testing::Sphere(64, 32), {0.1f, 0.2f, 0.3f}, 0.5f);
  const Eigen::Vector3d centre(0.1, 0.2, 0.3);
  for (const TriMesh& mesh : {ball, testing::InsideOut(ball)}) {
    const elasticity::MeshCollider collider(mesh);
    for (const double from : {0.05, 0.3, 0.45, 0.55, 0.7, 2.0}) {
      const Eigen::Vector3d out = Eigen::Vector3d(1, -2, from).normalized();
      const auto found = collider.Find(centre + from * out, 0.25);
      ASSERT_EQ(found.has_value(), from < 0.75);
      if (!found) continue;
      EXPECT_NEAR(found->gap, from - 0.5, 5e-3);
      EXPECT_GT(found->normal.dot(out), 0.9);
      EXPECT_LT((found->point + found->gap * found->normal - centre - from * out).norm(), 1e-5);
    }
  }
  TriMesh floor;
  floor.positions.resize(3, 3);
  floor.positions << 0, 0, 5, 5, 0, -5, -5, 0, -5;
  floor.triangles.resize(1, 3);
  floor.triangles << 0, 1, 2;
  const elasticity::MeshCollider open(floor);
  EXPECT_NEAR(open.Find({0.1, 0.2, 0}, 1)->gap, 0.2, 1e-6);
  EXPECT_NEAR(open.Find({0.1, -3, 0}, 1)->gap, -3, 1e-6);
  EXPECT_FALSE(open.Find({0.1, 3, 0}, 1).has_value());
  EXPECT_THROW(elasticity::MeshCollider(TriMesh{}), Error);
}

// Of a ball, in a box around it.
DistanceGrid BallGrid(const Eigen::Vector3d& centre, double radius, int count) {
  DistanceGrid grid{.counts = Eigen::Array3i::Constant(count), .distances = {}};
  grid.origin = centre.array() - 1.6 * radius;
  grid.spacing.setConstant(3.2 * radius / (count - 1));
  for (int i = 0; i < count * count * count; ++i) {
    const Eigen::Vector3d at =
        grid.origin + Eigen::Vector3d(i / (count * count), i / count % count, i % count).cwiseProduct(grid.spacing);
    grid.distances.push_back(static_cast<float>((at - centre).norm() - radius));
  }
  return grid;
}

TEST(RigidCollider, IsTheDistanceOfAGrid) {
  const Eigen::Vector3d centre(0.1, 0.2, 0.3);
  const elasticity::GridCollider collider(BallGrid(centre, 0.5, 41));
  for (const double from : {0.2, 0.45, 0.5, 0.55, 0.7, 2.0}) {
    const Eigen::Vector3d out = Eigen::Vector3d(1, -2, from).normalized();
    const auto found = collider.Find(centre + from * out, 0.15);
    ASSERT_EQ(found.has_value(), from < 0.65);
    if (!found) continue;
    EXPECT_NEAR(found->gap, from - 0.5, 2e-3);
    EXPECT_GT(found->normal.dot(out), 0.99);
    EXPECT_LT((found->point + found->gap * found->normal - centre - from * out).norm(), 1e-12);
  }
  // Cut off: there is no way out.
  DistanceGrid flat = BallGrid(centre, 0.5, 11);
  std::fill(flat.distances.begin(), flat.distances.end(), -1);
  EXPECT_FALSE(elasticity::GridCollider(flat).Find(centre, 1).has_value());
}

TEST(Simulator, FleshStaysOutOfColliders) {
  const Character arm = FleshArm();
  const TriMesh below = testing::Moved(testing::Sphere(24, 16), {-0.25f, -0.2f, 0}, 0.1f);
  const auto inside = [&](const Points& skin) {
    double deepest = 0;
    for (Eigen::Index v = 0; v < skin.rows(); ++v) {
      deepest = std::max<double>(deepest, 0.1 - (skin.row(v) - Eigen::RowVector3f(-0.25f, -0.2f, 0)).norm());
    }
    return deepest;
  };
  FleshSettings settings = Small();
  EXPECT_GT(inside(arm.parts[0].mesh.positions), 0.015);
  settings.colliders = {{.shape = below}};
  const FrameResult pressed = FleshModel(arm, settings).Solve(BentArm(arm, 20));
  EXPECT_TRUE(pressed.converged) << pressed.reason;
  EXPECT_GT(pressed.collider_contacts, 0);
  EXPECT_LT(inside(pressed.parts[0]), 0.004);
  // One that nothing comes near changes nothing, one that the bones are deep inside of fails.
  settings.colliders = {{.shape = testing::Moved(below, {0, -5, 0}, 1)}};
  EXPECT_EQ(FleshModel(arm, settings).Solve(BentArm(arm, 20)).parts[0],
            FleshModel(arm, Small()).Solve(BentArm(arm, 20)).parts[0]);
  settings.colliders = {{.shape = testing::Moved(testing::Sphere(24, 16), {-0.25f, -0.16f, 0}, 0.2f)}};
  const FrameResult within = FleshModel(arm, settings).Solve(BentArm(arm, 20));
  EXPECT_NE(within.reason.find("collider"), std::string::npos) << within.reason;
  settings.contact = false;
  EXPECT_THROW(FleshModel(arm, settings), UsageError);
}

// Skin that follows its bones, because it is thin for the cells, gives way all the same.
TEST(Simulator, ThinPartsStayOutOfColliders) {
  const Character arm = FleshArm(0.03f);
  const Eigen::RowVector3f centre(-0.25f, -0.12f, 0);
  FleshSettings settings = Small();
  settings.tets = 200;
  settings.colliders = {{.shape = testing::Moved(testing::Sphere(48, 32), centre.transpose(), 0.1f)}};
  const FrameResult pressed = FleshModel(arm, settings).Solve(arm.skeleton.RestPose());
  EXPECT_TRUE(pressed.converged) << pressed.reason;
  const auto inside = [&](const Points& skin) { return 0.1 - (skin.rowwise() - centre).rowwise().norm().minCoeff(); };
  EXPECT_GT(inside(arm.parts[0].mesh.positions), 0.008);
  EXPECT_LT(inside(pressed.parts[0]), 0.003);
}

Pose Lifted(Pose pose, double by) {
  pose[0].translation.y += static_cast<float>(by);
  return pose;
}

TEST(Simulator, CollidersAreGridsOrMovePartsOfTheBody) {
  const Character arm = FleshArm();
  const Eigen::Vector3d centre(-0.25, -0.2, 0);
  FleshSettings settings = Small();
  settings.colliders = {{.shape = testing::Moved(testing::Sphere(48, 32), centre.cast<float>(), 0.1f)}};
  const FrameResult by_mesh = FleshModel(arm, settings).Solve(BentArm(arm, 20));
  settings.colliders = {{.shape = BallGrid(centre, 0.1, 61), .joint = 0}};
  const FleshModel model(arm, settings);
  const FrameResult by_grid = model.Solve(BentArm(arm, 20)), lifted = model.Solve(Lifted(BentArm(arm, 20), 0.5));
  EXPECT_TRUE(by_grid.converged) << by_grid.reason;
  EXPECT_GT(by_grid.collider_contacts, 0);
  EXPECT_LT(Furthest(by_grid.parts[0], by_mesh.parts[0]), 5e-3);
  EXPECT_EQ(lifted.collider_contacts, by_grid.collider_contacts);
  EXPECT_LT(Furthest(lifted.parts[0].rowwise() - Eigen::RowVector3f(0, 0.5f, 0), by_grid.parts[0]), 1e-4);
  settings.colliders[0].joint = 7;
  EXPECT_THROW(FleshModel(arm, settings), UsageError);
}

// What is no thicker than the fat would be on a body, such as a finger, hardly swings: but for its tips, through which
// the way along it is long.
TEST(FleshClip, ThinPartsDoNotSwing) {
  const Character arm = FleshArm(0.05f);
  std::vector<double> swinging;
  for (const double fat : {0.03, 0.2}) {
    FleshSettings settings = Small();
    settings.fat = fat;
    const FleshModel model(arm, settings);
    FleshClip clip(model, {});
    for (const double by : {0.0, 0.0, 0.05}) clip.Next(Lifted(arm.skeleton.RestPose(), by));
    swinging.push_back(clip.kinetic_energy());
  }
  EXPECT_LT(swinging[1], 0.3 * swinging[0]);
}

// Bones that fall with the flesh do not move it, nor do bones at rest without gravity.
TEST(FleshClip, FreeFallIsRest) {
  const Character arm = FleshArm();
  const FleshModel model(arm, Small());
  DynamicsSettings falling{.gravity_model = {0, -9.81, 0}};
  FleshClip clip(model, falling), still(model, {});
  const double h = falling.seconds;
  double from_start = 0, speed = 0;
  for (int f = 0; f < 8; ++f) {
    const Points skin = clip.Next(Lifted(arm.skeleton.RestPose(), from_start)).parts[0];
    const Points expected = arm.parts[0].mesh.positions.rowwise() + Eigen::RowVector3f(0, from_start, 0);
    EXPECT_LT(Furthest(skin, expected), 1e-5) << f;
    EXPECT_LT(Furthest(still.Next(arm.skeleton.RestPose()).parts[0], arm.parts[0].mesh.positions), 1e-6);
    speed -= 9.81 * h;
    from_start += h * speed;
  }
}

// Bones that are lifted ever faster do to flesh what gravity does. It begins a frame later: in the first step flesh
// moves with its bones.
TEST(FleshClip, AccelerationIsGravity) {
  const Character arm = FleshArm();
  const FleshModel model(arm, Small());
  FleshClip heavy(model, {.gravity_model = {0, -9.81, 0}}), lifted(model, {});
  const double h = DynamicsSettings{}.seconds;
  double at = 0, speed = 0;
  for (int f = 0; f < 7; ++f) {
    const Points weighed = heavy.Next(arm.skeleton.RestPose()).parts[0];
    Points moved = lifted.Next(Lifted(arm.skeleton.RestPose(), at)).parts[0];
    moved.col(1).array() -= static_cast<float>(at);
    EXPECT_LT(Furthest(weighed, moved), 2e-4) << f;
    if (f > 2) {
      EXPECT_GT(Furthest(weighed, arm.parts[0].mesh.positions), 1e-3);
    }
    if (f > 0) speed += 9.81 * h;
    at += h * speed;
  }
}

// A swing that stops: flesh overshoots, loses energy at every step and comes to rest where quasi-static flesh is.
TEST(FleshClip, ComesToRest) {
  const Character arm = FleshArm();
  const FleshModel model(arm, Small());
  FleshClip clip(model, {});
  for (const double degrees : {0, 12, 24, 36}) EXPECT_TRUE(clip.Next(BentArm(arm, degrees)).converged);
  const FrameResult rest = model.Solve(BentArm(arm, 36));
  FrameResult result = clip.Next(BentArm(arm, 36));
  EXPECT_GT(Furthest(result.parts[0], rest.parts[0]), 0.02);
  EXPECT_GT(clip.kinetic_energy(), 0.05 * rest.energy);
  for (int f = 0; f < 30; ++f) {
    const double before = result.energy + clip.kinetic_energy();
    result = clip.Next(BentArm(arm, 36));
    EXPECT_TRUE(result.converged) << result.reason;
    EXPECT_LT(result.energy + clip.kinetic_energy(), before * (1 + 1e-5)) << f;
  }
  EXPECT_NEAR(result.energy, rest.energy, 1e-3 * rest.energy);
  EXPECT_LT(clip.kinetic_energy(), 1e-3 * rest.energy);
}

TEST(FleshClip, BeginsAnewAfterAFailedFrame) {
  const Character arm = FleshArm();
  const FleshModel model(arm, Small());
  FleshClip clip(model, {});
  clip.Next(BentArm(arm, 0));
  clip.Next(BentArm(arm, 20));
  Pose broken = BentArm(arm, 30);
  broken[1].rotation.x = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(clip.Next(broken).converged);
  EXPECT_EQ(clip.Next(BentArm(arm, 40)).parts[0], model.Solve(BentArm(arm, 40)).parts[0]);
  EXPECT_THROW(FleshClip(model, {.seconds = 0}), UsageError);
}

TEST(Simulator, CharactersWithoutFleshAreSkinned) {
  Character arm = FleshArm();
  SkinWeights& weights = arm.parts[0].weights;
  for (size_t slot = 0; slot < weights.weights.size(); ++slot) weights.weights[slot] = slot % 2 == 0 ? 1.0f : 0.0f;
  const FleshModel model(arm, Small());
  EXPECT_FALSE(model.report().has_flesh());
  ASSERT_EQ(model.report().warnings.size(), 1u);
  EXPECT_NE(model.report().warnings[0].find("nothing of it is flesh"), std::string::npos);
  const Pose pose = BentArm(arm, 70);
  const FrameResult result = model.Solve(pose);
  EXPECT_TRUE(result.converged);
  EXPECT_LT((result.parts[0] - PoseCharacter(arm, pose).parts[0].positions).cwiseAbs().maxCoeff(), 1e-6);
  FleshClip clip(model, {});
  EXPECT_EQ(clip.Next(pose).parts[0], result.parts[0]);
  EXPECT_EQ(clip.Next(pose).parts[0], result.parts[0]);
}

TEST(Simulator, ScalesOfJointsAreInTheShape) {
  const Character arm = FleshArm();
  const FleshModel model(arm, Small());
  const Pose bent = BentArm(arm, 60);
  Pose grown = bent;
  grown[0].scale = {2, 2, 2};
  // All of it is twice as large about the first joint.
  const Eigen::RowVector3f centre(arm.skeleton.joints[0].rest.translation.x, 0, 0);
  const Points plain = model.Solve(bent).parts[0], large = model.Solve(grown).parts[0];
  EXPECT_LT(Furthest(large, (2 * (plain.rowwise() - centre)).rowwise() + centre), 1e-5);
  FleshClip clip(model, {});
  EXPECT_EQ(clip.Next(grown).parts[0], large);
}

TEST(Simulator, OpenAndInsideOutSkinsWorkWithAWarning) {
  Character open = FleshArm();
  open.parts[0].mesh.triangles.conservativeResize(open.parts[0].mesh.triangle_count() - 40, 3);
  Character inside_out = FleshArm();
  inside_out.parts[0].mesh = testing::InsideOut(inside_out.parts[0].mesh);
  for (const Character& character : {open, inside_out}) {
    const FleshModel model(character, Small());
    EXPECT_EQ(model.report().warnings.size(), 1u);
    EXPECT_TRUE(model.Solve(BentArm(character, 45)).converged);
  }
}

TEST(Simulator, BadInputIsToldInASentence) {
  const Character arm = FleshArm();
  const FleshModel model(arm, Small());
  EXPECT_THROW(model.Solve(Pose(3)), UsageError);
  Pose broken = BentArm(arm, 10);
  broken[1].rotation.x = std::numeric_limits<float>::quiet_NaN();
  const FrameResult result = model.Solve(broken);
  EXPECT_FALSE(result.converged);
  EXPECT_FALSE(result.reason.empty());
  EXPECT_TRUE(result.parts[0].allFinite());
  Character bare = arm;
  bare.parts[0].weights = {};
  EXPECT_THROW(FleshModel(bare, Small()), InputError);
  EXPECT_THROW(QualityNamed("best"), UsageError);
  FleshSettings settings = Small();
  settings.fat = -1;
  EXPECT_THROW(FleshModel(arm, settings), UsageError);
}

}  // namespace
}  // namespace sinew::flesh
