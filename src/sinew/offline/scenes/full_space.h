// Dynamics of a soft object by all of its nodes, as the subspace (dynamics/simulation.h) is measured against it: the
// same mesh, material, contact points, colliders, friction and steps, and every node free to move. A step of backward
// Euler is the minimum of the same energy, found by Newton's method with conjugate gradients.
#ifndef SINEW_OFFLINE_SCENES_FULL_SPACE_H_
#define SINEW_OFFLINE_SCENES_FULL_SPACE_H_

#include <Eigen/Core>
#include <span>
#include <vector>

#include "sinew/dynamics/object_table.h"
#include "sinew/dynamics/point_terms.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/offline/elasticity/newton.h"
#include "sinew/offline/elasticity/plane_body.h"

namespace sinew::scenes {

// Energy of a step: inertia, elastic energy of all triangles, contact and friction of the object's contact points.
class FullPotential : public elasticity::Objective {
 public:
  // object must outlive this.
  explicit FullPotential(const dynamics::ObjectTable& object);

  double Energy(const Eigen::VectorXd& x) const override;
  void Gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const override;
  const elasticity::LinearSystem& Hessian(const Eigen::VectorXd& x) override;
  int dimension() const override { return 2; }
  double Length() const override { return object_.header().size; }
  double ForceScale() const override;
  double EnergyScale() const override;

  // Of the step that is solved; colliders and friction must outlive it.
  void Begin(double seconds, const Eigen::VectorXd& inertial, std::span<const dynamics::Collider> colliders,
             std::span<const dynamics::Friction> friction);

  const elasticity::PlaneBody& body() const { return body_; }
  // M v, two numbers per node.
  Eigen::VectorXd MassTimes(const Eigen::VectorXd& v) const;
  // Position of a contact point.
  Eigen::Vector2d PointAt(const Eigen::VectorXd& x, int point) const;
  // Derivatives of contact and friction at a point.
  dynamics::PointTerm TermOf(const Eigen::VectorXd& x, int point) const;
  // Contact stiffness times the length that a point stands for.
  double Stiffness(int point) const { return object_.header().contact_stiffness * object_.lengths()[point]; }

 private:
  struct Ends {
    int nodes[2];
    double weights[2];
  };
  Ends EndsOf(int point) const;

  const dynamics::ObjectTable& object_;
  elasticity::PlaneBody body_;
  std::vector<double> areas_;  // of all triangles
  elasticity::PlaneHessian hessian_;
  double seconds_ = 0, slip_ = 0;
  Eigen::VectorXd inertial_;
  std::span<const dynamics::Collider> colliders_;
  std::span<const dynamics::Friction> friction_;
};

// Has the functions of dynamics::Simulation that a scene needs.
class FullSpace {
 public:
  // Begins at rest. object must outlive this.
  explicit FullSpace(const dynamics::ObjectTable& object);

  // Begins anew. Two numbers per node each.
  void Set(const Eigen::VectorXd& positions, const Eigen::VectorXd& velocity);
  // input: without targets, and with sound colliders, whose fields are ignored.
  dynamics::StepReport Step(const dynamics::StepInput& input);

  // Positions of all nodes.
  std::span<const double> state() const { return {x_.data(), static_cast<size_t>(x_.size())}; }
  void Positions(std::span<double> out) const;
  double KineticEnergy() const;
  double StoredEnergy() const { return potential_.body().Energy(x_); }
  double HeightEnergy(const double gravity[2]) const;

 private:
  int CountTouching(std::span<const dynamics::Collider> colliders) const;

  const dynamics::ObjectTable& object_;
  FullPotential potential_;
  Eigen::VectorXd x_, velocity_;
  std::vector<dynamics::Friction> friction_;
  std::vector<dynamics::PlanePose> before_;  // poses at the end of the last step
};

}  // namespace sinew::scenes

#endif  // SINEW_OFFLINE_SCENES_FULL_SPACE_H_
