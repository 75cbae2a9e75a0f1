// Measures of a method's shapes on one level against the ground truth, added up frame by frame.
#ifndef SINEW_OFFLINE_EVALUATE_SHAPE_MEASURES_H_
#define SINEW_OFFLINE_EVALUATE_SHAPE_MEASURES_H_

#include <optional>
#include <vector>

#include "sinew/offline/evaluate/distance_tally.h"
#include "sinew/offline/evaluate/level_surface.h"
#include "sinew/offline/evaluate/weighted_histogram.h"

namespace sinew::evaluate {

// Relative difference of the volume that the closed pieces enclose from that of the truth in the same pose.
struct VolumeChange {
  double mean = 0;   // over the frames, with its sign: negative where volume is lost
  double worst = 0;  // largest of a frame, without its sign
};

// Error of one method on one level over a set of frames, in the character's unit. Means, shares and percentiles are
// over the area of the rest surface (LevelSurface::areas) and all frames, so that they do not depend on where a mesh
// has many points.
struct LevelError {
  double mean = 0, rms = 0, max = 0;  // mean, root mean square and largest distance to the ground truth
  double p95 = 0, p99 = 0;            // 95th and 99th percentile of the distance (WeightedHistogram)
  double soft_rms = 0;                // root mean square over the soft points alone (IsSoft()); 0 if there are none
  double point_rms = 0;               // root mean square in which every point counts the same
  std::vector<double> frame_rms;      // root mean square per frame
  // Angle between the surface's normals and the truth's, degrees. A point whose normal vanishes counts as 90, unless
  // the truth's vanishes, too: it does not count then.
  double normal_mean = 0, normal_p95 = 0;
  std::optional<VolumeChange> volume;  // none if no soft piece is closed
  double farther_share = 0;  // share of the surface that is farther from the truth than linear blend's by kFartherMm
  int worse_frames = 0;      // number of frames with a larger rms than linear blend's, beyond rounding
  double worst_excess = 0;   // largest amount by which the rms of a frame exceeds linear blend's; 0 if none does
  // Root mean square of the second difference over time of the error (shape minus truth), where three frames of a
  // motion follow each other; none if there are no such frames. It is 0 for an error that moves evenly.
  std::optional<double> flicker;

  // Distance that is seen, millimetres.
  static constexpr double kFartherMm = 2;
};

// Lengths that measures compare with, in the character's unit.
struct MeasureLengths {
  double size = 0;     // of the character at rest
  double farther = 0;  // LevelError::kFartherMm
};

// Sums over frames that LevelError is computed from. Adding is in the order of the calls, so that equal calls give
// equal bits.
class ShapeTally {
 public:
  // Adds a frame. view, truth: View() of the shape and of the ground truth. distances: Distances() of the shape;
  // linear: those of linear blend skinning.
  void AddFrame(const LevelSurface& surface, const MeasureLengths& lengths, const SurfaceView& view,
                const SurfaceView& truth, const Eigen::VectorXd& distances, const Eigen::VectorXd& linear);
  // Adds the flicker of three frames that follow each other; square: FlickerSquare().
  void AddFlicker(double square);
  void Add(const ShapeTally& other);

  // All but what needs single frames: frame_rms, worse_frames, worst_excess.
  LevelError Total(const LevelSurface& surface, const MeasureLengths& lengths) const;
  // Sum over the soft points of each joint, and frames, of area times squared distance. Empty if there are no frames.
  const std::vector<double>& joint_squares() const { return joint_squares_; }
  // Distances of the points of each BodyRegion, by area, in sizes of the character (MeasureLengths::size). Empty if
  // there are no frames, or the surface has no body_regions.
  const std::vector<DistanceTally>& body_regions() const { return body_regions_; }
  int frames() const { return frames_; }

 private:
  void AddNormals(const LevelSurface& surface, const SurfaceView& view, const SurfaceView& truth);
  void AddVolume(const LevelSurface& surface, const SurfaceView& view, const SurfaceView& truth);

  int frames_ = 0, volumes_ = 0, flickers_ = 0;
  double distance_ = 0, square_ = 0, soft_square_ = 0, point_square_ = 0, max_ = 0;
  double angle_ = 0, farther_ = 0, flicker_square_ = 0;
  VolumeChange volume_;          // sum instead of mean
  WeightedHistogram distances_;  // in sizes of the character
  WeightedHistogram angles_;     // degrees
  std::vector<double> joint_squares_;
  std::vector<DistanceTally> body_regions_;
};

// Distance of each point from the truth.
Eigen::VectorXd Distances(const Points& shape, const Points& truth);

// Mean over the surface of the squared second difference of the error; shapes and truths of three frames, in order.
double FlickerSquare(const LevelSurface& surface, const Points* const (&shapes)[3], const Points* const (&truths)[3]);

}  // namespace sinew::evaluate

#endif  // SINEW_OFFLINE_EVALUATE_SHAPE_MEASURES_H_
