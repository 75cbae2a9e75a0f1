// Functions shared by the builders of the embedded kinds: lofts, scaling, skeletons.
#ifndef SINEW_OFFLINE_EMBEDDED_BUILD_H_
#define SINEW_OFFLINE_EMBEDDED_BUILD_H_

#include <string>
#include <utility>
#include <vector>

#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

Section Scaled(const Section& section, double factor);

// Cross-section of a limb with its centre in model space.
struct Ring {
  Vector3d center;
  Section section;
};
// Makes a limb through at least two rings, in their order. Sections are perpendicular to the straight line from the
// first centre to the last, along which the centres must advance. side, blend: as in Primitive.
Primitive LoftThrough(const std::vector<Ring>& rings, const Vector3d& side, double blend);

// Scales joints and sculpture of a figure about the origin.
void Scale(Figure& figure, double factor);

// Makes the skeleton; all joint frames are aligned with the model's axes at rest.
Skeleton SkeletonOf(const std::vector<FigureJoint>& joints);

// Collects joints in the order in which they are added.
class SkeletonBuilder {
 public:
  // Returns the joint's index. position, tip: as in FigureJoint.
  int Add(const std::string& name, int parent, const Vector3d& position, const Vector3d& tip);
  // Appends a mirror image called right_... for every joint called left_..., in the order of the left joints.
  void AddMirrorImages();
  std::vector<FigureJoint> Take() { return std::move(joints_); }

 private:
  std::vector<FigureJoint> joints_;
};

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_BUILD_H_
