// A packed body: what training needs of one body of a corpus, in less than a megabyte. Format: docs/formats/pack.md.
//
// The body is at a working level of about 5,000 points. Its ground truth is a residual: the displacement that, added to
// the rest shape before linear blend skinning, gives the true shape after it. The residuals of all frames are mixes of
// modes, whose numbers have one step for all: weak modes have small numbers, which take few bits.
#ifndef SINEW_OFFLINE_CORPUS_PACKED_BODY_H_
#define SINEW_OFFLINE_CORPUS_PACKED_BODY_H_

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/offline/character/character.h"
#include "sinew/offline/core/file.h"
#include "sinew/offline/corpus/packed_numbers.h"
#include "sinew/offline/dataset/split_frames.h"

namespace sinew::corpus {

struct PackedFrame {
  dataset::Side side = dataset::Side::kTrain;  // never kTest
  int frame = 0;                               // index in the body's dataset
  int motion = 0;                              // index into PackedBody::motions
  uint64_t hash = 0;                           // first 16 digits of DatasetFrame::hash
};

using Modes = Eigen::Matrix<int32_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct PackedBody {
  std::string name;
  double metres_per_unit = 1;
  Skeleton skeleton;
  std::vector<Eigen::Affine3f> inverse_bind;  // one per joint
  Points rest;                                // rest shape in mesh data space, one row per point, on the grid
  // Grid of the rest shape: its corner, and its step, which is 1/65,535 of the longest side of the shape's box.
  Eigen::Vector3f grid_corner = Eigen::Vector3f::Zero();
  float grid_step = 1;
  Triangles triangles;
  SkinWeights weights;  // of at most kPackedInfluences joints per point

  std::vector<std::string> motions;  // names of the clips and of the kinds of samples
  std::vector<PackedFrame> frames;
  // One per frame. Rotations are to 1/16,384; translations and scales, which the residual does not depend on, are those
  // of rest.
  std::vector<Pose> poses;

  // Residual of frame f, in mesh data space: step times the sum over modes k of coefficients(f, k) * modes.row(k).
  Modes modes;              // one row per mode, 3 columns per point
  float step = 1;           // of the numbers of all modes, in the body's unit
  FloatRows coefficients;   // one row per frame, one column per mode: whole multiples of scales[k]
  Eigen::VectorXf scales;   // one per mode
  float mean_residual = 0;  // mean length of the residuals before packing, in the body's unit
  float loss = 0;           // mean length of what packing lost, as a share of mean_residual

  int point_count() const { return static_cast<int>(rest.rows()); }
  int frame_count() const { return static_cast<int>(frames.size()); }
  Points Residual(int f) const;
};

inline constexpr int kMaxPackedPoints = 65535;
inline constexpr int kMaxPackedJoints = 256;

// Rounds a body to what its file can hold: rest shape, weights and poses. Residuals are to be taken after it.
void RoundToPack(PackedBody& body);

// Encodes a body that was rounded.
Bytes FormatPackedBody(const PackedBody& body);
// Parses a file. Throws InputError for anything that docs/formats/pack.md does not allow, and allocates no more than
// the file's size allows for.
PackedBody ParsePackedBody(std::span<const std::byte> bytes, const std::string& file);

}  // namespace sinew::corpus

#endif  // SINEW_OFFLINE_CORPUS_PACKED_BODY_H_
