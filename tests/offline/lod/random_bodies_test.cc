#include <gtest/gtest.h>

#include "sinew/offline/embedded/kinds.h"
#include "sinew/offline/embedded/make_character.h"
#include "tests/offline/lod/hierarchy_checks.h"

namespace sinew::lod {
namespace {

using testing::ExpectSoundOperators;
using testing::KindsOfIslands;
using testing::MeshOfPoints;

TEST(Hierarchy, IsSoundForRandomBodies) {
  const embedded::Kind& biped = embedded::FindKind("biped");
  const embedded::CharacterMaker maker(biped, 1500);
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const Character body = maker.Make(embedded::RandomShape(biped.parameters, seed));
    const Hierarchy hierarchy = BuildHierarchy(body, "body.glb", {.points = {400, 120}, .regions = 20});
    ExpectSoundOperators(hierarchy, "body");
    EXPECT_EQ(hierarchy.region_count(), 20);
    const auto kinds = KindsOfIslands(MeshOfPoints(hierarchy.level(3)));
    for (int i = 1; i < 3; ++i) {
      EXPECT_EQ(hierarchy.level(i).point_count, i == 1 ? 120 : 400);
      EXPECT_EQ(KindsOfIslands(MeshOfPoints(hierarchy.level(i))), kinds);
    }
  }
}

}  // namespace
}  // namespace sinew::lod
