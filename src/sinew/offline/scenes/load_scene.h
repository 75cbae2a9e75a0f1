// Loads what is named on a command line to be simulated: an embedded scene, a script, or an object.
#ifndef SINEW_OFFLINE_SCENES_LOAD_SCENE_H_
#define SINEW_OFFLINE_SCENES_LOAD_SCENE_H_

#include <filesystem>
#include <string>

#include "sinew/offline/contact/dent_file.h"
#include "sinew/offline/scenes/object_file.h"
#include "sinew/offline/scenes/scene_file.h"
#include "sinew/offline/scenes/solid_scene.h"

namespace sinew::scenes {

struct LoadedScene {
  Scene scene;       // of an object in the plane
  SolidScene solid;  // of an object in space
  LoadedObject object;
  contact::LoadedDent field;   // not open: none
  double cubature_error = -1;  // negative: the object came from a file

  bool is_solid() const { return object.table.dimension() == 3; }
};

// Size of embedded objects, about.
struct CellCounts {
  int triangles = 2000;  // in the plane
  int tets = 15000;      // in space
};

// Whether a name is that of an embedded scene, or of a file that LoadScene() reads by its extension.
bool IsScene(const std::string& name);

// name: of an embedded scene, a script (.json), or an object (.soft) that falls on a floor. field: a .dent file in
// place of the one that a script names; empty: that one. Throws UsageError for another name and for a script of an
// object in space, and InputError for files that are not what they should be.
LoadedScene LoadScene(const std::string& name, const CellCounts& counts, const std::filesystem::path& field = {});

}  // namespace sinew::scenes

#endif  // SINEW_OFFLINE_SCENES_LOAD_SCENE_H_
