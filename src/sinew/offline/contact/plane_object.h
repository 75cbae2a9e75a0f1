// Object in the plane whose contact is learned: a soft body, the handles that move it, and the collider that touches
// it.
#ifndef SINEW_OFFLINE_CONTACT_PLANE_OBJECT_H_
#define SINEW_OFFLINE_CONTACT_PLANE_OBJECT_H_

#include <string>
#include <vector>

#include "sinew/offline/contact/contact_object.h"
#include "sinew/offline/elasticity/plane_body.h"
#include "sinew/offline/elasticity/plane_collider.h"

namespace sinew::contact {

struct PlaneMaterial {
  double young = 1e4;  // in pascal
  double poisson = 0.4;
};

struct PlaneObject : ContactObject {
  // loop: the one of BoundaryLoops(mesh) that the collider comes to. subspace: of the mesh's nodes.
  PlaneObject(elasticity::PlaneMesh mesh, std::vector<int> loop, elasticity::HandleSubspace subspace, Pairs graph,
              const PlaneMaterial& material, elasticity::PlaneCollider collider, std::string name);

  elasticity::PlaneMesh mesh;
  std::vector<int> loop;  // places are indices into it
  double young = 0, poisson = 0;
  elasticity::PlaneBody body;
  elasticity::PlaneCollider collider;

  int place_count() const override { return static_cast<int>(loop.size()); }
  std::vector<int> SpreadPlaces(int count) const override;
  int ShiftPlace(int place, int count, Random& random) const override;
  SmallVector PlaceAt(const Eigen::VectorXd& x, int place) const override;
  SmallVector NormalAt(const Eigen::VectorXd& x, int place) const override;
  double ThicknessBelow(const Eigen::VectorXd& x, int place, const SmallVector& direction) const override;
  double collider_radius() const override { return collider.radius(); }
  // The problem refers to this object.
  std::unique_ptr<ContactProblem> MakeProblem() const override;

  // States of the worm, see DrawWormState().
  Eigen::VectorXd DrawState(Random& random) const override;
  int candidate_count() const override { return 2000; }
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

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_PLANE_OBJECT_H_
