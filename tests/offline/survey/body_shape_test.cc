#include "sinew/offline/survey/body_shape.h"

#include <gtest/gtest.h>

#include "tests/support/survey_bodies.h"

namespace sinew::survey {
namespace {

using testing::EggOn;

TEST(BodyShape, MeasuresBonesAndStatureInMetres) {
  const Character egg = EggOn({});
  const BodyShape shape = MeasureBody(egg, 1);
  EXPECT_NEAR(shape.stature, 1.9, 0.02);
  const auto joints = LocalToModel(egg.skeleton, egg.skeleton.RestPose());
  const auto place = [&](const char* name) { return joints[egg.skeleton.Find(name)].translation(); };
  EXPECT_NEAR(shape.bones.at("left_knee").length, (place("left_ankle") - place("left_knee")).norm(), 1e-5);
  EXPECT_NEAR(shape.bones.at("left_elbow").length, (place("left_wrist") - place("left_elbow")).norm(), 1e-5);
  const BodyShape centimetres = MeasureBody(egg, 0.01);
  EXPECT_NEAR(centimetres.stature, 0.01 * shape.stature, 1e-9);
  EXPECT_NEAR(centimetres.bones.at("left_knee").widths[1], 0.01 * shape.bones.at("left_knee").widths[1], 1e-9);
}

TEST(BodyShape, DependsOnNeitherMeshNorJointFrames) {
  const testing::EggMesh mesh{.columns = 64, .rows = 48};
  const BodyShape shape = MeasureBody(EggOn(mesh), 1);
  const auto total = [&](const Character& other) { return Distance(shape, MeasureBody(other, 1))->Total(); };
  EXPECT_EQ(total(EggOn(mesh)), 0);
  EXPECT_LT(total(EggOn(mesh, {.frames_seed = 5})), 1e-4);
  // A fifth of what a body makes that is a tenth taller.
  const double little = 0.2 * total(EggOn(mesh, {.height = 1.87}));
  EXPECT_LT(total(EggOn({.columns = 96, .rows = 64})), little);
  EXPECT_LT(total(EggOn({.columns = 80, .rows = 64, .crowded = 0.5})), little);
}

TEST(BodyShape, GrowsWithTheDifference) {
  const BodyShape shape = MeasureBody(EggOn({}), 1);
  double last = 0;
  for (const double height : {1.75, 1.8, 1.9, 2.2}) {
    const BodyDistance distance = *Distance(shape, MeasureBody(EggOn({}, {.height = height}), 1));
    EXPECT_GT(distance.Total(), last) << height;
    EXPECT_GT(distance.joints, 0);
    EXPECT_GT(distance.surface, 0);
    last = distance.Total();
  }
  // All lengths of a body that is twice as large differ by its own.
  const BodyDistance twice = *Distance(shape, MeasureBody(EggOn({}, {.height = 3.4}), 1));
  double lengths = 0, squares = 0;
  for (const auto& [name, bone] : shape.bones)
    lengths += bone.length, squares += bone.length * bone.length * bone.length;
  EXPECT_NEAR(twice.joints, std::sqrt(squares / lengths), 1e-3);
}

TEST(BodyShape, IsSymmetricAndNeedsBonesInCommon) {
  const BodyShape a = MeasureBody(EggOn({}), 1), b = MeasureBody(EggOn({}, {.height = 1.9}), 1);
  EXPECT_NEAR(Distance(a, b)->Total(), Distance(b, a)->Total(), 1e-12);
  BodyShape strange;
  for (const auto& [name, bone] : b.bones) strange.bones["x" + name] = bone;
  EXPECT_FALSE(Distance(a, strange).has_value());
  EXPECT_FALSE(Distance(a, {}).has_value());
}

}  // namespace
}  // namespace sinew::survey
