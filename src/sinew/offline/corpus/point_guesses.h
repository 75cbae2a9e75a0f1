// Order in which numbers at the points of a mesh are coded, and the points that each is guessed from. Only whole
// numbers are used: a decoder on another machine makes the same guesses.
#ifndef SINEW_OFFLINE_CORPUS_POINT_GUESSES_H_
#define SINEW_OFFLINE_CORPUS_POINT_GUESSES_H_

#include <cstdint>
#include <vector>

#include "sinew/offline/mesh/csr.h"
#include "sinew/offline/mesh/tri_mesh.h"

namespace sinew::corpus {

struct PointGuesses {
  std::vector<int> order;    // all points
  Csr sources;               // one row per place in `order`: points that come earlier, none on a new island
  std::vector<int> weights;  // one per item of `sources`, 1 or more
};

// Returns all points coarse to fine: first one in every cell of a wide grid, then one in every cell of a grid of half
// the width, and so on. So most points lie between points that come earlier, and what is smooth over the surface is
// guessed well. grid: three steps per point.
std::vector<int> CoarseToFine(const std::vector<uint16_t>& grid);

// Returns all points in the order in which one meets them along edges: neighbours have nearby numbers.
std::vector<int> AlongSurface(const Triangles& triangles, int points);

// Finds the sources of guesses in a given order. triangles: their corners are points.
PointGuesses MakePointGuesses(std::vector<int> order, const Triangles& triangles);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_POINT_GUESSES_H_
