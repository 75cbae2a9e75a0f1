// Blend shapes of joints: correctives of the form of P. Li et al., "Learning Skeletal Articulations with Neural Blend
// Shapes", 2021, Eq. 5, fitted to the ground truth of one character. Every joint j has a few shapes on a mask m_j, and
// a network alpha_j that sees the rotation of j alone; a displacement before skinning is the sum over joints of
// alpha_j(R_j) times the shapes, and zero at rest.
//
// Deviations: the paper's masks end where a weight passes 0.05, which leaves a crease at their borders; here shapes
// fade to zero there. The paper has 9 shapes of the whole body that the masks cut out for every joint; here every joint
// has its own, since shapes at two joints have nothing in common.
#ifndef SINEW_OFFLINE_MULTIRES_BLEND_SHAPES_H_
#define SINEW_OFFLINE_MULTIRES_BLEND_SHAPES_H_

#include <vector>

#include "sinew/offline/multires/region.h"

namespace sinew::multires {

// Weights between which a mask rises from 0 to 1.
constexpr double kMaskBegins = 0.02, kMaskFull = 0.1;
// Returns the mask for a weight: 0 up to kMaskBegins, 1 from kMaskFull on, and smooth between them.
float SmoothMask(double weight);

// Returns the masks m_j of a level, one per joint of the skeleton: smooth functions of the larger of the skinning
// weights of j and of the joint that carries it. Joints that carry the whole body have no points.
std::vector<Support> JointMasks(const lod::Level& level);

// Shapes of one joint, orthonormal, strongest first, and the coefficients that its network is to give.
struct JointShapes {
  Support mask;
  learn::RowMatrix V;  // one row per shape, 3 columns per point of the mask
  learn::RowMatrix z;  // one row per frame, one column per shape
};

struct BlendShapes {
  std::vector<JointShapes> joints;  // one per joint of the skeleton; without shapes where there is nothing to correct
  double left = 0;                  // as TrainedRegion::left, over all points of the level
};

// Finds the shapes of level i. Displacements are fitted by a sum over joints of polynomials in the rotation of each,
// all at once by least squares, since masks overlap; the shapes are the principal components of every joint's summand.
// A joint has as many as scene.options.blend_shapes says, or fewer if the rest of its summand is below the threshold of
// equation 9. X: displacements before skinning, one row per frame of the scene, 3 columns per point.
BlendShapes FindBlendShapes(const Scene& scene, const learn::RowMatrix& X, int i);

// Returns the corrective of a joint, and the problem that its network is to be fitted to.
PreparedRegion PrepareJoint(const Scene& scene, const BlendShapes& shapes, int i, int joint);

}  // namespace sinew::multires

#endif  // SINEW_OFFLINE_MULTIRES_BLEND_SHAPES_H_
