#include "sinew/offline/bodies/surface_body.h"

#include <utility>
#include <vector>

#include "sinew/offline/bodies/carry_wedges.h"
#include "sinew/offline/lod/level_character.h"
#include "sinew/offline/lod/shading.h"
#include "sinew/offline/mesh/sheets.h"

namespace sinew::bodies {

RemeshedTriangles Unchanged(const lod::Surface& source) {
  RemeshedTriangles same;
  std::vector<int> index(source.positions.size(), -1);
  for (int t = 0; t < source.triangle_count(); ++t) {
    Eigen::Vector3i corners;
    for (int k = 0; k < 3; ++k) {
      int& point = index[source.triangles[t][k]];
      if (point < 0) {
        point = same.map.count();
        same.map.Add(t, Eigen::Vector3d::Unit(k), Eigen::Vector3d::Zero());
        same.result.mesh.positions.push_back(source.positions[source.triangles[t][k]]);
      }
      corners[k] = point;
    }
    same.result.mesh.triangles.push_back(corners);
  }
  same.result.labels = source.part_of;
  return same;
}

MadeBody ToBody(const Character& character, const lod::Surface& source, const RemeshedTriangles& remeshed) {
  const std::vector<lod::MorphField> morphs = lod::ListMorphFields(character);
  const lod::LevelFields fields = lod::FinestFields(character, source, morphs);
  const Triangles triangles = ToRows(source.triangles);
  const lod::LevelFields carried{Interpolate(remeshed.map, triangles, fields.weights),
                                 Interpolate(remeshed.map, triangles, fields.morphs)};
  lod::LevelCharacter made = lod::MakeLevelCharacter(character, CarryWedges(source, remeshed), carried, morphs,
                                                     lod::CreaseAngle(character, source));
  MadeBody body{std::move(made.character), {}};
  for (const int point : made.point_of_vertex) {
    body.map.triangles.push_back(remeshed.map.triangles[point]);
    body.map.barycentric.push_back(remeshed.map.barycentric[point]);
    body.map.offsets.push_back(remeshed.map.offsets[point]);
  }
  return body;
}

}  // namespace sinew::bodies
