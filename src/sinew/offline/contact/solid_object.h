// Object in space whose contact is learned: a body of tetrahedra, the handles that move it, and the collider that
// touches it.
#ifndef SINEW_OFFLINE_CONTACT_SOLID_OBJECT_H_
#define SINEW_OFFLINE_CONTACT_SOLID_OBJECT_H_

#include <string>
#include <vector>

#include "sinew/offline/contact/contact_object.h"
#include "sinew/offline/elasticity/quasi_static.h"
#include "sinew/offline/elasticity/solid_collider.h"
#include "sinew/offline/mesh/csr.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::contact {

// What a scene in space may change of its object.
struct SolidOptions {
  int tets = 15000;               // about so many
  std::string collider = "cube";  // see MakeSolidCollider()
  double collider_radius = 0.3;   // in metre
  double young = 1e4;             // in pascal
  double poisson = 0.4;

  // Of the object, with what it consists of and what presses it.
  std::string NameOf(const std::string& kind) const;
  elasticity::Elasticity Material() const { return {.young = young, .poisson = poisson, .tet_poisson = poisson}; }
};

// Says nothing of states: those are another object's for every scene.
struct SolidObject : ContactObject {
  // subspace: of the mesh's nodes.
  SolidObject(TetMesh mesh, elasticity::HandleSubspace subspace, Pairs graph, const elasticity::Elasticity& elasticity,
              elasticity::SolidCollider collider, std::string name);

  TetMesh mesh;
  Triangles surface;        // SurfaceOf(mesh)
  std::vector<int> places;  // nodes of the surface, ascending
  double young = 0;
  elasticity::QuasiStaticSolver solver;
  elasticity::SolidCollider collider;

  const elasticity::ElasticBody& body() const { return solver.body(); }

  int place_count() const override { return static_cast<int>(places.size()); }
  std::vector<int> SpreadPlaces(int count) const override;
  int ShiftPlace(int place, int count, Random& random) const override;
  SmallVector PlaceAt(const Eigen::VectorXd& x, int place) const override;
  SmallVector NormalAt(const Eigen::VectorXd& x, int place) const override;
  double ThicknessBelow(const Eigen::VectorXd& x, int place, const SmallVector& direction) const override;
  double collider_radius() const override { return collider.radius(); }
  double max_step() const override { return collider.max_step(); }
  // The problem refers to this object.
  std::unique_ptr<ContactProblem> MakeProblem() const override;

 private:
  // Distances of all places from one of them along the edges of the surface at rest.
  Eigen::VectorXd DistancesFrom(int place) const;

  Csr neighbours_, triangles_;  // of each node, on the surface
  Points rest_;
  double area_ = 0;  // of the surface
};

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_SOLID_OBJECT_H_
