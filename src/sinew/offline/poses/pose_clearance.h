// Poses in which no limb lies inside the body. Joints sampled one by one, and motions carried over from other bodies,
// put arms into trunks and hands into thighs; no actor can. Here such a pose is moved to the nearest one, inside the
// joint limits, in which the body touches itself at most.
//
// The body is a set of balls inside the skin (body_spheres.h), compared with each other wherever they are apart at rest
// (body_overlap.h). With q the angles (bend, side, twist) of all joints, q0 those of the pose that is given, d_i the
// depth of an overlap and x_j how far joint j is outside its limit, the pose that is returned minimises
//
//   1/2 sum_j w_j |q_j - q0_j|^2  +  k/2 sum_i max(0, d_i(q) - d)^2  +  l/2 sum_j x_j(q)^2
//
// by Gauss and Newton's method. The weight w_j of a joint is the root of the moment of inertia of the flesh that it
// turns: an arm gives way before the trunk does. In motions, how much the correction changes from frame to frame is
// part of what is minimised, over all frames at once, so that a limb gives way in time and on one side.
#ifndef SINEW_OFFLINE_POSES_POSE_CLEARANCE_H_
#define SINEW_OFFLINE_POSES_POSE_CLEARANCE_H_

#include <memory>
#include <vector>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/character/character.h"

namespace sinew::poses {

struct ClearOptions {
  // How deep the body may be inside itself, as a share of its size (the longest side of its box at rest): flesh gives
  // way by that much. At least 0.
  double tolerance = 0.002;
  // In motions, a correction comes and goes within about this time, in seconds. At least 0.
  double smooth_seconds = 0.25;
};

struct ClearedPose {
  Pose pose;
  double depth_before = 0;  // of the deepest overlap, as a share of the body's size; 0 if nothing overlaps
  double depth = 0;         // of the pose that is returned
  double turn = 0;          // radians: the largest of any joint; 0 if the pose is the one that was given, bit for bit
  bool clear = true;        // depth is within the tolerance
};

struct ClearedMotion {
  std::vector<ClearedPose> frames;

  int corrected() const;  // frames that were moved
  int left() const;       // frames that are not clear
};

// Deterministic. May be asked from any number of threads at once.
class PoseClearance {
 public:
  // The articulation is kept by reference, the limits and what is needed of the character are copied. Throws InputError
  // where a part's weights cannot be used (skin_builder.h).
  PoseClearance(const Character& character, const Articulation& articulation, const JointLimits& limits,
                const ClearOptions& options = {});
  ~PoseClearance();
  PoseClearance(PoseClearance&&) noexcept;
  PoseClearance& operator=(PoseClearance&&) noexcept;

  // Nothing to compare: cloth alone, a character without weights, or one that cannot reach itself. Every pose is clear.
  bool empty() const;
  int sphere_count() const;
  double size() const;
  const ClearOptions& options() const;

  // Of the deepest overlap, as a share of the body's size; 0 if nothing overlaps.
  double Depth(const Pose& pose) const;

  // A pose within the tolerance, or one that is not finite, comes back as it is. Otherwise no joint leaves its limit,
  // or leaves it further than it did; joints that are free, and translations and scales, keep their values. Where no
  // clear pose was found it is the least deep that was. Milliseconds.
  ClearedPose Clear(const Pose& pose) const;

  // Frames of one motion. At 0 frames a second they belong to no time, and each is cleared by itself. A motion whose
  // frames are all within the tolerance comes back as it is.
  ClearedMotion Clear(const std::vector<Pose>& frames, double frames_per_second) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_POSE_CLEARANCE_H_
