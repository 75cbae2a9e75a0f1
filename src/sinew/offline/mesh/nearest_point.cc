#include "sinew/offline/mesh/nearest_point.h"

#include <cmath>
#include <cstdint>
#include <nanoflann.hpp>

namespace sinew {
namespace {

// Interface that nanoflann asks of a set of points; it prescribes the names.
struct Cloud {
  std::vector<Eigen::Vector3d> points;
  size_t kdtree_get_point_count() const { return points.size(); }
  double kdtree_get_pt(size_t i, size_t axis) const { return points[i][static_cast<Eigen::Index>(axis)]; }
  template <typename Box>
  bool kdtree_get_bbox(Box& /*unknown*/) const {
    return false;
  }
};

using KdTree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud, 3>;

}  // namespace

struct NearestPoint::State {
  explicit State(std::vector<Eigen::Vector3d> points)
      : cloud{std::move(points)}, index(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(16)) {
    index.buildIndex();
  }
  Cloud cloud;
  KdTree index;
};

NearestPoint::NearestPoint(std::vector<Eigen::Vector3d> points) : state_(std::make_unique<State>(std::move(points))) {}
NearestPoint::~NearestPoint() = default;
NearestPoint::NearestPoint(NearestPoint&&) noexcept = default;
NearestPoint& NearestPoint::operator=(NearestPoint&&) noexcept = default;

NearestPoint::Found NearestPoint::Find(const Eigen::Vector3d& query) const {
  uint32_t nearest = 0;
  double squared = 0;
  state_->index.knnSearch(query.data(), 1, &nearest, &squared);
  return {static_cast<int>(nearest), std::sqrt(squared)};
}

std::vector<NearestPoint::Found> NearestPoint::FindSeveral(const Eigen::Vector3d& query, int count) const {
  std::vector<uint32_t> nearest(count);
  std::vector<double> squared(count);
  const size_t found =
      state_->index.knnSearch(query.data(), static_cast<size_t>(count), nearest.data(), squared.data());
  std::vector<Found> result;
  for (size_t k = 0; k < found; ++k) result.push_back({static_cast<int>(nearest[k]), std::sqrt(squared[k])});
  return result;
}

std::optional<NearestPoint::Found> NearestPoint::FindNearer(const Eigen::Vector3d& query, double distance) const {
  uint32_t nearest = 0;
  double squared = 0;
  nanoflann::KNNResultSet<double, uint32_t> best(1);
  best.init(&nearest, &squared);
  squared = distance * distance;  // which the set takes for its worst distance so far
  state_->index.findNeighbors(best, query.data(), nanoflann::SearchParams());
  if (best.size() == 0) return std::nullopt;
  return Found{static_cast<int>(nearest), std::sqrt(squared)};
}

}  // namespace sinew
