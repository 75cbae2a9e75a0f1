// Methods that are compared with ground truth: skinning alone, Delta Mush after it, and what others make of them.
#ifndef SINEW_OFFLINE_EVALUATE_METHODS_H_
#define SINEW_OFFLINE_EVALUATE_METHODS_H_

#include <functional>
#include <string>
#include <vector>

#include "sinew/offline/lod/hierarchy.h"

namespace sinew::evaluate {

// Function that returns the shapes of all levels in a pose, in model space: [i - 1] has one row per point of level i.
// It is called from several threads at once.
using ShapesOfPose = std::function<std::vector<Points>(const Pose& pose)>;

// Function that returns the same for frame j of the frames that are measured, which a method without a formula needs.
using ShapesOfFrame = std::function<std::vector<Points>(int j)>;

struct Method {
  std::string name;
  ShapesOfPose shapes;          // empty if `recorded` is not
  ShapesOfFrame recorded = {};  // for shapes from elsewhere, which are known in the measured frames alone

  // Shapes of frame j, which has this pose.
  std::vector<Points> Shapes(const Pose& pose, int j) const { return recorded ? recorded(j) : shapes(pose); }
};

// Names of the methods that commands know.
inline constexpr const char* kLinearBlend = "linear blend";
inline constexpr const char* kDualQuaternion = "dual quaternion";
inline constexpr const char* kDeltaMush = "delta mush";
inline constexpr const char* kSingleLevel = "single-level";
inline constexpr const char* kMultiResolution = "multi-resolution";  // where the single-level method is what ships
inline constexpr const char* kSinew = "sinew";

// Skinning alone, by the runtime. The hierarchy must outlive the method.
Method SkinningMethod(const lod::Hierarchy& hierarchy, bool dual_quaternion);

// Linear blend skinning with other weights than the hierarchy's. levels: the characters of all levels with those
// weights, coarsest first, otherwise as in the hierarchy, which must outlive the method.
Method ReweightedMethod(const std::string& name, const lod::Hierarchy& hierarchy, std::vector<Character> levels);

// Delta Mush (mesh/delta_mush.h) after linear blend skinning, on the points of every level. The hierarchy must outlive
// the method.
Method DeltaMushMethod(const lod::Hierarchy& hierarchy);

// Triangles of a level, as indices of points.
Triangles PointTriangles(const lod::Level& level);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_METHODS_H_
