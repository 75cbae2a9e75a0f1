#include "sinew/offline/anatomy/roles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/core/error.h"
#include "tests/support/flesh_arm.h"
#include "tests/support/mesh_families.h"

namespace sinew {
namespace {

using ::testing::HasSubstr;

// The share of the lower joint of the flesh arm at x, as a linear ramp around the elbow.
float LowerShare(float x) { return std::clamp(0.5f + 2 * x, 0.0f, 1.0f); }

// A part that bends with the flesh arm.
Part Bending(const std::string& name, const TriMesh& mesh) {
  Part part;
  part.name = name;
  part.mesh = mesh;
  part.skin = 0;
  part.weights.influences = 2;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const float lower = LowerShare(mesh.positions(v, 0));
    const bool is_lower = lower > 0.5f;
    const auto strong = static_cast<uint16_t>(is_lower), weak = static_cast<uint16_t>(!is_lower);
    part.weights.joints.insert(part.weights.joints.end(), {strong, weak});
    part.weights.weights.insert(part.weights.weights.end(),
                                {is_lower ? lower : 1 - lower, is_lower ? 1 - lower : lower});
  }
  return part;
}

// A part on the upper joint whose first `blended` vertices move half with the lower one.
Part Stiff(const std::string& name, const TriMesh& mesh, int blended) {
  Part part = Bending(name, mesh);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    part.weights.joints[2 * v] = 0;
    part.weights.joints[2 * v + 1] = 1;
    part.weights.weights[2 * v] = v < blended ? 0.5f : 1.0f;
    part.weights.weights[2 * v + 1] = v < blended ? 0.5f : 0.0f;
  }
  return part;
}

// An open tube around the arm's middle.
TriMesh Sleeve(float radius) {
  TriMesh mesh = testing::Cylinder(24, 12);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const Eigen::RowVector3f p = mesh.positions.row(v);
    mesh.positions.row(v) << 0.2f * p.z(), radius * p.x(), radius * p.y();
  }
  return mesh;
}

Roles RolesOf(const Character& character, const std::vector<GivenRole>& given = {}) {
  return FindRoles(character, CollectRestSurface(character), given);
}

TEST(Roles, ABodyIsFleshWhicheverWayItFaces) {
  Character arm = testing::FleshArm();
  for (int turn = 0; turn < 2; ++turn) {
    const Roles roles = RolesOf(arm);
    ASSERT_EQ(roles.pieces.size(), 1u);
    EXPECT_EQ(roles.pieces[0].role, Role::kFlesh) << roles.pieces[0].reason;
    EXPECT_EQ(roles.pieces[0].faces_inwards, turn == 1);
    EXPECT_EQ(roles.Share(Role::kFlesh), 1);
    arm.parts[0].mesh = testing::InsideOut(arm.parts[0].mesh);
  }
}

TEST(Roles, AnOpenBodyThatIsInsideOutIsFlesh) {
  Character arm = testing::FleshArm();
  arm.parts[0] = Bending("tube", testing::InsideOut(Sleeve(0.12f)));
  const Roles roles = RolesOf(arm);
  EXPECT_EQ(roles.pieces[0].role, Role::kFlesh) << roles.pieces[0].reason;
  EXPECT_TRUE(roles.pieces[0].faces_inwards);
}

TEST(Roles, ClothesOverABodyAreLayersOfOneSheetOrTwo) {
  Character arm = testing::FleshArm();
  arm.parts.push_back(Bending("shirt", Sleeve(0.13f)));
  // A lining: the sleeve's two sides, joined at their ends by nothing but nearness.
  arm.parts.push_back(Bending("coat", testing::Merge(Sleeve(0.15f), testing::InsideOut(Sleeve(0.148f)))));
  const Roles roles = RolesOf(arm);
  ASSERT_EQ(roles.pieces.size(), 4u);
  EXPECT_EQ(roles.pieces[0].role, Role::kFlesh) << roles.pieces[0].reason;
  EXPECT_EQ(roles.pieces[1].role, Role::kLayer) << roles.pieces[1].reason;
  EXPECT_EQ(roles.pieces[2].role, Role::kLayer) << roles.pieces[2].reason;
  EXPECT_NE(roles.pieces[3].role, Role::kFlesh) << roles.pieces[3].reason;
}

TEST(Roles, WhatOnlyPassesOverABodyIsNoLayer) {
  // Below it lies the arm, but it moves with the other joint.
  Character arm = testing::FleshArm();
  TriMesh card = testing::Grid(8, 8);
  for (int v = 0; v < card.vertex_count(); ++v) {
    const Eigen::RowVector3f p = card.positions.row(v);
    card.positions.row(v) << 0.25f + 0.2f * p.x(), 0.14f, 0.1f - 0.2f * p.y();
  }
  arm.parts.push_back(Stiff("card", card, card.vertex_count() / 2));
  for (int v = 0; v < card.vertex_count() / 2; ++v) {
    arm.parts[1].weights.weights[2 * v] = 0.9f;
    arm.parts[1].weights.weights[2 * v + 1] = 0.1f;
  }
  EXPECT_EQ(RolesOf(arm).pieces[1].role, Role::kThin);
}

TEST(Roles, SheetsThatHangFreelyAreThin) {
  Character arm = testing::FleshArm();
  TriMesh card = testing::Grid(8, 8);
  for (int v = 0; v < card.vertex_count(); ++v) {
    const Eigen::RowVector3f p = card.positions.row(v);
    card.positions.row(v) << 0.4f * p.x() - 0.2f, 0.4f + 0.2f * p.y(), 0;
  }
  arm.parts.push_back(Bending("cape", card));
  const Roles roles = RolesOf(arm);
  EXPECT_EQ(roles.pieces[1].role, Role::kThin) << roles.pieces[1].reason;
  EXPECT_NEAR(roles.Share(Role::kFlesh) + roles.Share(Role::kThin), 1, 1e-12);
}

TEST(Roles, RigidIsWhatHasBlendedWeightsOnAtMostATwentieth) {
  const TriMesh ball = testing::Moved(testing::Sphere(20, 10), {-0.3f, 0.3f, 0}, 0.1f);
  const int points = ball.vertex_count();
  for (const auto& [blended, role] :
       {std::pair{0, Role::kRigid}, std::pair{points / 20, Role::kRigid}, std::pair{points / 10, Role::kFlesh}}) {
    Character arm = testing::FleshArm();
    arm.parts.push_back(Stiff("ball", ball, blended));
    EXPECT_EQ(RolesOf(arm).pieces[1].role, role) << blended << " of " << points;
  }
}

TEST(Roles, PatchesThatTogetherCloseASkinAreFlesh) {
  Character arm = testing::FleshArm();
  TriMesh patches = testing::Unwelded(arm.parts[0].mesh);
  for (int t = 0; t < patches.triangle_count(); ++t) {
    const Eigen::RowVector3f centre = patches.positions.middleRows(3 * t, 3).colwise().mean();
    for (int k = 0; k < 3; ++k) {
      patches.positions.row(3 * t + k) = centre + 0.98f * (patches.positions.row(3 * t + k) - centre);
    }
  }
  arm.parts[0] = Bending("skin", patches);
  const Roles roles = RolesOf(arm);
  int flesh = 0;
  for (const Piece& piece : roles.pieces) flesh += piece.role == Role::kFlesh;
  EXPECT_TRUE(roles.Has(Role::kFlesh));
  EXPECT_GT(flesh, static_cast<int>(roles.pieces.size()) / 4);
}

TEST(Roles, TheUserSaysBetter) {
  Character arm = testing::FleshArm();
  arm.parts.push_back(Bending("shirt", Sleeve(0.13f)));
  EXPECT_EQ(RolesOf(arm, {{"shirt", Role::kRigid}}).pieces[1].role, Role::kRigid);
  arm.parts[1].role = "thin";
  EXPECT_EQ(RolesOf(arm).pieces[1].role, Role::kThin);
  EXPECT_EQ(RolesOf(arm, {{"shirt", Role::kLayer}}).pieces[1].role, Role::kLayer);
  try {
    RolesOf(arm, {{"shoe", Role::kLayer}});
    FAIL() << "a part that is not there";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("part \"shoe\""));
    EXPECT_THAT(error.what(), HasSubstr("skin, shirt"));
  }
  arm.parts[1].role = "cloth";
  try {
    RolesOf(arm);
    FAIL() << "a role that does not exist";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("part shirt"));
    EXPECT_THAT(error.what(), HasSubstr("flesh, layer, thin, rigid"));
  }
}

TEST(Roles, TextHoldsThem) {
  const std::vector<GivenRole> given = {{"Hair", Role::kThin}, {"a = b", Role::kRigid}};
  EXPECT_EQ(ParseRoles(TextOf(given)), given);
  EXPECT_EQ(ParseRoles(" Hair = thin ,\n a = b=rigid,"), given);
  EXPECT_TRUE(ParseRoles("").empty());
  EXPECT_THROW(ParseRoles("Hair"), UsageError);
  EXPECT_THROW(ParseRoles("=thin"), UsageError);
  EXPECT_THROW(ParseRoles("Hair=cloth"), UsageError);
}

TEST(Roles, CharactersWithoutTrianglesHaveNone) {
  Character arm = testing::FleshArm();
  arm.parts[0].mesh.triangles.resize(0, 3);
  const Roles roles = RolesOf(arm);
  EXPECT_TRUE(roles.pieces.empty());
  EXPECT_EQ(roles.Share(Role::kFlesh), 0);
  EXPECT_EQ(roles.OfPoint(0), Role::kRigid);
}

}  // namespace
}  // namespace sinew
