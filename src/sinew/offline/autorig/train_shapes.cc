#include "sinew/offline/autorig/train_shapes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/offline/autorig/supervision.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/hash.h"
#include "sinew/offline/core/parallel.h"

namespace sinew::autorig {
namespace {

std::span<const float> NumbersOf(const RowMatrix& rows) { return {rows.data(), static_cast<size_t>(rows.size())}; }

Json HashesOf(const std::vector<ShapedBody>& bodies) {
  Json hashes = Json::array();
  for (const ShapedBody& body : bodies) {
    std::string text =
        HashHex(std::as_bytes(NumbersOf(body.features))) + HashHex(std::as_bytes(NumbersOf(body.body.masks)));
    for (const layers::ShapePose& pose : body.poses) {
      text += HashHex(std::as_bytes(NumbersOf(pose.rotations))) + HashHex(std::as_bytes(NumbersOf(pose.off)));
    }
    hashes.push_back(HashHex(std::as_bytes(std::span(text))));
  }
  return hashes;
}

// Hands a body to the trainer, and returns its number.
int AddBody(const ShapedBody& body, learn::TorchTrainer& trainer) {
  const SurfaceEdges& edges = *body.edges;
  std::vector<int> rings, ends;
  for (const auto& ring : edges.rings.rings) rings.insert(rings.end(), ring.begin(), ring.end());
  for (const auto& [a, b] : edges.ends) ends.insert(ends.end(), {a, b});
  const int mesh = trainer.AddMesh(std::vector<int>(edges.count() + 1, 0), {}, rings);
  trainer.AddPoints(mesh, ends, static_cast<int>(body.body.shares.size()));
  const int frame = trainer.AddFrame(mesh, NumbersOf(body.features), {}, {});
  trainer.AddMasks(frame, {NumbersOf(body.body.masks), body.body.shares});
  for (const layers::ShapePose& pose : body.poses) {
    trainer.AddPose(frame, {NumbersOf(pose.rotations), NumbersOf(pose.turns), NumbersOf(pose.off)});
  }
  return frame;
}

double MeanLength(const RowMatrix& residual, const std::vector<float>& shares) {
  double sum = 0;
  for (Eigen::Index v = 0; v < residual.rows(); ++v) sum += double{shares[v]} * residual.row(v).norm();
  return sum;
}

}  // namespace

ShapeErrors MeasureShapes(const ResidualBranch& branch, const std::vector<ShapedBody>& bodies) {
  std::vector<ShapeErrors> sums(bodies.size());
  ParallelFor(static_cast<int>(bodies.size()), 1, [&](int b) {
    const ShapedBody& body = bodies[b];
    const RowMatrix B = layers::VertexMeans(body.edges->ends, branch.Shapes(body.features, *body.edges),
                                            static_cast<int>(body.body.shares.size()));
    for (const layers::ShapePose& pose : body.poses) {
      const RowMatrix left =
          layers::ShapeResidual(CoefficientNetworks(), branch.coefficient_parameters(), body.body, pose, B);
      sums[b].envelope += kStature * MeanLength(pose.off, body.body.shares);
      sums[b].shapes += kStature * MeanLength(left, body.body.shares);
    }
  });
  ShapeErrors errors;
  errors.bodies = static_cast<int>(bodies.size());
  for (size_t b = 0; b < bodies.size(); ++b) {
    errors.poses += static_cast<int>(bodies[b].poses.size());
    errors.envelope += sums[b].envelope;
    errors.shapes += sums[b].shapes;
  }
  errors.envelope /= std::max(1, errors.poses);
  errors.shapes /= std::max(1, errors.poses);
  return errors;
}

Json JsonOf(const ShapeErrors& errors) {
  return {{"meshes", errors.bodies},
          {"poses", errors.poses},
          {"envelope_mm", 1e3 * errors.envelope},
          {"shapes_mm", 1e3 * errors.shapes}};
}

TrainedShapes TrainShapes(const std::vector<ShapedBody>& training, const std::vector<ShapedBody>& validation,
                          const TrainShapesOptions& options, const std::string& model_hash,
                          const std::filesystem::path& checkpoint, bool resume) {
  if (training.empty() || validation.empty())
    throw UsageError("there is no body to train on, or none to validate with");
  const auto features = static_cast<int>(training[0].features.cols());
  const layers::DescribedNetwork network(DescribeShapes(features), "the network");
  layers::ShapeRun shapes{CoefficientNetworks(), options.coefficient_rate, kStature, options.poses, {}};
  std::vector<int> poses_of;  // of every frame of the trainer
  shapes.draw = [&poses_of, &options](int frame, Random& random) {
    std::vector<int> drawn;
    for (int k = 0; k < options.poses; ++k) {
      drawn.push_back(static_cast<int>(random.Below(static_cast<uint32_t>(poses_of[frame]))));
    }
    return drawn;
  };
  Random random(options.run.seed);
  std::vector<float> parameters = network.InitialParameters(random);
  const std::vector<float> coefficients = shapes.networks.InitialParameters(random);
  parameters.insert(parameters.end(), coefficients.begin(), coefficients.end());
  Json card = layers::JsonOf(options.run);
  card["poses_per_step"] = options.poses;
  card["coefficient_rate"] = options.coefficient_rate * options.run.rate;
  card["masks"] = MaskNames()[static_cast<size_t>(options.masks)];
  card["model"] = model_hash;
  layers::TorchRun run(network, std::move(parameters), options.run,
                       Json{{"training", HashesOf(training)}, {"validation", HashesOf(validation)}, {"options", card}},
                       checkpoint, nullptr, &shapes);
  const auto add = [&](const std::vector<ShapedBody>& bodies) {
    std::vector<int> numbers;
    for (const ShapedBody& body : bodies) {
      numbers.push_back(AddBody(body, run.trainer()));
      poses_of.push_back(static_cast<int>(body.poses.size()));
    }
    return numbers;
  };
  std::vector<int> numbers = add(training);
  run.SetFrames(std::move(numbers), add(validation));
  if (resume) run.Resume();
  const bool finished = run.Go();
  card["device"] = options.run.cuda ? "cuda" : "cpu";
  card["best_step"] = run.state().best_step;
  TrainedShapes trained{ResidualBranch(features, options.masks, run.best(), card), {}, {}, run.state(), finished};
  trained.training = MeasureShapes(trained.branch, training);
  trained.validation = MeasureShapes(trained.branch, validation);
  return trained;
}

}  // namespace sinew::autorig
