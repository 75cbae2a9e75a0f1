#include "sinew/offline/autorig/biped_joints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "sinew/offline/anatomy/joint_names.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/file.h"
#include "tests/support/temporary_folder.h"

namespace sinew::autorig {
namespace {

using ::testing::HasSubstr;

Skeleton SkeletonOf(const JointNames& names) {
  Skeleton skeleton;
  for (int j = 0; j < kJoints; ++j) {
    Joint joint;
    joint.name = names[j];
    joint.parent = BipedJoints()[j].parent;
    skeleton.joints.push_back(joint);
  }
  return skeleton;
}

TEST(BipedJoints, ParentsComeFirstAndMirrorImagesArePaired) {
  for (int j = 0; j < kJoints; ++j) {
    const BipedJoint& joint = BipedJoints()[j];
    EXPECT_LT(joint.parent, j);
    EXPECT_EQ(BipedJoints()[joint.mirrored].mirrored, j);
    const std::string name = joint.name;
    EXPECT_EQ(joint.mirrored != j, name.starts_with("left_") || name.starts_with("right_"));
    if (joint.parent >= 0) {
      EXPECT_EQ(BipedJoints()[joint.mirrored].parent, BipedJoints()[joint.parent].mirrored);
    }
  }
}

// Whatever names a user asks for, everything that asks for joints by what they are finds them.
TEST(JointNames, AllSetsAreRecognised) {
  for (const std::string& set : NameSets()) {
    const JointNames names = NamesOf(set);
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), size_t{kJoints}) << set;
    const std::vector<JointIdentity> found = IdentifyJoints(SkeletonOf(names));
    for (const JointKind kind : {JointKind::kHip, JointKind::kKnee, JointKind::kAnkle, JointKind::kFoot,
                                 JointKind::kCollar, JointKind::kShoulder, JointKind::kElbow, JointKind::kWrist}) {
      for (const Side side : {Side::kLeft, Side::kRight}) {
        EXPECT_GE(FindJoint(found, kind, side), 0) << set << " lacks kind " << static_cast<int>(kind);
      }
    }
    EXPECT_EQ(FindJoint(found, JointKind::kPelvis), 0) << set;
    EXPECT_EQ(FindChain(found, JointKind::kSpine).size(), 3U) << set;
    EXPECT_EQ(FindJoint(found, JointKind::kHead), 15) << set;
  }
}

TEST(JointNames, AnotherSetIsRefusedWithThoseThatThereAre) {
  try {
    NamesOf("maya");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("mixamo"));
  }
}

TEST(JointNames, AreReadFromAFile) {
  const testing::TemporaryFolder folder;
  std::string text = "{";
  for (int j = 0; j < kJoints; ++j) {
    text += std::string(j > 0 ? "," : "") + "\"" + BipedJoints()[j].name + "\": \"bone" + std::to_string(j) + "\"";
  }
  WriteFileAtomic(folder.path() / "names.json", text + "}");
  EXPECT_EQ(NamesFor((folder.path() / "names.json").string())[18], "bone18");
  WriteFileAtomic(folder.path() / "few.json", std::string_view("{\"pelvis\": \"Hips\"}"));
  try {
    NamesFor((folder.path() / "few.json").string());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("left_hip"));
  }
}

}  // namespace
}  // namespace sinew::autorig
