#include "sinew/offline/evaluate/methods.h"

#include <memory>
#include <utility>

#include "sinew/offline/character/posing.h"
#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/delta_mush.h"

namespace sinew::evaluate {
namespace {

Points PointsOf(const lod::Level& level, const PosedCharacter& posed) {
  Points points(level.point_count, 3);
  int vertex = 0;
  for (const PosedPart& part : posed.parts) {
    for (int v = 0; v < part.positions.rows(); ++v, ++vertex) {
      points.row(level.point_of_vertex[vertex]) = part.positions.row(v);
    }
  }
  return points;
}

}  // namespace

Method SkinningMethod(const lod::Hierarchy& hierarchy, bool dual_quaternion) {
  const auto posers = std::make_shared<std::vector<Poser>>();
  for (const lod::Level& level : hierarchy.levels) {
    posers->emplace_back(level.character, PosingOptions{.method = dual_quaternion ? SkinMethod::kDualQuaternion
                                                                                  : SkinMethod::kLinearBlend});
  }
  return {dual_quaternion ? kDualQuaternion : kLinearBlend, [&hierarchy, posers](const Pose& pose) {
            std::vector<Points> shapes;
            for (int i = 1; i <= hierarchy.level_count(); ++i) {
              shapes.push_back(PointsOf(hierarchy.level(i), (*posers)[i - 1].Evaluate(pose)));
            }
            return shapes;
          }};
}

Method ReweightedMethod(const std::string& name, const lod::Hierarchy& hierarchy, std::vector<Character> levels) {
  struct Skinned {
    std::vector<Character> characters;
    std::vector<Poser> posers;
  };
  const auto skinned = std::make_shared<Skinned>();
  skinned->characters = std::move(levels);
  for (const Character& character : skinned->characters) skinned->posers.emplace_back(character);
  return {name, [&hierarchy, skinned](const Pose& pose) {
            std::vector<Points> shapes;
            for (int i = 1; i <= hierarchy.level_count(); ++i) {
              shapes.push_back(PointsOf(hierarchy.level(i), skinned->posers[i - 1].Evaluate(pose)));
            }
            return shapes;
          }};
}

Method DeltaMushMethod(const lod::Hierarchy& hierarchy) {
  struct Surface {
    Triangles triangles;
    Csr neighbors;
    std::unique_ptr<DeltaMush> delta_mush;
  };
  const ShapesOfPose skinning = SkinningMethod(hierarchy, false).shapes;
  const auto surfaces = std::make_shared<std::vector<Surface>>(hierarchy.level_count());
  const std::vector<Points> rest = skinning(hierarchy.levels.back().character.skeleton.RestPose());
  for (int i = 1; i <= hierarchy.level_count(); ++i) {
    Surface& surface = (*surfaces)[i - 1];
    surface.triangles = PointTriangles(hierarchy.level(i));
    const int points = hierarchy.level(i).point_count;
    surface.neighbors = VertexVertices(BuildEdges(surface.triangles, points), points);
    surface.delta_mush =
        std::make_unique<DeltaMush>(surface.neighbors, surface.triangles, rest[i - 1].cast<double>().transpose());
  }
  return {kDeltaMush, [skinning, surfaces](const Pose& pose) {
            std::vector<Points> shapes = skinning(pose);
            for (size_t i = 0; i < shapes.size(); ++i) {
              shapes[i] =
                  (*surfaces)[i].delta_mush->Apply(shapes[i].cast<double>().transpose()).transpose().cast<float>();
            }
            return shapes;
          }};
}

Triangles PointTriangles(const lod::Level& level) {
  Triangles triangles(level.character.triangle_count(), 3);
  int first = 0, row = 0;
  for (const Part& part : level.character.parts) {
    for (int t = 0; t < part.mesh.triangle_count(); ++t, ++row) {
      for (int k = 0; k < 3; ++k) triangles(row, k) = level.point_of_vertex[first + part.mesh.triangles(t, k)];
    }
    first += part.mesh.vertex_count();
  }
  return triangles;
}

}  // namespace sinew::evaluate
