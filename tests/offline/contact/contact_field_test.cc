#include "sinew/offline/contact/contact_field.h"

#include <gtest/gtest.h>

#include "sinew/offline/contact/contact_bench.h"
#include "sinew/offline/contact/object_centric.h"
#include "sinew/offline/contact/train_field.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json.h"
#include "sinew/offline/core/parallel.h"
#include "tests/offline/contact/small_worm.h"
#include "tests/support/gradient_check.h"
#include "tests/support/temporary_folder.h"

namespace sinew::contact {
namespace {

using Eigen::VectorXd;

ContactField RandomField(const FieldShape& shape) {
  std::vector<float> scales(FieldInputs::Width(SmallWorm()));
  Random random(7);
  for (float& scale : scales) scale = static_cast<float>(random.Uniform(0.5, 3));
  ContactField field(SmallWorm(), shape, scales, 0.3f);
  field.set_parameters(field.network().InitialParameters(random));
  return field;
}

TEST(ContactField, SkinningOfHiddenUnitsIsTheFullProduct) {
  const SampleRef ref = ListSamples(SmallShards())[4];
  for (const FieldKind kind : {FieldKind::kSparse, FieldKind::kDense, FieldKind::kLiteral}) {
    for (const int layers : {1, 2}) {
      const ContactField field = RandomField({.kind = kind, .hidden_layers = layers, .width = 24});
      const learn::RowMatrix fast = field.Predict(ref), slow = field.PredictByRows(ref);
      EXPECT_GT(slow.norm(), 0.1);
      EXPECT_LT((fast - slow).cwiseAbs().maxCoeff(), 1e-4);
    }
  }
}

// Moving object and collider together changes nothing: equations 2 to 4 know nothing of the world.
TEST(ContactField, IsInTheCollidersSpace) {
  const SampleRef ref = ListSamples(SmallShards())[3];
  const elasticity::PlanePose motion{.angle = 0.8, .position = {2, -1}};
  ContactShard shard = *ref.shard;
  ContactSample sample = *ref.sample;
  const Eigen::Map<const VectorXd> state(shard.state.data(), static_cast<Eigen::Index>(shard.state.size()));
  const VectorXd moved = CarryState(SmallWorm().subspace, state, motion.Rotation(), motion.position);
  shard.state.assign(moved.data(), moved.data() + moved.size());
  for (int n = 0; n < shard.node_count(); ++n) {
    const Eigen::Vector2d x = motion.ToCollider({shard.positions[2 * n], shard.positions[2 * n + 1]});
    for (int k = 0; k < 2; ++k) shard.positions[2 * n + k] = static_cast<float>(x[k]);
  }
  const Eigen::Vector2d p = motion.ToCollider({sample.position[0], sample.position[1]});
  sample.position[0] = p[0];
  sample.position[1] = p[1];
  sample.turn.angle -= motion.angle;
  const ContactField field = RandomField({.width = 24});
  EXPECT_LT((field.Predict(ref) - field.Predict({&shard, &sample})).cwiseAbs().maxCoeff(), 1e-4);
}

// A bone without weight at a node does not change what the sparse field says there.
TEST(ContactField, SparseFieldsAreLocal) {
  const SampleRef ref = ListSamples(SmallShards())[3];
  ContactShard other = *ref.shard;
  for (int i = 12; i < 18; ++i) other.state[i] += 0.3;
  for (const FieldKind kind : {FieldKind::kSparse, FieldKind::kLiteral, FieldKind::kDense}) {
    const ContactField field = RandomField({.kind = kind, .width = 24});
    const learn::RowMatrix a = field.Predict(ref), b = field.Predict({&other, ref.sample});
    double without = 0, with = 0;
    for (int n = 0; n < a.rows(); ++n) {
      const double difference = (a.row(n) - b.row(n)).norm();
      double& largest = SmallWorm().subspace.weights()(n, 2) == 0 ? without : with;
      largest = std::max(largest, difference);
    }
    EXPECT_GT(with, 1e-3);
    EXPECT_EQ(without > 1e-6, kind == FieldKind::kDense);
  }
}

TEST(ContactField, GradientIsThatOfTheLoss) {
  const auto [seen, held] = HoldBack(SmallShards());
  const FieldRows rows(SmallWorm(), FieldKind::kSparse, seen, {.samples = 2, .nodes = 5, .edges = 3}, 1);
  RowBatch batch;
  Random random(9);
  rows.Fill(random, batch);
  for (const int layers : {1, 2}) {
    const ContactField field = RandomField({.hidden_layers = layers, .width = 6});
    std::vector<float> gradient(field.network().parameter_count(), 0.0f);
    BatchLoss(field.network(), field.parameters(), batch, &gradient);
    const VectorXd at = Eigen::Map<const Eigen::VectorXf>(field.parameters().data(), gradient.size()).cast<double>();
    const auto loss = [&](const VectorXd& x) {
      const Eigen::VectorXf parameters = x.cast<float>();
      return BatchLoss(field.network(), std::span(parameters.data(), parameters.size()), batch, nullptr);
    };
    const VectorXd own = Eigen::Map<const Eigen::VectorXf>(gradient.data(), gradient.size()).cast<double>();
    EXPECT_LT(GradientError(loss, at, own, 1e-2), 4e-3) << layers;
  }
}

// Drawn rows weigh all nodes alike: the expected loss of a field that says 0 is the mean square of the targets.
TEST(ContactField, RowsAreUnbiased) {
  const auto [seen, held] = HoldBack(SmallShards());
  const FieldRows rows(SmallWorm(), FieldKind::kDense, seen, {.samples = 400, .nodes = 50, .edges = 50}, 1);
  RowBatch batch;
  Random random(3);
  rows.Fill(random, batch);
  double nodes = 0, edges = 0;
  for (Eigen::Index i = 0; i < batch.targets.rows(); ++i)
    nodes += batch.weights[i] * batch.targets.row(i).squaredNorm();
  for (size_t e = 0; e < batch.edges.size(); ++e) {
    const auto [a, b] = batch.edges[e];
    edges += batch.edge_weights[e] * (batch.targets.row(a) - batch.targets.row(b)).squaredNorm();
  }
  EXPECT_NEAR(nodes, 1, 0.15);
  EXPECT_NEAR(edges, 1, 0.15);
}

// The same steps give the same bits, whatever the threads and after a stop.
TEST(ContactField, TrainsToTheSameBits) {
  const FieldShape shape{.hidden_layers = 1, .width = 24};
  const FieldRowOptions rows{.samples = 8, .nodes = 24, .edges = 8};
  TrainOptions options{.steps = 100, .rate = 5e-3};
  const testing::TemporaryFolder folder;
  SetThreads(1);
  const ContactField field = TrainField(SmallWorm(), shape, SmallShards(), rows, options, nullptr);
  SetThreads(3);
  options.checkpoint = folder / "sparse.partial";
  const ContactField again = TrainField(SmallWorm(), shape, SmallShards(), rows, options, nullptr);
  const ContactField read = TrainField(SmallWorm(), shape, SmallShards(), rows, options, nullptr);
  SetThreads(0);
  EXPECT_EQ(field.parameters(), again.parameters());
  EXPECT_EQ(field.parameters(), read.parameters());
}

TEST(ContactField, LearnsWhatItIsTrainedOn) {
  const std::vector<SampleRef> refs = ListSamples(SmallShards());
  const FieldRows rows(SmallWorm(), FieldKind::kSparse, refs, {.samples = 8, .nodes = 48, .edges = 16}, 1);
  ContactField field(SmallWorm(), {.hidden_layers = 2, .width = 48}, rows.input_scales(), rows.output_scale());
  RowBatch validation;
  Random random(5);
  rows.Fill(random, validation);
  const auto make = [&](Random& numbers, RowBatch& batch) { rows.Fill(numbers, batch); };
  const Trained trained = TrainNetwork(field.network(), make, validation, {.steps = 600, .rate = 5e-3});
  field.set_parameters(trained.parameters);
  EXPECT_LT(RelativeError(refs, [&](const SampleRef& ref) { return field.Predict(ref); }), 0.75);
}

TEST(ObjectCentric, LearnsWhatItIsTrainedOn) {
  Trained trained;
  const ObjectCentricModel model = TrainObjectCentric(SmallWorm(), SmallShards(), {.width = 200, .batch = 32},
                                                      {.steps = 400, .rate = 3e-3}, &trained);
  EXPECT_GT(model.component_count(), 10);
  EXPECT_LT(trained.history.back().training, 0.7 * trained.history.front().training);
  const SampleRef ref = ListSamples(SmallShards())[0];
  EXPECT_EQ(model.Predict(ref).rows(), SmallWorm().node_count());
}

TEST(ContactField, RefusesSamplesOfAnotherObject) {
  const PlaneObject other = MakeWorm({.triangles = 300, .collider = "cube"});
  const SampleRef ref = ListSamples(SmallShards())[0];
  EXPECT_THROW(FieldInputs(other, FieldKind::kSparse, ref), UsageError);
  EXPECT_THROW(FieldRows(other, FieldKind::kSparse, {}, {}, 1), UsageError);
}

}  // namespace
}  // namespace sinew::contact
