#include "sinew/offline/flesh/followers.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/inside.h"
#include "sinew/offline/mesh/measures.h"

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

// Room that layers get from flesh that moved, besides their gap, as what is learned from this is off by a share of the
// motion and should be on the right side, too: a share of the distance that the flesh was moved off skinning, and at
// most this share of the body's size, 5 mm of a grown body. What is covered gets it from its cover instead of from the
// flesh below, since it shows where it comes through.
constexpr double kRoom = 0.5, kMostRoom = 0.003;

// Distance from the flesh that a layer keeps. gap: that at rest. moved: how far the flesh below it was moved.
double KeptGap(double gap, double moved, double size) {
  return std::min(0.5 * gap, kGap * size) + std::min(kRoom * moved, kMostRoom * size);
}

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
  FindSides(skin, follower_of);
}

void Followers::Attach(const RestSkin& skin, const FleshSurface& flesh, double size) {
  const SurfaceQuery query(flesh_);
  const Points outwards = VertexNormals(skin.welded);
  const auto influences_at = [&](int point) { return skin.influences[skin.welding.first_of[point]]; };
  const auto far = static_cast<float>(kFar * size);
  for (int point = 0; point < skin.welded.vertex_count(); ++point) {
    if (skin.roles.OfPoint(point) == Role::kRigid || flesh.flesh_of[point] >= 0) continue;
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
    followers_.push_back(follower);
  }
}

void Followers::FindSides(const RestSkin& skin, const std::vector<int>& follower_of) {
  // Layers, and hidden flesh, which is kept under what hides it.
  std::vector<int> sorted;
  for (const Follower& follower : followers_) {
    if (skin.roles.OfPoint(follower.point) != Role::kThin) sorted.push_back(follower.point);
  }
  if (sorted.empty()) return;
  // All flesh, facing outwards.
  TriMesh flesh{skin.welded.positions, Triangles(skin.welded.triangle_count(), 3)};
  Eigen::Index count = 0;
  for (int t = 0; t < skin.welded.triangle_count(); ++t) {
    const int piece = skin.roles.piece_of_triangle[t];
    if (piece < 0 || skin.roles.pieces[piece].role != Role::kFlesh) continue;
    flesh.triangles.row(count) = skin.welded.triangles.row(t);
    if (skin.roles.pieces[piece].faces_inwards) std::swap(flesh.triangles(count, 1), flesh.triangles(count, 2));
    ++count;
  }
  flesh.triangles.conservativeResize(count, Eigen::NoChange);
  for (Sides& group : GroupBySides(flesh, sorted, kGap * size_)) {
    Between between{std::move(group.below), std::move(group.cover), {}, {}};
    const TriMesh below{skin.welded.positions, between.below}, cover{skin.welded.positions, between.cover};
    between.rim = FindRim(cover);
    const SurfaceQuery to_below(below), to_cover(cover);
    const Points normals = VertexNormals(below);
    for (const int point : group.points) {
      const Eigen::Vector3f at = skin.welded.positions.row(point).transpose();
      Kept kept{.follower = follower_of[point], .under = {}, .gap = 0, .depth = 0};
      const bool is_layer = skin.roles.OfPoint(point) == Role::kLayer;
      if (const std::optional<SurfacePoint> nearest = to_below.Closest(at); nearest && is_layer) {
        kept.under = *nearest;
        kept.gap = SideOf(below, normals, *nearest, at.cast<double>()).distance;
      }
      if (const std::optional<SurfacePoint> nearest = to_cover.Closest(at)) kept.depth = nearest->distance;
      between.kept.push_back(kept);
    }
    between_.push_back(std::move(between));
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

void Followers::PushOutside(const Points& welded, const Between& between, const MatrixX3d& moved,
                            MatrixX3d& positions) const {
  const TriMesh posed{welded, between.below};
  const SurfaceQuery query(posed);
  const Points normals = VertexNormals(posed);
  const auto reach = static_cast<float>(kDeepest * size_);
  const bool covered = between.cover.rows() > 0;
  const auto kept_gap = [&](const Kept& kept) {
    return KeptGap(kept.gap, covered ? 0 : moved.row(kept.follower).norm(), size_);
  };
  // Side of the nearest flesh on which a point is, if it is nearer to that than it should be.
  const auto too_near = [&](const Kept& kept) -> std::optional<SurfaceSide> {
    const Vector3d at = positions.row(kept.follower).transpose();
    const std::optional<SurfacePoint> nearest = query.Closest(at.cast<float>(), reach);
    if (!nearest) return std::nullopt;
    const SurfaceSide side = SideOf(posed, normals, *nearest, at);
    return side.distance < kept_gap(kept) ? std::optional(side) : std::nullopt;
  };
  std::vector<Kept> watched;
  for (const Kept& kept : between.kept) {
    if (kept.under.triangle >= 0) watched.push_back(kept);
  }
  for (int push = 0; push < kPushes; ++push) {
    MatrixX3d pushes = MatrixX3d::Zero(positions.rows(), 3);
    std::vector<Kept> pushed;
    for (const Kept& kept : watched) {
      const std::optional<SurfaceSide> side = too_near(kept);
      if (!side) continue;
      // Aim a little beyond, since the side is judged again by the surface's triangles.
      const double gap = kept_gap(kept) + 0.1 * kGap * size_;
      pushes.row(kept.follower) = (side->point + gap * side->normal).transpose() - positions.row(kept.follower);
      pushed.push_back(kept);
    }
    if (push == 0) {
      const MatrixX3d spread = Smoothed(pushes);
      for (const Kept& kept : watched) positions.row(kept.follower) += spread.row(kept.follower);
    } else {
      positions += pushes;
      watched = std::move(pushed);
    }
  }
  // In a fold, what is pushed out of one side is pushed into the other. It is laid onto the flesh that it was nearest
  // to.
  for (const Kept& kept : watched) {
    const std::optional<SurfaceSide> side = too_near(kept);
    if (!side || side->distance >= 0) continue;
    SurfacePoint own = kept.under;
    own.point.setZero();
    for (int k = 0; k < 3; ++k) {
      own.point += own.barycentric[k] * welded.row(posed.triangles(own.triangle, k)).cast<double>().transpose();
    }
    const SurfaceSide on = SideOf(posed, normals, own, own.point);
    positions.row(kept.follower) = (on.point + kLaid * size_ * on.normal).transpose();
  }
}

void Followers::PushUnder(const Points& welded, const Between& between, const MatrixX3d& moved,
                          MatrixX3d& positions) const {
  const TriMesh cover{welded, between.cover};
  if (cover.triangle_count() == 0) return;
  const SurfaceQuery query(cover);
  const Points normals = VertexNormals(cover);
  const auto reach = static_cast<float>(kDeepest * size_);
  for (int push = 0; push < kPushes; ++push) {
    for (const Kept& kept : between.kept) {
      const Vector3d at = positions.row(kept.follower).transpose();
      const std::optional<SurfacePoint> nearest = query.Closest(at.cast<float>(), reach);
      if (!nearest || AtRim(cover, between.rim, *nearest)) continue;
      const SurfaceSide side = SideOf(cover, normals, *nearest, at);
      const double depth = std::min(kept.depth, KeptGap(kept.depth, moved.row(kept.follower).norm(), size_));
      if (side.distance > -depth) positions.row(kept.follower) = (side.point - depth * side.normal).transpose();
    }
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
  if (!between_.empty()) {
    Points welded = skinned;
    for (size_t v = 0; v < welded_of_.size(); ++v) welded.row(welded_of_[v]) = flesh_positions.row(v);
    // Hidden flesh first, since layers lie on it.
    for (const Between& between : between_) PushUnder(welded, between, moved, positions);
    for (Eigen::Index f = 0; f < count; ++f) welded.row(followers_[f].point) = positions.row(f).cast<float>();
    for (const Between& between : between_) {
      PushOutside(welded, between, moved, positions);
      PushUnder(welded, between, moved, positions);
    }
  }
  for (Eigen::Index f = 0; f < count; ++f) {
    const int point = followers_[f].point;
    displacements.row(point) = (positions.row(f) - skinned.row(point).cast<double>()).cast<float>();
  }
  return displacements;
}

}  // namespace sinew::flesh
