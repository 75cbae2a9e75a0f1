// All parts of a character as one mesh.
#ifndef SINEW_OFFLINE_INSPECT_WHOLE_SURFACE_H_
#define SINEW_OFFLINE_INSPECT_WHOLE_SURFACE_H_

#include <array>
#include <vector>

#include "sinew/offline/character/posing.h"

namespace sinew::inspect {

struct WholeSurface {
  TriMesh mesh;                     // parts one after the other, not welded
  std::vector<int> first_vertex;    // one per part
  std::vector<int> first_triangle;  // one per part
  bool in_mesh_data = false;        // not in the model: the skeleton may still turn and scale it

  // (part, triangle of that part).
  std::array<int, 2> PartTriangle(int triangle) const;
};

// In mesh data where all parts share one skin, so that common borders of materials meet exactly; as displayed
// otherwise. displayed: the character in its rest pose.
WholeSurface AssembleWhole(const Character& character, const PosedCharacter& displayed);

// The parts of one skin, in mesh data.
WholeSurface AssembleSkin(const Character& character, int skin);

}  // namespace sinew::inspect

#endif  // SINEW_OFFLINE_INSPECT_WHOLE_SURFACE_H_
