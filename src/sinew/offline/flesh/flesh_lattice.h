// Tetrahedral lattice in which a character's flesh is simulated: it covers the volume within the skin, with the
// fraction of flesh per tetrahedron, skinning weights per node, and core points that attach the flesh to the bones.
#ifndef SINEW_OFFLINE_FLESH_FLESH_LATTICE_H_
#define SINEW_OFFLINE_FLESH_FLESH_LATTICE_H_

#include <vector>

#include "sinew/offline/flesh/core_bones.h"
#include "sinew/offline/flesh/rest_skin.h"
#include "sinew/offline/flesh/split_sheets.h"

namespace sinew::flesh {

struct FleshLatticeOptions {
  int tets = 10000;   // approximate number of tetrahedra
  double fat = 0.03;  // thickness of the soft layer between skin and core, in the positions' unit; less in thin parts
};

// Sample point of the core, the flesh that is deeper below the skin than FleshLatticeOptions::fat. It is pulled by an
// attachment to where the bones take it.
struct CorePoint {
  int tet = -1;                 // tetrahedron that contains it
  Eigen::Vector4d barycentric;  // position in the tetrahedron
  Eigen::Vector3d rest;         // position at rest
  Influences influences;        // joints that move it (see CoreInfluences)
  double volume = 0;            // volume of the flesh that it represents
  double firmness = 1;          // factor on its attachment stiffness: small near the skin, largest at the bones
};

struct FleshLattice {
  double cell_size = 0;  // edge of the lattice's cubes, in the positions' unit
  SplitTets tets;
  // Flesh per tetrahedron, as fractions of its whole volume: entry k is the flesh that is nearest to corner k, and the
  // sum of the four is the fraction of flesh in the tetrahedron, raised to at least 0.1.
  std::vector<Eigen::Vector4d> shares;
  std::vector<Influences> influences;  // skinning weights, one entry per node
  std::vector<CoreBone> bones;         // at rest
  std::vector<CorePoint> core;

  const TetMesh& mesh() const { return tets.mesh; }
  // Embedding of the surface's vertices in the tetrahedra, one point per vertex.
  const Embedding& skin() const { return tets.surface; }
};

// Builds the lattice for a surface at rest. influences: one entry per vertex of the surface. joints: positions at rest,
// one per joint.
FleshLattice BuildFleshLattice(const TriMesh& surface, const std::vector<Influences>& influences,
                               const Skeleton& skeleton, const std::vector<Eigen::Vector3d>& joints,
                               const FleshLatticeOptions& options);

}  // namespace sinew::flesh

#endif  // SINEW_OFFLINE_FLESH_FLESH_LATTICE_H_
