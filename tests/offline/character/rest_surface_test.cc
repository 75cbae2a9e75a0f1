#include "sinew/offline/character/rest_surface.h"

#include <gtest/gtest.h>

#include <limits>

#include "sinew/offline/character/posing.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/mesh/reach.h"
#include "tests/support/flesh_arm.h"

namespace sinew {
namespace {

using testing::FleshArm;

// The arm's skin in another space: mesh data scaled, turned and moved, bind matrices that undo it.
Skin InOtherSpace(const Skin& skin, const Eigen::Affine3f& other_from_mesh) {
  Skin moved = skin;
  for (Eigen::Affine3f& inverse_bind : moved.inverse_bind) inverse_bind = inverse_bind * other_from_mesh.inverse();
  return moved;
}

Part Moved(Part part, const Eigen::Affine3f& by) {
  for (int v = 0; v < part.mesh.vertex_count(); ++v) {
    part.mesh.positions.row(v) = (by * part.mesh.positions.row(v).transpose()).transpose();
  }
  return part;
}

Eigen::Affine3f CentimetresAside() {
  return Eigen::Translation3f(3, -20, 7) * Eigen::AngleAxisf(0.7f, Eigen::Vector3f::UnitY()) * Eigen::Scaling(100.0f);
}

// Largest distance of the rest surface, placed in the model, from what the runtime shows at rest.
double DistanceFromDisplayed(const Character& character) {
  const RestSurface surface = CollectRestSurface(character);
  const PosedCharacter displayed = PoseCharacter(character, character.skeleton.RestPose());
  double distance = 0;
  for (size_t i = 0; i < surface.parts.size(); ++i) {
    const Points& shown = displayed.parts[surface.parts[i]].positions;
    for (int v = 0; v < shown.rows(); ++v) {
      const Eigen::Vector3d x = surface.mesh.positions.row(surface.first_vertex[i] + v).cast<double>().transpose();
      const Eigen::Vector3d placed = surface.placement.model_from_bind * x;
      distance = std::max(distance, (placed - shown.row(v).cast<double>().transpose()).norm());
    }
  }
  return distance;
}

TEST(RestSurface, OneSkinIsItsMeshDataToTheBit) {
  const Character arm = FleshArm();
  const RestSurface surface = CollectRestSurface(arm);
  EXPECT_EQ(surface.placement.main_skin, 0);
  EXPECT_TRUE(surface.mesh.positions == arm.parts[0].mesh.positions);
  EXPECT_TRUE(surface.bad_vertices.empty());
  EXPECT_LT(DistanceFromDisplayed(arm), 1e-6);
  for (int v = 0; v < surface.mesh.vertex_count(); ++v) ASSERT_GT(surface.influences[v].count, 0);
}

TEST(RestSurface, BringsEverySkinToOneSpaceWhicheverIsFirst) {
  for (const bool other_first : {false, true}) {
    Character arm = FleshArm();
    Part shell = Moved(FleshArm(0.15f, 12, 16).parts[0], CentimetresAside());
    arm.skins.push_back(InOtherSpace(arm.skins[0], CentimetresAside()));
    shell.skin = 1;
    arm.parts.insert(other_first ? arm.parts.begin() : arm.parts.end(), shell);
    const RestSurface surface = CollectRestSurface(arm);
    EXPECT_EQ(surface.placement.main_skin, 0) << "the one with most vertices";
    EXPECT_LT(DistanceFromDisplayed(arm), 1e-5);
  }
}

TEST(RestSurface, WeldsSkinsThatAreBoundAlikeAndNoOthers) {
  Character arm = FleshArm();
  const int points = CollectRestSurface(arm).welding.welded_count();
  arm.parts.push_back(arm.parts[0]);
  arm.skins.push_back(arm.skins[0]);
  arm.parts[1].skin = 1;
  EXPECT_EQ(CollectRestSurface(arm).welding.welded_count(), points) << "an exporter's skin per mesh";
  arm.skins[1].attached = true;
  EXPECT_EQ(CollectRestSurface(arm).welding.welded_count(), 2 * points) << "a rigid part is no skin";
  arm.parts[1].skin = -1;
  arm.parts[1].weights = {};
  const RestSurface surface = CollectRestSurface(arm);
  EXPECT_EQ(surface.welding.welded_count(), 2 * points);
  EXPECT_EQ(surface.influences.back().count, 0);
  EXPECT_EQ(surface.PartTriangle(surface.first_triangle[1]), (std::array<int, 2>{1, 0}));
}

TEST(RestSurface, ARigidPartStandsOnItsJoint) {
  Character arm = FleshArm();
  Part box = Moved(FleshArm(0.05f, 8, 8).parts[0], Eigen::Affine3f(Eigen::Scaling(0.1f)));
  // Mesh data in the space of the lower joint.
  Skin rigid = arm.skins[0];
  rigid.attached = true;
  rigid.inverse_bind.assign(2, Eigen::Affine3f::Identity());
  rigid.has_joint = {false, true};
  arm.skins.push_back(rigid);
  box.skin = 1;
  box.weights = {.influences = 1,
                 .joints = std::vector<uint16_t>(box.mesh.vertex_count(), 1),
                 .weights = std::vector<float>(box.mesh.vertex_count(), 1)};
  arm.parts.push_back(box);
  EXPECT_EQ(CollectRestSurface(arm).placement.main_skin, 0);
  EXPECT_LT(DistanceFromDisplayed(arm), 1e-6);
}

TEST(RestSurface, ReportsBadPositionsAndCanRefuseThem) {
  Character arm = FleshArm();
  arm.parts.push_back(arm.parts[0]);
  arm.parts[1].name = "sleeve";
  arm.parts[1].mesh.positions(4, 1) = std::numeric_limits<float>::quiet_NaN();
  const RestSurface surface = CollectRestSurface(arm);
  EXPECT_EQ(surface.bad_vertices, std::vector<int>{arm.parts[0].mesh.vertex_count() + 4});
  try {
    RefuseBadPositions(arm, surface, "arm.glb");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "arm.glb: vertex 4 of sleeve: its position is not a finite number; export the file again");
  }
  const RestSurface without = CollectRestSurface(arm, [](int p) { return p == 0; });
  EXPECT_EQ(without.parts, std::vector<int>{0});
  EXPECT_NO_THROW(RefuseBadPositions(arm, without, "arm.glb"));
}

std::string RefusalOf(const Character& character) {
  try {
    RefuseBadPositions(character, CollectRestSurface(character), "arm.glb");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no refusal";
}

TEST(RestSurface, RefusesWhatIsOutOfReach) {
  const Character arm = FleshArm();
  EXPECT_EQ(RefusalOf(arm), "no refusal");
  Character far = arm;
  far.parts[0].mesh.positions(3, 2) = 0.99f * kFarthestCoordinate;
  EXPECT_EQ(RefusalOf(far), "no refusal");
  far.parts[0].mesh.positions(3, 2) = -2e18f;
  EXPECT_EQ(RefusalOf(far),
            "arm.glb: vertex 3 of " + arm.parts[0].name +
                ": is 2e+18 units from the origin, where nothing beyond 1e+09 can be worked with; export "
                "the file again, in a unit that suits its size");
  // A joint: at rest, and in the bind pose alone.
  const std::string joint = "arm.glb: joint '" + arm.skeleton.joints[1].name + "': ";
  far = arm;
  far.skeleton.joints[1].rest.translation.y = 3e19f;
  EXPECT_TRUE(RefusalOf(far).starts_with(joint + "is 3e+19 units")) << RefusalOf(far);
  far = arm;
  far.skins[0].inverse_bind[1].translation().x() = 1e12f;
  EXPECT_TRUE(RefusalOf(far).starts_with(joint)) << RefusalOf(far);
  // Mesh data and joints are near, but the skin puts the vertices far away.
  far = arm;
  far.skins[0].inverse_bind[0].linear() *= 1e12f;
  EXPECT_TRUE(RefusalOf(far).starts_with("arm.glb: vertex ")) << RefusalOf(far);
}

TEST(RestSurface, ACharacterWithoutSkinsIsWhereItsNodesPutIt) {
  Character arm = FleshArm();
  arm.skins.clear();
  arm.parts[0].skin = -1;
  arm.parts[0].weights = {};
  arm.parts[0].model_from_mesh = CentimetresAside();
  const RestSurface surface = CollectRestSurface(arm);
  EXPECT_EQ(surface.placement.main_skin, -1);
  EXPECT_LT(DistanceFromDisplayed(arm), 1e-4);
}

}  // namespace
}  // namespace sinew
