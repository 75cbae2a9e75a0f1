// Simplifies a surface by edge collapses in the order of their quadric error, and tracks every point for upsampling.
//
// A collapse never changes the genus, the boundary loops or the orientation of an island; never turns a triangle over
// or makes it a sliver; never moves a seam off its line or joins what a seam parts; and never leaves a coarse point
// that owns no fine one, which would cost U its full rank (see Snapshot).
#ifndef SINEW_OFFLINE_LOD_SIMPLIFY_H_
#define SINEW_OFFLINE_LOD_SIMPLIFY_H_

#include <memory>
#include <vector>

#include "sinew/offline/lod/surface.h"
#include "sinew/offline/lod/upsampling.h"

namespace sinew::lod {

struct SimplifyOptions {
  // Factor on the error, one per triangle of the surface; empty: 1 everywhere.
  std::vector<double> importance;
  // Whether seams of UVs, colours and parts stay where they are. False: only the boundary matters (level 0).
  bool keep_seams = true;
};

// Level as simplification leaves it. Points are in the order of the finest ones that they descend from.
struct SimplifiedLevel {
  Surface surface;          // without vertices: point_of_vertex and first_vertex are empty
  Upsampling upsampling;    // upsampling from this level to the one before
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

  // Drops islands whose bounding box has a smaller diagonal than this from all further snapshots, smallest first, but
  // none that is the last of its part. Returns how many.
  int DropIslands(double smaller_than);

  // Returns the present surface and the upsampling U from it to the surface of the last snapshot (or to the input). U
  // has full column rank: every coarse point owns a fine one, in whose row it weighs more than one half; these rows
  // alone are a strictly diagonally dominant matrix. Points of the input without a triangle follow the nearest place of
  // the surface.
  SimplifiedLevel Snapshot();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::lod

#endif  // SINEW_OFFLINE_LOD_SIMPLIFY_H_
