#include "sinew/offline/dataset/skinned_shape.h"

namespace sinew::dataset {

Points JoinParts(const std::vector<Points>& parts) {
  Eigen::Index count = 0;
  for (const Points& part : parts) count += part.rows();
  Points shape(count, 3);
  count = 0;
  for (const Points& part : parts) {
    shape.middleRows(count, part.rows()) = part;
    count += part.rows();
  }
  return shape;
}

Points JoinParts(const PosedCharacter& posed) {
  std::vector<Points> parts;
  for (const PosedPart& part : posed.parts) parts.push_back(part.positions);
  return JoinParts(parts);
}

Points SkinnedShape(const Character& character, const Pose& pose) { return JoinParts(PoseCharacter(character, pose)); }

}  // namespace sinew::dataset
