#include "sinew/offline/inspect/whole_surface.h"

#include <algorithm>

namespace sinew::inspect {
namespace {

// positions(p) of every part p that wanted(p).
template <typename Wanted, typename Positions>
WholeSurface Assemble(const Character& character, const Wanted& wanted, const Positions& positions) {
  WholeSurface whole;
  int vertices = 0, triangles = 0;
  for (size_t p = 0; p < character.parts.size(); ++p) {
    whole.first_vertex.push_back(vertices);
    whole.first_triangle.push_back(triangles);
    if (!wanted(p)) continue;
    vertices += character.parts[p].mesh.vertex_count();
    triangles += character.parts[p].mesh.triangle_count();
  }
  whole.mesh.positions.resize(vertices, 3);
  whole.mesh.triangles.resize(triangles, 3);
  for (size_t p = 0; p < character.parts.size(); ++p) {
    if (!wanted(p)) continue;
    const TriMesh& mesh = character.parts[p].mesh;
    whole.mesh.positions.middleRows(whole.first_vertex[p], mesh.vertex_count()) = positions(p);
    whole.mesh.triangles.middleRows(whole.first_triangle[p], mesh.triangle_count()) =
        (mesh.triangles.array() + whole.first_vertex[p]).matrix();
  }
  return whole;
}

}  // namespace

std::array<int, 2> WholeSurface::PartTriangle(int triangle) const {
  const auto next = std::upper_bound(first_triangle.begin(), first_triangle.end(), triangle);
  const auto part = static_cast<int>(next - first_triangle.begin()) - 1;
  return {part, triangle - first_triangle[part]};
}

WholeSurface AssembleWhole(const Character& character, const PosedCharacter& displayed) {
  const bool one_space = std::all_of(character.parts.begin(), character.parts.end(), [&](const Part& part) {
    return part.skin == character.parts[0].skin && (part.skin >= 0 || character.parts.size() == 1);
  });
  WholeSurface whole = Assemble(
      character, [](size_t) { return true; },
      [&](size_t p) -> const Points& {
        return one_space ? character.parts[p].mesh.positions : displayed.parts[p].positions;
      });
  whole.in_mesh_data = one_space;
  return whole;
}

WholeSurface AssembleSkin(const Character& character, int skin) {
  return Assemble(
      character, [&](size_t p) { return character.parts[p].skin == skin; },
      [&](size_t p) -> const Points& { return character.parts[p].mesh.positions; });
}

}  // namespace sinew::inspect
