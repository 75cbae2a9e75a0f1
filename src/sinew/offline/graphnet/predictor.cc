#include "sinew/offline/graphnet/predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/json_fields.h"
#include "sinew/offline/graphnet/coarser_levels.h"
#include "sinew/offline/learn/model_values.h"

namespace sinew::graphnet {
namespace {

constexpr const char* kKind = "graphnet";
constexpr int kVersion = 2;  // of features and answers: another version means other numbers
constexpr const char* kMean = "scaling.mean";
constexpr const char* kDeviation = "scaling.deviation";
constexpr const char* kAnswer = "scaling.answer";
constexpr const char* kRemedy = "train it again with `sinew learn train`";

std::vector<std::string> TakeStrings(const JsonFields& fields, const char* key) {
  std::vector<std::string> strings;
  for (const Json& entry : fields.List(key)) {
    if (!entry.is_string()) fields.Fail(fmt::format("\"{}\" has an entry that is not text", key));
    strings.push_back(entry);
  }
  return strings;
}

ModelCard TakeCard(const learn::Model& model, const std::string& file) {
  const Json& settings = *model.settings;
  if (settings.value("kind", Json()) != kKind) {
    throw InputError(file, "settings", "is no graph network", "give a model that `sinew learn train` wrote");
  }
  const JsonFields fields(settings, file, "settings", kRemedy);
  const Json version = settings.value("version", Json());
  if (version != kVersion) {
    fields.Fail(fmt::format("is of version {}, and this program is for version {}",
                            version.is_number_integer() ? fmt::format("{}", version.get<int64_t>()) : "unknown",
                            kVersion));
  }
  ModelCard card;
  card.network = fields.String("network");
  card.body = BodyOptionsOf(settings.value("body", Json::object()), file);
  card.joints = TakeStrings(fields, "joints");
  card.seen = TakeStrings(fields, "seen");
  card.training = settings.value("training", Json::object());
  card.corpus_hash = model.corpus_hash;
  card.recipe_hash = model.recipe_hash;
  card.licence = model.licence;
  return card;
}

Scaling TakeScaling(const learn::Model& model, int columns, const std::string& file) {
  Scaling scaling{learn::TakeVector(model, kMean, columns, file, kRemedy),
                  learn::TakeVector(model, kDeviation, columns, file, kRemedy),
                  learn::TakeVector(model, kAnswer, 1, file, kRemedy)[0]};
  for (const float deviation : scaling.deviation) {
    if (!(deviation > 0)) throw InputError(file, kDeviation, "has a number that is not positive", kRemedy);
  }
  return scaling;
}

}  // namespace

learn::Model MakeModel(const layers::DescribedNetwork& network, const std::vector<float>& parameters,
                       const Scaling& scaling, const ModelCard& card, const Json& figures) {
  learn::Model model;
  model.architecture = JsonBox(network.description());
  model.settings = JsonBox(Json{{"kind", kKind},
                                {"version", kVersion},
                                {"network", card.network},
                                {"body", JsonOf(card.body)},
                                {"joints", card.joints},
                                {"seen", card.seen},
                                {"training", card.training}});
  model.corpus_hash = card.corpus_hash;
  model.recipe_hash = card.recipe_hash;
  model.licence = card.licence;
  model.figures = JsonBox(figures);
  model.tensors = network.ToTensors(parameters, learn::TensorPrecision::kFloat);
  model.tensors.push_back(learn::ToVector(kMean, scaling.mean));
  model.tensors.push_back(learn::ToVector(kDeviation, scaling.deviation));
  model.tensors.push_back(learn::ToVector(kAnswer, std::array{scaling.answer}));
  learn::StoreMatricesAsHalves(model);
  return model;
}

Predictor::Predictor(const learn::Model& model, const std::string& file)
    : file_(file), network_(*model.architecture, file), card_(TakeCard(model, file)) {
  parameters_ = network_.ParametersOf(model, file);
  scaling_ = TakeScaling(model, network_.inputs(), file);
  if (network_.coarser_levels() > card_.body.coarser_levels) {
    throw InputError(file, "architecture", "pools to more levels than its settings ask of bodies", kRemedy);
  }
  if (network_.outputs() != 3 || network_.needs_rings() || !network_.answers_rows()) {
    throw InputError(file, "architecture", "does not answer with a displacement per point", kRemedy);
  }
  seen_.insert(card_.seen.begin(), card_.seen.end());
}

void Predictor::RequireSkeleton(const Body& body, const std::string& body_file) const {
  RequireJoints(body.joints(), body_file);
  if (!(body.options() == card_.body)) {
    throw UsageError(fmt::format("{} was prepared for another network than {}", body_file, file_));
  }
  if (body.columns() == network_.inputs()) return;
  throw InputError(
      file_, "architecture",
      fmt::format("takes {} features per point, and its joints make {}", network_.inputs(), body.columns()), kRemedy);
}

void Predictor::RequireJoints(const std::vector<std::string>& joints, const std::string& body_file) const {
  if (!NeedsOneSkeleton(card_.body.features) || joints == card_.joints) return;
  throw InputError(body_file, "skeleton",
                   fmt::format("has not the {} joints that {} was trained for", card_.joints.size(), file_),
                   "train a network on bodies with this skeleton");
}

void Predictor::RequireUnseen(const std::vector<std::string>& hashes, const std::string& file) const {
  const auto seen = std::count_if(hashes.begin(), hashes.end(), [&](const std::string& hash) { return HasSeen(hash); });
  if (seen == 0) return;
  throw InputError(file, "", fmt::format("{} of its {} frames were used in training", seen, hashes.size()),
                   "test with frames that the network has not seen");
}

Points Predictor::Shape(const Body& body, const layers::Graph& graph, const Body::Frame& frame) const {
  RowMatrix features = frame.features;
  scaling_.Standardise(features);
  const RowMatrix answer =
      network_.Evaluate(parameters_, features, {.graph = &graph, .coarser = body.coarser()}) * scaling_.answer;
  return body.Apply(frame, answer);
}

Points Predictor::Shape(const Body& body, const layers::Graph& graph, const Body::Frame& frame,
                        const PointResidual& residual) const {
  if (residual.empty()) return Shape(body, graph, frame);
  const Answer answer = AnswerOf(body, graph, frame);
  return body.Apply(frame, answer.displacements + residual.Evaluate(answer.inputs));
}

Predictor::Answer Predictor::AnswerOf(const Body& body, const layers::Graph& graph, const Body::Frame& frame) const {
  RowMatrix features = frame.features;
  scaling_.Standardise(features);
  const layers::NetworkTrace trace =
      network_.Forward(parameters_, features, {.graph = &graph, .coarser = body.coarser()}, false);
  Answer answer{trace.output() * scaling_.answer, std::move(features), {}};
  answer.groups.push_back(static_cast<int>(answer.inputs.cols()));
  if (trace.layers.size() < 2) return answer;
  const RowMatrix& hidden = trace.layers[trace.layers.size() - 2].output;
  if (hidden.rows() != answer.inputs.rows()) return answer;
  answer.inputs.conservativeResize(Eigen::NoChange, answer.inputs.cols() + hidden.cols());
  answer.inputs.rightCols(hidden.cols()) = hidden;
  answer.groups.push_back(static_cast<int>(hidden.cols()));
  return answer;
}

layers::Graph MakeBodyGraph(const Body& body) { return GraphOf(body.neighbours()); }

}  // namespace sinew::graphnet
