// Correction of the weights that a rigging network has found, vertex by vertex of the file's surface. The network sees
// the body on a mesh of its own with edges of 30 mm, and what is carried over from there is blurred; this sees where a
// vertex lies among the joints, whatever the mesh.
#ifndef SINEW_OFFLINE_AUTORIG_WEIGHT_REFINER_H_
#define SINEW_OFFLINE_AUTORIG_WEIGHT_REFINER_H_

#include <array>
#include <optional>
#include <string>

#include "sinew/offline/autorig/body_frame.h"
#include "sinew/offline/learn/dense.h"
#include "sinew/offline/learn/model_file.h"
#include "sinew/offline/learn/network.h"
#include "sinew/offline/mesh/queries.h"

namespace sinew::autorig {

using learn::RowMatrix;

// Columns of what is known of a vertex (SurfaceTraits()): its place, its normal, and the distance through the body
// behind it; all in the frame of the body's joints.
constexpr int kTraits = 7, kThicknessTrait = 6;
// Inputs of the network: weights, place in the axes of every joint and distance from it, distance from every bone and
// share along it, normal and thickness.
constexpr int kWeightInputs = kJoints + 3 * kJoints + kJoints + 2 * (kJoints - 1) + 4;

// Returns traits of all vertices, one row each. frame: RefinedFrame() of the joints, in the surface's space.
RowMatrix SurfaceTraits(const TriMesh& surface, const BodyFrame& frame);

// The joints of a body, straight or as its mirror image has them, as vertices are described by them.
class JointView {
 public:
  // joints, frame: in one space.
  JointView(const JointPositions& joints, const BodyFrame& frame, bool mirrored);

  // Writes kWeightInputs numbers, `stride` apart. traits, weights: of one vertex.
  void Describe(const float* traits, const float* weights, float* inputs, Eigen::Index stride) const;
  // Writes kJoints weights as the view has them, `stride` apart: those of the mirrored joints if it is mirrored.
  void TakeWeights(const float* weights, float* taken, Eigen::Index stride) const;

 private:
  bool mirrored_;
  JointPositions joints_;
  std::array<Eigen::Matrix3d, kJoints> axes_;
};

class WeightRefiner {
 public:
  WeightRefiner() = default;
  explicit WeightRefiner(learn::Network network) : network_(std::move(network)) {}

  // Takes the refiner of a model, which is untrained if the model has none. Throws InputError, naming `file`, for one
  // that is damaged.
  static WeightRefiner Of(const learn::Model& model, const std::string& file);
  // Puts it into a model, in place of the one that is there.
  void Store(learn::Model& model) const;

  bool is_trained() const { return network_.has_value(); }

  // Returns corrected weights: the mean of the answers for the body and for its mirror image. joints: in the surface's
  // space. weights: one row per vertex, with a sum of 1. They come back as they are where joints all but coincide, and
  // from an untrained refiner.
  RowMatrix Refine(const TriMesh& surface, const JointPositions& joints, const RowMatrix& weights) const;

 private:
  std::optional<learn::Network> network_;
};

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_WEIGHT_REFINER_H_
