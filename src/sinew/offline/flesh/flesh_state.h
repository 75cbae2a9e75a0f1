// What a FleshModel holds; for simulator.cc, follow_flesh.cc and flesh_clip.cc alone.
#ifndef SINEW_OFFLINE_FLESH_FLESH_STATE_H_
#define SINEW_OFFLINE_FLESH_FLESH_STATE_H_

#include <memory>
#include <string>
#include <vector>

#include "sinew/offline/anatomy/articulation.h"
#include "sinew/offline/flesh/flesh_solver.h"
#include "sinew/offline/flesh/simulator.h"
#include "sinew/offline/mesh/adjacency.h"

namespace sinew::flesh {

// No joint turns further than this in one step from rest (radians), and so many Newton steps are made on the way.
constexpr double kPathAngle = EIGEN_PI / 6;
constexpr int kLooseSteps = 3;

bool IsFinite(const Pose& pose);

struct FleshModel::State {
  FleshSettings settings;
  FleshReport report;
  Skeleton skeleton;
  std::unique_ptr<Articulation> articulation;  // of the skeleton
  RestSkin skin;
  FleshSurface flesh;
  std::vector<Influences> influences;  // of the flesh's vertices: of the frames that their displacements are evened in
  FleshLattice lattice;
  std::unique_ptr<SkinContact> contact;
  std::unique_ptr<FleshSolver> solver;
  FleshSolverOptions options;
  Csr neighbours;  // of the flesh's vertices
  int smoothing_steps = 0;

  // How many steps to take from rest, so that no joint turns further than this in one.
  int PathSteps(const Pose& pose, double angle) const;
  // What happens on the way from rest.
  enum class Way { kInContact, kWithoutContact };
  struct Path {
    Way way = Way::kInContact;
    double angle = kPathAngle;
    int loose_steps = kLooseSteps;
    double hold = 1;  // how firmly bones hold the core
  };
  // z: out, the solution.
  FrameResult Attempt(const Pose& pose, const Path& path, Nodes& z) const;
  // From where flesh is: z, in and out.
  FrameResult SolveFrom(const Pose& pose, double hold, Nodes& z) const;
  // A pose that failed, again: first in other ways, then in the least bad one. z: of the result.
  FrameResult TryAgain(const Pose& pose, const FrameResult& failed, Nodes& z) const;
  // As good as it gets: from rest, again if need be.
  FrameResult SolveFromRest(const Pose& pose, Nodes& z) const;
  // Has to have one transform per joint.
  void CheckSize(const Pose& pose) const;
  // The share of each node's mass that swings. Fingers and ears are stiffened by what no skeleton has in it; of flesh
  // alone they would bend like rubber. None in what is no thicker than the fat, all from twice as thick on.
  std::vector<double> SwingingShares() const;
  FrameResult NotFinite() const;
  // What became of a pose that was solved: adds to a result that has the effort.
  void Judge(const FleshPose& pose, const FleshSolveReport& solved, const Nodes& z, FrameResult& result) const;
  // Why a solution is no truth, in one sentence; empty if it is.
  std::string WhatIsWrong(const FleshSolveReport& solved, const FrameResult& result) const;
  void ListSkinned(const Character& character);
  void ListThin(const FleshSkin& of_flesh);
  void BuildContact(const elasticity::StableNeoHookean& material);
  void ListCloseAtRest();
  // That vertices stand for: the points of contact, which are spread evenly, for all of it; without contact, each.
  std::vector<double> SkinAreas() const;
  // How fast each vertex's displacement is evened out: not at all where skin presses on skin, which must stay apart.
  std::vector<double> Smoothing(const std::vector<int>& pressed) const;
  // One row per vertex of the flesh, evened out along its edges.
  Nodes Smoothed(Nodes values, const std::vector<double>& rates) const;
  // Where the flesh's vertices are. Their displacements in the skinning's frame are linear over each tetrahedron; on
  // the skin their kinks are evened out.
  Points FollowFlesh(const FleshPose& pose, const std::vector<int>& pressed, const Nodes& z) const;
  // How much of the skin, by its area at rest, is on the wrong side of its own flesh: where a fold turned inside out.
  double InsideOut(const FleshPose& pose, const Points& positions, const Nodes& z) const;
  // All parts: the flesh's vertices from there, the others by linear blend skinning. Without flesh: all of them.
  std::vector<Points> AllParts(const std::vector<Eigen::Affine3d>& motions, const Points* flesh_positions) const;
};

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_FLESH_STATE_H_
