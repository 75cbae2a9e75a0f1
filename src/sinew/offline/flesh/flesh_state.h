// Internal state of a FleshModel; only for simulator.cc, follow_flesh.cc and flesh_clip.cc.
#ifndef SINEW_OFFLINE_FLESH_FLESH_STATE_H_
#define SINEW_OFFLINE_FLESH_FLESH_STATE_H_

#include <memory>
#include <string>
#include <vector>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/flesh/flesh_solver.h"
#include "sinew/offline/flesh/followers.h"
#include "sinew/offline/flesh/simulator.h"
#include "sinew/offline/mesh/adjacency.h"

namespace sinew::flesh {

// Largest rotation of a joint (radians) in one step on the path from rest to a pose, and the number of Newton steps for
// each intermediate pose.
constexpr double kPathAngle = EIGEN_PI / 6;
constexpr int kLooseSteps = 3;

struct FleshModel::State {
  FleshSettings settings;
  FleshReport report;
  // Returns a length of the settings in the character's unit.
  double FromMetres(double length) const { return length * settings.scale / report.unit; }
  Skeleton skeleton;
  Pose bind_pose;                              // MainBindPose() with the scales of rest: what flesh is at ease in
  std::unique_ptr<Articulation> articulation;  // of `skeleton`
  RestSkin skin;
  FleshSurface flesh;  // empty if nothing of the character is flesh; then there is no solver
  Followers followers;
  // Weights of the frames in which displacements are smoothed, one per vertex of the flesh's surface.
  std::vector<Influences> influences;
  FleshLattice lattice;
  std::unique_ptr<SkinContact> contact;
  std::unique_ptr<FleshSolver> solver;
  FleshSolverOptions options;
  Csr neighbours;           // row per vertex of the flesh's surface
  int smoothing_steps = 0;  // for displacements of the skin

  // Number of steps on the path from the bind pose to the pose such that no joint rotates further than `angle` in one.
  int PathSteps(const Pose& pose, double angle) const;
  // When skin is in contact: all the way from the bind pose to a pose, in the pose alone, or never.
  enum class Way { kInContact, kInTheEnd, kWithoutContact };
  // Options of that path.
  struct Path {
    Way way = Way::kInContact;
    double angle = kPathAngle;      // largest rotation of a joint per step, radians
    int loose_steps = kLooseSteps;  // Newton steps per intermediate pose
    double hold = 1;                // factor on the attachment stiffness of the core
  };
  // Solves a pose along a path from the bind pose. z: out, the solution.
  FrameResult Attempt(const Pose& pose, const Path& path, Nodes& z) const;
  // Solves a pose starting from the shape z. z: in and out. hold: factor on the attachment stiffness of the core.
  FrameResult SolveFrom(const Pose& pose, double hold, bool in_contact, Nodes& z) const;
  // Solves a failed pose again along other paths: with bones that give way, then in smaller steps. A solution with soft
  // bones counts only if nothing else converges. z: out, the solution of the returned result.
  FrameResult TryAgain(const Pose& pose, const FrameResult& failed, Nodes& z) const;
  // Solves a pose from rest in contact, with more attempts if it fails. z: out, the solution.
  FrameResult SolveInContact(const Pose& pose, Nodes& z) const;
  // Solves a pose from rest, without contact if it fails with it. z: out, the solution.
  FrameResult SolveFromRest(const Pose& pose, Nodes& z) const;
  // Throws UsageError unless the pose has one transform per joint.
  void CheckSize(const Pose& pose) const;
  // Share of each node's mass that has inertia: 0 in parts no thicker than the fat, 1 from twice that thickness on.
  // Fingers and ears are stiffened by what no skeleton contains; of flesh alone they would bend like rubber.
  std::vector<double> SwingingShares() const;
  // Failed frame for a pose that is not finite, with the skin at rest.
  FrameResult NotFinite() const;
  // Frame of a character without flesh: linear blend skinning.
  FrameResult Skinned(const Pose& pose) const;
  // Fills in the result of a solved pose, except path_steps, newton_steps and cg_iterations.
  void Judge(const FleshPose& pose, const FleshSolveReport& solved, const Nodes& z, FrameResult& result) const;
  // Reason in one sentence why a solution cannot serve as ground truth; empty if it can.
  std::string WhatIsWrong(const FleshPose& pose, const FleshSolveReport& solved, const Nodes& z,
                          const FrameResult& result) const;
  // Fills report.pieces.
  void ListPieces(const Character& character);
  // Fills report.follows_bones.
  void ListThin(const FleshSkin& of_flesh);
  // Builds `contact` with the settings' colliders.
  void BuildContact(const elasticity::StableNeoHookean& material);
  // Fills report.close_at_rest.
  void ListCloseAtRest();
  // Area that each vertex represents. With contact, the evenly spread contact points represent the whole skin and other
  // vertices have 0; without it, every vertex has its own area.
  std::vector<double> SkinAreas() const;
  // Smoothing rate of each vertex's displacement, from 0 to 0.5: 0 where skin presses on skin, which must stay apart.
  // pressed: FleshSolveReport::pressed.
  std::vector<double> Smoothing(const std::vector<int>& pressed) const;
  // Values smoothed along the edges of the flesh's surface, one row and one rate per vertex.
  Nodes Smoothed(Nodes values, const std::vector<double>& rates) const;
  // Posed positions of the flesh's vertices, in model space. Displacements in the skinning frame are linear over each
  // tetrahedron; on the skin the kinks between tetrahedra are smoothed.
  Points FollowFlesh(const FleshPose& pose, const std::vector<int>& pressed, const Nodes& z) const;
  // Share of the skin, by its area at rest, that faces its own flesh because a fold turned inside out.
  double InsideOut(const FleshPose& pose, const Points& positions, const Nodes& z) const;
  // Position of a vertex by linear blend skinning; at rest if no joint moves it.
  Eigen::Vector3d SkinnedVertex(int vertex, const std::vector<Eigen::Affine3d>& motions) const;
  // Posed positions of the flesh's vertices by linear blend skinning.
  Points SkinnedFlesh(const std::vector<Eigen::Affine3d>& motions) const;
  // Posed positions of all parts: the flesh's vertices from flesh_positions, those that follow flesh by `followers`,
  // the others by linear blend skinning. flesh_positions: null to skin all of them.
  std::vector<Points> AllParts(const std::vector<Eigen::Affine3d>& motions, const Points* flesh_positions) const;
};

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_FLESH_STATE_H_
