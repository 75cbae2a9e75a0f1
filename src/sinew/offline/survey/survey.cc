#include "sinew/offline/survey/survey.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"

namespace sinew::survey {
namespace {

constexpr double kDegrees = 180 / 3.14159265358979323846;

std::vector<std::string> NamesOf(const std::vector<BodyMethod>& methods) {
  std::vector<std::string> names = {evaluate::kLinearBlend};
  for (const BodyMethod& method : methods) {
    if (std::find(names.begin(), names.end(), method.name) != names.end()) {
      throw UsageError(fmt::format("two methods are named {}: give each a name of its own", method.name));
    }
    names.push_back(method.name);
  }
  return names;
}

// Turns tallies in sizes of the character into such in metres.
std::vector<std::vector<evaluate::DistanceTally>> InMetres(const evaluate::Evaluation& evaluation, double metres) {
  std::vector<std::vector<evaluate::DistanceTally>> regions(evaluation.body_regions.size());
  const double size = evaluation.size > 0 ? evaluation.size : 1;
  for (size_t m = 0; m < regions.size(); ++m) {
    regions[m].resize(kBodyRegions);
    for (int r = 0; r < kBodyRegions; ++r) regions[m][r].AddScaled(evaluation.body_regions[m][r], metres * size, 1);
  }
  return regions;
}

MeasuredBody Measure(const Body& body, const std::vector<BodyMethod>& methods, const SurveyOptions& options) {
  const LoadedBody loaded(body);
  const dataset::TrainingFrames frames = dataset::FramesOf(loaded.dataset, loaded.hierarchy);
  std::vector<evaluate::Method> made;
  for (const BodyMethod& method : methods) made.push_back(method.make(loaded));
  MeasuredBody measured;
  measured.body = body;
  measured.vertices = loaded.character().vertex_count();
  measured.shape = MeasureBody(loaded.character(), loaded.metres_per_unit());
  measured.to_mm = 1e3 * loaded.metres_per_unit();
  measured.evaluation = evaluate::EvaluateMethods(
      loaded.hierarchy, frames, std::move(made),
      {.metres_per_unit = loaded.metres_per_unit(), .crossings = options.crossings, .body_regions = true});
  measured.regions = InMetres(measured.evaluation, loaded.metres_per_unit());
  measured.evaluation.body_regions.clear();
  if (options.training == nullptr) return measured;
  measured.pose_degrees = options.training->PoseDistances(loaded.character().skeleton, frames.poses);
  for (double& distance : measured.pose_degrees) distance *= kDegrees;
  measured.nearest = options.training->Nearest(measured.shape);
  return measured;
}

}  // namespace

Survey MeasureBodies(const std::vector<Body>& bodies, const std::vector<BodyMethod>& methods,
                     const SurveyOptions& options) {
  RefuseRepeated(bodies);
  Survey survey;
  survey.methods = NamesOf(methods);
  if (options.training != nullptr) {
    survey.training_bodies = options.training->body_count();
    survey.training_poses = options.training->pose_count();
  }
  // A dataset that cannot be read must not be found after hours.
  for (const Body& body : bodies) ReadOnlyCharacter(dataset::Dataset(body.dataset));
  for (const Body& body : bodies) {
    if (bodies.size() > 1) Info("body {} of {}: {}", survey.bodies.size() + 1, bodies.size(), body.name);
    survey.bodies.push_back(Measure(body, methods, options));
  }
  return survey;
}

}  // namespace sinew::survey
