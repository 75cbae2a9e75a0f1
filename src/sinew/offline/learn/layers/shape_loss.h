// Blend shapes whose coefficients depend on the pose, in plain C++: evaluation of what libsinew_torch trains
// (torch/shape_loss.h).
//
// Reference: P. Li et al., "Learning Skeletal Articulations with Neural Blend Shapes", 2021, Eqs. 4 and 5. Symbols: B
// shapes, alpha_j coefficients of joint j, m_j its mask, R its rotation relative to its parent. Deviation: alpha(R) =
// MLP(R - I) - MLP(0), so that nothing is added at rest.
#ifndef SINEW_OFFLINE_LEARN_LAYERS_SHAPE_LOSS_H_
#define SINEW_OFFLINE_LEARN_LAYERS_SHAPE_LOSS_H_

#include <array>
#include <span>
#include <vector>

#include "sinew/offline/core/random.h"
#include "sinew/offline/learn/layers/matrix.h"

namespace sinew::layers {

// A small network per joint, from the 9 numbers of R - I to coefficients: three layers with biases, LeakyReLU between
// them. Its parameters are one row of numbers: for each layer W of all joints, one below the other, then b of all
// joints, a row each.
struct JointNetworks {
  static constexpr int kInputs = 9;

  int joints = 0;
  std::array<int, 3> widths = {};  // outputs of the three layers; the last are coefficients
  float slope = 0.2F;

  int InputsOf(int layer) const { return layer == 0 ? kInputs : widths[layer - 1]; }
  size_t parameter_count() const;
  // Weights after Glorot and Bengio 2010, biases zero.
  std::vector<float> InitialParameters(Random& random) const;
  // Coefficients alpha, joints by widths.back(). rotations: joints by 9, matrices row by row. Throws UsageError for
  // sizes that do not fit.
  RowMatrix Coefficients(std::span<const float> parameters, const ConstRows& rotations) const;
};

// Returns the mean over the edges that end at every vertex of their rows. ends: vertices of every edge.
RowMatrix VertexMeans(std::span<const std::array<int, 2>> ends, const ConstRows& edges, int vertices);

// What blend shapes add to every vertex at rest, vertices by 3 (Eq. 5). masks: vertices by joints. B: x, y, z of every
// shape per vertex. alpha: joints by shapes.
RowMatrix AddedByShapes(const ConstRows& masks, const ConstRows& B, const ConstRows& alpha);

// Body whose shapes are learned, and a pose of it.
struct ShapeBody {
  RowMatrix masks;            // vertices by joints
  std::vector<float> shares;  // how much each vertex counts; their sum is 1
};
struct ShapePose {
  RowMatrix rotations;  // of joints relative to their parents, joints by 9
  RowMatrix turns;      // what skinning does to what is added at rest: vertices by 9
  RowMatrix off;        // the posed surface without shapes, less the true one: vertices by 3
};

// Returns what shapes leave of ShapePose::off, vertices by 3. B: of vertices.
RowMatrix ShapeResidual(const JointNetworks& networks, std::span<const float> parameters, const ShapeBody& body,
                        const ShapePose& pose, const ConstRows& B);
// Mean of its squares over vertices, by their shares, and over poses, after lengths are multiplied by `scale` (Eq. 4).
double ShapeLoss(const JointNetworks& networks, std::span<const float> parameters, const ShapeBody& body,
                 std::span<const ShapePose> poses, const ConstRows& B, double scale);

}  // namespace sinew::layers

#endif  // SINEW_OFFLINE_LEARN_LAYERS_SHAPE_LOSS_H_
