// A surface made fit for remeshing: scans with millions of triangles, bodies that a file holds twice, and broken
// triangles would else cost minutes, or be taken for what they are not.
#ifndef SINEW_OFFLINE_REMESH_SOUND_SURFACE_H_
#define SINEW_OFFLINE_REMESH_SOUND_SURFACE_H_

#include <vector>

#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew {

struct SoundOptions {
  int most_vertices = 100000;      // surfaces with more are made coarser
  int clustered_vertices = 40000;  // about how many are then left
};

// Returns the surface without broken triangles, and made coarser if it has too many vertices. Never returns less than
// one triangle of a mesh that has some. Vertices keep their order; those without triangles stay unless it is made
// coarser.
TriMesh SoundSurface(const TriMesh& mesh, const SoundOptions& options = {});

// Whether each triangle is sound. Broken are those with two equal corners, those that are there already with the same
// corners in any order, those without area at edges that two others share, and those as long as most of the whole,
// which spikes of single bad vertices make. If none would be sound, all are.
std::vector<bool> SoundTriangles(const TriMesh& mesh);

// Leaves broken triangles out, and no vertex.
TriMesh WithoutBrokenTriangles(const TriMesh& mesh);

// Merges the vertices within each cell of a grid into their mean, those of two sides of a thin sheet apart. vertices:
// about how many are left where a surface lies evenly in its cells; up to twice as many.
TriMesh ClusterVertices(const TriMesh& mesh, int vertices);

}  // namespace sinew

#endif  // SINEW_OFFLINE_REMESH_SOUND_SURFACE_H_
