// Flesh simulation of a character: the shape of its skin in a pose, with flesh that keeps its volume. A FleshModel is
// built once from a character and then solves any number of poses, from any number of threads.
//
// Between the skin and a core that follows the bones lies elastic flesh (stable_neo_hookean.h), in tetrahedra of a
// lattice around the skin (flesh_lattice.h), solved in the frame of the skinning (flesh_body.h). The skin follows its
// tetrahedra. What of a character is flesh, and what follows it, say the roles of its pieces (anatomy/roles.h). Every
// pose is solved from the bind pose, so that the result depends only on the character, the settings and the
// pose.
#ifndef SINEW_OFFLINE_FLESH_SIMULATOR_H_
#define SINEW_OFFLINE_FLESH_SIMULATOR_H_

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sinew/offline/anatomy/roles.h"
#include "sinew/offline/character/character.h"
#include "sinew/offline/mesh/distance_grid.h"
#include "sinew/offline/mesh/tet_mesh.h"

namespace sinew::flesh {

// Quality levels of a simulation. QualityOf() gives their settings; docs/simulation.md has measured figures.
enum class Quality { kQuick, kGood, kFilm };

struct QualitySettings {
  const char* name;  // as on the command line
  int tets;          // approximate number of tetrahedra
  double tolerance;  // largest motion in the last, finely solved Newton step, as a share of the body's size
};
// Settings of a quality level.
QualitySettings QualityOf(Quality quality);
// Quality level of that name. Throws UsageError, listing the names, if there is none.
Quality QualityNamed(std::string_view name);

// Rigid collider that flesh cannot enter.
struct FleshCollider {
  std::variant<TriMesh, DistanceGrid> shape;  // at rest, in model space and the character's unit
  int joint = -1;                             // index of the joint it moves with; -1 if it stays
  // Whether FleshPress says where it is. FleshModel::Solve and FleshClip are without it.
  bool given = false;
};

struct FleshSettings {
  Quality quality = Quality::kQuick;
  int tets = 0;          // approximate number of tetrahedra; 0 for the quality's
  double tolerance = 0;  // see QualitySettings, as a share of the body's size; 0 for the quality's
  // Young's modulus in pascal. Only its ratio to other forces matters, so it has no effect on a static equilibrium.
  double young = 1e4;
  double poisson = 0.47;  // Poisson's ratio, in [0, 0.5)
  double fat = 0.03;      // thickness of the flesh over the core in metres; thin parts (fingers, ears) have less
  bool contact = true;    // whether skin pushes skin
  std::vector<FleshCollider> colliders = {};  // may be empty; they need contact
  double contact_distance = 0.006;            // metres; skin that is nearer than this to other skin pushes
  std::vector<GivenRole> roles = {};          // roles of parts; others are found (FindRoles)
  double unit = 0;                            // metres per unit of the character; 0 to guess it (likely_unit.h)
  double scale = 1;                           // factor on fat and contact_distance (LikelyUnit::of_person)
};

// Vertices of a part that have one role.
struct RoleOfPart {
  std::string part;
  Role role = Role::kFlesh;
  int vertices = 0;
  std::string why;  // reason, as a clause; that of the largest of several pieces
};

// Skin that is nearer to other skin at rest than the contact distance (lips, toes, armpits): contact keeps half of the
// gap there. One entry per pair of joints that carry most of the two sides.
struct CloseSkin {
  std::string joint, other;  // names in alphabetical order; may be the same
  int points = 0;            // number of points of the contact surface
  double gap = 0;            // smallest gap, in the character's unit
};

// Skin over parts too thin for the cells to tell their flesh apart (fingers of a whole body), which mostly follows its
// bones. One entry per joint that carries most of such skin.
struct ThinSkin {
  std::string joint;
  int vertices = 0;  // number of its vertices
};

// Result of building a FleshModel.
struct FleshReport {
  int nodes = 0, tets = 0, core_points = 0, contact_points = 0;  // counts
  double cell_size = 0;                                          // in the character's unit
  double size = 0;                      // size of the body: the longest side of its axis-aligned bounding box at rest
  double volume = 0;                    // volume inside the skin at rest
  double unit = 1;                      // metres per unit of the character
  std::vector<RoleOfPart> pieces;       // in the order of the parts
  std::vector<ThinSkin> follows_bones;  // in the order of the joints of the skeleton
  std::vector<CloseSkin> close_at_rest;
  std::vector<std::string> warnings;  // one sentence each

  bool has_flesh() const { return tets > 0; }
};

// Solution of one pose.
struct FrameResult {
  bool converged = false;
  std::string reason;  // why it failed, in one sentence; empty if converged
  // Positions in model space, one entry per part of the character, vertices in the part's order. A failed frame has the
  // best shape so far, or linear blend skinning if there is nothing better; it is not to be trained on.
  std::vector<Points> parts;
  int path_steps = 0;  // number of poses solved on the path from the bind pose
  int newton_steps = 0;
  int cg_iterations = 0;
  int inverted_tets = 0;         // number of inverted tetrahedra that are mostly flesh
  double volume_ratio = 1;       // volume inside the skin over that at rest
  bool in_contact = true;        // whether skin pushes skin; not where contact has no solution (see Solve)
  int contacts = 0;              // number of places where skin presses against skin
  double worst_penetration = 0;  // largest depth of the skin in itself, as a share of the body's size
  int collider_contacts = 0;     // number of places where skin presses against colliders
  double worst_in_collider = 0;  // largest depth in a collider, as a share of the body's size
  double inverted_core = 0;      // share of the core's volume that is inverted
  // Share of the skin, by its area at rest, that faces its own flesh instead of away from it.
  double inside_out = 0;
  // Largest distance of the skin from where dual quaternion skinning puts it, as a share of the body's size.
  double farthest_skin = 0;
  double energy = 0;  // of the flesh, in pascal times the character's unit cubed; compares two solutions of one pose
};

class FleshModel {
 public:
  // Builds the model; takes seconds for 75,000 vertices. A character without flesh is solved by linear blend skinning.
  // Throws InputError for a character that no joint moves, or with positions that are not finite, and UsageError for
  // settings out of range.
  FleshModel(const Character& character, const FleshSettings& settings);
  ~FleshModel();
  FleshModel(FleshModel&&) noexcept;
  FleshModel& operator=(FleshModel&&) noexcept;

  const FleshSettings& settings() const;
  const FleshReport& report() const;

  // Solves a pose on the calling thread alone. Scales of joints that differ from rest are added to the solved skin
  // (pose_scales.h), so contact does not see them. pose: one transform per joint of the character's skeleton; throws
  // UsageError for another number. A pose that cannot be solved in contact, even in smaller steps from rest, because
  // its bones cross or its folds have no room, is solved without it: flesh keeps its volume there and passes through
  // flesh, as skinning does. A pose that is not finite, or cannot be solved so either, gives a failed frame and no
  // exception.
  FrameResult Solve(const Pose& pose) const;

 private:
  friend class FleshClip;
  friend class FleshPress;
  struct State;
  std::unique_ptr<State> state_;
};

// Presses colliders, whose places are given, into the flesh of one pose: what they do to the skin is the difference to
// the same pose without them. For use from one thread.
class FleshPress {
 public:
  // Solves the pose without the given colliders. The model must live as long as this. Throws UsageError for a pose of
  // another number of joints and for a model without given colliders.
  FleshPress(const FleshModel& model, const Pose& pose);
  ~FleshPress();

  // Result without the given colliders.
  const FrameResult& free() const { return free_; }
  // Solves the pose with the colliders moved from rest by these rigid motions, one per given collider. Starts from the
  // last result, so that a chain of growing depths is solved one from the other; Release() starts from free() again.
  FrameResult Solve(const std::vector<Eigen::Isometry3d>& places);
  void Release();

 private:
  const FleshModel& model_;
  Pose pose_, unscaled_;
  FrameResult free_;
  Nodes free_z_, z_;
};

// Settings of a FleshClip.
struct DynamicsSettings {
  double seconds = 1.0 / 30;  // time between two poses
  double density = 1000;      // of flesh, in kilograms per cubic metre
  // Gravity in model space, in metres per second squared. 0 by default, because a rest shape already includes it.
  Eigen::Vector3d gravity_model = Eigen::Vector3d::Zero();
};

// Dynamic simulation in which flesh swings: solves the poses of one motion in their order, each as a step of implicit
// (backward) Euler from the one before, on the same energy. The first pose is solved for static equilibrium, and flesh
// then moves on with its bones. After a failed frame the clip begins anew. Results depend on all poses before and on
// nothing else. For use from one thread.
class FleshClip {
 public:
  // The model must live as long as the clip. Throws UsageError for settings out of range.
  FleshClip(const FleshModel& model, const DynamicsSettings& settings);

  // Solves the next pose of the motion; see FleshModel::Solve for `pose`.
  FrameResult Next(const Pose& pose);
  // Kinetic energy of the last frame, in pascal times the character's unit cubed, as FrameResult::energy.
  double kinetic_energy() const { return kinetic_energy_; }

 private:
  // Solves the first pose of a motion, or the first after a failed frame.
  void Begin(const Pose& pose, FrameResult& result);
  // Solves the next pose, whose scales are those of rest.
  FrameResult Step(const Pose& pose);

  const FleshModel& model_;
  DynamicsSettings settings_;
  std::vector<double> masses_;     // one per node: mass of what swings, in units that suit kinetic_energy()
  Nodes z_, places_, velocities_;  // per node, after the last frame; z_ is empty before the first
  int frames_ = 0;                 // number of frames since the clip began
  double kinetic_energy_ = 0;
};

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_SIMULATOR_H_
