// Scenes in space: a soft object, and the rigid colliders that meet it, over time. Embedded ones need no file.
#ifndef SINEW_OFFLINE_SCENES_SOLID_SCENE_H_
#define SINEW_OFFLINE_SCENES_SOLID_SCENE_H_

#include <Eigen/Core>
#include <string>
#include <vector>

#include "sinew/dynamics/solid_collider.h"
#include "sinew/offline/scenes/object_builder.h"

namespace sinew::scenes {

// Pose at a time. Between keys, positions and turns go evenly; before the first and after the last they stay.
struct SolidKey {
  double seconds = 0;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Vector3d turn = Eigen::Vector3d::Zero();  // axis times angle, in radians
};

struct SolidSceneCollider {
  dynamics::SolidShape shape = dynamics::SolidShape::kHalfSpace;
  double radius = 0;                               // of a sphere
  Eigen::Vector3d half = Eigen::Vector3d::Zero();  // of a box; the last of an extruded polygon, too
  std::vector<double> corners;                     // of a polygon, x and y each, counter-clockwise
  double rounding = 0;                             // of a box or a polygon
  double friction = 0.3;
  std::vector<SolidKey> keys = {{}};
};

struct SolidScene {
  std::string object;  // name of an embedded object, or path of a .soft file
  double seconds = 2, step = 1.0 / 60;
  Eigen::Vector3d gravity{0, -9.81, 0};
  std::vector<SolidSceneCollider> colliders;
};

// "jelly3d": of scenes and of objects.
const std::vector<std::string>& SolidNames();
bool IsSolid(const std::string& name);

// jelly3d: the jelly of the paper's table 2 (contact/jelly.h), a block of eighteen points and a frame. tets: about so
// many. Throws UsageError for another name, or too few tetrahedra.
RawSolid MakeSolidObject(const std::string& name, int tets);

// The jelly stands on the floor, and a cube is pressed into it from above and turned. Throws UsageError for another
// name.
SolidScene MakeSolidScene(const std::string& name);

// An object of one's own that falls on a floor. lowest, size: of the object at rest.
SolidScene MakeSolidFall(const std::string& object, double lowest, double size);

// Pose at a time. keys: not empty, in order.
SolidKey PoseAt(const std::vector<SolidKey>& keys, double seconds);
// The collider at a time. It refers to the corners of `collider`, which must outlive it.
dynamics::SolidCollider ColliderAt(const SolidSceneCollider& collider, double seconds);

}  // namespace sinew::scenes

#endif  // SINEW_OFFLINE_SCENES_SOLID_SCENE_H_
