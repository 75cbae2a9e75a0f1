// Removal of self-intersections from poses. Joints sampled one by one, and motions retargeted from other bodies, put
// arms into trunks and hands into thighs, which no actor can do. Such a pose is moved ("cleared") to the nearest one,
// inside the joint limits, in which the body at most touches itself.
//
// The body is a set of spheres inside the skin (body_spheres.h), compared with each other wherever they are apart at
// rest (body_overlap.h). Let q be the angles (bend, side, twist) of all joints, q0 those of the given pose, d_i the
// depth of an overlap, d the depth that is aimed at (half the tolerance), x_j the angle by which joint j is outside its
// limit, and k and l penalty stiffnesses. The returned pose minimises
//
//   1/2 sum_j w_j |q_j - q0_j|^2  +  k/2 sum_i max(0, d_i(q) - d)^2  +  l/2 sum_j x_j(q)^2
//
// by the Gauss-Newton method. The weight w_j of a joint is the square root of the moment of inertia of the flesh that
// it turns: an arm gives way before the trunk does. For motions, the change of the correction from frame to frame is
// part of the objective, which is minimised over all frames at once, so that a limb gives way in time and to one side
// (clear_motion.h).
#ifndef SINEW_OFFLINE_POSES_POSE_CLEARANCE_H_
#define SINEW_OFFLINE_POSES_POSE_CLEARANCE_H_

#include <memory>
#include <optional>
#include <vector>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/anatomy/limits.h"
#include "sinew/offline/character/character.h"
#include "sinew/offline/poses/body_spheres.h"

namespace sinew::poses {

struct ClearOptions {
  // Largest allowed depth of an overlap, as a fraction of the body's size (longest side of its bounding box at rest):
  // flesh gives way by that much. At least 0.
  double tolerance = 0.002;
  // Time in seconds within which, in motions, a correction builds up and decays. At least 0.
  double smooth_seconds = 0.25;
  // Poses in which two limbs may overlap, and therefore may in all others (BodyOverlap::Allow()). None: some of the
  // character's own animations.
  std::optional<std::vector<Pose>> own_poses = std::nullopt;
  // The character's body as FindBodySpheres() gives it, for those who clear it several times; null: it is found.
  std::shared_ptr<const BodySpheres> body = nullptr;
};

struct ClearedPose {
  Pose pose;
  // Depth of the deepest overlap of the given pose, as a fraction of the body's size; 0 if nothing overlaps.
  double depth_before = 0;
  double depth = 0;   // depth of the deepest overlap of the returned pose
  double turn = 0;    // largest angle that a joint was turned by, radians; 0 if the pose is the given one, bit for bit
  bool clear = true;  // whether depth is within the tolerance
};

struct ClearedMotion {
  std::vector<ClearedPose> frames;

  int corrected() const;  // number of frames that were changed
  int left() const;       // number of frames that are not clear
};

// Clears poses of one character. Deterministic; const functions may be called from any number of threads at once.
class PoseClearance {
 public:
  // Keeps a reference to the articulation; copies the limits and what it needs of the character. limits: one per joint.
  // Throws InputError if a part's weights cannot be used (skin_builder.h).
  PoseClearance(const Character& character, const Articulation& articulation, const JointLimits& limits,
                const ClearOptions& options = {});
  ~PoseClearance();
  PoseClearance(PoseClearance&&) noexcept;
  PoseClearance& operator=(PoseClearance&&) noexcept;

  // Whether there is nothing to compare, so that every pose is clear: cloth alone, a character without weights, or one
  // that cannot reach itself.
  bool empty() const;
  int sphere_count() const;
  double size() const;  // size of the body in model units: longest side of its bounding box at rest
  const ClearOptions& options() const;

  // Returns the depth of the deepest overlap, as a fraction of the body's size; 0 if nothing overlaps or the pose is
  // not finite.
  double Depth(const Pose& pose) const;

  // Clears a pose. A pose within the tolerance, or one that is not finite, is returned unchanged. Otherwise no joint
  // leaves its limit, or goes further outside than it was; free joints, translations and scales keep their values. If
  // no clear pose is found, the least deep one found is returned. Takes milliseconds.
  ClearedPose Clear(const Pose& pose) const;

  // Clears the frames of one motion. At 0 frames per second (independent poses), or if any frame is not finite, each
  // frame is cleared by itself. A motion whose frames are all within the tolerance is returned unchanged.
  ClearedMotion Clear(const std::vector<Pose>& frames, double frames_per_second) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::poses

#endif  // SINEW_OFFLINE_POSES_POSE_CLEARANCE_H_
