#include "sinew/offline/evaluate/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "tests/support/limb_figure.h"
#include "tests/support/mesh_families.h"

namespace sinew::evaluate {
namespace {

// Moves the vertices nearer than 10 cm to a joint, all the more the nearer they are.
Points MovedAround(const Character& character, const Points& shape, const std::string& joint) {
  const std::vector<Eigen::Affine3f> rest = LocalToModel(character.skeleton, character.skeleton.RestPose());
  const Eigen::RowVector3f place = rest[character.skeleton.Find(joint)].translation().transpose();
  Points moved = shape;
  for (Eigen::Index v = 0; v < shape.rows(); ++v) {
    const float near = std::max(0.0f, 0.1f - (shape.row(v) - place).norm());
    moved.row(v) += near * Eigen::RowVector3f(0, 0, 1);
  }
  return moved;
}

TEST(Comparison, ComesNearToTheJointWhereShapesDiffer) {
  const Character character = testing::MakeLimbFigure().character;
  const Points shape = SkinnedShape(character, character.skeleton.RestPose());
  for (const char* joint : {"left_elbow", "right_knee", "left_ankle", "right_shoulder"}) {
    const int found = JointOfLargestDifference(character, MovedAround(character, shape, joint), shape);
    EXPECT_EQ(character.skeleton.joints[found].name, joint);
  }
}

TEST(Comparison, FindsWhereSinewGains) {
  const Character character = testing::MakeLimbFigure().character;
  ComparedFrame frame;
  frame.skinned = SkinnedShape(character, character.skeleton.RestPose());
  frame.truth = MovedAround(character, MovedAround(character, frame.skinned, "left_elbow"), "right_knee");
  // Sinew is exact at the elbow and no better at the knee.
  frame.sinew = MovedAround(character, frame.skinned, "left_elbow");
  const Eigen::VectorXf gain = GainOf(frame);
  EXPECT_GT(gain.maxCoeff(), 0.03f);
  EXPECT_GE(gain.minCoeff(), 0);
  EXPECT_EQ(character.skeleton.joints[JointOfLargest(character, gain)].name, "left_elbow");
  std::swap(frame.skinned, frame.sinew);
  EXPECT_EQ(GainOf(frame), -gain);
}

TEST(Comparison, LooksFromWhereTheDifferenceIsSeen) {
  Character ball;
  ball.parts.emplace_back().mesh = testing::Sphere(32, 16);
  const Points& shape = ball.parts[0].mesh.positions;
  for (const float degrees : {0.0f, 90.0f, 180.0f, 270.0f}) {
    const float radians = degrees * 3.14159265f / 180;
    const Eigen::RowVector3f side(std::sin(radians), 0, std::cos(radians));
    Points other = shape;
    for (Eigen::Index v = 0; v < shape.rows(); ++v) {
      if (shape.row(v).dot(side) > 0.9f) other(v, 1) -= 0.1f;
    }
    const render::View view = ViewOfDifference(ball, shape, other, {});
    EXPECT_GT(render::ToViewer(view).dot(side.transpose()), 0.8f) << degrees << " " << view.name;
    // A screen before it hides it.
    Character hidden = ball;
    Part& screen = hidden.parts.emplace_back();
    screen.mesh = testing::Moved(testing::Sphere(32, 16), (2.2f * side).transpose());
    Points whole(2 * shape.rows(), 3), whole_other(2 * shape.rows(), 3);
    whole << shape, screen.mesh.positions;
    whole_other << other, screen.mesh.positions;
    EXPECT_LT(render::ToViewer(ViewOfDifference(hidden, whole, whole_other, {})).dot(side.transpose()),
              render::ToViewer(view).dot(side.transpose()))
        << degrees;
  }
}

TEST(Comparison, MeasuresWhatIsSeen) {
  const Character character = testing::MakeLimbFigure().character;
  ComparedFrame frame;
  frame.name = "moved";
  frame.skinned = SkinnedShape(character, character.skeleton.RestPose());
  frame.truth = MovedAround(character, frame.skinned, "left_elbow");
  frame.sinew = (frame.skinned + frame.truth) / 2;
  ComparisonOptions options;
  options.height = options.width = 64;
  const Comparison near = DrawComparison(character, {frame}, 1000, options);
  EXPECT_EQ(character.skeleton.joints[near.joint].name, "left_elbow");
  EXPECT_EQ(near.picture.frames, 1);
  EXPECT_EQ(near.picture.width, 3 * 64);
  EXPECT_NEAR(near.sinew[0].mean, near.skinning[0].mean / 2, 1e-3);
  EXPECT_NEAR(near.sinew[0].max, near.skinning[0].max / 2, 1e-3);
  EXPECT_GT(near.skinning[0].max, 30) << "millimetres";
  // Where nothing moved there is no error, and the mean over the body is smaller than from near.
  options.focus = "right_knee";
  EXPECT_EQ(DrawComparison(character, {frame}, 1000, options).skinning[0].max, 0);
  options.focus = "";
  options.joint = character.skeleton.Find("right_knee");
  EXPECT_EQ(DrawComparison(character, {frame}, 1000, options).joint, options.joint);
  options.joint = -1;
  options.focus = "";
  options.whole = true;
  const Comparison whole = DrawComparison(character, {frame, frame}, 1000, options);
  EXPECT_EQ(whole.joint, -1);
  EXPECT_EQ(whole.picture.frames, 2);
  EXPECT_LT(whole.skinning[0].mean, near.skinning[0].mean);
  EXPECT_EQ(whole.skinning[0].max, near.skinning[0].max);
  options.whole = false;
  options.focus = "tail";
  EXPECT_THROW(DrawComparison(character, {frame}, 1000, options), UsageError);
}

}  // namespace
}  // namespace sinew::evaluate
