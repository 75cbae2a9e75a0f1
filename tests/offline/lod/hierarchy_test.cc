#include "sinew/offline/lod/hierarchy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/parallel.h"
#include "sinew/offline/io/character_file.h"
#include "sinew/offline/lod/hierarchy_file.h"
#include "sinew/offline/lod/hierarchy_measures.h"
#include "sinew/offline/lod/leave_out_levels.h"
#include "sinew/offline/lod/shown_regions.h"
#include "sinew/offline/lod/surface.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/topology.h"
#include "tests/offline/lod/hierarchy_checks.h"
#include "tests/support/hard_meshes.h"
#include "tests/support/mesh_families.h"
#include "tests/support/shared_assets.h"
#include "tests/support/skinned_mesh.h"
#include "tests/support/test_character.h"

namespace sinew::lod {
namespace {

using testing::ExpectSoundOperators;
using testing::KindsOfIslands;
using testing::MeshFamilies;
using testing::MeshFamily;
using testing::MeshOfPoints;
using testing::SkinnedMesh;

HierarchyOptions ThreeLevels(const Character& character) {
  HierarchyOptions options;
  const int points = CountPoints(character, "mesh.glb");
  options.points = {std::max(5, points / 3), std::max(4, points / 9)};
  options.regions = std::max(4, points / 20);
  if (options.points[1] >= options.points[0]) options.points.pop_back();
  if (options.points[0] >= points) options.points.clear();
  options.regions = std::min(options.regions, options.points.empty() ? points : options.points.back());
  return options;
}

TEST(Hierarchy, IsSoundForEveryFamilyOfMeshes) {
  for (const MeshFamily& family : MeshFamilies()) {
    const Character character = SkinnedMesh(family.mesh);
    const Hierarchy hierarchy = BuildHierarchy(character, "mesh.glb", ThreeLevels(character));
    ExpectSoundOperators(hierarchy, family.name);
    if (!family.manifold || !family.orientable) continue;
    const auto kinds = KindsOfIslands(family.mesh);
    for (const Level& level : hierarchy.levels) EXPECT_EQ(KindsOfIslands(MeshOfPoints(level)), kinds) << family;
  }
}

TEST(Hierarchy, IsMadeWithoutALevelThatCannotBeMade) {
  const Character character = SkinnedMesh(testing::Sphere(24, 16));
  std::vector<LeftOutLevel> left_out;
  const Hierarchy hierarchy = BuildPossibleLevels({150, 90, 60, 40}, left_out, [&](const std::vector<int>& points) {
    for (const int failing : {90, 40}) {
      if (std::find(points.begin(), points.end(), failing) != points.end()) throw LevelError(failing, "no operator");
    }
    return BuildHierarchy(character, "mesh.glb", {.points = points, .regions = 10});
  });
  ExpectSoundOperators(hierarchy, "without two levels");
  ASSERT_EQ(hierarchy.level_count(), 3);
  EXPECT_EQ(hierarchy.level(1).point_count, 60);
  EXPECT_EQ(hierarchy.level(2).point_count, 150);
  ASSERT_EQ(left_out.size(), 2U);
  EXPECT_EQ(Sentence(left_out[0]), "the level of 90 points is left out: no operator");
  EXPECT_EQ(left_out[1].points, 40);
}

TEST(Hierarchy, EndsWithTheErrorOfALevelThatNobodyAskedFor) {
  std::vector<LeftOutLevel> left_out;
  const auto build = [](const std::vector<int>&) -> Hierarchy { throw LevelError(7, "no operator"); };
  EXPECT_THROW(BuildPossibleLevels({50}, left_out, build), FailedError);
}

TEST(Hierarchy, KeepsTheTouchingPlacesOfNonManifoldMeshes) {
  // Two spheres that touch at (1, 0, 0), which rounding must not part.
  TriMesh touching = testing::Merge(testing::Sphere(12, 8), testing::Moved(testing::Sphere(12, 8), {2, 0, 0}));
  for (int v = 0; v < touching.vertex_count(); ++v) {
    if ((touching.positions.row(v) - Eigen::RowVector3f(1, 0, 0)).norm() < 1e-3f) touching.positions.row(v) << 1, 0, 0;
  }
  const Character character = SkinnedMesh(touching);
  HierarchyOptions options;
  options.points = {60};
  options.regions = 10;
  const Hierarchy hierarchy = BuildHierarchy(character, "mesh.glb", options);
  const auto islands = AnalyzeTopology(MeshOfPoints(hierarchy.level(1)).triangles, hierarchy.level(1).point_count);
  const auto before = AnalyzeTopology(MeshOfPoints(hierarchy.level(2)).triangles, hierarchy.level(2).point_count);
  EXPECT_EQ(before.non_manifold_vertices.size(), 1u);
  EXPECT_EQ(islands.non_manifold_vertices.size(), 1u);
  EXPECT_EQ(islands.islands.size(), before.islands.size());
}

TEST(Hierarchy, KeepsASurfaceThatTouchesItselfFromClosingUp) {
  // Both poles of a sphere pulled to its middle: one point, two fans.
  TriMesh mesh = testing::Sphere(16, 12);
  mesh.positions.row(0).setZero();
  mesh.positions.row(mesh.vertex_count() - 1).setZero();
  for (int points = 5; points < 40; points += 2) {
    const Hierarchy hierarchy = BuildHierarchy(SkinnedMesh(mesh), "horn.glb", {.points = {points}, .regions = 4});
    const TriMesh level = MeshOfPoints(hierarchy.level(1));
    for (int t = 0; t < level.triangle_count(); ++t) EXPECT_FALSE(IsCollapsed(level.triangles, t)) << points;
    ExpectSoundOperators(hierarchy, "horn");
  }
}

TEST(Hierarchy, TurnsNoTriangleOverAndMakesNoSlivers) {
  for (const int points : {20, 40, 80, 150}) {
    const Hierarchy round = BuildHierarchy(SkinnedMesh(testing::Sphere(32, 20)), "ball.glb",
                                           {.points = {points}, .regions = 8, .joint_density = 0});
    const TriMesh ball = MeshOfPoints(round.level(1));
    for (int t = 0; t < ball.triangle_count(); ++t) {
      const auto [a, b, c] = Corners(ball, t);
      const Eigen::Vector3d normal = (b - a).cross(c - a).normalized();
      EXPECT_GT(normal.dot((a + b + c).normalized()), 0.5) << points;
    }
    EXPECT_GT(MeasureQuality(ball).worst_min_angle, 0.05) << points;
    // A furrowed plate: every triangle still looks up.
    TriMesh plate = testing::Grid(40, 40);
    for (int v = 0; v < plate.vertex_count(); ++v) {
      plate.positions(v, 2) = 0.02f * std::sin(40 * plate.positions(v, 0)) * std::cos(25 * plate.positions(v, 1));
    }
    const Hierarchy furrowed =
        BuildHierarchy(SkinnedMesh(plate), "plate.glb", {.points = {3 * points}, .regions = 8, .joint_density = 0});
    const TriMesh level = MeshOfPoints(furrowed.level(1));
    for (int t = 0; t < level.triangle_count(); ++t) {
      const auto [a, b, c] = Corners(level, t);
      EXPECT_GT((b - a).cross(c - a).z(), 0) << points;
    }
    EXPECT_GT(MeasureQuality(level).worst_min_angle, 0.03) << points;
    ExpectSoundOperators(furrowed, "plate");
  }
}

TEST(Hierarchy, LivesWithTrianglesWithoutArea) {
  // Every fourth vertex inside a plate lies on the line between its neighbours, or on one of them.
  TriMesh mesh = testing::Grid(16, 16);
  for (int j = 2; j < 15; j += 2) {
    for (int i = 2; i < 15; i += 4) {
      const int v = 17 * j + i;
      mesh.positions.row(v) = 0.5f * (mesh.positions.row(v - 1) + mesh.positions.row(v - 17));
      mesh.positions.row(v + 2) = mesh.positions.row(v + 1 + 17) + Eigen::RowVector3f(1e-7f, 0, 0);
    }
  }
  mesh.triangles.conservativeResize(mesh.triangle_count() + 2, 3);
  mesh.triangles.bottomRows(2) << 5, 5, 6, 7, 8, 7;
  const Hierarchy hierarchy = BuildHierarchy(SkinnedMesh(mesh), "plate.glb", {.points = {100, 30}, .regions = 6});
  ExpectSoundOperators(hierarchy, "plate");
  EXPECT_LE(hierarchy.level(1).point_count, 40);
  for (const Level& level : hierarchy.levels) {
    EXPECT_TRUE(level.character.parts[0].mesh.positions.allFinite());
  }
}

TEST(Hierarchy, LosesNoPart) {
  // A plate of one material with a patch of two triangles of another in its middle.
  const TriMesh whole = testing::Grid(12, 12);
  TriMesh plate = whole, patch = whole;
  const int at = 2 * (12 * 6 + 6);
  plate.triangles.resize(whole.triangle_count() - 2, 3);
  plate.triangles << whole.triangles.topRows(at), whole.triangles.bottomRows(whole.triangle_count() - at - 2);
  patch.triangles = Triangles(whole.triangles.middleRows(at, 2));
  const Hierarchy hierarchy = BuildHierarchy(SkinnedMesh(std::vector<TriMesh>{plate, patch}), "patch.glb",
                                             {.points = {40, 12, 6}, .regions = 4});
  for (const Level& level : hierarchy.levels) {
    for (const Part& part : level.character.parts) EXPECT_GT(part.mesh.triangle_count(), 0);
  }
}

TEST(Hierarchy, JoinsNoTwoSeams) {
  // Stripes one quad wide: edges lead straight from seam to seam.
  const Character character = testing::WithTextureSeam(
      testing::Grid(8, 40), [](const Eigen::RowVector3f& middle) { return static_cast<int>(8 * middle.x()) % 2 == 1; });
  const Hierarchy hierarchy = BuildHierarchy(character, "stripes.glb", {.points = {150, 60, 10}, .regions = 6});
  for (const Level& level : hierarchy.levels) {
    const Surface surface = BuildSurface(level.character, "");
    std::map<int, int> wedges;
    for (const int point : surface.point_of_wedge) ++wedges[point];
    std::map<int, int> on_seam;
    for (const auto& [point, count] : wedges) {
      if (count < 2) continue;
      const double x = 8 * surface.positions[point].x();
      EXPECT_NEAR(x, std::round(x), 1e-4);
      ++on_seam[static_cast<int>(std::round(x))];
    }
    for (int seam = 1; seam < 8; ++seam) EXPECT_GE(on_seam[seam], 2) << "seam " << seam;
  }
}

TEST(Hierarchy, GivesTheFinestLevelBackAsItWas) {
  const Character character = testing::TestCharacter();
  const Hierarchy hierarchy = BuildHierarchy(character, "egg.glb", ThreeLevels(character));
  EXPECT_EQ(gltf::EncodeGlb(hierarchy.levels.back().character), gltf::EncodeGlb(character));
}

TEST(Hierarchy, GivesTheFinestLevelAgainWhereNothingCanBeTakenAway) {
  for (const TriMesh& mesh : {testing::FanAroundEdge(20), testing::CrossingTriangles(20)}) {
    const Character character = SkinnedMesh(mesh);
    HierarchyOptions options = ThreeLevels(character);
    options.fit_poses = {character.skeleton.RestPose()};
    const Hierarchy hierarchy = BuildHierarchy(character, "mesh.glb", options);
    ASSERT_EQ(hierarchy.level_count(), 3);
    for (const Level& level : hierarchy.levels) {
      EXPECT_EQ(gltf::EncodeGlb(level.character), gltf::EncodeGlb(character));
    }
    for (const LevelMeasures& measures : MeasureHierarchy(hierarchy, {character.skeleton.RestPose()})) {
      EXPECT_EQ(measures.geometric.max, 0);
      EXPECT_EQ(measures.skinning.max, 0);
    }
  }
}

TEST(ShownRegions, AreNotEmptyIfAllFaceAway) {
  TriMesh triangle;
  triangle.positions = Points::Zero(3, 3);
  triangle.positions(1, 0) = triangle.positions(2, 1) = 1;
  triangle.triangles = Eigen::RowVector3i(0, 1, 2);
  const TriMesh two = testing::Merge(triangle, testing::Moved(triangle, {0, 0, 1}));
  HierarchyOptions options;
  options.regions = 4;
  const Hierarchy hierarchy = BuildHierarchy(SkinnedMesh(two), "mesh.glb", options);
  for (const double side : {-1.0, 1.0}) {
    EXPECT_FALSE(ShownRegions(hierarchy, side * Eigen::Vector3d::UnitZ(), 5).empty());
  }
}

TEST(Hierarchy, UpsampledPositionsLieOnTheCoarseSurfaceNearTheFineOne) {
  const Character character = testing::TestCharacter();
  const Hierarchy hierarchy = BuildHierarchy(character, "egg.glb", {.points = {150, 50}, .regions = 12});
  for (int i = 1; i < hierarchy.level_count(); ++i) {
    const TriMesh coarse = MeshOfPoints(hierarchy.level(i)), fine = MeshOfPoints(hierarchy.level(i + 1));
    TriMesh upsampled = fine;
    upsampled.positions = Upsample(hierarchy.U[i], coarse.positions.cast<double>()).cast<float>();
    const double apart = OneSidedDistance(coarse, fine, 20000).max;
    EXPECT_LE(OneSidedDistance(upsampled, fine, 0).max, 1.02 * apart + 1e-6);
    // And not just somewhere: a fine point's image is near that very point.
    const double edge = std::sqrt(SurfaceArea(coarse) / hierarchy.level(i).point_count);
    const double furthest = (upsampled.positions - fine.positions).rowwise().norm().maxCoeff();
    EXPECT_LT(furthest, 1.5 * edge);
  }
}

TEST(Hierarchy, WeightsOfEveryLevelAreWeights) {
  const Character character = testing::TestCharacter();
  const Hierarchy hierarchy = BuildHierarchy(character, "egg.glb", ThreeLevels(character));
  for (const Level& level : hierarchy.levels) {
    const Part& part = level.character.parts[0];
    ASSERT_EQ(part.weights.influences, 2) << "the input's cap";
    ASSERT_EQ(part.weights.weights.size(), 2u * part.mesh.vertex_count());
    for (int v = 0; v < part.mesh.vertex_count(); ++v) {
      const float a = part.weights.weights[2 * v], b = part.weights.weights[2 * v + 1];
      EXPECT_GE(a, b);
      EXPECT_GE(b, 0);
      EXPECT_NEAR(a + b, 1, 1e-6);
    }
  }
}

TEST(Hierarchy, TextureCoordinatesFollowThePlaceOnBothSidesOfASeam) {
  // On a plane, coordinates are the place itself (plus 10 beyond the seam) on every level.
  const Character character = testing::WithTextureSeam(
      testing::Grid(24, 18), [](const Eigen::RowVector3f& middle) { return middle.x() > 0.5f; });
  HierarchyOptions options;
  options.points = {120, 40};
  options.regions = 8;
  const Hierarchy hierarchy = BuildHierarchy(character, "plane.glb", options);
  for (const Level& level : hierarchy.levels) {
    const Part& part = level.character.parts[0];
    const std::vector<float>& uv = part.attributes[0].values;
    int beyond = 0;
    for (int v = 0; v < part.mesh.vertex_count(); ++v) {
      const float offset = uv[2 * v] > 5 ? 10.0f : 0.0f;
      beyond += offset > 0 ? 1 : 0;
      EXPECT_NEAR(uv[2 * v], part.mesh.positions(v, 0) + offset, 1e-4);
      EXPECT_NEAR(uv[2 * v + 1], part.mesh.positions(v, 1), 1e-4);
    }
    EXPECT_GT(beyond, 0);
    for (int t = 0; t < part.mesh.triangle_count(); ++t) {
      const bool first = uv[2 * part.mesh.triangles(t, 0)] > 5;
      for (int k = 1; k < 3; ++k) EXPECT_EQ(uv[2 * part.mesh.triangles(t, k)] > 5, first) << "a triangle over the seam";
    }
    // The seam stays on its line: vertices that are there twice are at x = 1/2.
    const Surface surface = BuildSurface(level.character, "");
    std::map<int, int> wedges;
    for (const int point : surface.point_of_wedge) ++wedges[point];
    for (const auto& [point, count] : wedges) {
      if (count > 1) {
        EXPECT_NEAR(surface.positions[point].x(), 0.5, 1e-5);
      }
    }
  }
}

TEST(Hierarchy, MaterialBordersStayClosed) {
  TriMesh right = testing::Grid(16, 16), left = right;
  left.positions.col(0).array() -= 1;
  const Character character = SkinnedMesh(std::vector<TriMesh>{left, right});
  HierarchyOptions options;
  options.points = {100, 30};
  options.regions = 8;
  const Hierarchy hierarchy = BuildHierarchy(character, "two.glb", options);
  for (const Level& level : hierarchy.levels) {
    const auto topology = AnalyzeTopology(MeshOfPoints(level).triangles, level.point_count);
    EXPECT_EQ(topology.islands.size(), 1u);
    EXPECT_EQ(topology.boundary.size(), 1u);
    for (int side = 0; side < 2; ++side) {
      const TriMesh& mesh = level.character.parts[side].mesh;
      ASSERT_GT(mesh.triangle_count(), 0);
      EXPECT_LE(side == 0 ? mesh.positions.col(0).maxCoeff() : -mesh.positions.col(0).minCoeff(), 1e-6f);
      EXPECT_NEAR(SurfaceArea(mesh), 1, 1e-3) << "but for what its four corners may lose";
    }
  }
}

TEST(Hierarchy, MorphTargetsAreCoarsenedWithTheSurface) {
  Character character = testing::TestCharacter();
  Part& part = character.parts[0];
  MorphTarget morph{.name = "wide", .positions = 0.1f * part.mesh.positions, .normals = {}, .tangents = {}};
  part.morphs.push_back(morph);
  const Hierarchy hierarchy = BuildHierarchy(character, "egg.glb", ThreeLevels(character));
  for (const Level& level : hierarchy.levels) {
    const Part& own = level.character.parts[0];
    ASSERT_EQ(own.morphs.size(), 1u);
    ASSERT_EQ(own.morphs[0].positions.rows(), own.mesh.vertex_count());
    const float error = (own.morphs[0].positions - 0.1f * own.mesh.positions).rowwise().norm().maxCoeff();
    EXPECT_LT(error, 0.02f) << "a scaling of the fine surface is nearly that of the coarse one";
  }
}

TEST(Hierarchy, SmallIslandsJoinTheRegionsOfTheNearestLargeOne) {
  TriMesh mesh = testing::Sphere(32, 20);
  for (int i = 0; i < 12; ++i) {
    const auto a = static_cast<float>(i);
    const Eigen::Vector3f at(1.2f * std::cos(a), 1.2f * std::sin(a), 0);
    mesh = testing::Merge(mesh, testing::Moved(testing::Cuboid(), at, 0.02f));
  }
  const Character character = SkinnedMesh(mesh);
  HierarchyOptions options;
  options.points = {300};
  options.regions = 20;
  HierarchyNotes notes;
  const Hierarchy kept = BuildHierarchy(character, "buttons.glb", options, &notes);
  EXPECT_EQ(notes.joined_islands, 12);
  EXPECT_EQ(kept.region_count(), 20);
  ExpectSoundOperators(kept, "buttons");
  EXPECT_EQ(AnalyzeTopology(MeshOfPoints(kept.level(1)).triangles, kept.level(1).point_count).islands.size(), 13u);

  options.drop_small_islands = true;
  const Hierarchy dropped = BuildHierarchy(character, "buttons.glb", options, &notes);
  EXPECT_EQ(notes.levels[0].dropped_islands, 12);
  ExpectSoundOperators(dropped, "buttons dropped");
  EXPECT_EQ(AnalyzeTopology(MeshOfPoints(dropped.level(1)).triangles, dropped.level(1).point_count).islands.size(), 1u);
}

TEST(Hierarchy, IsTheSameWhateverTheThreads) {
  const Character character = testing::TestCharacter();
  const auto bytes = [&](int threads) {
    SetThreads(threads);
    const Hierarchy hierarchy = BuildHierarchy(character, "egg.glb", ThreeLevels(character));
    Bytes all;
    for (const Level& level : hierarchy.levels) {
      const Bytes glb = gltf::EncodeGlb(level.character);
      all.insert(all.end(), glb.begin(), glb.end());
    }
    for (const Upsampling& U : hierarchy.U) {
      const auto* first = reinterpret_cast<const std::byte*>(U.weights.data());
      all.insert(all.end(), first, first + U.weights.size() * sizeof(U.weights[0]));
    }
    return all;
  };
  const Bytes one = bytes(1);
  EXPECT_EQ(bytes(4), one);
  SetThreads(0);
}

TEST(Hierarchy, SaysWhatIsWrongWithItsInput) {
  const auto message = [](const Character& character, const HierarchyOptions& options) -> std::string {
    try {
      BuildHierarchy(character, "body.glb", options);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const Character egg = testing::TestCharacter();
  Character bare = egg;
  bare.parts[0].weights = {};
  bare.parts[0].skin = -1;
  EXPECT_EQ(message(bare, {.points = {50}, .regions = 10}),
            "body.glb: has no skin: no vertex is bound to a joint; give a character with skinning weights");
  EXPECT_EQ(
      message(egg, {.points = {100'000}, .regions = 10}),
      "body.glb: has 482 points: a level of 100000 is not coarser than the one of 482 above it; ask for fewer points "
      "or fewer levels");
  EXPECT_EQ(
      message(egg, {.points = {100, 100}, .regions = 10}),
      "body.glb: has 482 points: a level of 100 is not coarser than the one of 100 above it; ask for fewer points or "
      "fewer levels");
  EXPECT_EQ(message(egg, {.points = {100, 3}, .regions = 10}),
            "body.glb: has 482 points: a level of 3 points is no surface; ask for fewer points or fewer levels");
  EXPECT_EQ(
      message(egg, {.points = {100}, .regions = 101}),
      "body.glb: has 482 points: 101 regions must be 4 or more, and no more than the 100 points of level 1; ask for "
      "fewer points or fewer levels");
  const Character triangle = SkinnedMesh(testing::MakeMesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}));
  EXPECT_EQ(message(triangle, {.points = {1}, .regions = 4}),
            "body.glb: has 3 points: a level of 1 points is no surface; ask for fewer points or fewer levels");
  Character broken = egg;
  broken.parts[0].mesh.positions(7, 2) = std::numeric_limits<float>::infinity();
  EXPECT_EQ(message(broken, {.points = {50}, .regions = 10}),
            "body.glb: vertex 7 of skin: its position is not a finite number; export the file again");
}

TEST(Hierarchy, SkinningIsBetterThanWithTheNearestVerticesWeights) {
  const Character character = testing::TestCharacter();
  const Hierarchy hierarchy = BuildHierarchy(character, "egg.glb", {.points = {160, 60}, .regions = 12});
  std::vector<Pose> poses;
  for (int k = 0; k < 6; ++k) {
    Pose pose = character.skeleton.RestPose();
    for (size_t j = 1; j < pose.size(); ++j) {
      const float angle = 0.4f * std::sin(static_cast<float>(k + 3 * j));
      const Eigen::Quaternionf turn(Eigen::AngleAxisf(angle, Eigen::Vector3f::UnitX()));
      pose[j].rotation = ToQuaternion(ToEigen(pose[j].rotation) * turn);
    }
    poses.push_back(pose);
  }
  for (int i = 1; i < hierarchy.level_count(); ++i) {
    const Character& level = hierarchy.level(i).character;
    EXPECT_LT(PosedDistance(level, character, poses, 5000).rms,
              PosedDistance(WithNearestWeights(level, character), character, poses, 5000).rms);
  }
}

TEST(Hierarchy, IsSoundForRealCharacters) {
  SINEW_REQUIRE_ASSETS();
  int seen = 0;
  for (const char* folder : {"gltf", "makehuman", "garments"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::AssetsFolder() / folder)) {
      if (entry.path().extension() != ".glb") continue;
      const Character character = ReadCharacter(entry.path(), {.skin = {}, .quiet = true});
      const bool skinned = std::any_of(character.parts.begin(), character.parts.end(),
                                       [](const Part& part) { return !part.weights.empty(); });
      if (!skinned) continue;
      SCOPED_TRACE(entry.path().filename().string());
      const Hierarchy hierarchy = BuildHierarchy(character, entry.path(), ThreeLevels(character));
      ExpectSoundOperators(hierarchy, entry.path().filename());
      ++seen;
    }
  }
  EXPECT_GT(seen, 0);
}

}  // namespace
}  // namespace sinew::lod
