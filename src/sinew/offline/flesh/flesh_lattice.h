// Tetrahedra of a character's flesh: a lattice around its skin, with the share of flesh in each tetrahedron, the skin
// weights of the nodes and the core points, which are attached to the bones.
#ifndef SINEW_OFFLINE_FLESH_FLESH_LATTICE_H_
#define SINEW_OFFLINE_FLESH_FLESH_LATTICE_H_

#include <vector>

#include "sinew/offline/flesh/core_bones.h"
#include "sinew/offline/flesh/rest_skin.h"
#include "sinew/offline/flesh/split_sheets.h"

namespace sinew::flesh {

struct FleshLatticeOptions {
  int tets = 10000;   // approximate number of tetrahedra
  double fat = 0.03;  // thickness of the flesh over the core, in the positions' unit; thin parts have less
};

// Point of the core: flesh near the bones, which moves as the bones do.
struct CorePoint {
  int tet = -1;
  Eigen::Vector4d barycentric;
  Eigen::Vector3d rest;   // position at rest
  Influences influences;  // joints that move it (see CoreInfluences)
  double volume = 0;      // volume of the flesh that it represents
  double firmness = 1;    // factor on its attachment stiffness: larger, the nearer the bones are
};

struct FleshLattice {
  double cell_size = 0;  // edge of the lattice's cubes, in the positions' unit
  SplitTets tets;
  // Shares of a tetrahedron's volume that are flesh, near each of its four corners; one entry per tetrahedron. Their
  // sum is the share of flesh in the whole tetrahedron.
  std::vector<Eigen::Vector4d> shares;
  std::vector<Influences> influences;  // one per node
  std::vector<CoreBone> bones;         // at rest
  std::vector<CorePoint> core;

  const TetMesh& mesh() const { return tets.mesh; }
  // Embedding of the flesh's surface in the tetrahedra, one point per vertex.
  const Embedding& skin() const { return tets.surface; }
};

// Builds the lattice for a surface at rest. influences: one per vertex of the surface. joints: positions at rest,
// one per joint.
FleshLattice BuildFleshLattice(const TriMesh& surface, const std::vector<Influences>& influences,
                               const Skeleton& skeleton, const std::vector<Eigen::Vector3d>& joints,
                               const FleshLatticeOptions& options);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_FLESH_LATTICE_H_
