#include "sinew/offline/contact/solid_object.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sinew/offline/core/farthest.h"
#include "sinew/offline/elasticity/plane_contact.h"
#include "sinew/offline/elasticity/solid_contact.h"
#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/edge_distance.h"
#include "sinew/offline/mesh/edges.h"
#include "sinew/offline/mesh/tet_block.h"

namespace sinew::contact {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// How far nodes may move in one step of a solve, as a share of how far the collider may.
constexpr double kMoveShare = 0.4;

Nodes NodesOf(const VectorXd& x) { return x.reshaped<Eigen::RowMajor>(x.size() / 3, 3); }

ContactObject::Pairs SurfaceEdges(const TetMesh& mesh) {
  ContactObject::Pairs edges;
  for (const auto& [a, b] : BuildEdges(SurfaceOf(mesh), mesh.node_count()).vertices) edges.emplace_back(a, b);
  return edges;
}

// Twice the area of a triangle along its outward normal.
Vector3d AreaOf(const VectorXd& x, const Eigen::RowVector3i& nodes) {
  const Vector3d a = x.segment<3>(3 * nodes[0]);
  return (x.segment<3>(3 * nodes[1]) - a).cross(x.segment<3>(3 * nodes[2]) - a);
}

// Distance along a ray at which it meets a triangle; negative if it does not.
double Meet(const Vector3d& origin, const Vector3d& direction, const VectorXd& x, const Eigen::RowVector3i& nodes) {
  const Vector3d a = x.segment<3>(3 * nodes[0]);
  const Vector3d u = x.segment<3>(3 * nodes[1]) - a, v = x.segment<3>(3 * nodes[2]) - a;
  const Vector3d p = direction.cross(v);
  const double determinant = u.dot(p);
  if (determinant == 0) return -1;
  const Vector3d from = origin - a, q = from.cross(u);
  const double s = from.dot(p) / determinant, t = direction.dot(q) / determinant;
  return s >= 0 && t >= 0 && s + t <= 1 ? v.dot(q) / determinant : -1;
}

class SolidProblem : public ContactProblem {
 public:
  explicit SolidProblem(const SolidObject& object)
      : body_(object.body()),
        contact_(object.mesh, object.surface, object.collider,
                 elasticity::ContactStiffness(object.young, kResidualDepth * object.collider_size)),
        alone_(body_, nullptr, object.Diagonal()),
        touching_(body_, &contact_, object.Diagonal()),
        max_move_(kMoveShare * object.max_step()) {}

  void SetPose(const Turn& turn, const SmallVector& position) override {
    contact_.SetPose(turn.Rotation(3), position);
    current_ = &touching_;
    from_.resize(0);
  }
  double SmallestGap(const VectorXd& x) const override { return contact_.SmallestGap(x); }
  double DeepestDepth(const VectorXd& x) const override { return contact_.DeepestDepth(x); }
  double InvertedShare(const VectorXd& x) const override {
    return static_cast<double>(body_.InvertedCount(NodesOf(x))) / body_.tet_count();
  }

  // Infinite for steps so long that they could lead through a wall of the collider: a line search makes them shorter.
  double Energy(const VectorXd& x) const override {
    if (std::isfinite(max_move_) && from_.size() == x.size()) {
      const Nodes moved = NodesOf(x - from_);
      if (moved.rowwise().norm().maxCoeff() > max_move_) return std::numeric_limits<double>::infinity();
    }
    return current_->Energy(x);
  }
  void Gradient(const VectorXd& x, VectorXd& gradient) const override { current_->Gradient(x, gradient); }
  const elasticity::LinearSystem& Hessian(const VectorXd& x) override {
    from_ = x;
    return current_->Hessian(x);
  }
  int dimension() const override { return 3; }
  double Length() const override { return current_->Length(); }
  double ForceScale() const override { return current_->ForceScale(); }
  double EnergyScale() const override { return current_->EnergyScale(); }

 private:
  const elasticity::ElasticBody& body_;
  elasticity::SolidContact contact_;
  elasticity::SolidEquilibrium alone_, touching_;
  elasticity::Objective* current_ = &alone_;
  double max_move_;  // of a node in one step of a solve; infinite if the collider has no wall
  VectorXd from_;    // where the step begins; empty before the first
};

}  // namespace

std::string SolidOptions::NameOf(const std::string& kind) const {
  return fmt::format("{} of {} tetrahedra, young {}, poisson {}, {} of radius {}", kind, tets, young, poisson, collider,
                     collider_radius);
}

SolidObject::SolidObject(TetMesh mesh_in, elasticity::HandleSubspace subspace_in, Pairs graph_in,
                         const elasticity::Elasticity& elasticity, elasticity::SolidCollider collider_in,
                         std::string name_in)
    : ContactObject(std::move(subspace_in), SurfaceEdges(mesh_in), std::move(graph_in), collider_in.size(),
                    std::move(name_in)),
      mesh(std::move(mesh_in)),
      surface(SurfaceOf(mesh)),
      young(elasticity.young),
      solver(mesh, elasticity),
      collider(std::move(collider_in)),
      neighbours_(VertexVertices(BuildEdges(surface, mesh.node_count()), mesh.node_count())),
      triangles_(VertexTriangles(surface, mesh.node_count())),
      rest_(mesh.positions.cast<float>()) {
  for (int n = 0; n < mesh.node_count(); ++n) {
    if (!triangles_[n].empty()) places.push_back(n);
  }
  const VectorXd x = mesh.positions.reshaped<Eigen::RowMajor>();
  for (Eigen::Index t = 0; t < surface.rows(); ++t) area_ += AreaOf(x, surface.row(t)).norm() / 2;
}

VectorXd SolidObject::DistancesFrom(int place) const {
  std::vector<double> all(static_cast<size_t>(mesh.node_count()), std::numeric_limits<double>::infinity());
  all[static_cast<size_t>(places[static_cast<size_t>(place)])] = 0;
  WalkEdges(rest_, neighbours_, all);
  VectorXd distances(place_count());
  // A bound for parts of the surface that no way leads to.
  for (int i = 0; i < place_count(); ++i) distances[i] = std::min(all[places[i]], 10 * Diagonal());
  return distances;
}

std::vector<int> SolidObject::SpreadPlaces(int count) const {
  Distances<double> distance = DistancesFrom(0);
  std::vector<int> chosen = {0};
  const auto distances_from = [&](int i) -> Distances<double> { return DistancesFrom(i); };
  for (const int next : ChooseFarthest<double>(count - 1, true, distances_from, distance)) chosen.push_back(next);
  return chosen;
}

int SolidObject::ShiftPlace(int place, int count, Random& random) const {
  // A disc of the place's share of the surface.
  const double radius = std::sqrt(area_ / (std::numbers::pi * count));
  const VectorXd distances = DistancesFrom(place);
  std::vector<int> near;
  for (int i = 0; i < place_count(); ++i) {
    if (distances[i] <= radius) near.push_back(i);
  }
  return near[random.Below(static_cast<uint32_t>(near.size()))];
}

SmallVector SolidObject::PlaceAt(const VectorXd& x, int place) const { return x.segment<3>(3 * places[place]); }

SmallVector SolidObject::NormalAt(const VectorXd& x, int place) const {
  Vector3d sum = Vector3d::Zero();
  for (const int t : triangles_[places[place]]) sum += AreaOf(x, surface.row(t));
  return sum.normalized();
}

double SolidObject::ThicknessBelow(const VectorXd& x, int place, const SmallVector& direction) const {
  const Vector3d origin = PlaceAt(x, place), along = direction;
  const auto own = triangles_[places[place]];
  double nearest = std::numeric_limits<double>::infinity();
  for (int t = 0; t < surface.rows(); ++t) {
    if (std::find(own.begin(), own.end(), t) != own.end()) continue;
    const double distance = Meet(origin, along, x, surface.row(t));
    if (distance > 0) nearest = std::min(nearest, distance);
  }
  return nearest;
}

std::unique_ptr<ContactProblem> SolidObject::MakeProblem() const { return std::make_unique<SolidProblem>(*this); }

}  // namespace sinew::contact
