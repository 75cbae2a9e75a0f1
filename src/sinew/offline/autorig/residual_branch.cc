#include "sinew/offline/autorig/residual_branch.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "sinew/offline/autorig/named_choice.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json_fields.h"
#include "sinew/offline/learn/layers/description.h"
#include "sinew/offline/multires/blend_shapes.h"

namespace sinew::autorig {
namespace {

constexpr double kSlope = 0.2;  // of activations below zero
constexpr int kHidden = 256;
constexpr double kSharp = 0.05, kSharpAtWrists = 0.02;
// The published code divides the last layer's initial weights by this, so that training starts from the envelope.
constexpr double kInitialScale = 1e-3;
constexpr const char* kField = "residual";
constexpr const char* kRemedy = "train it again with `sinew learn rig-shapes`";

layers::DescribedNetwork MakeNetwork(int features) { return {DescribeShapes(features), "the residual branch"}; }

bool IsWrist(int joint) {
  const std::string_view name = BipedJoints()[joint].name;
  return name == "left_wrist" || name == "right_wrist";
}

// Number of the layer of a name in a description.
size_t LayerOf(const Json& layers, const std::string& name) {
  for (size_t k = 0; k < layers.size(); ++k) {
    if (layers[k].value("name", fmt::format("{}", k)) == name) return k;
  }
  throw UsageError(fmt::format("the rigging network has no layer '{}'", name));
}

// Name of the layer that joints are made from: the last of what is pooled, or what votes are made of first.
std::string FeatureLayer(const Json& layers) {
  const auto sources = [](const Json& layer) {
    const Json from = layer.value("from", Json::array());
    if (from.empty()) throw UsageError("the rigging network does not say what joints are made from");
    return from.get<std::vector<std::string>>();
  };
  for (const Json& layer : layers) {
    const std::string kind = layer["kind"];
    if (kind == "skinning_pool") return sources(layer).back();
    if (kind == "vote_pool") return sources(layers[LayerOf(layers, sources(layer).back())]).front();
  }
  throw UsageError("the rigging network has no layer that joints are made from");
}

std::string CoefficientTensor(int layer, const char* part) {
  return fmt::format("{}.coefficients{}.{}", kField, layer + 1, part);
}

// Shapes of the coefficient networks' tensors, in the order of their parameters.
std::vector<learn::Tensor> EmptyCoefficients() {
  const layers::JointNetworks networks = CoefficientNetworks();
  std::vector<learn::Tensor> tensors;
  for (int k = 0; k < 3; ++k) {
    tensors.push_back(
        {CoefficientTensor(k, "weight"), {networks.joints, networks.InputsOf(k), networks.widths[k]}, {}});
    tensors.push_back({CoefficientTensor(k, "bias"), {networks.joints, networks.widths[k]}, {}});
  }
  return tensors;
}

}  // namespace

std::vector<std::string> MaskNames() { return {"sharp", "smooth"}; }

MaskKind MaskOf(const std::string& name) {
  return static_cast<MaskKind>(IndexOfWord(name, MaskNames(), "kind of mask"));
}

RowMatrix BendingMasks(const ConstRows& weights, MaskKind kind) {
  RowMatrix masks(weights.rows(), kBendingJoints);
  for (int j = 1; j < kJoints; ++j) {
    const int parent = BipedJoints()[j].parent;
    const double least = IsWrist(j) ? kSharpAtWrists : kSharp;
    for (Eigen::Index v = 0; v < weights.rows(); ++v) {
      const double weight = std::max(weights(v, j), weights(v, parent));
      masks(v, j - 1) = kind == MaskKind::kSmooth ? multires::SmoothMask(weight) : weight > least ? 1.0F : 0.0F;
    }
  }
  return masks;
}

Json DescribeShapes(int features) {
  layers::Description net(features);
  net.Add({{"kind", "mesh_conv"}, {"outputs", kHidden}}, {"input"}, "residual1");
  net.Add({{"kind", "leaky_relu"}, {"slope", kSlope}}, {"residual1"}, "residual1.active");
  net.Add({{"kind", "mesh_conv"}, {"outputs", 3 * kShapes}, {"initial_scale", kInitialScale}}, {"residual1.active"},
          "residual2");
  return net.json();
}

layers::JointNetworks CoefficientNetworks() {
  return {.joints = kBendingJoints, .widths = {18, 32, kShapes}, .slope = static_cast<float>(kSlope)};
}

RowMatrix ShapeFeatures(const RigNetwork& network, const EdgeInput& input) {
  const Json& layers = network.network().description()["layers"];
  const size_t features = LayerOf(layers, FeatureLayer(layers)), weights = LayerOf(layers, "weights");
  const layers::Domain domain{.rings = &input.edges->rings, .wide = input.edges->wide};
  const layers::NetworkTrace trace = network.network().Forward(
      network.parameters(), NetworkInput(input, network.network().inputs()), domain, /*training=*/false);
  const RowMatrix &V = trace.layers[features].output, &W = trace.layers[weights].output;
  RowMatrix both(V.rows(), V.cols() + W.cols());
  both << V, W;
  return both;
}

Points Envelope::ToEnvelope(const Points& surface) const {
  return refined.PointsToCanonical(measured.PointsToCanonical(surface));
}

Envelope FindEnvelope(const TriMesh& surface, const Eigen::Matrix3d& turn, const RigNetwork& network,
                      const std::string& file) {
  Envelope envelope;
  envelope.measured = MeasureFrame(surface, turn);
  const TriMesh canonical{envelope.measured.PointsToCanonical(surface.positions), surface.triangles};
  const EdgeInput input = MakeEdgeInput(canonical, MakeSurfaceEdges(canonical));
  const RigAnswer answer = network.Rig(input);
  const std::optional<BodyFrame> refined = RefinedFrame(answer.joints);
  if (!refined)
    throw InputError(
        file, "", "is no body in which the network finds a skeleton",
        "leave it out of a training; `sinew rig` can teach its blend shapes without --shapes-from network");
  envelope.refined = *refined;
  envelope.input = InFrame(input, *refined, true);
  envelope.points = refined->PointsToCanonical(canonical.positions);
  envelope.weights = layers::VertexMeans(input.edges->ends, answer.weights, surface.vertex_count());
  envelope.joints.resize(kJoints, 3);
  for (int j = 0; j < kJoints; ++j) {
    envelope.joints.row(j) = refined->ToCanonical(answer.joints.row(j).transpose()).cast<float>().transpose();
  }
  return envelope;
}

ResidualBranch::ResidualBranch(int features, MaskKind masks, std::vector<float> parameters, Json training)
    : network_(MakeNetwork(features)), masks_(masks), parameters_(std::move(parameters)), training_(training) {
  if (parameters_.size() != network_.parameter_count() + CoefficientNetworks().parameter_count()) {
    throw UsageError("the residual branch has not as many weights as its layers");
  }
}

bool ResidualBranch::IsIn(const learn::Model& model) { return (*model.settings).contains(kField); }

std::optional<ResidualBranch> ResidualBranch::Of(const learn::Model& model, const RigNetwork& network,
                                                 const std::string& file) {
  if (!IsIn(model)) return std::nullopt;
  const Json& settings = *model.settings;
  const JsonFields fields(settings[kField], file, fmt::format("settings.{}", kField), kRemedy);
  const std::vector<std::string> names = MaskNames();
  const std::string mask = fields.String("masks");
  if (std::find(names.begin(), names.end(), mask) == names.end()) {
    fields.Fail(fmt::format("has masks '{}', which there are not", mask));
  }
  // Before memory is allocated for as many features as the file says.
  const layers::DescribedNetwork& rig = network.network();
  const Json& layers = rig.description()["layers"];
  const learn::Tensor* first = model.Find("residual1.weight");
  if (first == nullptr || first->shape.size() != 2 || first->shape[0] % 5 != 0) {
    throw InputError(file, "tensor 'residual1.weight'", "is missing or of another shape", kRemedy);
  }
  const int features = first->shape[0] / 5;
  if (features != rig.WidthOfLayer(LayerOf(layers, FeatureLayer(layers))) + kJoints) {
    throw InputError(file, "tensor 'residual1.weight'", "is for other features than those of the model's network",
                     kRemedy);
  }
  std::vector<float> parameters = MakeNetwork(features).ParametersOf(model, file);
  for (const learn::Tensor& wanted : EmptyCoefficients()) {
    const learn::Tensor* found = model.Find(wanted.name);
    if (found == nullptr || found->shape != wanted.shape) {
      throw InputError(file, fmt::format("tensor '{}'", wanted.name), "is missing or of another shape", kRemedy);
    }
    parameters.insert(parameters.end(), found->values.begin(), found->values.end());
  }
  return ResidualBranch(features, MaskOf(mask), std::move(parameters),
                        settings[kField].value("training", Json::object()));
}

void ResidualBranch::AddTo(learn::Model& model, const Json& figures) const {
  Json settings = *model.settings, all_figures = *model.figures;
  settings[kField] = {{"masks", MaskNames()[static_cast<size_t>(masks_)]}, {"training", *training_}};
  all_figures[kField] = figures;
  model.settings = JsonBox(settings);
  model.figures = JsonBox(all_figures);
  std::vector<learn::Tensor> tensors =
      network_.ToTensors(std::span(parameters_).first(network_.parameter_count()), learn::TensorPrecision::kFloat);
  const float* next = parameters_.data() + network_.parameter_count();
  for (learn::Tensor& tensor : EmptyCoefficients()) {
    const size_t count = learn::EntryCount(tensor.shape);
    tensor.values.assign(next, next + count);
    next += count;
    tensors.push_back(std::move(tensor));
  }
  for (learn::Tensor& tensor : tensors) {
    std::erase_if(model.tensors, [&](const learn::Tensor& old) { return old.name == tensor.name; });
    model.tensors.push_back(std::move(tensor));
  }
}

RowMatrix ResidualBranch::Shapes(const ConstRows& features, const SurfaceEdges& edges) const {
  const layers::Domain domain{.rings = &edges.rings, .wide = edges.wide};
  return network_.Evaluate(std::span(parameters_).first(network_.parameter_count()), features, domain);
}

std::span<const float> ResidualBranch::coefficient_parameters() const {
  return std::span(parameters_).subspan(network_.parameter_count());
}

RowMatrix ResidualBranch::Coefficients(const ConstRows& rotations) const {
  return CoefficientNetworks().Coefficients(coefficient_parameters(), rotations);
}

}  // namespace sinew::autorig
