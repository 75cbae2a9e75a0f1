#include "sinew/offline/flesh/followers.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/mesh/queries.h"

namespace sinew::flesh {
namespace {

using Eigen::MatrixX3d;
using Eigen::RowVector3d;
using Eigen::Vector3d;

// Distances from the flesh, as shares of the body's size: up to kNear a point follows it wholly, beyond kFar not at
// all.
constexpr double kNear = 0.05, kFar = 0.1;
// Weights in common with the flesh from which on a point follows it wholly; below, in proportion.
constexpr double kMovesWith = 0.5;
// Gap that layers keep from flesh, as a share of the body's size: 1.7 mm of a grown body. Where they are nearer at
// rest, or inside, they keep half of that gap.
constexpr double kGap = 0.001;
// Depth in flesh, as a share of the body's size, up to which a layer is pushed out.
constexpr double kDeepest = 0.04;
// Height, as a share of the body's size, at which layers are laid onto flesh where flesh folds over them.
constexpr double kLaid = 2e-4;
// Times that layers are pushed: the first push is smoothed, which leaves some points inside.
constexpr int kPushes = 4;
// Steps of smoothing over pieces, because neighbours may follow flesh in different places.
constexpr int kSmoothingSteps = 5;

// Distance from the flesh that a layer keeps, if it was `gap` away at rest.
double KeptGap(double gap, double size) { return std::min(0.5 * gap, kGap * size); }

}  // namespace

Followers::Followers(const RestSkin& skin, const FleshSurface& flesh, double size)
    : flesh_(flesh.mesh), welded_of_(flesh.welded_of), size_(size) {
  Attach(skin, flesh, size);
  // Neighbours among followers.
  std::vector<int> follower_of(skin.welded.vertex_count(), -1);
  for (size_t f = 0; f < followers_.size(); ++f) follower_of[followers_[f].point] = static_cast<int>(f);
  const EdgeTable edges = BuildEdges(skin.welded.triangles, skin.welded.vertex_count());
  const Csr around = VertexVertices(edges, skin.welded.vertex_count());
  neighbours_ = BuildCsr(static_cast<int>(followers_.size()), [&](const auto& put) {
    for (size_t f = 0; f < followers_.size(); ++f) {
      for (const int other : around[followers_[f].point]) {
        if (follower_of[other] >= 0) put(static_cast<int>(f), follower_of[other]);
      }
    }
  });
}

void Followers::Attach(const RestSkin& skin, const FleshSurface& flesh, double size) {
  const SurfaceQuery query(flesh_);
  const Points outwards = VertexNormals(skin.welded), flesh_normals = VertexNormals(flesh_);
  const auto influences_at = [&](int point) { return skin.influences[skin.welding.first_of[point]]; };
  const auto far = static_cast<float>(kFar * size);
  for (int point = 0; point < skin.welded.vertex_count(); ++point) {
    const Role role = skin.roles.OfPoint(point);
    if (role == Role::kRigid || flesh.flesh_of[point] >= 0) continue;
    const Influences influences = influences_at(point);
    const Eigen::Vector3f at = skin.welded.positions.row(point).transpose();
    const auto common = [&](const std::optional<SurfacePoint>& found) {
      if (!found) return -1.0;
      double sum = 0;
      for (int k = 0; k < 3; ++k) {
        const int corner = welded_of_[flesh_.triangles(found->triangle, k)];
        sum += found->barycentric[k] * CommonWeight(influences, influences_at(corner));
      }
      return sum;
    };
    // Follow the flesh below, unless the nearest flesh shares more of the weights: a sleeve follows the arm below it,
    // though the chest may be nearer.
    const std::optional<SurfacePoint> nearest = query.Closest(at, far);
    const std::optional<SurfacePoint> below =
        outwards.row(point).isZero() ? std::nullopt : query.Shoot(at, -outwards.row(point).transpose(), 0, far);
    const bool take_below = common(below) >= common(nearest);
    const std::optional<SurfacePoint>& taken = take_below ? below : nearest;
    if (!taken) continue;
    Follower follower{.point = point, .triangle = taken->triangle, .barycentric = taken->barycentric};
    const double near = std::clamp((kFar * size - taken->distance) / ((kFar - kNear) * size), 0.0, 1.0);
    follower.share = near * std::min(1.0, common(taken) / kMovesWith);
    follower.gap = nearest ? SideOf(flesh_, flesh_normals, *nearest, at.cast<double>()).distance : kFar * size;
    follower.is_layer = role == Role::kLayer;
    followers_.push_back(follower);
  }
}

MatrixX3d Followers::Smoothed(MatrixX3d values) const {
  for (int step = 0; step < kSmoothingSteps; ++step) {
    const MatrixX3d old = values;
    for (Eigen::Index f = 0; f < values.rows(); ++f) {
      const auto around = neighbours_[static_cast<int>(f)];
      if (around.empty()) continue;
      RowVector3d sum = RowVector3d::Zero();
      for (const int other : around) sum += old.row(other);
      values.row(f) = 0.5 * (old.row(f) + sum / static_cast<double>(around.size()));
    }
  }
  return values;
}

void Followers::PushOutside(const TriMesh& posed, MatrixX3d& positions) const {
  const SurfaceQuery query(posed);
  const Points normals = VertexNormals(posed);
  const auto reach = static_cast<float>(kDeepest * size_);
  // Side of the nearest flesh on which a follower is, if it is nearer to that than it should be.
  const auto too_near = [&](size_t f) -> std::optional<SurfaceSide> {
    const Vector3d at = positions.row(static_cast<Eigen::Index>(f)).transpose();
    const std::optional<SurfacePoint> nearest = query.Closest(at.cast<float>(), reach);
    if (!nearest) return std::nullopt;
    const SurfaceSide side = SideOf(posed, normals, *nearest, at);
    return side.distance < KeptGap(followers_[f].gap, size_) ? std::optional(side) : std::nullopt;
  };
  std::vector<size_t> watched;
  for (size_t f = 0; f < followers_.size(); ++f) {
    if (followers_[f].is_layer) watched.push_back(f);
  }
  for (int push = 0; push < kPushes; ++push) {
    MatrixX3d pushes = MatrixX3d::Zero(positions.rows(), 3);
    std::vector<size_t> pushed;
    for (const size_t f : watched) {
      const std::optional<SurfaceSide> side = too_near(f);
      if (!side) continue;
      // Aim a little beyond, since the side is judged again by the surface's triangles.
      const double kept = KeptGap(followers_[f].gap, size_) + 0.1 * kGap * size_;
      const auto row = static_cast<Eigen::Index>(f);
      pushes.row(row) = (side->point + kept * side->normal).transpose() - positions.row(row);
      pushed.push_back(f);
    }
    if (push == 0) {
      const MatrixX3d spread = Smoothed(pushes);
      for (const size_t f : watched)
        positions.row(static_cast<Eigen::Index>(f)) += spread.row(static_cast<Eigen::Index>(f));
    } else {
      positions += pushes;
      watched = std::move(pushed);
    }
  }
  // In a fold, what is pushed out of one side is pushed into the other. It is laid onto the flesh that it follows.
  for (const size_t f : watched) {
    const std::optional<SurfaceSide> side = too_near(f);
    if (!side || side->distance >= 0) continue;
    const Follower& follower = followers_[f];
    SurfacePoint own{.triangle = follower.triangle, .barycentric = follower.barycentric};
    for (int k = 0; k < 3; ++k) {
      const int corner = posed.triangles(own.triangle, k);
      own.point += own.barycentric[k] * posed.positions.row(corner).cast<double>().transpose();
    }
    const SurfaceSide on = SideOf(posed, normals, own, own.point);
    positions.row(static_cast<Eigen::Index>(f)) = (on.point + kLaid * size_ * on.normal).transpose();
  }
}

Points Followers::Displacements(const Points& skinned, const Points& flesh_positions) const {
  Points displacements = Points::Zero(skinned.rows(), 3);
  if (followers_.empty()) return displacements;
  const auto count = static_cast<Eigen::Index>(followers_.size());
  // Displacement of the flesh that each follows.
  MatrixX3d moved = MatrixX3d::Zero(count, 3);
  for (Eigen::Index f = 0; f < count; ++f) {
    const Follower& follower = followers_[f];
    for (int k = 0; k < 3; ++k) {
      const int corner = flesh_.triangles(follower.triangle, k);
      const auto change = (flesh_positions.row(corner) - skinned.row(welded_of_[corner])).cast<double>();
      moved.row(f) += follower.share * follower.barycentric[k] * change;
    }
  }
  moved = Smoothed(std::move(moved));
  MatrixX3d positions(count, 3);
  for (Eigen::Index f = 0; f < count; ++f) {
    positions.row(f) = skinned.row(followers_[f].point).cast<double>() + moved.row(f);
  }
  PushOutside({flesh_positions, flesh_.triangles}, positions);
  for (Eigen::Index f = 0; f < count; ++f) {
    const int point = followers_[f].point;
    displacements.row(point) = (positions.row(f) - skinned.row(point).cast<double>()).cast<float>();
  }
  return displacements;
}

}  // namespace sinew::flesh
