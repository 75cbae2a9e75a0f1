// Finds the nearest of many points, by nanoflann's tree.
#ifndef SINEW_OFFLINE_MESH_NEAREST_POINT_H_
#define SINEW_OFFLINE_MESH_NEAREST_POINT_H_

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

namespace sinew {

// Built once, asked often, from any number of threads at once.
class NearestPoint {
 public:
  // At least one point.
  explicit NearestPoint(std::vector<Eigen::Vector3d> points);
  ~NearestPoint();
  NearestPoint(NearestPoint&&) noexcept;
  NearestPoint& operator=(NearestPoint&&) noexcept;

  struct Found {
    int index = -1;
    double distance = 0;
  };
  Found Find(const Eigen::Vector3d& query) const;
  // Returns the `count` nearest points, or all if there are fewer, nearest first.
  std::vector<Found> FindSeveral(const Eigen::Vector3d& query, int count) const;
  // Returns nothing if no point is nearer than `distance`. The smaller `distance` is, the faster; much faster where
  // very many points are equally far, as from the axis of a cylinder.
  std::optional<Found> FindNearer(const Eigen::Vector3d& query, double distance) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew

#endif  // SINEW_OFFLINE_MESH_NEAREST_POINT_H_
