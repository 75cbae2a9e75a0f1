// Object in the plane whose contact is learned: a soft body, the handles that move it, and the collider that touches
// it.
#ifndef SINEW_OFFLINE_CONTACT_PLANE_OBJECT_H_
#define SINEW_OFFLINE_CONTACT_PLANE_OBJECT_H_

#include <string>
#include <utility>
#include <vector>

#include "sinew/offline/core/random.h"
#include "sinew/offline/elasticity/handle_subspace.h"
#include "sinew/offline/elasticity/plane_body.h"
#include "sinew/offline/elasticity/plane_collider.h"
#include "sinew/offline/elasticity/projector.h"

namespace sinew::contact {

struct PlaneObject {
  elasticity::PlaneMesh mesh;
  std::vector<int> loop;  // BoundaryLoop(mesh)
  elasticity::HandleSubspace subspace;
  elasticity::NullSpace null_space;        // of the subspace
  std::vector<std::pair<int, int>> graph;  // pairs of neighbouring handles
  double young = 0, poisson = 0;           // of the material
  elasticity::PlaneBody body;
  elasticity::PlaneCollider collider;
  std::string name;  // of object and collider, for files

  // Length of the diagonal of the bounding box at rest.
  double Diagonal() const;
};

struct WormOptions {
  int triangles = 20000;
  std::string collider = "cube";  // see MakePlaneCollider()
  double collider_radius = 0.08;  // in metre; the worm is 1 m long and 0.2 m thick
  double young = 1e4;             // in pascal
  double poisson = 0.4;
};

// Makes the worm of the paper's table 3: a capsule that three bones move, each a frame handle with smooth skinning
// weights that reach 0.12 m beyond its joints.
PlaneObject MakeWorm(const WormOptions& options);

// Draws a state of the worm: both joints bent by up to 0.7 radians, each bone between 0.92 and 1.1 times as long at the
// same area. The middle bone stays where it is, so that no two states differ by a rigid motion.
Eigen::VectorXd DrawWormState(const PlaneObject& worm, Random& random);

// Relative transformations of neighbouring handles, by which states are compared (section 4.2): for each edge of the
// graph, the second handle in the frame of the first.
Eigen::VectorXd RelativeHandles(const PlaneObject& object, const Eigen::VectorXd& state);

// Chooses `count` states that are spread, the rest state first, by greedy farthest points of relative transformations
// whose entries are normalised per edge. The first ones are the same whatever the count. candidates: states to choose
// from. radius: if not null, set to the largest distance of a candidate from the nearest chosen state.
std::vector<Eigen::VectorXd> ChooseStates(const PlaneObject& object, const std::vector<Eigen::VectorXd>& candidates,
                                          int count, double* radius = nullptr);

// Distance of a state from the nearest of `others`, normalised by the spread of `candidates` as in ChooseStates().
double NearestState(const PlaneObject& object, const std::vector<Eigen::VectorXd>& candidates,
                    const std::vector<Eigen::VectorXd>& others, const Eigen::VectorXd& state);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_PLANE_OBJECT_H_
