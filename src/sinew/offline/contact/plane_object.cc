#include "sinew/offline/contact/plane_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/offline/core/farthest.h"
#include "sinew/offline/elasticity/plane_contact.h"

namespace sinew::contact {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::VectorXd;
using elasticity::Handle;
using elasticity::HandleKind;

constexpr double kWormLength = 1, kWormWidth = 0.2;
// Distance of the joints from the middle, and how far the weights of the bones overlap on either side of them.
constexpr double kJoint = kWormLength / 6, kOverlap = 0.12;
constexpr double kMaxBend = 0.7, kShortest = 0.92, kLongest = 1.1;

double SmoothStep(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

Eigen::MatrixXd WormWeights(const elasticity::PlaneNodes& rest) {
  Eigen::MatrixXd weights(rest.rows(), 3);
  for (int n = 0; n < rest.rows(); ++n) {
    const double right = SmoothStep((rest(n, 0) - kJoint + kOverlap) / (2 * kOverlap));
    const double left = SmoothStep((-rest(n, 0) - kJoint + kOverlap) / (2 * kOverlap));
    weights.row(n) << left, 1 - left - right, right;
  }
  return weights;
}

Matrix2d Turned(double angle, double stretch) {
  Matrix2d A;
  A << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
  return A * Vector2d(stretch, 1 / stretch).asDiagonal();
}

ContactObject::Pairs LoopEdges(const std::vector<int>& loop) {
  ContactObject::Pairs edges;
  for (size_t i = 0; i < loop.size(); ++i) edges.emplace_back(loop[i], loop[(i + 1) % loop.size()]);
  return edges;
}

double Cross(const Vector2d& a, const Vector2d& b) { return a[0] * b[1] - a[1] * b[0]; }

class PlaneProblem : public ContactProblem {
 public:
  explicit PlaneProblem(const PlaneObject& object)
      : body_(object.body),
        contact_(object.mesh, object.loop, object.collider,
                 elasticity::ContactStiffness(object.young, kResidualDepth * object.collider_size)),
        alone_(body_, nullptr, object.Diagonal()),
        touching_(body_, &contact_, object.Diagonal()) {}

  void SetPose(const Turn& turn, const SmallVector& position) override {
    contact_.SetPose({turn.angle, position});
    current_ = &touching_;
  }
  double SmallestGap(const VectorXd& x) const override { return contact_.SmallestGap(x); }
  double DeepestDepth(const VectorXd& x) const override { return contact_.DeepestDepth(x); }
  double InvertedShare(const VectorXd& x) const override {
    return static_cast<double>(body_.InvertedCount(x)) / body_.triangle_count();
  }

  double Energy(const VectorXd& x) const override { return current_->Energy(x); }
  void Gradient(const VectorXd& x, VectorXd& gradient) const override { current_->Gradient(x, gradient); }
  const elasticity::LinearSystem& Hessian(const VectorXd& x) override { return current_->Hessian(x); }
  int dimension() const override { return 2; }
  double Length() const override { return current_->Length(); }
  double ForceScale() const override { return current_->ForceScale(); }
  double EnergyScale() const override { return current_->EnergyScale(); }

 private:
  const elasticity::PlaneBody& body_;
  elasticity::PlaneContact contact_;
  elasticity::PlaneEquilibrium alone_, touching_;
  elasticity::Objective* current_ = &alone_;
};

}  // namespace

PlaneObject::PlaneObject(elasticity::PlaneMesh mesh_in, std::vector<int> loop_in,
                         elasticity::HandleSubspace subspace_in, Pairs graph_in, const PlaneMaterial& material,
                         elasticity::PlaneCollider collider_in, std::string name_in)
    : ContactObject(std::move(subspace_in), LoopEdges(loop_in), std::move(graph_in), collider_in.size(),
                    std::move(name_in)),
      mesh(std::move(mesh_in)),
      loop(std::move(loop_in)),
      young(material.young),
      poisson(material.poisson),
      body(mesh, young, poisson),
      collider(std::move(collider_in)) {}

std::vector<int> PlaneObject::SpreadPlaces(int count) const {
  // Positions along the boundary at rest, and its length.
  Eigen::ArrayXd at(static_cast<Eigen::Index>(loop.size()));
  double length = 0;
  for (int i = 0; i < place_count(); ++i) {
    at[i] = length;
    length += (mesh.positions.row(loop[(i + 1) % loop.size()]) - mesh.positions.row(loop[i])).norm();
  }
  const auto distances_from = [&](int i) -> Distances<double> {
    const Eigen::ArrayXd direct = (at - at[i]).abs();
    return direct.min(length - direct).matrix();
  };
  Distances<double> distance = distances_from(0);
  std::vector<int> chosen = {0};
  for (const int next : ChooseFarthest<double>(count - 1, true, distances_from, distance)) chosen.push_back(next);
  return chosen;
}

int PlaneObject::ShiftPlace(int place, int count, Random& random) const {
  const double half = 0.5 * place_count() / count;
  return (place + static_cast<int>(std::floor(random.Uniform(-half, half))) + place_count()) % place_count();
}

SmallVector PlaneObject::PlaceAt(const VectorXd& x, int place) const {
  return x.segment<2>(2 * loop[(place + place_count()) % place_count()]);
}

SmallVector PlaneObject::NormalAt(const VectorXd& x, int place) const {
  const Vector2d along = PlaceAt(x, place + 1) - PlaceAt(x, place - 1);
  return Vector2d(along[1], -along[0]).normalized();
}

double PlaneObject::ThicknessBelow(const VectorXd& x, int place, const SmallVector& direction) const {
  const Vector2d origin = PlaceAt(x, place);
  double nearest = std::numeric_limits<double>::infinity();
  const int count = place_count();
  for (int i = 0; i < count; ++i) {
    if (i == place || i == (place + count - 1) % count) continue;
    const Vector2d a = PlaceAt(x, i), edge = PlaceAt(x, i + 1) - a;
    const double denominator = Cross(direction, edge);
    if (denominator == 0) continue;
    const double along = Cross(a - origin, edge) / denominator, t = Cross(a - origin, direction) / denominator;
    if (along > 0 && t >= 0 && t <= 1) nearest = std::min(nearest, along);
  }
  return nearest;
}

std::unique_ptr<ContactProblem> PlaneObject::MakeProblem() const { return std::make_unique<PlaneProblem>(*this); }

VectorXd PlaneObject::DrawState(Random& random) const { return DrawWormState(*this, random); }

PlaneObject MakeWorm(const WormOptions& options) {
  elasticity::PlaneMesh mesh = elasticity::MakePlaneCapsule(kWormLength, kWormWidth, options.triangles);
  std::vector<Handle> handles;
  for (const double x : {-2 * kJoint, 0.0, 2 * kJoint}) handles.push_back({HandleKind::kFrame, Vector2d(x, 0)});
  elasticity::HandleSubspace subspace(mesh.positions, handles, WormWeights(mesh.positions));
  std::vector<int> loop = elasticity::BoundaryLoop(mesh);
  return {std::move(mesh),
          std::move(loop),
          std::move(subspace),
          {{1, 0}, {1, 2}},
          {.young = options.young, .poisson = options.poisson},
          elasticity::MakePlaneCollider(options.collider, options.collider_radius),
          fmt::format("worm of {} triangles, young {}, poisson {}, {} of radius {}", options.triangles, options.young,
                      options.poisson, options.collider, options.collider_radius)};
}

VectorXd DrawWormState(const PlaneObject& worm, Random& random) {
  VectorXd state = worm.subspace.RestState();
  const Matrix2d middle = Turned(0, random.Uniform(kShortest, kLongest));
  const auto set = [&](int bone, const Matrix2d& A, const Vector2d& p) {
    state.segment<4>(6 * bone) = A.reshaped<Eigen::RowMajor>();
    state.segment<2>(6 * bone + 4) = p;
  };
  set(1, middle, Vector2d::Zero());
  for (const int bone : {0, 2}) {
    const double side = bone - 1;
    const double bend = random.Uniform(-kMaxBend, kMaxBend), length = random.Uniform(kShortest, kLongest);
    const Matrix2d A = Turned(bend, length);
    const Vector2d half(side * kJoint, 0);
    set(bone, A, middle * half + A * half);
  }
  return state;
}

}  // namespace sinew::contact
