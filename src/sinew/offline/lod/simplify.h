// Edge collapses in the order of their quadric error, and where every point went.
//
// What a collapse must not do: change the genus, the boundary loops or the orientation of an island; turn a triangle
// over or make it a sliver; move a seam off its line or join what a seam parts; lose a point of a coarse level that U
// could not then reach (the rank of U, see Snapshot).
#ifndef SINEW_OFFLINE_LOD_SIMPLIFY_H_
#define SINEW_OFFLINE_LOD_SIMPLIFY_H_

#include <memory>
#include <vector>

#include "sinew/offline/lod/surface.h"
#include "sinew/offline/lod/upsampling.h"

namespace sinew::lod {

struct SimplifyOptions {
  // How much more an error counts at each triangle of the surface; empty: 1 everywhere.
  std::vector<double> importance;
  // Seams of UVs, colours and parts stay where they are. False: only the boundary matters (level 0).
  bool keep_seams = true;
};

// A level as simplification leaves it. Points are in the order of the finest ones that they descend from.
struct SimplifiedLevel {
  Surface surface;          // without vertices: point_of_vertex and first_vertex are empty
  Upsampling upsampling;    // from this level to the one before
  std::vector<int> finest;  // one per point: the finest point that it descends from
};

class Simplifier {
 public:
  explicit Simplifier(const Surface& surface, SimplifyOptions options = {});
  ~Simplifier();
  Simplifier(const Simplifier&) = delete;
  Simplifier& operator=(const Simplifier&) = delete;

  // Collapses until this many points are left, or until no collapse is allowed; returns how many are left. May be
  // called again and again with smaller numbers.
  int SimplifyTo(int points);

  // Shows islands no more whose bounding box has a smaller diagonal than this; smallest first, and none that is the
  // last of its part. Returns how many.
  int DropIslands(double smaller_than);

  // The surface now, and how it is upsampled to the one of the last snapshot (or the input). U has full column rank:
  // every coarse point owns a fine one, in whose row it weighs more than one half; these rows alone are a strictly
  // diagonally dominant matrix. Points of the input without a triangle follow the nearest place of the surface.
  SimplifiedLevel Snapshot();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_SIMPLIFY_H_
