// Object in space whose states are static equilibria under drawn loads, in the subspace of generalised biharmonic
// coordinates: what the jelly, the floater and the animal have in common.
#ifndef SINEW_OFFLINE_CONTACT_LOADED_SOLID_H_
#define SINEW_OFFLINE_CONTACT_LOADED_SOLID_H_

#include <string>
#include <vector>

#include "sinew/offline/contact/solid_object.h"
#include "sinew/offline/elasticity/biharmonic.h"

namespace sinew::contact {

// Loads that are drawn: a body force, and forces on two patches of the surface.
struct Loads {
  double body = 0;      // largest body force, in newton per cubic metre
  double pressure = 0;  // largest pressure on a patch, in pascal
  double patch = 0;     // radius of a patch, in metre
  double volume = 0;    // of the body, of which each node has the same share
  double area = 0;      // of its surface, of which each place has the same share
};

// What such an object is made of.
struct SolidParts {
  TetMesh mesh;
  std::vector<elasticity::HeldNodes> handles;
  ContactObject::Pairs graph;
  std::vector<int> foot;  // nodes that stay where they are while a load acts; not all on a line
  int foot_handles = 1;   // so many handles, the first ones, stay with them
  Loads loads;
};

struct LoadedSolid : SolidObject {
  // kind: of body, for its name. Throws UsageError if the handles do not fix an affine map.
  LoadedSolid(SolidParts parts, const SolidOptions& options, const std::string& kind);

  std::vector<int> foot;

  // Equilibrium of the linear subspace: the paper's states for training are from runs of its linear model.
  Eigen::VectorXd DrawState(Random& random) const override;
  // Equilibrium of all nodes under another load, projected to the subspace by least squares.
  Eigen::VectorXd DrawTestState(Random& random) const override;
  int candidate_count() const override { return 64; }

 private:
  LoadedSolid(SolidParts parts, elasticity::HandleSubspace subspace, const SolidOptions& options,
              const std::string& kind);
  Nodes DrawLoad(Random& random) const;
  // Returns the state of the equilibrium under a drawn load. A load under which there is none is halved.
  Eigen::VectorXd Settle(const elasticity::Projector& projector, Random& random) const;

  Loads loads_;
  int foot_functions_;
};

// Surface area of a mesh of tetrahedra.
double SurfaceAreaOf(const TetMesh& mesh);

// The node that is nearest to a point.
int NearestNode(const TetMesh& mesh, const Eigen::Vector3d& at);

// Chooses `count` nodes that are spread over the body by distance along the edges of its tetrahedra, as far as can be
// from `foot`, too, and moves each towards the middle of its share of the body. Returns the foot's frame and then the
// points; only points if foot is empty.
std::vector<elasticity::HeldNodes> SpreadHandles(const TetMesh& mesh, const std::vector<int>& foot, int count);

// Pairs of handles whose shares of the body, the nodes that are nearest to them along its edges, touch.
ContactObject::Pairs GraphOf(const TetMesh& mesh, const std::vector<elasticity::HeldNodes>& handles);

}  // namespace sinew::contact

#endif  // SINEW_OFFLINE_CONTACT_LOADED_SOLID_H_
