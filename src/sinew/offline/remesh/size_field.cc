#include "sinew/offline/remesh/size_field.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>

#include "sinew/offline/core/parallel.h"

namespace sinew {
namespace {

using Eigen::Vector3d;

// Factor on the curvature of hollows, which need fewer vertices than ridges of the same radius: nothing thin can be
// lost there.
constexpr double kHollow = 0.4;
// Factor on the gradation where details are given up for lack of vertices: edges may then grow faster away from those
// that are kept.
constexpr double kSteeper = 1.6;

// Larger principal curvature, by differences of the unit normal over a step of `reach` to each side.
double Curvature(const ImplicitSurface& surface, const Vector3d& point, double reach) {
  Vector3d normal;
  surface.Evaluate(point, &normal);
  normal.normalize();
  const Vector3d tangents[2] = {normal.unitOrthogonal(), normal.cross(normal.unitOrthogonal())};
  Eigen::Matrix2d shape;
  for (int k = 0; k < 2; ++k) {
    Vector3d ahead, behind;
    surface.Evaluate(point + reach * tangents[k], &ahead);
    surface.Evaluate(point - reach * tangents[k], &behind);
    const Vector3d slope = (ahead.normalized() - behind.normalized()) / (2 * reach);
    shape(0, k) = slope.dot(tangents[0]);
    shape(1, k) = slope.dot(tangents[1]);
  }
  const double mean = shape.trace() / 2, difference = (shape(0, 0) - shape(1, 1)) / 2;
  const double off = (shape(0, 1) + shape(1, 0)) / 2;
  const double spread = std::hypot(difference, off);
  return std::max(mean + spread, kHollow * (spread - mean));
}

std::vector<std::vector<int>> Neighbors(const FineMesh& mesh) {
  std::vector<std::vector<int>> neighbors(mesh.positions.size());
  for (const Eigen::Vector3i& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      neighbors[t[k]].push_back(t[(k + 1) % 3]);
      neighbors[t[(k + 1) % 3]].push_back(t[k]);
    }
  }
  return neighbors;
}

// Lowers values until none exceeds a neighbour's by more than `slope` times their distance: Dijkstra from the lowest.
void LimitSlope(const FineMesh& mesh, const std::vector<std::vector<int>>& neighbors, double slope,
                std::vector<double>& values) {
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (size_t v = 0; v < values.size(); ++v) queue.emplace(values[v], static_cast<int>(v));
  while (!queue.empty()) {
    const auto [value, v] = queue.top();
    queue.pop();
    if (value > values[v]) continue;
    for (const int w : neighbors[v]) {
      const double limit = value + slope * (mesh.positions[v] - mesh.positions[w]).norm();
      if (limit < values[w]) values[w] = limit, queue.emplace(limit, w);
    }
  }
}

// Averages with the neighbours, so that noise in the curvature does not become noise in the mesh.
void Average(const std::vector<std::vector<int>>& neighbors, int passes, std::vector<double>& values) {
  for (int pass = 0; pass < passes; ++pass) {
    const std::vector<double> before = values;
    ParallelFor(static_cast<int>(values.size()), 2048, [&](int v) {
      double sum = before[v];
      for (const int w : neighbors[v]) sum += before[w];
      values[v] = sum / (1.0 + static_cast<double>(neighbors[v].size()));
    });
  }
}

}  // namespace

SizeField::SizeField(const ImplicitSurface& surface, const FineMesh& mesh, const SizeOptions& options)
    : options_(options), points_(mesh.positions), radii_(mesh.positions.size(), 1), areas_(mesh.positions.size(), 0) {
  FindAreas(mesh);
  if (options.exponent == 0) return;
  FindRadii(surface, mesh);
  tree_ = std::make_unique<NearestPoint>(points_);
}

SizeField::SizeField(const FineMesh& mesh, std::vector<double> radii, const SizeOptions& options)
    : options_(options), points_(mesh.positions), radii_(mesh.positions.size(), 1), areas_(mesh.positions.size(), 0) {
  FindAreas(mesh);
  if (options.exponent == 0) return;
  all_radii_ = std::move(radii);
  for (double& radius : all_radii_) radius = std::max(radius, options.smallest_radius);
  SmoothRadii(mesh);
  tree_ = std::make_unique<NearestPoint>(points_);
}

void SizeField::FindAreas(const FineMesh& mesh) {
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const double area = (points_[t[1]] - points_[t[0]]).cross(points_[t[2]] - points_[t[0]]).norm() / 2;
    for (int k = 0; k < 3; ++k) areas_[t[k]] += area / 3;
  }
}

void SizeField::FindRadii(const ImplicitSurface& surface, const FineMesh& mesh) {
  const int count = static_cast<int>(points_.size());
  const double smallest = options_.smallest_radius;
  all_radii_.resize(count);
  if (options_.spare) spared_radii_.resize(count);
  ParallelFor(count, 512, [&](int v) {
    all_radii_[v] = std::max(smallest, 1 / std::max(Curvature(surface, points_[v], smallest / 2), 1e-3));
    if (options_.spare) spared_radii_[v] = std::max(all_radii_[v], options_.spare(points_[v]));
  });
  SmoothRadii(mesh);
}

void SizeField::SmoothRadii(const FineMesh& mesh) {
  const auto neighbors = Neighbors(mesh);
  const auto smooth = [&](double gradation, std::vector<double>& radii) {
    LimitSlope(mesh, neighbors, gradation, radii);
    Average(neighbors, 4, radii);
  };
  smooth(options_.gradation, all_radii_);
  if (options_.spare) smooth(kSteeper * options_.gradation, spared_radii_);
  radii_ = all_radii_;
}

// Gives up details that can be spared. share: 0 none, 1 all of them.
void SizeField::GiveUp(double share) {
  for (size_t v = 0; v < spared_radii_.size(); ++v) {
    radii_[v] = std::pow(all_radii_[v], 1 - share) * std::pow(spared_radii_[v], share);
  }
}

SizeField::~SizeField() = default;

double SizeField::Radius(const Vector3d& point) const {
  if (options_.exponent == 0) return 1;
  return radii_[tree_->Find(point).index];
}

double SizeField::Length(double radius, double scale) const {
  const double wanted = scale * std::pow(radius, options_.exponent);
  const double largest = options_.largest_turn * radius;
  return wanted * largest / std::hypot(wanted, largest);
}

double SizeField::CountFor(double scale) const {
  // An equilateral triangulation has 2 / (sqrt(3) L^2) vertices per area.
  double count = 0;
  for (size_t v = 0; v < radii_.size(); ++v) {
    const double length = Length(radii_[v], scale);
    count += areas_[v] * 2 / (std::sqrt(3.0) * length * length);
  }
  return count;
}

double SizeField::ScaleFor(double vertex_count) {
  if (vertex_count != asked_) scale_ = FindScale(vertex_count), asked_ = vertex_count;
  return scale_;
}

double SizeField::FindScale(double vertex_count) {
  constexpr double kShare = 0.7;  // of the vertices, for tight curves alone
  const auto crowded = [&] { return CountFor(1e9) > kShare * vertex_count; };
  for (int step = 1; step <= 20 && crowded() && !spared_radii_.empty(); ++step) GiveUp(step / 20.0);
  while (crowded()) options_.largest_turn *= 1.05;
  double low = 1e-6, high = 1e4;
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    (CountFor(middle) > vertex_count ? low : high) = middle;
  }
  return high;
}

}  // namespace sinew
