// Blend shapes from the mesh alone (P. Li et al., "Learning Skeletal Articulations with Neural Blend Shapes", 2021,
// Eq. 5): networks that have learned what flesh does (teach/) answer the shapes of a body that was rigged just now, in
// sampled poses, and shapes and coefficients are fitted to these (multires/blend_shapes.h). Nothing is simulated.
//
// Deviation: the paper's network answers 9 shapes of the body directly, and coefficient networks are shared by all
// bodies. Here a network answers the body's shape in each pose, which sees more of the body, and a least-squares fit
// makes the paper's form of that, with shapes and coefficients of this body. What the paper's residual branch answers
// (residual_branch.h) is brought into this form, too, which plays.
#ifndef SINEW_OFFLINE_AUTORIG_PREDICT_SHAPES_H_
#define SINEW_OFFLINE_AUTORIG_PREDICT_SHAPES_H_

#include <string>

#include "sinew/offline/autorig/residual_branch.h"
#include "sinew/offline/autorig/rig_character.h"
#include "sinew/offline/multires/train.h"
#include "sinew/offline/teach/teacher.h"

namespace sinew::autorig {

// Score (teach/taught_body.h) above which a pose is too strange to learn from. That of a dataset is 1; here joints and
// weights are those of a network and not an artist's, on which the others were trained: the median score of one body
// was 0.97 so, and 0.72 with its artist's rig. How the error grows up to this limit has not been measured.
constexpr double kStrangeScore = 1.5;

struct ShapeOptions {
  int poses = 200;                      // number of sampled poses in which networks are asked
  int shapes = multires::kUsualShapes;  // per joint, at most
  int levels = 4;                       // of detail, at most
  int steps = 600;                      // of the training of a coefficient network, at most
  bool keep_all = false;                // whether poses that are stranger than what was learned count, too
  runtime::Precision precision = runtime::Precision::kI8;  // of the bundle that they are meant for
  uint64_t seed = 1;
};

struct PredictedShapes {
  lod::Hierarchy hierarchy;     // levels of detail of the rigged character
  multires::Training training;  // with the deformer: one region per joint
  Json settings;                // as those of a deformer that was trained on a dataset of these shapes
  int asked = 0, beyond = 0;    // number of poses, and of those with a score above kStrangeScore
  double score = 0;             // median of the poses' scores (teach/taught_body.h); 0: the networks know none
  double metres_per_unit = 1;   // of the file, by the size of the body
};

// Predicts blend shapes for a rig. file: name of the character in messages. Throws InputError if the body is too
// different from what the networks have learned.
PredictedShapes PredictShapes(const Rig& rig, const teach::Teacher& teacher, const ShapeOptions& options,
                              const std::string& file);
// The same of what the residual branch of the rigging network answers: its shapes in sampled poses, in the form that
// plays. There are no scores, and no body is too different.
PredictedShapes PredictShapes(const Rig& rig, const RigNetwork& network, const ResidualBranch& branch,
                              const ShapeOptions& options, const std::string& file);

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_PREDICT_SHAPES_H_
