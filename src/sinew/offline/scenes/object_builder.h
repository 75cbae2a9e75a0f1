// Builds the table of a soft object (dynamics/object_table.h) from its mesh, handles and material: the mass in the
// subspace, cells at which the elastic energy is integrated, and points at which contact is.
#ifndef SINEW_OFFLINE_SCENES_OBJECT_BUILDER_H_
#define SINEW_OFFLINE_SCENES_OBJECT_BUILDER_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/dynamics/object_table.h"
#include "sinew/offline/core/block.h"
#include "sinew/offline/elasticity/handle_subspace.h"
#include "sinew/offline/elasticity/plane_mesh.h"
#include "sinew/offline/mesh/tet_mesh.h"

namespace sinew::scenes {

struct RawObject {
  elasticity::PlaneMesh mesh;
  std::vector<elasticity::Handle> handles;
  // One row per node and one column per function: one per point handle, and three per frame handle, which belong to the
  // first and the second column of its matrix and to its position (dynamics/object_table.h).
  Eigen::MatrixXd basis;
  double young = 1e4;     // Young's modulus, in pascal
  double poisson = 0.4;   // Poisson's ratio
  double density = 1000;  // in kilogram per cubic metre
};

// The same in space. basis: one column per point handle and four per frame handle, as
// elasticity::BiharmonicCoordinates() returns them.
struct RawSolid {
  TetMesh mesh;
  std::vector<elasticity::Handle> handles;
  Eigen::MatrixXd basis;
  double young = 1e4;
  double poisson = 0.4;
  double density = 1000;
};

// Functions of a subspace of skinning weights in the plane.
Eigen::MatrixXd BasisOf(const elasticity::HandleSubspace& subspace);

struct ObjectOptions {
  // Most cells that stand for all in the elastic energy, in space with fitted measures. 0: as many as it takes for
  // `cubature_error`, beginning with 200 (data-oblivious cubature).
  int cubature = 0;
  double cubature_error = 0.02;  // of the reduced gradient, over 50 random states
  // Largest distance of contact points along the outline, as a share of the object's size; in space triangles of the
  // surface are cut until their edges are as short. 0: a 400th in the plane, a 24th in space.
  double contact_spacing = 0;
  // Depth at which a pressure of a third of Young's modulus is reached, as a share of the object's size.
  double contact_depth = 0.004;
};

struct BuiltObject {
  Block file;  // the bytes of a .soft file
  int cubature = 0;
  double cubature_error = 0;  // what is left, over 50 random states
};

// Throws UsageError for a basis that does not fit the mesh and the handles, that does not reproduce the rest shape and
// translations, or whose functions depend on each other.
BuiltObject BuildObject(const RawObject& raw, const ObjectOptions& options);
BuiltObject BuildObject(const RawSolid& raw, const ObjectOptions& options);

}  // namespace sinew::scenes

#endif  // SINEW_OFFLINE_SCENES_OBJECT_BUILDER_H_
