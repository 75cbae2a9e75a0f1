#include "sinew/offline/pipeline/rehearse.h"

#include "sinew/offline/core/error.h"
#include "sinew/offline/core/log.h"
#include "sinew/offline/multires/train.h"
#include "sinew/offline/pipeline/build_report.h"
#include "sinew/offline/pipeline/clocks.h"
#include "sinew/offline/pipeline/layout.h"
#include "sinew/offline/pipeline/method_choice.h"
#include "sinew/offline/render/picture.h"

namespace sinew::pipeline {
namespace {

// Keeps progress bars of the rehearsed stages from the user, while it exists.
class Silence {
 public:
  Silence() { SetQuiet(true); }
  ~Silence() { SetQuiet(before_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  const bool before_ = quiet();
};

int CountNetworks(const Request& request, const lod::Hierarchy& hierarchy, const RehearsalFrames& frames,
                  bool single_level) {
  // So few frames are learned by heart in so few steps; the next level then learns what is left.
  constexpr int kSteps = 200;
  dataset::TrainingFrames samples;
  samples.name = "rehearsal";
  samples.poses = frames.poses;
  samples.truth = [&](int j) { return frames.shapes[j]; };
  multires::TrainOptions options = TrainingOptions(request, single_level);
  options.fit.steps = std::min(options.fit.steps, kSteps);
  int networks = 0;
  for (const multires::LevelSummary& level : multires::Train(hierarchy, samples, options).levels) {
    networks += level.networks;
  }
  return networks;
}

// Processor seconds to draw one body of a picture as the page has them. bodies: number in one picture.
double DrawBodies(const Character& character, int bodies) {
  constexpr int kDrawn = 2;  // instead of all, which would take long
  render::PictureOptions options;
  options.views = {render::ParseView("three-quarter")};
  options.sheet.common_scale = true;
  options.sheet.max_width = kPictureWidth * kDrawn / bodies;
  const render::PictureInput body{
      .character = &character, .label = "rehearsal", .poses = {character.skeleton.RestPose()}};
  const auto draw = [&](int count, int height) {
    const double start = ProcessSeconds();
    options.sheet.height = height;
    render::MakePicture(std::vector<render::PictureInput>(count, body), options);
    return ProcessSeconds() - start;
  };
  // The first picture also pays for starting OpenGL, so it is a small one that does not count.
  draw(1, 100);
  return draw(kDrawn, BuildReportInput().picture_height) / kDrawn;
}

}  // namespace

void Rehearse(const Request& request, const Character& character, const JointLimits& limits,
              const RehearsalFrames& frames, Calibration& calibration) {
  const Silence silence;
  try {
    const double start = ProcessSeconds();
    const lod::Hierarchy hierarchy =
        lod::BuildHierarchy(character, kCharacter, LevelOptions(request, character, limits));
    calibration.hierarchy_seconds = ProcessSeconds() - start;
    if (calibration.rigid) {
      calibration.networks = calibration.single_level_networks = 0;
    } else {
      const MethodPlan methods = PlanMethods(request.config);
      if (methods.trains_sinew) calibration.networks = CountNetworks(request, hierarchy, frames, false);
      if (methods.trains_single) calibration.single_level_networks = CountNetworks(request, hierarchy, frames, true);
    }
  } catch (const Error&) {
    // Too few frames, or levels that cannot be made.
  }
  if (!request.config.Flag("report", "pictures")) return;
  try {
    calibration.picture_seconds = DrawBodies(character, BodiesInPicture(request.config));
  } catch (const Error&) {
    // A machine that cannot draw: the page comes without pictures.
  }
}

}  // namespace sinew::pipeline
