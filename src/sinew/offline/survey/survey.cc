#include "sinew/offline/survey/survey.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/dataset/chosen_frames.h"

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

// Frames that were chosen to test with say nothing where they were trained on. Of whole datasets the user may want
// that.
void RefuseTrainedFrames(const Body& body, const dataset::Dataset& dataset, const TrainingBodies& training) {
  if (!body.frames) return;
  const int trained = training.CountTrained(body, dataset);
  if (trained == 0) return;
  throw InputError(
      dataset.path().string(), "",
      fmt::format("{} of the {} frames to measure are also given as training", trained, body.frames->size()),
      "give the corpus with --training, which stands for its training frames, in place of its datasets");
}

// A body that cannot be measured must not be found after hours.
void CheckBody(const Body& body, const std::vector<BodyMethod>& methods, const SurveyOptions& options) {
  const dataset::Dataset dataset(body.dataset);
  const Character character = ReadOnlyCharacter(dataset);
  if (options.training != nullptr) RefuseTrainedFrames(body, dataset, *options.training);
  for (const BodyMethod& method : methods) {
    if (method.check) method.check(body, dataset, character);
  }
}

MeasuredBody Measure(const Body& body, const std::vector<BodyMethod>& methods, const SurveyOptions& options) {
  const LoadedBody loaded(body);
  const dataset::TrainingFrames frames = dataset::ChosenFrames(loaded.dataset, loaded.hierarchy, loaded.frames);
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
  for (const Body& body : bodies) CheckBody(body, methods, options);
  for (const Body& body : bodies) {
    if (bodies.size() > 1) Info("body {} of {}: {}", survey.bodies.size() + 1, bodies.size(), body.name);
    survey.bodies.push_back(Measure(body, methods, options));
  }
  return survey;
}

}  // namespace sinew::survey
