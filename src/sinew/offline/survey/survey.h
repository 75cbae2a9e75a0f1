// Errors of any list of methods against ground truth on many bodies at once, each on its own mesh.
#ifndef SINEW_OFFLINE_SURVEY_SURVEY_H_
#define SINEW_OFFLINE_SURVEY_SURVEY_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sinew/offline/evaluate/evaluate.h"
#include "sinew/offline/survey/body.h"
#include "sinew/offline/survey/training_bodies.h"

namespace sinew::survey {

// A method and how to make it for a body. The body outlives the method.
struct BodyMethod {
  std::string name;
  std::function<evaluate::Method(const LoadedBody& body)> make;
  // Throws InputError for a body that the method cannot be measured on; called for all bodies before the first is
  // measured. dataset, character: those of the body. May be empty: the method is for all bodies.
  std::function<void(const Body& body, const dataset::Dataset& dataset, const Character& character)> check = {};
};

struct MeasuredBody {
  Body body;
  int vertices = 0;
  BodyShape shape;
  double to_mm = 1;                 // millimetres per unit of the character
  evaluate::Evaluation evaluation;  // of one level; its body_regions are moved to `regions`
  // [method][BodyRegion]: distances in metres; weights are shares of the surface times frames.
  std::vector<std::vector<evaluate::DistanceTally>> regions;
  // Distance to the nearest training pose per frame, degrees; empty if there is none to compare with.
  std::vector<double> pose_degrees;
  std::optional<NearestBody> nearest;  // training body; none if there is none to compare with

  int frame_count() const { return static_cast<int>(evaluation.touches.size()); }
  // Evaluation::exact() in metres.
  double exact() const { return 1e-3 * to_mm * evaluation.exact(); }
};

struct Survey {
  std::vector<std::string> methods;  // names; linear blend with the files' own weights comes first
  std::vector<MeasuredBody> bodies;  // as given
  int training_bodies = 0, training_poses = 0;
};

struct SurveyOptions {
  // Bodies and poses that the methods were trained on; null: unknown, nothing is said about distances to them.
  const TrainingBodies* training = nullptr;
  bool crossings = false;  // whether crossing triangles are counted (EvaluateOptions::crossings)
};

// Measures linear blend skinning with the weights of each body's file and then the given methods, which do not include
// it, on the frames of every body that count. Throws UsageError if two bodies or two methods have the same name, and
// InputError for a body that cannot be read, one that a method refuses, and one whose chosen frames (Body::frames) are
// among the training frames.
Survey MeasureBodies(const std::vector<Body>& bodies, const std::vector<BodyMethod>& methods,
                     const SurveyOptions& options = {});

}  // namespace sinew::survey

#endif  // SINEW_OFFLINE_SURVEY_SURVEY_H_
