// What the builders of the embedded kinds share.
#ifndef SINEW_OFFLINE_EMBEDDED_BUILD_H_
#define SINEW_OFFLINE_EMBEDDED_BUILD_H_

#include <string>
#include <utility>
#include <vector>

#include "sinew/offline/embedded/kind.h"

namespace sinew::embedded {

Section Scaled(const Section& section, double factor);

// A cross-section in the model's frame.
struct Ring {
  Vector3d center;
  Section section;
};
// A limb through rings, from the first to the last; `side` as in Primitive. Sections stand across the straight line
// from the first centre to the last, along which the centres must advance.
Primitive LoftThrough(const std::vector<Ring>& rings, const Vector3d& side, double blend);

// The whole figure larger or smaller about the origin.
void Scale(Figure& figure, double factor);

// All joint frames aligned with the model's axes.
Skeleton SkeletonOf(const std::vector<FigureJoint>& joints);

// Joints in the order in which they are added.
class SkeletonBuilder {
 public:
  // Returns the joint's index.
  int Add(const std::string& name, int parent, const Vector3d& position, const Vector3d& tip);
  // After all joints that are called left_..., in their order, their mirror images called right_...
  void AddMirrorImages();
  std::vector<FigureJoint> Take() { return std::move(joints_); }

 private:
  std::vector<FigureJoint> joints_;
};

}  // namespace sinew::embedded

#endif  // SINEW_OFFLINE_EMBEDDED_BUILD_H_
