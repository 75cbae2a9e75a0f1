#include "sinew/offline/dataset/carry_frames.h"

#include <gtest/gtest.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/io/gltf/gltf.h"
#include "tests/support/datasets.h"
#include "tests/support/temporary_folder.h"

namespace sinew::dataset {
namespace {

using testing::TemporaryFolder;

// Every vertex at a corner of the first triangle that has it.
SurfaceMap Identity(const TriMesh& mesh) {
  SurfaceMap map;
  map.triangles.assign(mesh.vertex_count(), 0);
  map.barycentric.assign(mesh.vertex_count(), Eigen::Vector3f::UnitX());
  map.offsets.assign(mesh.vertex_count(), Eigen::Vector3f::Zero());
  for (int t = mesh.triangle_count() - 1; t >= 0; --t) {
    for (int k = 0; k < 3; ++k) {
      map.triangles[mesh.triangles(t, k)] = t;
      map.barycentric[mesh.triangles(t, k)] = Eigen::Vector3f::Unit(k);
    }
  }
  return map;
}

class CarryFramesTest : public ::testing::Test {
 protected:
  CarryFramesTest() {
    testing::WriteNumberedDataset(folder_ / "source", stored_, sequence_, {0, 30});
    Character other = stored_.character;
    other.name = "other";
    made_ = StoreCharacter(other, gltf::EncodeGlb(other), "other.glb");
  }
  const TriMesh& mesh() const { return stored_.character.parts[0].mesh; }

  const StoredCharacter stored_ = testing::StoredTestCharacter();
  const PoseSequence sequence_ = testing::TestSequence(stored_.character.skeleton, 10);
  const TemporaryFolder folder_;
  StoredCharacter made_;
};

TEST_F(CarryFramesTest, CarriesPosesShapesAndFailuresOver) {
  const Dataset source(folder_ / "source");
  CarryFrames(folder_ / "carried", source, 0, made_, SurfaceFollower(mesh(), Identity(mesh())));
  const Dataset carried(folder_ / "carried");
  EXPECT_TRUE(FindDamage(carried).empty());
  ASSERT_EQ(carried.frame_count(), source.frame_count());
  EXPECT_EQ(carried.OkFrames(), source.OkFrames());
  EXPECT_LT(carried.OkFrames().size(), static_cast<size_t>(carried.frame_count()));
  for (const int i : carried.OkFrames()) {
    EXPECT_LT((carried.Shape(i) - source.Shape(i)).cwiseAbs().maxCoeff(), 1e-5F);
    EXPECT_EQ(carried.pose(i).size(), source.pose(i).size());
    EXPECT_EQ(carried.frame(i).motion_frame, source.frame(i).motion_frame);
    EXPECT_EQ(carried.ArrayNames(i), (std::vector<std::string>{"pose", "shape"}));
  }
  EXPECT_EQ(carried.ReadCharacter(0).vertex_count(), made_.character.vertex_count());
  EXPECT_EQ(carried.manifest().settings["carried_from"], stored_.entry.hash);
}

TEST_F(CarryFramesTest, RefusesWhatDoesNotFit) {
  const Dataset source(folder_ / "source");
  const SurfaceFollower follower(mesh(), Identity(mesh()));
  EXPECT_THROW(CarryFrames(folder_ / "x", source, 1, made_, follower), UsageError);
  SurfaceMap shorter = Identity(mesh());
  shorter.triangles.pop_back();
  EXPECT_THROW(CarryFrames(folder_ / "x", source, 0, made_, SurfaceFollower(mesh(), shorter)), UsageError);
  StoredCharacter renamed = made_;
  renamed.character.skeleton.joints[3].name = "wing";
  EXPECT_THROW(CarryFrames(folder_ / "x", source, 0, renamed, follower), UsageError);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x"));
}

}  // namespace
}  // namespace sinew::dataset
