#include "sinew/offline/lod/single_level.h"

#include <utility>

#include "sinew/offline/lod/surface.h"

namespace sinew::lod {

Hierarchy SingleLevel(const Character& character, const std::string& file) {
  Surface surface = BuildSurface(character, file);
  Hierarchy hierarchy;
  hierarchy.levels.push_back({character, surface.point_count(), std::move(surface.point_of_vertex)});
  return hierarchy;
}

}  // namespace sinew::lod
