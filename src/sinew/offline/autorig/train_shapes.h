// Training of the residual branch with libtorch, stage 2 of the paper: the envelope is frozen, and shapes and their
// coefficients learn what skinning leaves of true shapes.
//
// Reference: P. Li et al., "Learning Skeletal Articulations with Neural Blend Shapes", 2021, section 5.1 and Table 5.
//
// Deviations. A step looks at each of its bodies in several poses at once: most of its time goes to the shapes, which
// these share. Poses are those of the data, as they are. The envelope is what the network answers for a mesh, joints
// included, where the published code trains with true joints and is used with predicted ones.
#ifndef SINEW_OFFLINE_AUTORIG_TRAIN_SHAPES_H_
#define SINEW_OFFLINE_AUTORIG_TRAIN_SHAPES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/offline/autorig/shaped_body.h"
#include "sinew/offline/learn/layers/torch_run.h"

namespace sinew::autorig {

struct TrainShapesOptions {
  MaskKind masks = MaskKind::kSharp;
  int poses = 8;                 // of a body in a step
  double coefficient_rate = 10;  // learning rate of the joints' networks over that of the shapes (Table 5)
  layers::RunOptions run = {.steps = 20000, .batch = 5, .rate = 1e-4, .decay = 0};
};

// Mean distances to true shapes, over vertices by their shares and over poses; metres of a body of kStature.
struct ShapeErrors {
  int bodies = 0, poses = 0;
  double envelope = 0;  // of skinning alone
  double shapes = 0;    // with blend shapes
};
ShapeErrors MeasureShapes(const ResidualBranch& branch, const std::vector<ShapedBody>& bodies);
Json JsonOf(const ShapeErrors& errors);

struct TrainedShapes {
  ResidualBranch branch;
  ShapeErrors training, validation;
  learn::TrainingState state;
  bool finished = false;  // false: stopped by the clock
};

// Trains a branch, and returns the one with the smallest validation loss. Goes on from `checkpoint` with `resume`.
// model_hash: of the rigging network that bodies were made with. Throws UsageError if there is no body.
TrainedShapes TrainShapes(const std::vector<ShapedBody>& training, const std::vector<ShapedBody>& validation,
                          const TrainShapesOptions& options, const std::string& model_hash,
                          const std::filesystem::path& checkpoint, bool resume);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_TRAIN_SHAPES_H_
