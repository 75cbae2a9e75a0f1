// A dataset that the first version wrote: it is read as what it was, and the same frames are written as the same bytes.
#include <gtest/gtest.h>

#include "sinew/offline/dataset/writer.h"
#include "tests/support/datasets.h"
#include "tests/support/temporary_folder.h"

namespace sinew::dataset {
namespace {

const std::filesystem::path kGolden = SINEW_SOURCE_DIR "/tests/golden";

// Numbers that are the same on every machine.
PoseSequence ReedPoses(const Skeleton& skeleton) {
  Clip clip;
  clip.skeleton = skeleton;
  clip.motion = {.name = "sway", .frames_per_second = 30, .joints = JointNames(skeleton), .frames = {}};
  clip.sources = {{.kind = "motion", .file = "sway.bvh", .clip = "sway"}};
  for (int f = 0; f < 3; ++f) {
    Pose pose = skeleton.RestPose();
    if (f > 0) pose[1].rotation = {f == 1 ? 0.6f : -0.6f, 0, 0, 0.8f};
    clip.motion.frames.push_back(pose);
    clip.origins.push_back({0, f});
  }
  return MakePoseSequence({clip}, {"sway.poses"}, skeleton);
}

Points ReedShape(int vertices, int frame) {
  Points shape(vertices, 3);
  for (Eigen::Index i = 0; i < shape.size(); ++i)
    shape.data()[i] = 0.25f * static_cast<float>(i) - static_cast<float>(frame);
  return shape;
}

TEST(GoldenDataset, IsWrittenAndReadAsItWas) {
  const testing::TemporaryFolder folder;
  const StoredCharacter reed = ReadStoredCharacter(kGolden / "reed.glb");
  const PoseSequence sequence = ReedPoses(reed.character.skeleton);
  DatasetManifest start = StartManifest(reed, sequence, {{"maker", "test"}, {"strength", 0.5}});
  start.chunk_frames = 2;
  // Motions had no rate then.
  for (DatasetMotion& motion : start.motions) motion.rate = 0;
  start.metres_per_unit = 0.01;
  DatasetWriter writer(folder / "reed.dataset", start, {{reed.entry.file, reed.file}});
  MakeFrames(writer, sequence, {0, 3}, {.label = "test"}, [&](int i) {
    FrameTruth truth;
    truth.shape = ReedShape(reed.entry.vertices, i);
    truth.failure = i == 1 ? "did not converge" : "";
    truth.arrays["steps"] = MakeNpy(std::vector<int32_t>{i}, {});
    return truth;
  });
  EXPECT_EQ(testing::FilesBelow(folder / "reed.dataset"), testing::FilesBelow(kGolden / "reed_v1.dataset"));

  const Dataset golden(kGolden / "reed_v1.dataset");
  ASSERT_EQ(golden.frame_count(), 3);
  EXPECT_EQ(golden.OkFrames(), (std::vector<int>{0, 2}));
  EXPECT_EQ(golden.frame(1).failure, "did not converge");
  EXPECT_EQ(golden.Shape(2), ReedShape(reed.entry.vertices, 2));
  EXPECT_EQ(golden.pose(2)[1].rotation.x, -0.6f);
  EXPECT_EQ(golden.manifest().metres_per_unit, 0.01);
  EXPECT_EQ(golden.Array(2, "steps").ToDoubles(), std::vector<double>{2});
  EXPECT_TRUE(FindDamage(golden).empty());
}

}  // namespace
}  // namespace sinew::dataset
