// Joints that another joint than their parent carries are found by what animations do, and no others.
#include "sinew/offline/character/carriers.h"

#include <gtest/gtest.h>

#include "tests/support/rigs.h"

namespace sinew {
namespace {

using testing::FreeFeet;
using testing::MakeFreeFeet;

constexpr uint64_t kRigs = 6;

std::vector<int> None(const Character& character) { return std::vector<int>(character.skeleton.joints.size(), -1); }

TEST(Carriers, KneesCarryFeetThatHangFromNothing) {
  for (uint64_t seed = 0; seed < kRigs; ++seed) {
    const FreeFeet feet = MakeFreeFeet(seed);
    std::vector<int> expected = None(feet.character);
    for (size_t i = 0; i < feet.ankles.size(); ++i) expected[feet.ankles[i]] = feet.knees[i];
    EXPECT_EQ(FindCarriers(feet.character), expected) << seed;
  }
}

// A toe that hangs from nothing, too, is carried by the ankle, and the ankle by the knee: not one by the other.
TEST(Carriers, AreFoundOneAfterTheOther) {
  for (uint64_t seed = 0; seed < kRigs; ++seed) {
    FreeFeet feet = MakeFreeFeet(seed);
    Character& character = feet.character;
    const Skeleton before = character.skeleton;
    const int toe = before.Find("left_foot"), ankle = feet.ankles[0];
    ASSERT_EQ(before.joints[toe].parent, ankle);
    const std::vector<Eigen::Affine3f> rest = LocalToModel(before, before.RestPose());
    Animation& animation = character.animations[0];
    AnimationCurve moved;
    moved.joint = toe;
    moved.path = AnimationCurve::Path::kTranslation;
    AnimationCurve* turned = nullptr;
    for (AnimationCurve& curve : animation.curves) {
      if (curve.joint == toe) turned = &curve;
    }
    ASSERT_NE(turned, nullptr);
    moved.times = turned->times;
    turned->values.clear();
    for (const Pose& pose : SampleAnimation(before, animation, 1).frames) {
      const Transform placed = ToTransform(LocalToModel(before, pose)[toe]);
      const runtime::Quaternion& r = placed.rotation;
      turned->values.insert(turned->values.end(), {r.x, r.y, r.z, r.w});
      moved.values.insert(moved.values.end(), {placed.translation.x, placed.translation.y, placed.translation.z});
    }
    animation.curves.push_back(std::move(moved));
    character.skeleton.joints[toe].parent = -1;
    character.skeleton.joints[toe].rest = ToTransform(rest[toe]);
    const std::vector<int> carriers = FindCarriers(character);
    EXPECT_EQ(carriers[toe], ankle) << seed;
    EXPECT_EQ(carriers[ankle], feet.knees[0]) << seed;
    EXPECT_TRUE(CarriersLeadToRoots(character.skeleton, carriers));
  }
}

TEST(Carriers, AreNotFoundWhereNothingShowsThem) {
  for (uint64_t seed = 0; seed < kRigs; ++seed) {
    const FreeFeet feet = MakeFreeFeet(seed);
    Character still = feet.character;
    still.animations.clear();
    EXPECT_EQ(FindCarriers(still), None(still));
    // Feet without a vertex need none.
    Character bare = feet.character;
    SkinWeights& weights = bare.parts[0].weights;
    for (uint16_t& joint : weights.joints) joint = 0;
    EXPECT_EQ(FindCarriers(bare), None(bare));
    // Feet that go their own way have none.
    Character loose = feet.character;
    Random random(seed + 100);
    for (AnimationCurve& curve : loose.animations[0].curves) {
      if (curve.path != AnimationCurve::Path::kTranslation) continue;
      for (float& x : curve.values) x += static_cast<float>(random.Uniform());
    }
    EXPECT_EQ(FindCarriers(loose), None(loose)) << seed;
  }
}

// A whole body that walks about is carried by nothing.
TEST(Carriers, AreNotFoundForTheBody) {
  FreeFeet feet = MakeFreeFeet(1);
  Animation& animation = feet.character.animations[0];
  AnimationCurve walk;
  walk.joint = 0;
  walk.path = AnimationCurve::Path::kTranslation;
  walk.times = {0, 11};
  walk.values = {0, 1, 0, 0, 1, 9};
  animation.curves.push_back(walk);
  EXPECT_EQ(FindCarriers(feet.character)[0], -1);
}

TEST(Carriers, ThatCarryEachOtherAreSeen) {
  const FreeFeet feet = MakeFreeFeet(0);
  std::vector<int> carriers = None(feet.character);
  EXPECT_TRUE(CarriersLeadToRoots(feet.character.skeleton, carriers));
  carriers[feet.ankles[0]] = feet.knees[0];
  EXPECT_TRUE(CarriersLeadToRoots(feet.character.skeleton, carriers));
  const int toe = feet.character.skeleton.Find("left_foot");
  carriers[feet.knees[0]] = toe;
  EXPECT_FALSE(CarriersLeadToRoots(feet.character.skeleton, carriers));
  carriers[feet.knees[0]] = feet.knees[0];
  EXPECT_FALSE(CarriersLeadToRoots(feet.character.skeleton, carriers));
}

}  // namespace
}  // namespace sinew
