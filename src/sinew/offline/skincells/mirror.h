// Keeps fields symmetric, so that the two sides of every mesh that a field is applied to get mirrored weights.
//
// Mirroring a field gives each parameter the value of its counterpart on the other side, negated for some, and for the
// coordinate across the plane reflected at it. A field therefore stays symmetric if the gradients of each pair of
// parameters are added, and the pair is kept equal.
#ifndef SINEW_OFFLINE_SKINCELLS_MIRROR_H_
#define SINEW_OFFLINE_SKINCELLS_MIRROR_H_

#include <Eigen/Core>
#include <string>
#include <vector>

#include "sinew/offline/skincells/field.h"
#include "sinew/offline/skincells/subject.h"

namespace sinew::skincells {

struct SymmetryPlane {
  int axis = 0;       // axis of bind space (0, 1 or 2) that is the plane's normal
  double center = 0;  // coordinate of the plane along that axis, in the unit box
  // Per joint of the skeleton: its counterpart, which is itself for a joint in the middle; -1 if it may carry no
  // weight.
  std::vector<int> partner;
};

// Finds the plane of symmetry. The joints' names tell their sides; sides and positions tell their counterparts. Throws
// InputError if no plane across an axis fits, or if a joint, which it names, has no counterpart.
SymmetryPlane FindSymmetry(const Subject& subject, const std::string& file);

class MirrorMap {
 public:
  // field: one cell per joint that may carry weight, all with the same number of sites.
  MirrorMap(const SymmetryPlane& plane, const SkinField& field);

  // Makes the second parameter of every pair the mirror image of the first.
  void Symmetrize(Eigen::VectorXd& parameters) const;
  // Turns the gradient of a loss into its gradient over symmetric fields.
  void Fold(Eigen::VectorXd& gradient) const;

 private:
  // Mirrored parameter i is sign_[i] times parameter partner_[i], plus offset_[i].
  std::vector<int> partner_;
  Eigen::VectorXd sign_, offset_;
};

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_MIRROR_H_
