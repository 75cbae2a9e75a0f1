#include "sinew/offline/character/skinned_shape.h"

namespace sinew {

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

TriMesh JoinMesh(const Character& character, const Points& shape) {
  TriMesh mesh;
  mesh.positions = shape;
  mesh.triangles.resize(character.triangle_count(), 3);
  int vertex = 0, triangle = 0;
  for (const Part& part : character.parts) {
    mesh.triangles.middleRows(triangle, part.mesh.triangle_count()) = part.mesh.triangles.array() + vertex;
    vertex += part.mesh.vertex_count();
    triangle += part.mesh.triangle_count();
  }
  return mesh;
}

}  // namespace sinew
