// Fields that are the same on both sides of a body. A mirrored parameter is the other one's value, perhaps negated, in
// places about the plane: so a field stays symmetric if the gradients of a pair are added up and its parameters kept
// alike, and the two sides of every mesh that it is applied to get mirrored weights.
#ifndef SINEW_OFFLINE_SKINCELLS_MIRROR_H_
#define SINEW_OFFLINE_SKINCELLS_MIRROR_H_

#include <Eigen/Core>
#include <string>
#include <vector>

#include "sinew/offline/skincells/field.h"
#include "sinew/offline/skincells/subject.h"

namespace sinew::skincells {

struct SymmetryPlane {
  int axis = 0;       // its normal is this axis of bind space
  double center = 0;  // in the unit box
  std::vector<int>
      partner;  // per joint of the skeleton that may carry weight: its counterpart, itself in the middle; else -1
};

// Sides are told from the joints' names, counterparts from sides and places. Throws InputError that names the joint
// where there is no plane along an axis, or a joint without a counterpart.
SymmetryPlane FindSymmetry(const Subject& subject, const std::string& file);

class MirrorMap {
 public:
  // The cells of the field are those of its joints, all with the same number of sites.
  MirrorMap(const SymmetryPlane& plane, const SkinField& field);

  // Makes the second of every pair the first one's mirror image.
  void Symmetrize(Eigen::VectorXd& parameters) const;
  // From the gradient of a loss to its gradient over symmetric fields.
  void Fold(Eigen::VectorXd& gradient) const;

 private:
  std::vector<int> partner_;  // per parameter
  Eigen::VectorXd sign_, offset_;
};

}  // namespace sinew::skincells

#endif  // SINEW_OFFLINE_SKINCELLS_MIRROR_H_
