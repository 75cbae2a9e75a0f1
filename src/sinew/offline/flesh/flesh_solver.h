// The rest of flesh around a posed core: a minimum of energy by Newton's method.
#ifndef SINEW_OFFLINE_FLESH_FLESH_SOLVER_H_
#define SINEW_OFFLINE_FLESH_FLESH_SOLVER_H_

#include <vector>

#include "sinew/offline/elasticity/quasi_static.h"
#include "sinew/offline/flesh/flesh_body.h"
#include "sinew/offline/flesh/flesh_lattice.h"
#include "sinew/offline/flesh/skin_contact.h"

namespace sinew::flesh {

// What moves on by itself. A step of backward Euler minimises energy plus sum_n m_n / (2 h^2) |y_n - y^_n|^2 with
// y^ = y + h v + h^2 g, where each node would be without forces. In the frame of the skinning that is a spring to a
// place, because y = R z + t.
struct Inertia {
  std::vector<double> stiffness;  // m / h^2, one per node; empty: none
  Nodes towards;                  // R^T (y^ - t)
};

// One pose of the joints, as the solver needs it.
struct FleshPose {
  std::vector<Eigen::Affine3d> motions;  // one per joint: from rest to the pose
  std::vector<DualQuaternion> joints;    // the nearest rigid ones
  std::vector<DualQuaternion> nodes;     // blended, one per node
  std::vector<FleshPoint> points;        // of all tetrahedra in order, then on the skin
  size_t skin_points = 0;                // where the latter begin
  std::vector<Eigen::Vector3d> core;     // where each core point is to be, in the frame of its place (z)
  std::vector<double> core_stiffness;    // of each core point; 0 where bones let go of it
  BlockMatrix core_matrix;               // of the core and of every node's hold
  std::vector<Rigid> node_frames;        // the nodes' motions
  Inertia inertia;
  // Of each node: how far from rest, in its frame, bones hold the core around it; 0 where they hold none.
  Nodes held_off;
  std::vector<bool> is_held;
  std::vector<Eigen::Affine3d> contact_maps;  // as SkinMap, one per point of the contact surface; none without contact
};

// Where the nodes are in the model.
Nodes Place(const FleshPose& pose, const Nodes& z);

struct FleshSolverOptions {
  double tolerance = 1e-4;  // see QuasiStaticOptions::step_tolerance; in the positions' unit
  // Energy is flat once a step that was solved finely lowers it by less than this share: what still moves then has
  // hardly any stiffness.
  double flat = 3e-5;
  int max_newton_steps = 60;
  double cg_tolerance = 0.03;
  double last_cg_tolerance = 1e-2;
  int max_cg_iterations = 1000;
  bool is_final = true;          // not a pose on the way: say what touches in the end
  bool contact = true;           // skin pushes skin, if the solver has contact
  double contact_margin = 0.01;  // how far things move before it is asked again what could touch; positions' unit
};

struct FleshSolveReport {
  elasticity::SolveStatus status = elasticity::SolveStatus::kStepLimit;
  int newton_steps = 0;
  int cg_iterations = 0;
  // Of each accepted step, with the pairs in contact that it was made for: the energy before it and after.
  std::vector<std::array<double, 2>> energies;
  double last_step = 0;      // the longest movement of a node, in the positions' unit
  int contacts = 0;          // pairs that press on each other
  std::vector<int> pressed;  // the points of the contact surface in those pairs, both sides; may repeat
  double worst_penetration = 0;
  int collider_contacts = 0;     // points that press on rigid colliders
  double worst_in_collider = 0;  // how deep
};

// The skin over the flesh, one of each per vertex. With share 1 it is where its flesh is; with share 0 where its own
// bones put it, but for what flesh is off the place where bones hold it, if they hold any.
struct FleshSkin {
  Nodes rest;
  std::vector<double> areas;  // that each stands for
  std::vector<double> shares;
  std::vector<Influences> of_flesh;  // that blend the frame of the flesh there
  std::vector<Influences> of_bones;  // its own
};

class FleshSolver {
 public:
  // contact: may be null; it and the lattice must live as long as the solver.
  FleshSolver(const FleshLattice& lattice, const elasticity::StableNeoHookean& material, FleshSkin skin,
              const SkinContact* contact);

  const FleshBody& body() const { return body_; }
  // hold: how firmly bones hold the core, of what is usual.
  FleshPose MakePose(std::vector<Eigen::Affine3d> motions, double hold = 1) const;
  // Makes the pose's step one in time: places are where nodes would be without forces, in the model.
  void SetInertia(const Nodes& places, const std::vector<double>& stiffness, FleshPose& pose) const;
  static double InertiaEnergy(const FleshPose& pose, const Nodes& z);
  // The flesh's volume that each node stands for.
  std::vector<double> NodeVolumes() const;
  // z: in, where to start; out, the solution or the best so far.
  FleshSolveReport Solve(const FleshPose& pose, const FleshSolverOptions& options, Nodes& z) const;
  // Where each vertex of the skin is in the model.
  Nodes PlaceSkin(const FleshPose& pose, const Nodes& z) const;
  // R^T F at a place of a tetrahedron.
  Eigen::Matrix3d DeformationAt(const FleshPose& pose, int tet, const Eigen::Vector4d& barycentric,
                                const Nodes& z) const;
  // What turns directions at rest into those of what a vertex of the skin is on.
  Eigen::Matrix3d TurnAtSkin(const FleshPose& pose, int vertex, const Nodes& z) const;
  // Tetrahedra that are, somewhere that is mostly flesh.
  int InvertedCount(const FleshPose& pose, const Nodes& z) const;
  // The share of the core's volume that is inverted.
  double InvertedCore(const FleshPose& pose, const Nodes& z) const;

 private:
  std::array<DualQuaternion, 4> CornersOf(const FleshPose& pose, int t) const;
  void AddPoints(int t, FleshPose& pose) const;
  void AddSkinPoints(FleshPose& pose) const;
  void PoseCore(double hold, FleshPose& pose) const;
  void FindHeldOff(FleshPose& pose) const;
  // To the neighbours of held nodes.
  void SpreadHeldOff(FleshPose& pose) const;
  // From z at a vertex of the skin to where it is in the model.
  Eigen::Affine3d SkinMap(const FleshPose& pose, int vertex) const;
  // From where the bones hold core point i to where it is, in the frame of its place.
  Eigen::Vector3d CoreOff(const FleshPose& pose, size_t i, const Nodes& z) const;
  using Pairs = std::vector<ContactPair>;
  double Energy(const FleshPose& pose, const Pairs& pairs, const Nodes& z) const;
  void Gradient(const FleshPose& pose, const Pairs& pairs, const Nodes& z, Eigen::VectorXd& gradient) const;
  // The accepted share of the step, 0 if there is none; z and energy move with it.
  double LineSearch(const FleshPose& pose, const Pairs& pairs, const Eigen::VectorXd& gradient,
                    const Eigen::VectorXd& step, Nodes& z, double& energy) const;

  const FleshLattice& lattice_;
  FleshSkin skin_;
  const SkinContact* contact_;
  FleshBody body_;
  std::vector<double> stiffness_;  // of each core point
  std::vector<double> hold_;       // of each node
};

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_FLESH_SOLVER_H_
