#include "sinew/offline/autorig/joint_refiner.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "sinew/offline/autorig/example.h"
#include "sinew/offline/core/error.h"
#include "tests/support/small_rig.h"

namespace sinew::autorig {
namespace {

const WeightedBody& Body() {
  static const WeightedBody body = MakeWeightedBody(testing::SmallBiped(), "biped");
  return body;
}

// The body in a stance with arms down, no two joints' axes along those of the model.
WeightedBody Standing() { return Stand(Body(), TrainingStances(), 5); }

std::vector<float> SoundingsOf(const WeightedBody& body, bool mirrored) {
  return TakeSoundings(SurfaceQuery(body.surface), body.joints, *RefinedFrame(body.joints), mirrored);
}

void ExpectAlike(const std::vector<float>& a, const std::vector<float>& b, float tolerance) {
  ASSERT_EQ(a.size(), b.size());
  int off = 0;  // rays along an edge of the silhouette may meet it or not
  for (size_t i = 0; i < a.size(); ++i) off += std::abs(a[i] - b[i]) > tolerance ? 1 : 0;
  EXPECT_LE(off, static_cast<int>(a.size()) / 200);
}

WeightedBody MirrorImage(const WeightedBody& body) {
  WeightedBody image = body;
  image.surface.positions.col(0) *= -1;
  image.surface.triangles.col(1).swap(image.surface.triangles.col(2));
  for (int j = 0; j < kJoints; ++j) {
    image.joints.row(j) = body.joints.row(BipedJoints()[j].mirrored).cwiseProduct(Eigen::RowVector3d(-1, 1, 1));
  }
  return image;
}

TEST(TakeSoundings, ForgetWhereTheBodyStandsAndHowLargeItIs) {
  const WeightedBody body = Standing();
  WeightedBody other = body;
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(2, Eigen::Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  const auto move = [&](const Eigen::Vector3d& p) -> Eigen::RowVector3d {
    return (170 * (turn * p) + Eigen::Vector3d(30, -20, 10)).transpose();
  };
  for (int v = 0; v < other.surface.vertex_count(); ++v) {
    other.surface.positions.row(v) = move(body.surface.positions.row(v).transpose().cast<double>()).cast<float>();
  }
  for (int j = 0; j < kJoints; ++j) other.joints.row(j) = move(body.joints.row(j).transpose());
  for (const bool mirrored : {false, true}) {
    ExpectAlike(SoundingsOf(body, mirrored), SoundingsOf(other, mirrored), 1e-4F);
  }
}

TEST(TakeSoundings, OfTheMirrorImageAreTheMirrorImages) {
  const WeightedBody body = Standing(), image = MirrorImage(body);
  ExpectAlike(SoundingsOf(body, true), SoundingsOf(image, false), 1e-4F);
  ExpectAlike(SoundingsOf(body, false), SoundingsOf(image, true), 1e-4F);
}

TEST(TakeSoundings, DistancesAreThoseToTheSurface) {
  const WeightedBody body = Standing();
  const BodyFrame frame = *RefinedFrame(body.joints);
  const std::vector<float> soundings = SoundingsOf(body, false);
  const SurfaceQuery query(body.surface);
  const JointPositions in_view = JointsInView(body.joints, frame, false);
  const std::array<Eigen::Matrix3d, kJoints> axes = JointAxes(in_view);
  EXPECT_NEAR((axes[0] * axes[0].transpose() - Eigen::Matrix3d::Identity()).norm(), 0, 1e-9);
  const float behind = soundings[3 * kJoints];  // the corner (-1, -1, -1) of the pelvis
  const Eigen::Vector3d at = in_view.row(0).transpose() + behind * (axes[0] * Eigen::Vector3d(-1, -1, -1).normalized());
  EXPECT_LT(query.Closest(frame.ToFile(at).cast<float>())->distance, 1e-4 * frame.height);
}

TEST(JointRefiner, PutsJointsOfABodyThatItKnowsRight) {
  const WeightedBody body = Stand(Body(), UprightStance(), 100);
  const SurfaceQuery surface(body.surface);
  SoundingSamples made;
  Random random(1);
  for (int k = 0; k < 200; ++k) AddSamples(JointRefiner(), surface, body.joints, random, made);
  learn::Samples samples{RowMatrix(kSoundings, made.count()), RowMatrix(3 * kJoints, made.count())};
  for (size_t i = 0; i < made.count(); ++i) {
    samples.inputs.col(i) = Eigen::Map<const Eigen::VectorXf>(made.soundings[i].data(), kSoundings);
    samples.targets.col(i) = 100 * Eigen::Map<const Eigen::VectorXf>(made.moves[i].data(), 3 * kJoints);
  }
  learn::Fit fit = learn::FitNetwork(
      samples, samples, {.width = 32, .steps = 800, .batch = 64, .rate = 3e-3, .patience = 800, .free = true});
  fit.network.W3 /= 100;
  fit.network.b3 /= 100;
  JointRefiner refiner;
  refiner.Add(fit.network);
  const double height = RefinedFrame(body.joints)->height;
  double before = 0, after = 0;
  for (int k = 0; k < 10; ++k) {
    const JointPositions wrong = body.joints + height * DrawErrors(0.01, random);
    before += (wrong - body.joints).norm();
    after += (refiner.Refine(surface, wrong) - body.joints).norm();
  }
  EXPECT_LT(after, 0.85 * before);

  // Mirror images get mirror images.
  const JointPositions wrong = body.joints + height * DrawErrors(0.01, random);
  WeightedBody moved = body;
  moved.joints = wrong;
  const WeightedBody image = MirrorImage(moved);
  WeightedBody refined = body;
  refined.joints = refiner.Refine(surface, wrong);
  const JointPositions other = refiner.Refine(SurfaceQuery(image.surface), image.joints);
  EXPECT_LT((other - MirrorImage(refined).joints).norm(), 1e-3 * height);

  // The model keeps it.
  learn::Model model = testing::UntrainedRigModel(1e9);
  const size_t tensors = model.tensors.size();
  refiner.Store(model);
  refiner.Store(model);
  EXPECT_EQ(model.tensors.size(), tensors + 6);
  const RigNetwork read(learn::DecodeModel(learn::EncodeModel(model), "rig.model"), "rig.model");
  EXPECT_EQ(read.refiner().Refine(surface, wrong), refined.joints);
  for (learn::Tensor& tensor : model.tensors) {
    if (tensor.name == "refiner.W2") tensor.values.pop_back(), tensor.shape = {static_cast<int>(tensor.values.size())};
  }
  EXPECT_THROW(RigNetwork(model, "rig.model"), InputError);
}

TEST(JointRefiner, LaterNetworksCorrectWhatEarlierOnesLeave) {
  const WeightedBody body = Standing();
  const SurfaceQuery surface(body.surface);
  const double height = RefinedFrame(body.joints)->height;
  // Networks that move all joints by one vector, in the axes of each joint.
  const auto moving = [](float along) {
    const int width = 8;
    learn::Network network;
    network.W1 = Eigen::MatrixXf::Zero(width, kSoundings);
    network.W2 = Eigen::MatrixXf::Zero(width, width);
    network.W3 = Eigen::MatrixXf::Zero(3 * kJoints, width);
    network.b1 = network.b2 = Eigen::VectorXf::Zero(width);
    network.b3 = Eigen::VectorXf::Zero(3 * kJoints);
    for (int j = 0; j < kJoints; ++j) network.b3[3 * j + 2] = along;
    return network;
  };
  JointRefiner one, both;
  one.Add(moving(0.001F));
  both.Add(moving(0.001F));
  both.Add(moving(-0.002F));
  // The first moves twice, so that one of the opposite sign and twice the length takes nearly all of it back.
  const double away = (one.Refine(surface, body.joints) - body.joints).rowwise().norm().mean();
  EXPECT_NEAR(away, 0.002 * height, 2e-4 * height);
  EXPECT_LT((both.Refine(surface, body.joints) - body.joints).rowwise().norm().mean(), 0.2 * away);

  // Samples of what is behind a refiner are of the joints as it leaves them.
  SoundingSamples of_one, of_none;
  Random a(3), b(3);
  AddSamples(one, surface, body.joints, a, of_one);
  AddSamples(JointRefiner(), surface, body.joints, b, of_none);
  ASSERT_EQ(of_one.count(), 2U);
  EXPECT_NE(of_one.moves, of_none.moves);

  learn::Model model = testing::UntrainedRigModel(1e9);
  const size_t tensors = model.tensors.size();
  both.Store(model);
  EXPECT_EQ(model.tensors.size(), tensors + 12);
  EXPECT_EQ(JointRefiner::Of(model, "rig.model").Refine(surface, body.joints), both.Refine(surface, body.joints));
  one.Store(model);
  EXPECT_EQ(model.tensors.size(), tensors + 6);
  EXPECT_EQ(JointRefiner::Of(model, "rig.model").networks(), 1U);
}

TEST(JointRefiner, AnUntrainedOneMovesNothing) {
  const WeightedBody body = Standing();
  EXPECT_FALSE(JointRefiner().is_trained());
  EXPECT_EQ(JointRefiner().Refine(SurfaceQuery(body.surface), body.joints), body.joints);
}

}  // namespace
}  // namespace sinew::autorig
