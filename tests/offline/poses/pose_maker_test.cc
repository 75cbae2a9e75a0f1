#include "sinew/offline/poses/pose_maker.h"

#include <gtest/gtest.h>

#include <numbers>

#include "sinew/offline/anatomy/find_limits.h"
#include "sinew/offline/retarget/bend_hinges.h"
#include "tests/support/limb_figure.h"

namespace sinew::poses {
namespace {

class PoseMakers : public ::testing::Test {
 protected:
  const Character character_ = testing::MakeLimbFigure().character;
  const Articulation articulation_{character_.skeleton};
  const JointLimits limits_ = FindLimits(character_, "limbs.glb");
  const PoseClearance clearance_{character_, articulation_, limits_};

  PoseMaker Maker(const PoseMakerOptions& options) const { return {character_, articulation_, limits_, options}; }

  // A motion that leaves the limits and puts limbs into the body.
  Clip Wild(const Skeleton& skeleton, const char* file = "wild.glb") const {
    Clip clip;
    clip.skeleton = skeleton;
    clip.motion.name = "wild";
    clip.motion.frames_per_second = 30;
    clip.motion.joints = JointNames(skeleton);
    clip.motion.frames = SamplePoses(Articulation(skeleton), ScaledLimits(limits_, 1.6), {.count = 12, .seed = 4});
    clip.sources = {{.kind = "motion", .file = file, .clip = "wild"}};
    return clip;
  }
};

TEST_F(PoseMakers, SamplesAreClearOrNotAsAskedAndSayWhatWasDone) {
  const SampledPoses plain = Maker({.clear = false}).Sample({.count = 20, .seed = 3}, "samples", "from");
  EXPECT_EQ(plain.clip.motion.name, "samples");
  EXPECT_EQ(plain.clip.sources[0].clip, "from");
  EXPECT_FALSE(plain.clip.sources[0].clearance);
  EXPECT_FALSE(plain.after);
  const SampledPoses clear = Maker({}).Sample({.count = 20, .seed = 3}, "samples", "from");
  ASSERT_EQ(clear.clip.motion.frame_count(), 20);
  ASSERT_EQ(clear.clip.origins.size(), 20u);
  ASSERT_TRUE(clear.clip.sources[0].clearance);
  ASSERT_TRUE(clear.after);
  int corrected = 0;
  for (const Pose& pose : clear.clip.motion.frames) corrected += clearance_.Clear({pose}, 0).corrected();
  EXPECT_LE(corrected, clear.clip.sources[0].clearance->left) << "nothing is left to do";
}

TEST_F(PoseMakers, TheCharactersOwnMotionsStayAsTheyAre) {
  const Clip own = Wild(character_.skeleton);
  const retarget::RetargetMap map = retarget::GuessMap(own.skeleton, character_.skeleton);
  const CarriedMotion carried = Maker({}).CarryOver(own, map);
  EXPECT_FALSE(carried.retargeted);
  EXPECT_FALSE(carried.clearance);
  EXPECT_GT(carried.outside, 0);
  for (int f = 0; f < own.motion.frame_count(); ++f) {
    for (size_t j = 0; j < own.motion.frames[f].size(); ++j) {
      EXPECT_EQ(ToEigen(carried.clip.motion.frames[f][j].rotation).coeffs(),
                ToEigen(own.motion.frames[f][j].rotation).coeffs());
    }
  }
  EXPECT_TRUE(Maker({.clear_own = true}).CarryOver(own, map).clearance);
}

TEST_F(PoseMakers, RecordedMotionsOfTheOwnSkeletonBendElbowsAsHinges) {
  const Clip recorded = Wild(character_.skeleton, "wild.bvh");
  const retarget::RetargetMap map = retarget::GuessMap(recorded.skeleton, character_.skeleton);
  const CarriedMotion as_is = Maker({.clear = false}).CarryOver(recorded, map, {.as_is = true});
  const CarriedMotion carried = Maker({.clear = false}).CarryOver(recorded, map);
  EXPECT_FALSE(as_is.recorded);
  EXPECT_TRUE(carried.recorded);
  EXPECT_FALSE(carried.retargeted);
  EXPECT_TRUE(Maker({}).CarryOver(recorded, map).clearance);
  for (int f = 0; f < recorded.motion.frame_count(); ++f) {
    const Pose bent = articulation_.BringBackLost(
        limits_, retarget::BendHinges(articulation_, limits_, recorded.motion.frames[f]), std::numbers::pi / 2);
    for (size_t j = 0; j < bent.size(); ++j) {
      EXPECT_EQ(ToEigen(carried.clip.motion.frames[f][j].rotation).coeffs(), ToEigen(bent[j].rotation).coeffs());
      EXPECT_EQ(ToEigen(as_is.clip.motion.frames[f][j].rotation).coeffs(),
                ToEigen(recorded.motion.frames[f][j].rotation).coeffs());
    }
  }

  // Poses inside the limits, as the page saves them, are taken as they are.
  Clip saved = recorded;
  saved.motion.frames = SamplePoses(articulation_, limits_, {.count = 12, .seed = 4});
  EXPECT_FALSE(Maker({}).CarryOver(saved, map).recorded);
}

TEST_F(PoseMakers, MotionsOfOthersAreClearedAndClampedAndTheClipSaysSo) {
  testing::RigOptions taller;
  taller.height = 2.1;
  const Clip other = Wild(testing::MakeRig(taller));
  const retarget::RetargetMap map = retarget::GuessMap(other.skeleton, character_.skeleton);
  const CarriedMotion carried = Maker({}).CarryOver(other, map, {.clamp = true});
  EXPECT_TRUE(carried.retargeted);
  ASSERT_TRUE(carried.clearance);
  ASSERT_TRUE(carried.clip.sources[0].clearance);
  EXPECT_EQ(carried.clip.sources[0].clearance->corrected, carried.clearance->corrected);
  const CarriedMotion again = Maker({.clear = false}).CarryOver(other, map);
  EXPECT_FALSE(again.clip.sources[0].clearance);
  EXPECT_GT(again.outside, 0);
  EXPECT_GT(again.worst.angle, 0);
}

}  // namespace
}  // namespace sinew::poses
