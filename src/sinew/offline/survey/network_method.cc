#include "sinew/offline/survey/network_method.h"

#include <memory>
#include <utility>

#include "sinew/offline/graphnet/predictor.h"
#include "sinew/offline/learn/model_file.h"
#include "sinew/offline/teach/taught_body.h"

namespace sinew::survey {
namespace {

using PredictorPointer = std::shared_ptr<const graphnet::Predictor>;

Points ToPoints(const lod::Level& level, const Points& vertices) {
  Points points(level.point_count, 3);
  for (Eigen::Index v = 0; v < vertices.rows(); ++v) points.row(level.point_of_vertex[v]) = vertices.row(v);
  return points;
}

// A network and the body that it is used on.
class NetworkOnBody {
 public:
  NetworkOnBody(PredictorPointer predictor, const LoadedBody& body)
      : predictor_(std::move(predictor)),
        level_(body.hierarchy.levels.back()),
        body_(body.character(), body.dataset.CharacterFile(0).string(), predictor_->body_options()),
        graph_(graphnet::MakeBodyGraph(body_)) {
    predictor_->RequireSkeleton(body_, body.dataset.path().string());
  }

  std::vector<Points> Shapes(const Pose& pose) const {
    return {ToPoints(level_, predictor_->Shape(body_, graph_, body_.Evaluate(pose)))};
  }

 private:
  PredictorPointer predictor_;
  const lod::Level& level_;
  graphnet::Body body_;
  layers::Graph graph_;
};

void Check(const graphnet::Predictor& predictor, const Body& body, const dataset::Dataset& dataset,
           const Character& character) {
  predictor.RequireJoints(graphnet::NetworkJoints(character.skeleton), dataset.path().string());
  std::vector<std::string> hashes;
  for (const int i : CountedFrames(body, dataset)) hashes.push_back(graphnet::SeenHash(dataset.frame(i)));
  predictor.RequireUnseen(hashes, dataset.path().string());
}

}  // namespace

BodyMethod NetworkMethod(const std::string& name, const std::filesystem::path& model) {
  const auto predictor = std::make_shared<const graphnet::Predictor>(learn::ReadModel(model), model.string());
  return {.name = name,
          .make =
              [name, predictor](const LoadedBody& body) {
                const auto network = std::make_shared<const NetworkOnBody>(predictor, body);
                return evaluate::Method{name, [network](const Pose& pose) { return network->Shapes(pose); }};
              },
          .check = [predictor](const Body& body, const dataset::Dataset& dataset,
                               const Character& character) { Check(*predictor, body, dataset, character); }};
}

BodyMethod EnsembleMethod(const std::string& name, const std::vector<std::filesystem::path>& models) {
  const auto teacher = std::make_shared<const teach::Teacher>(models);
  const auto make = [name, teacher](const LoadedBody& body) {
    const lod::Level& level = body.hierarchy.levels.back();
    // The body refers to its teacher, which lives as long as this method does.
    const auto taught =
        std::make_shared<const teach::TaughtBody>(*teacher, body.character(), body.dataset.CharacterFile(0).string());
    return evaluate::Method{name, [&level, teacher, taught](const Pose& pose) {
                              return std::vector<Points>{ToPoints(level, taught->Teach(pose).shape)};
                            }};
  };
  const auto check = [teacher](const Body& body, const dataset::Dataset& dataset, const Character& character) {
    for (const teach::Member& member : teacher->members()) Check(member.predictor, body, dataset, character);
  };
  return {.name = name, .make = make, .check = check};
}

}  // namespace sinew::survey
