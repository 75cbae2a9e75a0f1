// Features that a graph network sees of a posed body, and how its outputs become displacements (T. Li et al.,
// "MultiResGNet: Approximating Nonlinear Deformation via Multi-Resolution Graphs", Eqs. 2 to 4).
//
// Symbols: rbar_i a point at rest relative to the pelvis, w_si its skin weights, G_s the product of the local rotations
// from the root down to joint s, r_i the relative skinning of the point, n_i its normal, x_i its distances to all
// joints.
//
// Deviations. Lengths are divided by the body's size, so that a child and a giant share weights. The rotation of the
// pelvis is taken out of r, n and the displacements, so that results turn with the body exactly. Distances run along
// edges of the surface, from the points nearest to the joint, instead of through voxels. A body whose file has other
// axes is turned by right angles first, such that it stands along y and looks along z. Other features
// (joint_features.h), a working level and answers in the frames of limbs are choices of BodyOptions.
#ifndef SINEW_OFFLINE_GRAPHNET_BODY_H_
#define SINEW_OFFLINE_GRAPHNET_BODY_H_

#include <memory>
#include <string>
#include <vector>

#include "sinew/offline/character/posing.h"
#include "sinew/offline/graphnet/body_options.h"
#include "sinew/offline/learn/dense.h"
#include "sinew/offline/learn/layers/level_pooling.h"
#include "sinew/offline/mesh/csr.h"

namespace sinew::graphnet {

using learn::ConstRows;
using learn::RowMatrix;

// Returns the names of the joints that features of a body with this skeleton are about, in order: all but helpers.
std::vector<std::string> NetworkJoints(const Skeleton& skeleton);

// Character prepared for a network: its features, neighbours and areas. Rows of all matrices are the welded points of
// its rest surface, or those of its working level.
class Body {
 public:
  // file: name in error messages. Throws InputError for a character without skinned points, and, with the paper's
  // features, without pelvis, legs or spine.
  Body(Character character, const std::string& file, const BodyOptions& options = {});
  ~Body();
  Body(Body&&) noexcept;

  const Character& character() const;
  const BodyOptions& options() const;
  // NetworkJoints() of its skeleton. A network is for one such list.
  const std::vector<std::string>& joints() const;
  int points() const;
  int columns() const;  // of the features: the paper's are 6 and one per joint
  // With the paper's features, lengths of a leg's and the spine's bones together; with others, from how far the surface
  // is spread: about the height of a person. In the file's unit.
  double size() const;
  const Csr& neighbours() const;            // of every point, along edges of the surface
  const std::vector<float>& areas() const;  // of the surface around every point, at rest
  // Part of these areas in which something bends: all but the shares of joints that no other joint hangs from. A head
  // or a sword follows its joint, whatever it looks like.
  const std::vector<float>& bending() const;
  // BodyOptions::coarser_levels graphs below that of the points.
  const std::vector<layers::CoarserGraph>& coarser() const;

  // Factors of the features of the same body as a mirror shows it, in the mirrored pose: 1 or -1 each. Its answer has
  // the other x. Empty for features or answers whose mirror image is not so easily had.
  std::vector<float> MirrorSigns() const;

  // Share of the whole area per vertex of the file: of a point with several vertices, the same part each.
  std::vector<float> VertexShares() const;

  // One pose of the body.
  struct Frame {
    Points skinned;  // linear blend skinning, per vertex of the file
    // Of the pelvis, or of the joint that the others turn relative to, from rest, where the body stands upright.
    Eigen::Matrix3f rotation;
    RowMatrix features;  // points by columns()
    // Of answers in the frames of limbs: rotation of every point, from rest, relative to that joint. Otherwise empty.
    std::vector<Eigen::Matrix3f> turns = {};
  };
  // May be called from several threads at once.
  Frame Evaluate(const Pose& pose) const;

  // Displacements that a network should answer in a frame, points by 3. truth: the true shape, per vertex of the file.
  RowMatrix Targets(const Frame& frame, const Points& truth) const;
  // Shape that the answer of a network makes, per vertex of the file.
  Points Apply(const Frame& frame, const ConstRows& answer) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::graphnet

#endif  // SINEW_OFFLINE_GRAPHNET_BODY_H_
