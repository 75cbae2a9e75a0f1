// Modes of the displacements of a motion: what morph targets with animated weights can show of them.
#ifndef SINEW_OFFLINE_BUNDLE_MORPH_MODES_H_
#define SINEW_OFFLINE_BUNDLE_MORPH_MODES_H_

#include <Eigen/Core>
#include <vector>

#include "sinew/offline/character/character.h"

namespace sinew::bundle {

// One row per frame: (x, y, z) of all vertices, in the order of the level's file.
using FrameMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Principal modes of the rows of D: D is nearly weights * modes. Each mode's component of largest magnitude is 1.
struct Modes {
  Eigen::MatrixXf weights;  // frames x modes
  FrameMatrix modes;        // modes x columns of D
  // One row per mode, one column per vertex, 0 to 1: share of the vertex's displacement that the mode is about, and
  // zero where it moves nothing. Without rows: all modes are about all vertices. Columns of `weights` are orthogonal
  // among modes with the same row.
  FrameMatrix windows;

  int count() const { return static_cast<int>(modes.rows()); }
};

// Returns the strongest modes, all vertices counting the same; fewer where there is nothing left.
Modes StrongestModes(const FrameMatrix& D, int most);

// As StrongestModes(), but every mode only moves vertices that one joint moves, so that most of its rows are zero: each
// joint has the principal modes of D times its skinning weights, and the strongest of all joints are kept. That takes
// more modes than StrongestModes() for the same error. character: what D is of, with its weights.
Modes StrongestLocalModes(const FrameMatrix& D, const Character& character, int most);

}  // namespace sinew::bundle

#endif  // SINEW_OFFLINE_BUNDLE_MORPH_MODES_H_
