// Solver for the shape of flesh in a pose: minimises, by Newton's method, the energy of the elastic flesh
// (flesh_body.h) whose core is attached to the posed bones, with contact (skin_contact.h) and, for dynamics, inertia.
// The minimum without inertia is the static equilibrium. Unknowns are node positions before skinning, z (flesh_body.h).
#ifndef SINEW_OFFLINE_FLESH_FLESH_SOLVER_H_
#define SINEW_OFFLINE_FLESH_FLESH_SOLVER_H_

#include <vector>

#include "sinew/offline/elasticity/quasi_static.h"
#include "sinew/offline/flesh/flesh_body.h"
#include "sinew/offline/flesh/flesh_lattice.h"
#include "sinew/offline/flesh/skin_contact.h"

namespace sinew::flesh {

// Inertia of the nodes in a time step. A step of backward Euler minimises the energy plus
//   sum_n m_n / (2 h^2) |y_n - y^_n|^2,  y^ = y + h v + h^2 g,
// where y^ is where each node would be without forces. In the skinning frame that is a spring to a fixed position,
// because y = R z + t.
struct Inertia {
  std::vector<double> stiffness;  // m / h^2, one per node; empty without inertia
  Nodes towards;                  // rest positions of the springs, R^T (y^ - t), one row per node
};

// Everything that the solver needs to know about one pose of the joints.
struct FleshPose {
  std::vector<Eigen::Affine3d> motions;  // one per joint: from rest to the pose, in model space
  std::vector<DualQuaternion> joints;    // one per joint: the nearest rigid motion
  std::vector<DualQuaternion> nodes;     // one per node: the blended motion of its joints
  std::vector<FleshPoint> points;        // sample points of all tetrahedra in order, then those on the skin
  size_t skin_points = 0;                // index in `points` of the first one on the skin
  std::vector<Eigen::Vector3d> core;     // one per core point: where its bones put it, before skinning (as z)
  std::vector<double> core_stiffness;    // one per core point: attachment stiffness; 0 where bones release it
  BlockMatrix core_matrix;               // stiffness of all springs: core points, nodes and, if set, inertia
  std::vector<Rigid> node_frames;        // one per node: `nodes` as a rotation and a translation
  Inertia inertia;
  // Displacement from rest, before skinning, at which bones hold the core around each node; 0 where they hold none.
  Nodes held_off;
  std::vector<bool> is_held;                  // one per node: whether bones hold core around it
  std::vector<Rigid> collider_places;         // motions from rest of the colliders whose places are given
  std::vector<Eigen::Affine3d> contact_maps;  // SkinMap of each point of the contact surface; empty without contact
};

// Posed positions of the nodes, in model space.
Nodes Place(const FleshPose& pose, const Nodes& z);

struct FleshSolverOptions {
  double tolerance = 1e-4;  // as QuasiStaticOptions::step_tolerance, but in the positions' unit
  // Relative decrease of the energy in a finely solved step below which the energy counts as flat and the solve as
  // converged: what still moves then has hardly any stiffness.
  double flat = 3e-5;
  int max_newton_steps = 60;
  double cg_tolerance = 0.03;       // see CgOptions
  double last_cg_tolerance = 1e-2;  // of the finely solved step that confirms convergence
  int max_cg_iterations = 1000;
  bool is_final = true;          // not a pose on the way to another: reports what touches in the end
  bool contact = true;           // whether skin pushes skin, if the solver has contact
  double contact_margin = 0.01;  // how far parts move before contact candidates are searched again; positions' unit
};

struct FleshSolveReport {
  elasticity::SolveStatus status = elasticity::SolveStatus::kStepLimit;
  int newton_steps = 0;
  int cg_iterations = 0;
  // Energy before and after each accepted step, both with the contact pairs of that step.
  std::vector<std::array<double, 2>> energies;
  double last_step = 0;          // largest motion of a node in the last Newton step, in the positions' unit
  int contacts = 0;              // number of pairs of skin that press on each other
  std::vector<int> pressed;      // points of the contact surface in pressing pairs, both sides; may repeat
  double worst_penetration = 0;  // largest depth of skin in other flesh, in the positions' unit
  int collider_contacts = 0;     // number of points that press on rigid colliders
  double worst_in_collider = 0;  // largest depth of a point in a collider, in the positions' unit
};

// Skin over the flesh, one entry per vertex in each list. A vertex with share 1 is where its flesh is. A vertex with
// share 0 is where its own bones put it, plus the displacement of its flesh from where bones hold that, if they hold
// any.
struct FleshSkin {
  Nodes rest;
  std::vector<double> areas;         // area that each vertex represents, in the positions' unit squared
  std::vector<double> shares;        // share by which it follows its flesh, from 0 to 1 (see FleshShares)
  std::vector<Influences> of_flesh;  // weights that blend the skinning frame of its flesh (see FleshWeights)
  std::vector<Influences> of_bones;  // its own skin weights
};

class FleshSolver {
 public:
  // contact: null for none. Contact and lattice must live as long as the solver.
  FleshSolver(const FleshLattice& lattice, const elasticity::StableNeoHookean& material, FleshSkin skin,
              const SkinContact* contact);

  const FleshBody& body() const { return body_; }
  // Prepares a pose for Solve(). motions: one per joint, from rest to the pose. hold: factor on the attachment
  // stiffness of the core.
  FleshPose MakePose(std::vector<Eigen::Affine3d> motions, double hold = 1) const;
  // Adds inertia to a pose, so that solving it is a time step. places: where the nodes would be without forces, in
  // model space. stiffness: m / h^2, one per node.
  void SetInertia(const Nodes& places, const std::vector<double>& stiffness, FleshPose& pose) const;
  // Energy of the inertia springs; 0 without inertia.
  static double InertiaEnergy(const FleshPose& pose, const Nodes& z);
  // Volume of the flesh that each node represents.
  std::vector<double> NodeVolumes() const;
  // Minimises the energy. z: in, where to start; out, the solution or, if it did not converge, the best so far.
  FleshSolveReport Solve(const FleshPose& pose, const FleshSolverOptions& options, Nodes& z) const;
  // Posed positions of the skin's vertices, in model space.
  Nodes PlaceSkin(const FleshPose& pose, const Nodes& z) const;
  // Deformation gradient R^T F (flesh_body.h) at a point of a tetrahedron.
  Eigen::Matrix3d DeformationAt(const FleshPose& pose, int tet, const Eigen::Vector4d& barycentric,
                                const Nodes& z) const;
  // Matrix from directions at rest to posed ones for what a vertex of the skin follows: its flesh and its bones, mixed
  // by its share.
  Eigen::Matrix3d TurnAtSkin(const FleshPose& pose, int vertex, const Nodes& z) const;
  // Number of inverted tetrahedra, counting only sample points mostly in flesh.
  int InvertedCount(const FleshPose& pose, const Nodes& z) const;
  // Share of the core's volume that is inverted.
  double InvertedCore(const FleshPose& pose, const Nodes& z) const;

 private:
  // Motions of the four corners of tetrahedron t.
  std::array<DualQuaternion, 4> CornersOf(const FleshPose& pose, int t) const;
  // Adds the sample points of tetrahedron t.
  void AddPoints(int t, FleshPose& pose) const;
  // Adds sample points on the skin in strongly bent tetrahedra.
  void AddSkinPoints(FleshPose& pose) const;
  // Sets where bones put the core points, their attachment stiffness and the matrix of the springs.
  void PoseCore(double hold, FleshPose& pose) const;
  // Sets held_off and is_held.
  void FindHeldOff(FleshPose& pose) const;
  // Extends held_off to the neighbours of held nodes.
  void SpreadHeldOff(FleshPose& pose) const;
  // Map from z, interpolated at a vertex of the skin, to the posed position of that vertex in model space.
  Eigen::Affine3d SkinMap(const FleshPose& pose, int vertex) const;
  // Displacement of core point i from where its bones put it, before skinning.
  Eigen::Vector3d CoreOff(const FleshPose& pose, size_t i, const Nodes& z) const;
  using Pairs = std::vector<ContactPair>;
  double Energy(const FleshPose& pose, const Pairs& pairs, const Nodes& z) const;
  void Gradient(const FleshPose& pose, const Pairs& pairs, const Nodes& z, Eigen::VectorXd& gradient) const;
  // Adds springs that hold all nodes, relative to the stiffness of flesh.
  void AddDamping(double damping, BlockMatrix& matrix) const;
  // Moves z and energy along the step by the accepted share of it, which may be above 1. Returns that share, 0 if none
  // is accepted.
  double LineSearch(const FleshPose& pose, const Pairs& pairs, const Eigen::VectorXd& gradient,
                    const Eigen::VectorXd& step, Nodes& z, double& energy) const;

  const FleshLattice& lattice_;
  FleshSkin skin_;
  const SkinContact* contact_;
  FleshBody body_;
  std::vector<double> stiffness_;  // one per core point: attachment stiffness
  std::vector<double> hold_;       // one per node: stiffness of the weak spring to where skinning puts it
};

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_FLESH_SOLVER_H_
