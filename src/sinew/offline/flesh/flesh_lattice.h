// The tetrahedra of a character's flesh: around its skin, with the share of flesh in each, the weights of their nodes
// and the points that the bones hold.
#ifndef SINEW_OFFLINE_FLESH_FLESH_LATTICE_H_
#define SINEW_OFFLINE_FLESH_FLESH_LATTICE_H_

#include <vector>

#include "sinew/offline/flesh/core_bones.h"
#include "sinew/offline/flesh/rest_skin.h"
#include "sinew/offline/flesh/split_sheets.h"

namespace sinew::flesh {

struct FleshLatticeOptions {
  int tets = 10000;   // about as many as this
  double fat = 0.03;  // how thick flesh is over the core, in the positions' unit; thin parts have less
};

// A point of the core: it moves as its bones say.
struct CorePoint {
  int tet = -1;
  Eigen::Vector4d barycentric;
  Eigen::Vector3d rest;
  Influences influences;
  double volume = 0;    // that it stands for
  double firmness = 1;  // of the bones' hold: the more, the nearer they are
};

struct FleshLattice {
  double cell_size = 0;
  SplitTets tets;
  // Of each tetrahedron, how much of it is flesh, as the sum of the shares near its four corners.
  std::vector<Eigen::Vector4d> shares;
  std::vector<Influences> influences;  // one per node
  std::vector<CoreBone> bones;         // at rest
  std::vector<CorePoint> core;

  const TetMesh& mesh() const { return tets.mesh; }
  // One point per vertex of the flesh's surface.
  const Embedding& skin() const { return tets.surface; }
};

// influences: one per vertex of the surface. joints: where they are at rest.
FleshLattice BuildFleshLattice(const TriMesh& surface, const std::vector<Influences>& influences,
                               const Skeleton& skeleton, const std::vector<Eigen::Vector3d>& joints,
                               const FleshLatticeOptions& options);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_FLESH_LATTICE_H_
