// Objects and scenes that need no file: a worm of three bones, a jelly of eight points and a frame, a ring of 24 points
// and a floater of eight. Sizes are those of things that can be held.
#ifndef SINEW_OFFLINE_SCENES_EMBEDDED_SCENES_H_
#define SINEW_OFFLINE_SCENES_EMBEDDED_SCENES_H_

#include <string>
#include <vector>

#include "sinew/offline/scenes/object_builder.h"
#include "sinew/offline/scenes/scene_file.h"

namespace sinew::scenes {

// "worm", "jelly", "ring" and "floater": of scenes and of objects.
const std::vector<std::string>& EmbeddedNames();
bool IsEmbedded(const std::string& name);

// triangles: about so many. Throws UsageError for another name, or too few triangles.
RawObject MakeEmbeddedObject(const std::string& name, int triangles);

// The worm falls on the floor and is pressed by a cube; the jelly is poked from the side by a star; the ring falls
// through a gap between two pegs that is narrower than it; the floater falls between a wall and a post. Throws
// UsageError for another name.
Scene MakeEmbeddedScene(const std::string& name);

// An object of one's own that falls on a floor. lowest, size: of the object at rest.
Scene MakeFall(const std::string& object, double lowest, double size);

}  // namespace sinew::scenes

#endif  // SINEW_OFFLINE_SCENES_EMBEDDED_SCENES_H_
