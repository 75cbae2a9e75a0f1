#include "sinew/offline/autorig/body_frame.h"

#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew::autorig {
namespace {

// Of refined frames: where hips are, what a body's height is to the length of legs, trunk and neck, and the share of
// that length below which joints coincide.
constexpr double kHips = 0.53, kHeightOfSize = 1.2, kCoincide = 0.02;

}  // namespace

Points BodyFrame::PointsToCanonical(const Points& points) const {
  Points result(points.rows(), 3);
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    result.row(i) = ToCanonical(points.row(i).cast<double>().transpose()).cast<float>().transpose();
  }
  return result;
}

BodyFrame MeasureFrame(const TriMesh& surface, const Eigen::Matrix3d& turn) {
  const std::vector<double> areas = VertexAreas(surface);
  double total = 0, lowest = 0, highest = 0;
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  bool first = true;
  for (int v = 0; v < surface.vertex_count(); ++v) {
    if (!(areas[v] > 0)) continue;  // a vertex that no triangle uses is not part of the surface
    const Eigen::Vector3d turned = turn * surface.positions.row(v).cast<double>().transpose();
    middle += areas[v] * turned;
    total += areas[v];
    lowest = first ? turned.y() : std::min(lowest, turned.y());
    highest = first ? turned.y() : std::max(highest, turned.y());
    first = false;
  }
  if (!(total > 0) || !(highest > lowest)) throw UsageError("a surface without area or height has no frame");
  middle /= total;
  BodyFrame frame;
  frame.turn = turn;
  frame.height = highest - lowest;
  frame.origin = turn.transpose() * Eigen::Vector3d(middle.x(), lowest, middle.z());
  return frame;
}

std::optional<BodyFrame> RefinedFrame(const JointPositions& joints) {
  enum : int { kLeftHip = 1, kRightHip = 2, kLeftKnee = 4, kRightKnee = 5, kLeftAnkle = 7, kRightAnkle = 8 };
  enum : int { kNeck = 12, kHead = 15, kLeftShoulder = 16, kRightShoulder = 17 };
  const auto at = [&](int joint) -> Eigen::Vector3d { return joints.row(joint).transpose(); };
  const auto length = [&](int a, int b) { return (at(a) - at(b)).norm(); };
  const Eigen::Vector3d hips = (at(kLeftHip) + at(kRightHip)) / 2, trunk = at(kNeck) - hips;
  const double legs = (length(kLeftHip, kLeftKnee) + length(kLeftKnee, kLeftAnkle) + length(kRightHip, kRightKnee) +
                       length(kRightKnee, kRightAnkle)) /
                      2;
  const double size = legs + trunk.norm() + length(kNeck, kHead);
  const Eigen::Vector3d up = trunk.normalized();
  Eigen::Vector3d left =
      (at(kLeftHip) - at(kRightHip)).normalized() + (at(kLeftShoulder) - at(kRightShoulder)).normalized();
  left -= up * up.dot(left);
  if (!(trunk.norm() > kCoincide * size) || !(left.norm() > kCoincide) || !(size > 0)) return std::nullopt;
  BodyFrame frame;
  frame.turn.row(0) = left.normalized().transpose();
  frame.turn.row(1) = up.transpose();
  frame.turn.row(2) = frame.turn.row(0).cross(frame.turn.row(1));
  frame.height = kHeightOfSize * size;
  frame.origin = hips - frame.turn.transpose() * Eigen::Vector3d(0, kHips * frame.height, 0);
  return frame;
}

}  // namespace sinew::autorig
