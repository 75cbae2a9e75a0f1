#include "sinew/offline/character/reach.h"

#include <fmt/format.h>

#include "sinew/offline/core/error.h"
#include "sinew/offline/mesh/reach.h"

namespace sinew {

void RefuseUnlessInReach(const Eigen::Vector3f& position, const std::string& file, const std::string& place) {
  if (IsInReach(position)) return;
  if (!position.allFinite()) {
    throw InputError(file, place, "its position is not a finite number", "export the file again");
  }
  throw InputError(file, place,
                   fmt::format("is {:.3g} units from the origin, where nothing beyond {:.0e} can be worked with",
                               position.cast<double>().norm(), kFarthestCoordinate),
                   "export the file again, in a unit that suits its size");
}

void RefuseUnlessInReach(const Skeleton& skeleton, const Motion& motion, const std::string& file) {
  for (int f = 0; f < motion.frame_count(); ++f) {
    const std::vector<Eigen::Affine3f> joints = LocalToModel(skeleton, motion.frames[f]);
    for (size_t j = 0; j < joints.size(); ++j) {
      if (IsInReach(joints[j].translation())) continue;
      RefuseUnlessInReach(joints[j].translation(), file,
                          fmt::format("\"{}\", frame {}, joint '{}'", motion.name, f, skeleton.joints[j].name));
    }
  }
}

void RefuseUnlessInReach(const Character& character, const PosedCharacter& posed, const std::string& file) {
  for (size_t p = 0; p < posed.parts.size(); ++p) {
    const Points& positions = posed.parts[p].positions;
    for (Eigen::Index v = 0; v < positions.rows(); ++v) {
      if (IsInReach(positions.row(v))) continue;
      RefuseUnlessInReach(positions.row(v), file, fmt::format("posed vertex {} of {}", v, character.parts[p].name));
    }
  }
}

}  // namespace sinew
