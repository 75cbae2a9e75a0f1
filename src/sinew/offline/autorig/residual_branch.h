// The paper's residual branch: blend shapes of a body from the features of its edges, and coefficients from the
// rotations of its joints.
//
// Reference: P. Li et al., "Learning Skeletal Articulations with Neural Blend Shapes", 2021, section 4.2 and Table 5.
// Symbols: V' and W features and weights of edges, B the shapes, alpha_j the coefficients of joint j, m_j its mask.
//
// The envelope, which V' and W are from, is frozen, as in the text; the published code trains a second copy of the
// geometry block.
#ifndef SINEW_OFFLINE_AUTORIG_RESIDUAL_BRANCH_H_
#define SINEW_OFFLINE_AUTORIG_RESIDUAL_BRANCH_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/autorig/rig_network.h"
#include "sinew/offline/learn/layers/shape_loss.h"

namespace sinew::autorig {

constexpr int kShapes = 9;
// Joints that bend: all but the pelvis, which is the first.
constexpr int kBendingJoints = kJoints - 1;

// Border of the masks of a joint, as a function of the larger weight of the joint and its parent.
enum class MaskKind {
  kSharp,   // the paper's: 1 above 0.05, and above 0.02 for wrists, as in the published code; 0 elsewhere
  kSmooth,  // ours, multires::SmoothMask()
};
// Names of these, in that order, and the one of a name. Throws UsageError for a name that does not exist.
std::vector<std::string> MaskNames();
MaskKind MaskOf(const std::string& name);

// Returns the masks m_j of vertices, one column per bending joint. weights: of vertices, one column per joint.
RowMatrix BendingMasks(const ConstRows& weights, MaskKind kind);

// Description of the network that answers x, y, z of kShapes shapes for every edge (Table 5). features: columns of its
// input.
Json DescribeShapes(int features);
// The networks of the bending joints, which answer coefficients (Table 5).
layers::JointNetworks CoefficientNetworks();

// Returns what the branch sees of every edge: V', from which the rigging network makes joints, and W. input: what
// InFrame() returns, in the refined frame. Throws UsageError for a network whose layers have not been made by
// DescribeNetwork().
RowMatrix ShapeFeatures(const RigNetwork& network, const EdgeInput& input);

// A body in its refined frame, as the branch sees it and skinning moves it.
struct Envelope {
  EdgeInput input;     // in that frame
  Points points;       // vertices at rest
  RowMatrix weights;   // of vertices: share of every joint
  RowMatrix joints;    // kJoints by 3
  BodyFrame measured;  // of the surface, and in that:
  BodyFrame refined;   // which gives the space of all the above

  Points ToEnvelope(const Points& surface) const;
  // Turn from the surface's axes to those of the envelope, and size of its unit in the surface's.
  Eigen::Matrix3d turn() const { return refined.turn * measured.turn; }
  double unit() const { return refined.height * measured.height; }
};
// Rigs a surface. turn: from its axes to canonical ones. Throws InputError, naming `file`, if the network finds no
// skeleton in it.
Envelope FindEnvelope(const TriMesh& surface, const Eigen::Matrix3d& turn, const RigNetwork& network,
                      const std::string& file);

class ResidualBranch {
 public:
  // parameters: of the network that DescribeShapes() describes for these features, then of CoefficientNetworks().
  ResidualBranch(int features, MaskKind masks, std::vector<float> parameters, Json training);
  // Takes the branch of a rigging model; none if it has none. Throws InputError, naming `file`, for a damaged one, and
  // for one of other features than those of the model's network.
  static std::optional<ResidualBranch> Of(const learn::Model& model, const RigNetwork& network,
                                          const std::string& file);
  // Whether a rigging model has one.
  static bool IsIn(const learn::Model& model);
  // Adds the branch to a rigging model, or replaces the one that it has. figures: what it reached.
  void AddTo(learn::Model& model, const Json& figures) const;

  MaskKind masks() const { return masks_; }
  const Json& training() const { return *training_; }
  // Number of trained weights of both parts.
  size_t parameter_count() const { return parameters_.size(); }
  // Shapes B of edges, edges by 3 kShapes, in the space of the input.
  RowMatrix Shapes(const ConstRows& features, const SurfaceEdges& edges) const;
  // Coefficients alpha, kBendingJoints by kShapes. rotations: R of the bending joints, by 9.
  RowMatrix Coefficients(const ConstRows& rotations) const;
  std::span<const float> coefficient_parameters() const;

 private:
  layers::DescribedNetwork network_;
  MaskKind masks_;
  std::vector<float> parameters_;
  JsonBox training_;
};

}  // namespace sinew::autorig

#endif  // SINEW_OFFLINE_AUTORIG_RESIDUAL_BRANCH_H_
