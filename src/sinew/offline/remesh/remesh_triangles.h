// Remeshing of triangle meshes, with a map from every new vertex to the source: isotropically, to a wanted number of
// vertices (remesh.h has the method and its reference), or by single edits drawn at random.
//
// Any triangle soup will do: it is cut into manifold sheets first, and every sheet is remeshed by itself. Boundaries,
// the borders between labels and the places where sheets were cut apart stay where they are; a sheet that encloses a
// volume keeps it.
#ifndef SINEW_OFFLINE_REMESH_REMESH_TRIANGLES_H_
#define SINEW_OFFLINE_REMESH_REMESH_TRIANGLES_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "sinew/offline/mesh/extract_surface.h"
#include "sinew/offline/mesh/surface_map.h"

namespace sinew {

struct LabelledMesh {
  FineMesh mesh;
  std::vector<int> labels;  // one per triangle, such as the part of a character; empty: all have label 0
};

struct RemeshedTriangles {
  LabelledMesh result;
  SurfaceMap map;       // from its vertices to the source's triangles
  bool reached = true;  // whether all wanted edits were possible, or the wanted number of vertices was reached
};

struct IsotropicOptions {
  int vertex_count = 5000;
  // Edge length ~ radius^exponent, where the radius is that of curvature or half the thickness, if that is less: 0 is
  // uniform, 1 gives a finger as many vertices around as a thigh.
  double exponent = 0.5;
  // Seeds differ in where vertices lie: every vertex starts from a place drawn at random near its own.
  uint64_t seed = 0;
  // Whether thin places get short edges, however flat they are. Without it a cape has as few vertices as what is below
  // it, and both sides of it may meet.
  bool thickness = true;
  // Smaller radii count as this; share of the diagonal of the whole.
  double smallest_radius = 1.0 / 800;
};
// Remeshes isotropically. Sheets of a few vertices (lashes, buttons) stay as they are. The number of vertices is exact
// unless what must be kept forbids it.
RemeshedTriangles RemeshIsotropic(const LabelledMesh& source, const IsotropicOptions& options);

// Does the same several times for one source: what seeds have in common is found once.
class IsotropicRemesher {
 public:
  // options.seed: not used.
  IsotropicRemesher(const LabelledMesh& source, const IsotropicOptions& options);
  ~IsotropicRemesher();
  IsotropicRemesher(const IsotropicRemesher&) = delete;
  IsotropicRemesher& operator=(const IsotropicRemesher&) = delete;

  // Returns what RemeshIsotropic() does with this seed. May be called from several threads at once.
  RemeshedTriangles Remesh(uint64_t seed) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct RandomEdits {
  int flips = 0, splits = 0, collapses = 0;  // numbers of edits, over all sheets
  uint64_t seed = 0;
};
// Edits edges at random. Vertices stay on the source, new ones too, but for what a closed sheet needs to keep its
// volume. Edits that would leave a fold or a sliver are not made.
RemeshedTriangles EditAtRandom(const LabelledMesh& source, const RandomEdits& edits);

}  // namespace sinew

#endif  // SINEW_OFFLINE_REMESH_REMESH_TRIANGLES_H_
