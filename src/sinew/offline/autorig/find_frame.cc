#include "sinew/offline/autorig/find_frame.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/queries.h"

namespace sinew::autorig {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int kRounds = 12;       // of mirroring and fitting
constexpr int kPoints = 800;      // that are mirrored
constexpr double kMatched = 0.8;  // share of the points that a plane is fitted to: what one side alone has is left out
constexpr double kAlike = 20;     // degrees below which two planes are one
constexpr int kMostPlanes = 3;
constexpr double kSnap = 12;  // degrees from the file's axes below which these are meant
constexpr double kDegree = std::numbers::pi / 180;

// Points of the surface with the area that each stands for.
struct Cloud {
  std::vector<Vector3d> points;
  Vector3d middle = Vector3d::Zero();
  Matrix3d covariance = Matrix3d::Zero();
};

Cloud MakeCloud(const TriMesh& surface) {
  Cloud cloud;
  const std::vector<double> areas = VertexAreas(surface);
  double total = 0;
  for (int v = 0; v < surface.vertex_count(); ++v) {
    const Vector3d x = surface.positions.row(v).cast<double>();
    cloud.middle += areas[v] * x;
    cloud.covariance += areas[v] * x * x.transpose();
    total += areas[v];
  }
  cloud.middle /= total;
  cloud.covariance = cloud.covariance / total - cloud.middle * cloud.middle.transpose();
  const int step = std::max(1, surface.vertex_count() / kPoints);
  for (int v = 0; v < surface.vertex_count(); v += step) {
    cloud.points.emplace_back(surface.positions.row(v).cast<double>());
  }
  return cloud;
}

// One round: mirrors all points, finds the surface near them, and fits the plane that mirrors the better part of the
// points best. With points p, partners q and both centred, the sum of |q - p + 2 n n' p|^2 is smallest for the
// eigenvector n of the symmetric part of the sum of p q' with the smallest eigenvalue.
MirrorPlane Refit(const Cloud& cloud, const SurfaceQuery& query, const MirrorPlane& plane, double size) {
  struct Pair {
    Vector3d p, q;
    double distance;
  };
  std::vector<Pair> pairs;
  for (const Vector3d& p : cloud.points) {
    const Vector3d mirrored = p - 2 * plane.normal * plane.normal.dot(p - plane.point);
    const auto at = query.Closest(mirrored.cast<float>());
    if (at) pairs.push_back({p, at->point, at->distance});
  }
  const auto kept = static_cast<size_t>(kMatched * static_cast<double>(pairs.size()));
  if (kept == 0) return plane;
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.distance < b.distance; });
  pairs.resize(kept);
  Vector3d p_middle = Vector3d::Zero(), q_middle = Vector3d::Zero();
  double sum = 0;
  for (const Pair& pair : pairs) {
    p_middle += pair.p / static_cast<double>(kept);
    q_middle += pair.q / static_cast<double>(kept);
    sum += pair.distance;
  }
  Matrix3d products = Matrix3d::Zero();
  for (const Pair& pair : pairs) products += (pair.p - p_middle) * (pair.q - q_middle).transpose();
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver((products + products.transpose()) / 2);
  return {(p_middle + q_middle) / 2, solver.eigenvectors().col(0), sum / static_cast<double>(kept) / size};
}

bool AreAlike(const Vector3d& a, const Vector3d& b) { return std::abs(a.dot(b)) > std::cos(kAlike * kDegree); }

// The axis of the file that is nearest, if it is near.
Vector3d Snapped(const Vector3d& axis) {
  Vector3d::Index largest;
  axis.cwiseAbs().maxCoeff(&largest);
  if (std::abs(axis[largest]) < std::cos(kSnap * kDegree)) return axis;
  Vector3d exact = Vector3d::Zero();
  exact[largest] = axis[largest] > 0 ? 1 : -1;
  return exact;
}

}  // namespace

std::vector<MirrorPlane> FindMirrorPlanes(const TriMesh& surface) {
  const Cloud cloud = MakeCloud(surface);
  const SurfaceQuery query(surface);
  const double size = std::sqrt(std::max(cloud.covariance.trace(), 1e-300));
  const Eigen::SelfAdjointEigenSolver<Matrix3d> axes(cloud.covariance);
  std::vector<MirrorPlane> planes;
  for (int start = 0; start < 6; ++start) {
    const Vector3d normal = start < 3 ? Vector3d(axes.eigenvectors().col(start)) : Vector3d(Vector3d::Unit(start - 3));
    MirrorPlane plane{cloud.middle, normal, 0};
    for (int round = 0; round < kRounds; ++round) plane = Refit(cloud, query, plane, size);
    // Measured as it is now, after the last fit.
    plane.misfit = Refit(cloud, query, plane, size).misfit;
    planes.push_back(plane);
  }
  std::stable_sort(planes.begin(), planes.end(),
                   [](const MirrorPlane& a, const MirrorPlane& b) { return a.misfit < b.misfit; });
  std::vector<MirrorPlane> different;
  for (const MirrorPlane& plane : planes) {
    const bool known = std::any_of(different.begin(), different.end(),
                                   [&](const MirrorPlane& other) { return AreAlike(plane.normal, other.normal); });
    if (!known && different.size() < kMostPlanes) different.push_back(plane);
  }
  return different;
}

std::vector<Matrix3d> CandidateTurns(const TriMesh& surface) {
  const Cloud cloud = MakeCloud(surface);
  std::vector<Matrix3d> turns;
  for (const MirrorPlane& plane : FindMirrorPlanes(surface)) {
    const Vector3d normal = Snapped(plane.normal);
    const Matrix3d within = Matrix3d::Identity() - normal * normal.transpose();
    const Eigen::SelfAdjointEigenSolver<Matrix3d> axes(within * cloud.covariance * within);
    for (const int axis : {2, 1}) {  // the longer one first
      const Vector3d along = (within * Snapped(axes.eigenvectors().col(axis))).normalized();
      for (const double up : {1.0, -1.0}) {
        for (const double left : {1.0, -1.0}) {
          Matrix3d turn;
          turn.row(0) = left * normal.transpose();
          turn.row(1) = up * along.transpose();
          turn.row(2) = turn.row(0).cross(turn.row(1));
          turns.push_back(turn);
        }
      }
    }
  }
  return turns;
}

}  // namespace sinew::autorig
