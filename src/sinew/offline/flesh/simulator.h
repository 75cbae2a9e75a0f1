// The shape of a character's skin in a pose, with flesh that keeps its volume: built once from a character, then asked
// for one pose after the other, from any number of threads.
//
// Between the skin and a core that follows the bones lies elastic flesh (stable_neo_hookean.h), in tetrahedra of a
// lattice around the skin (flesh_lattice.h), solved in the frame of the skinning (flesh_body.h). The skin follows its
// tetrahedra. Every pose is solved from rest: the result depends on the character, the settings and the pose alone.
#ifndef SINEW_OFFLINE_FLESH_SIMULATOR_H_
#define SINEW_OFFLINE_FLESH_SIMULATOR_H_

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/mesh/distance_grid.h"
#include "sinew/offline/mesh/tet_mesh.h"

namespace sinew::flesh {

// What each means is in QualityOf; docs/simulation.md has measured figures.
enum class Quality { kQuick, kGood, kFilm };

struct QualitySettings {
  const char* name;  // as on the command line
  int tets;          // about as many tetrahedra
  double tolerance;  // no vertex moves further in the last, finely solved step, as a share of the body's size
};
QualitySettings QualityOf(Quality quality);
// UsageError that lists the names if there is none like this.
Quality QualityNamed(std::string_view name);

// A rigid thing that flesh cannot enter.
struct FleshCollider {
  std::variant<TriMesh, DistanceGrid> shape;  // where it is in the model, at rest, in the character's unit
  int joint = -1;                             // that it moves with; -1: it stays
};

struct FleshSettings {
  Quality quality = Quality::kQuick;
  int tets = 0;           // instead of the quality's; 0: the quality's
  double tolerance = 0;   // instead of the quality's (a share of the body's size); 0: the quality's
  double young = 1e4;     // pascal; only its ratio to other forces counts, so for a body at rest nothing
  double poisson = 0.47;  // in [0, 0.5)
  double fat = 0.03;      // metres: flesh over the core; thin parts (fingers, ears) have less
  bool contact = true;    // skin pushes skin
  std::vector<FleshCollider> colliders = {};  // they need contact
  double contact_distance = 0.006;            // metres: nearer than this it pushes
  double unit = 0;                            // metres per unit of the character; 0: as guessed by likely_unit.h
};

// A piece that is not simulated.
struct SkinnedPiece {
  std::string part;
  int vertices = 0;  // of it that follow skinning
  std::string why;
};

// Skin that is nearer to other skin at rest than the contact distance (lips, toes, armpits): contact keeps half of the
// gap there. Counted by the joints that carry most of the two.
struct CloseSkin {
  std::string joint, other;  // in alphabetical order; may be the same
  int points = 0;            // of the contact surface
  double gap = 0;            // the least, in the character's unit
};

// Skin over parts too thin for the cells to tell their flesh apart (fingers of a whole body): it mostly follows its
// bones. Counted by the joint that carries most of it.
struct ThinSkin {
  std::string joint;
  int vertices = 0;
};

// What building found.
struct FleshReport {
  int nodes = 0, tets = 0, core_points = 0, contact_points = 0;
  double cell_size = 0;  // in the character's unit
  double size = 0;       // of the body: the longest side of its bounding box at rest
  double volume = 0;     // inside the skin at rest
  double unit = 1;       // metres per unit of the character
  std::vector<SkinnedPiece> skinned;
  std::vector<ThinSkin> follows_bones;  // in the order of the joints
  std::vector<CloseSkin> close_at_rest;
  std::vector<std::string> warnings;  // one sentence each
};

struct FrameResult {
  bool converged = false;
  std::string reason;  // why not, in one sentence; empty if converged
  // Model space, one per part of the character, vertices in the part's order. Also of a failed frame: the best so far,
  // or linear blend skinning where there is nothing better; not to be trained on.
  std::vector<Points> parts;
  int path_steps = 0;  // poses on the way from rest that were solved
  int newton_steps = 0;
  int cg_iterations = 0;
  int inverted_tets = 0;         // that are mostly flesh
  double volume_ratio = 1;       // inside the skin, over that at rest
  int contacts = 0;              // places where skin presses against skin
  double worst_penetration = 0;  // of the skin into itself, as a share of the body's size
  int collider_contacts = 0;     // places where skin presses against colliders
  double worst_in_collider = 0;  // how deep, as a share of the body's size
  double inverted_core = 0;      // the share of the core's volume
  // Of the skin's area at rest, the share that faces its own flesh instead of away from it.
  double inside_out = 0;
  double farthest_skin = 0;  // from where skinning by dual quaternions puts it, likewise
  double energy = 0;         // of the flesh, for comparing two solutions of one pose
};

class FleshModel {
 public:
  // Seconds for 75,000 vertices. InputError for a character without skinned parts, or with positions that are not
  // finite; UsageError for settings out of range.
  FleshModel(const Character& character, const FleshSettings& settings);
  ~FleshModel();
  FleshModel(FleshModel&&) noexcept;
  FleshModel& operator=(FleshModel&&) noexcept;

  const FleshSettings& settings() const;
  const FleshReport& report() const;

  // pose: one transform per joint of the character's skeleton; UsageError for another number. A pose that cannot be
  // solved, even in smaller steps from rest, or is not finite, is a failed frame and no exception. On the calling
  // thread alone.
  FrameResult Solve(const Pose& pose) const;

 private:
  friend class FleshClip;
  struct State;
  std::unique_ptr<State> state_;
};

struct DynamicsSettings {
  double seconds = 1.0 / 30;  // between two poses
  double density = 1000;      // of flesh, kilogram a cubic metre
  Eigen::Vector3d gravity_model =
      Eigen::Vector3d::Zero();  // metres a second squared; a rest shape has it in it already
};

// Flesh that swings: the poses of one motion in their order, each a step of implicit (backward) Euler from the one
// before, on the same energy. The first pose is solved for rest, and flesh then moves on with its bones. After a frame
// that failed it begins anew. What it gives depends on all poses before, and on nothing else. One thread.
class FleshClip {
 public:
  // The model must live as long. UsageError for settings out of range.
  FleshClip(const FleshModel& model, const DynamicsSettings& settings);

  FrameResult Next(const Pose& pose);
  // Of the last frame, in pascal times the character's unit to the third, as FrameResult::energy.
  double kinetic_energy() const { return kinetic_energy_; }

 private:
  void Begin(const Pose& pose, FrameResult& result);

  const FleshModel& model_;
  DynamicsSettings settings_;
  std::vector<double> masses_;
  Nodes z_, places_, velocities_;  // of the nodes, after the last frame; z_ is empty before the first
  int frames_ = 0;                 // since it began
  double kinetic_energy_ = 0;
};

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_SIMULATOR_H_
