// A scene: a soft object, the rigid colliders that meet it and the handles that are driven, over time; and its script,
// a JSON file (docs/formats/scene.md).
#ifndef SINEW_OFFLINE_SCENES_SCENE_FILE_H_
#define SINEW_OFFLINE_SCENES_SCENE_FILE_H_

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/dynamics/collider.h"

namespace sinew::scenes {

// Pose at a time. Between keys, positions and angles go evenly; before the first and after the last they stay.
struct PoseKey {
  double seconds = 0;
  Eigen::Vector2d position = Eigen::Vector2d::Zero();
  double angle = 0;  // radians, counter-clockwise
};

struct SceneCollider {
  dynamics::ColliderShape shape = dynamics::ColliderShape::kHalfPlane;
  double radius = 0;            // of a circle
  std::vector<double> corners;  // of a polygon, two coordinates each, counter-clockwise
  double rounding = 0;          // of a polygon
  double friction = 0.3;
  std::vector<PoseKey> keys = {{}};
};

// Handle that a spring pulls to a pose: a point to its position, a frame to its position and, as a rotation, its angle.
struct DrivenHandle {
  int handle = 0;
  double stiffness = 0;  // in newton per metre and metre of depth
  std::vector<PoseKey> keys = {{}};
};

struct Scene {
  std::string object = "worm";  // name of an embedded object, or path of a .soft file
  double seconds = 2, step = 1.0 / 60;
  Eigen::Vector2d gravity{0, -9.81};
  Eigen::Vector2d position = Eigen::Vector2d::Zero();  // of the object at the start, moved from where it rests
  double angle = 0;                                    // of the object at the start, about its origin
  Eigen::Vector2d velocity = Eigen::Vector2d::Zero();
  std::vector<SceneCollider> colliders;
  std::vector<DrivenHandle> handles;
  std::string field;             // path of a .dent file beside the script: learned contact; empty: none
  std::optional<double> finish;  // height that the whole object should come below, such as that of a gap
};

// Parses a script. Throws InputError that names the file, the place and what is wrong.
Scene ParseScene(std::string_view text, const std::string& file);

// Returns a script that ParseScene() reads as this scene; pairs of numbers are floats in it.
std::string FormatScene(const Scene& scene);

// Pose at a time. keys: not empty, in order.
PoseKey PoseAt(const std::vector<PoseKey>& keys, double seconds);

}  // namespace sinew::scenes

#endif  // SINEW_OFFLINE_SCENES_SCENE_FILE_H_
