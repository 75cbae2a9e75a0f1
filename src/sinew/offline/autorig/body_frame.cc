#include "sinew/offline/autorig/body_frame.h"

#include <algorithm>

#include "sinew/offline/core/error.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew::autorig {

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

}  // namespace sinew::autorig
