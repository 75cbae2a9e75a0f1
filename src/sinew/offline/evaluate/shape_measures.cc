#include "sinew/offline/evaluate/shape_measures.h"

#include <algorithm>
#include <cmath>

namespace sinew::evaluate {
namespace {

constexpr double kDegrees = 180 / 3.14159265358979323846;

// Angle between two normals of any length, degrees; 90 if the first one vanishes.
double AngleBetween(const Eigen::RowVector3d& normal, const Eigen::RowVector3d& truth) {
  if (normal.isZero(0)) return 90;
  return kDegrees * std::atan2(normal.cross(truth).norm(), normal.dot(truth));
}

}  // namespace

void ShapeTally::AddFrame(const LevelSurface& surface, const MeasureLengths& lengths, const SurfaceView& view,
                          const SurfaceView& truth, const Eigen::VectorXd& distances, const Eigen::VectorXd& linear) {
  ++frames_;
  const double to_sizes = lengths.size > 0 ? 1 / lengths.size : 1;
  joint_squares_.resize(surface.joint_count, 0);
  if (!surface.body_regions.empty()) body_regions_.resize(kBodyRegions);
  for (Eigen::Index p = 0; p < distances.size(); ++p) {
    const double distance = distances[p], area = surface.areas[p], square = distance * distance;
    distance_ += area * distance;
    square_ += area * square;
    soft_square_ += surface.soft_areas[p] * square;
    joint_squares_[surface.joints[p]] += surface.soft_areas[p] * square;
    distances_.Add(to_sizes * distance, area);
    if (distance > linear[p] + lengths.farther) farther_ += area;
    if (!body_regions_.empty()) {
      body_regions_[static_cast<size_t>(surface.body_regions[p])].Add(to_sizes * distance, area);
    }
  }
  point_square_ += distances.squaredNorm() / static_cast<double>(distances.size());
  max_ = std::max(max_, distances.maxCoeff());
  AddNormals(surface, view, truth);
  AddVolume(surface, view, truth);
}

void ShapeTally::AddNormals(const LevelSurface& surface, const SurfaceView& view, const SurfaceView& truth) {
  for (Eigen::Index p = 0; p < view.normals.rows(); ++p) {
    if (truth.normals.row(p).isZero(0)) continue;
    const double degrees = AngleBetween(view.normals.row(p), truth.normals.row(p));
    angle_ += surface.areas[p] * degrees;
    angles_.Add(degrees, surface.areas[p]);
  }
}

void ShapeTally::AddVolume(const LevelSurface& surface, const SurfaceView& view, const SurfaceView& truth) {
  if (surface.closed_share == 0 || truth.volume <= 0) return;
  const double change = view.volume / truth.volume - 1;
  ++volumes_;
  volume_.mean += change;
  volume_.worst = std::max(volume_.worst, std::abs(change));
}

void ShapeTally::AddFlicker(double square) {
  ++flickers_;
  flicker_square_ += square;
}

void ShapeTally::Add(const ShapeTally& other) {
  frames_ += other.frames_, volumes_ += other.volumes_, flickers_ += other.flickers_;
  distance_ += other.distance_, square_ += other.square_, soft_square_ += other.soft_square_;
  point_square_ += other.point_square_, max_ = std::max(max_, other.max_);
  angle_ += other.angle_, farther_ += other.farther_, flicker_square_ += other.flicker_square_;
  volume_.mean += other.volume_.mean, volume_.worst = std::max(volume_.worst, other.volume_.worst);
  distances_.Add(other.distances_);
  angles_.Add(other.angles_);
  joint_squares_.resize(std::max(joint_squares_.size(), other.joint_squares_.size()), 0);
  for (size_t j = 0; j < other.joint_squares_.size(); ++j) joint_squares_[j] += other.joint_squares_[j];
  body_regions_.resize(std::max(body_regions_.size(), other.body_regions_.size()));
  for (size_t r = 0; r < other.body_regions_.size(); ++r) body_regions_[r].Add(other.body_regions_[r]);
}

LevelError ShapeTally::Total(const LevelSurface& surface, const MeasureLengths& lengths) const {
  LevelError error;
  if (frames_ == 0) return error;
  error.mean = distance_ / frames_;
  error.rms = std::sqrt(square_ / frames_);
  error.point_rms = std::sqrt(point_square_ / frames_);
  error.max = max_;
  if (surface.soft_share() > 0) error.soft_rms = std::sqrt(soft_square_ / frames_ / surface.soft_share());
  const double size = lengths.size > 0 ? lengths.size : 1;
  error.p95 = std::min(max_, size * distances_.Quantile(0.95));
  error.p99 = std::min(max_, size * distances_.Quantile(0.99));
  if (angles_.total() > 0) error.normal_mean = angle_ / angles_.total();
  error.normal_p95 = angles_.Quantile(0.95);
  if (volumes_ > 0) error.volume = VolumeChange{volume_.mean / volumes_, volume_.worst};
  error.farther_share = farther_ / frames_;
  if (flickers_ > 0) error.flicker = std::sqrt(flicker_square_ / flickers_);
  return error;
}

Eigen::VectorXd Distances(const Points& shape, const Points& truth) {
  return (shape - truth).cast<double>().rowwise().norm();
}

double FlickerSquare(const LevelSurface& surface, const Points* const (&shapes)[3], const Points* const (&truths)[3]) {
  const auto error = [&](int k, Eigen::Index p) -> Eigen::RowVector3d {
    return (shapes[k]->row(p) - truths[k]->row(p)).cast<double>();
  };
  double sum = 0;
  for (Eigen::Index p = 0; p < surface.areas.size(); ++p) {
    sum += surface.areas[p] * (error(0, p) - 2 * error(1, p) + error(2, p)).squaredNorm();
  }
  return sum;
}

}  // namespace sinew::evaluate
