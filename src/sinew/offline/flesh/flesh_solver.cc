#include "sinew/offline/flesh/flesh_solver.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "sinew/offline/elasticity/conjugate_gradients.h"

namespace sinew::flesh {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Attachment stiffness of the core, relative to that of flesh over one cell. A lattice of more than kCoreTets
// tetrahedra is given the stiffness that one of kCoreTets has: otherwise finer cells would mean firmer attachment,
// until what presses on flesh in a bend could not move the core.
constexpr double kCoreStiffness = 20, kCoreTets = 10000;
// Stiffness of the spring from every node to where skinning puts it, relative to that of flesh. It gives a position to
// flesh that hangs on little else (a tip of an ear in a cell of its own), and keeps flesh from wandering where it would
// buckle one way as well as the other.
constexpr double kHold = 1e-3;
// Line search: share of the decrease predicted by the slope that a step has to reach (Armijo condition), the smallest
// and largest share of a step, and the share of the predicted decrease above which a longer step is tried.
constexpr double kArmijo = 1e-4;
constexpr double kShortestStep = 1e-4, kLongestStep = 16, kStraight = 0.75;
// Longest motion of a node in a step, in cells, and damping of a step that is longer: stiffness of springs that hold
// all nodes where they are, relative to that of flesh, at first and from attempt to attempt. Crumpled flesh may have
// hardly any stiffness left, and its nodes would be thrown so far that no share of the step lowers the energy.
constexpr double kLongestMove = 1, kDamping = 0.01, kMoreDamping = 10;
constexpr int kDampings = 5;
// A point that slides over edges of triangles can go back and forth between them for ever. So after the first
// kRoamingSteps Newton steps, which bring everything near, a point keeps the place that it presses on until it has slid
// away from it by kMaxSlide cells. After kLookingSteps, new pairs are searched for only once flesh may have come into
// flesh since the last search.
constexpr int kRoamingSteps = 8, kLookingSteps = 14;
constexpr double kMaxSlide = 0.5;
// Number of times that, after convergence, all pairs are searched for again and the solve goes on if others press:
// parts that moved too little for a search may touch as well.
constexpr int kRenewals = 2;
// Rotation of the skinning frame over a cell (radians) above which the energy of a tetrahedron is evaluated at four
// points (the quadrature rule of second order), and the small barycentric coordinate of those.
constexpr double kBend = 0.3, kTowardsCorner = 0.1381966011250105;

// Thickness, in cells, of the flesh that sample points on the skin represent. Tetrahedra bent by more than kBend are
// evaluated there, too.
constexpr double kSkinDepth = 0.3;

// Number of cells around the core within which nodes count as held with it.
constexpr int kHeldSweeps = 2;

// Pair that presses, as a term of the Hessian: curvature w w^T, with w the pair's weights.
struct Pressing {
  const ContactPair* pair;
  double curvature;
};

// Hessian of the whole energy: a block matrix plus one term per pressing pair. Preconditioned by its diagonal blocks.
class System : public elasticity::LinearSystem {
 public:
  System(const BlockMatrix& matrix, const std::vector<Pressing>& pressing)
      : matrix_(matrix), pressing_(pressing), inverse_(matrix.diagonal) {
    for (const auto& [pair, curvature] : pressing) {
      for (int a = 0; a < ContactPair::kNodes; ++a) {
        for (int b = 0; b < ContactPair::kNodes; ++b) {
          if (pair->nodes[a] != pair->nodes[b]) continue;
          inverse_[pair->nodes[a]] += curvature * pair->weights[a] * pair->weights[b].transpose();
        }
      }
    }
    for (Matrix3d& block : inverse_) {
      const Matrix3d regular = block + Matrix3d::Identity() * std::max(1e-9 * block.trace(), 1e-300);
      block = regular.inverse();
    }
  }
  void Multiply(const VectorXd& v, VectorXd& out) const override {
    matrix_.Multiply(v, out);
    for (const auto& [pair, curvature] : pressing_) {
      double along = 0;
      for (int k = 0; k < ContactPair::kNodes; ++k) along += pair->weights[k].dot(v.segment<3>(3 * pair->nodes[k]));
      along *= curvature;
      for (int k = 0; k < ContactPair::kNodes; ++k) out.segment<3>(3 * pair->nodes[k]) += along * pair->weights[k];
    }
  }
  void Precondition(const VectorXd& v, VectorXd& out) const override {
    out.resize(v.size());
    for (size_t n = 0; n < inverse_.size(); ++n) out.segment<3>(3 * n) = inverse_[n] * v.segment<3>(3 * n);
  }

 private:
  const BlockMatrix& matrix_;
  const std::vector<Pressing>& pressing_;
  std::vector<Matrix3d> inverse_;
};

// Merges the old pairs with the new pairs of points that had none. All lists are sorted: pairs of skin by point, then
// those with colliders.
std::vector<ContactPair> KeepOld(const std::vector<ContactPair>& old, std::vector<ContactPair> found) {
  std::vector<ContactPair> merged;
  std::set_union(old.begin(), old.end(), found.begin(), found.end(), std::back_inserter(merged),
                 [](const ContactPair& a, const ContactPair& b) {
                   return std::pair(a.triangle < 0, a.point) < std::pair(b.triangle < 0, b.point);
                 });
  return merged;
}

double LongestMove(const Nodes& from, const Nodes& to) { return (to - from).rowwise().norm().maxCoeff(); }

// Tracks which pairs are in contact while one pose is solved.
class Touching {
 public:
  Touching(const SkinContact& contact, const FleshPose& pose, double margin, double max_slide)
      : contact_(contact), pose_(pose), margin_(margin), max_slide_(max_slide) {}

  // Finds all pairs at z.
  std::vector<ContactPair> Find(const Nodes& z) { return FindIn(ShapeOf(z), z); }
  // Updates the pairs for the next Newton step.
  void Update(int newton_steps, const Nodes& z, std::vector<ContactPair>& pairs) {
    // Points without a pair are farther than the contact distance from other skin: nothing new can be in contact before
    // two sides that approach each other have each moved by half of it.
    if (newton_steps > kLookingSteps && LongestMove(found_at_, z) <= 0.5 * contact_.options().distance) {
      RenewColliders(z, pairs);
      return;
    }
    if (newton_steps < kRoamingSteps) pairs.clear();
    Look(z, pairs);
  }
  // Searches once more after convergence. Returns true if a different number of pairs presses now.
  bool Renew(const Nodes& z, std::vector<ContactPair>& pairs) {
    const auto presses = [&](const ContactPair& pair) { return pair.Force(pair.Gap(z)) > 0; };
    const auto before = std::count_if(pairs.begin(), pairs.end(), presses);
    Look(z, pairs);
    return std::count_if(pairs.begin(), pairs.end(), presses) != before;
  }

 private:
  // Finds the pairs with colliders anew: a point that slides around an edge of one meets another plane of it.
  void RenewColliders(const Nodes& z, std::vector<ContactPair>& pairs) const {
    if (!contact_.has_colliders()) return;
    std::erase_if(pairs, [](const ContactPair& pair) { return pair.triangle < 0; });
    const std::vector<ContactPair> found = contact_.FindColliderPairs(ShapeOf(z), pose_.joints, pose_.collider_places);
    pairs.insert(pairs.end(), found.begin(), found.end());
  }
  // Drops pairs of skin that have slid too far, and those with colliders, and adds new ones.
  void Look(const Nodes& z, std::vector<ContactPair>& pairs) {
    const SkinContact::Shape shape = ShapeOf(z);
    std::erase_if(
        pairs, [&](const ContactPair& pair) { return pair.triangle < 0 || contact_.Slide(shape, pair) > max_slide_; });
    pairs = KeepOld(pairs, FindIn(shape, z));
    found_at_ = z;
  }
  SkinContact::Shape ShapeOf(const Nodes& z) const {
    return contact_.MakeShape(pose_.contact_maps, Place(pose_, z), z);
  }
  std::vector<ContactPair> FindIn(const SkinContact::Shape& shape, const Nodes& z) {
    if (asked_at_.size() == 0 || LongestMove(asked_at_, z) > 0.5 * margin_) {
      candidates_ = contact_.Candidates(shape, margin_);
      asked_at_ = z;
    }
    std::vector<ContactPair> found = contact_.FindPairs(shape, candidates_);
    const std::vector<ContactPair> with_colliders =
        contact_.FindColliderPairs(shape, pose_.joints, pose_.collider_places);
    found.insert(found.end(), with_colliders.begin(), with_colliders.end());
    return found;
  }

  const SkinContact& contact_;
  const FleshPose& pose_;
  const double margin_, max_slide_;
  std::vector<int> candidates_;
  Nodes asked_at_, found_at_;  // z when candidates, and when pairs, were last searched for
};

double LongestMove(const VectorXd& step) {
  return step.size() == 0 ? 0 : step.reshaped<Eigen::RowMajor>(step.size() / 3, 3).rowwise().norm().maxCoeff();
}

}  // namespace

Nodes Place(const FleshPose& pose, const Nodes& z) {
  Nodes nodes(z.rows(), 3);
  for (Eigen::Index n = 0; n < z.rows(); ++n) nodes.row(n) = (pose.node_frames[n] * z.row(n).transpose()).transpose();
  return nodes;
}

void FleshSolver::SetInertia(const Nodes& places, const std::vector<double>& stiffness, FleshPose& pose) const {
  pose.inertia.stiffness = stiffness;
  pose.inertia.towards.resize(places.rows(), 3);
  for (Eigen::Index n = 0; n < places.rows(); ++n) {
    pose.inertia.towards.row(n) = pose.node_frames[n].Undo(places.row(n).transpose()).transpose();
    pose.core_matrix.diagonal[n].diagonal().array() += stiffness[n];
  }
}

double FleshSolver::InertiaEnergy(const FleshPose& pose, const Nodes& z) {
  double energy = 0;
  for (size_t n = 0; n < pose.inertia.stiffness.size(); ++n) {
    const auto row = static_cast<Eigen::Index>(n);
    energy += 0.5 * pose.inertia.stiffness[n] * (z.row(row) - pose.inertia.towards.row(row)).squaredNorm();
  }
  return energy;
}

std::vector<double> FleshSolver::NodeVolumes() const {
  std::vector<double> volumes(body_.node_count(), 0);
  for (int t = 0; t < body_.tet_count(); ++t) {
    for (int k = 0; k < 4; ++k) volumes[body_.tets()(t, k)] += 0.25 * body_.Volume(t) * lattice_.shares[t].sum();
  }
  return volumes;
}

FleshSolver::FleshSolver(const FleshLattice& lattice, const elasticity::StableNeoHookean& material, FleshSkin skin,
                         const SkinContact* contact)
    : lattice_(lattice), skin_(std::move(skin)), contact_(contact), body_(lattice.mesh(), material) {
  const double cell = lattice.cell_size * std::max(1.0, std::cbrt(body_.tet_count() / kCoreTets));
  const double scale = kCoreStiffness * material.mu() / (cell * cell);
  for (const CorePoint& point : lattice.core) {
    stiffness_.push_back(scale * point.firmness * point.volume);
  }
  hold_.assign(body_.node_count(), 0);
  const double hold = kHold * material.mu() / (lattice.cell_size * lattice.cell_size);
  for (int t = 0; t < body_.tet_count(); ++t) {
    for (int k = 0; k < 4; ++k) hold_[body_.tets()(t, k)] += 0.25 * hold * body_.Volume(t);
  }
}

FleshPose FleshSolver::MakePose(std::vector<Eigen::Affine3d> motions, double hold) const {
  FleshPose pose;
  pose.motions = std::move(motions);
  const Vector3d centre = lattice_.mesh().positions.colwise().mean().transpose();
  for (const Eigen::Affine3d& motion : pose.motions) pose.joints.push_back(NearestRigid(motion, centre));
  for (const Influences& influences : lattice_.influences) pose.nodes.push_back(Blend(influences, pose.joints));
  for (int t = 0; t < body_.tet_count(); ++t) AddPoints(t, pose);
  pose.skin_points = pose.points.size();
  AddSkinPoints(pose);
  PoseCore(hold, pose);
  for (const DualQuaternion& node : pose.nodes) pose.node_frames.push_back(node.ToRigid());
  FindHeldOff(pose);
  if (contact_) {
    for (const int vertex : contact_->surface().skin_of) pose.contact_maps.push_back(SkinMap(pose, vertex));
  }
  return pose;
}

// Takes the mean over the core points around each node, weighted by their attachment stiffness.
void FleshSolver::FindHeldOff(FleshPose& pose) const {
  pose.held_off = Nodes::Zero(body_.node_count(), 3);
  std::vector<double> sums(body_.node_count(), 0);
  for (size_t i = 0; i < lattice_.core.size(); ++i) {
    const CorePoint& point = lattice_.core[i];
    for (int k = 0; k < 4; ++k) {
      const double weight = pose.core_stiffness[i] * point.barycentric[k];
      const int node = body_.tets()(point.tet, k);
      pose.held_off.row(node) += weight * (pose.core[i] - point.rest).transpose();
      sums[node] += weight;
    }
  }
  pose.is_held.resize(sums.size());
  for (int n = 0; n < body_.node_count(); ++n) {
    pose.is_held[n] = sums[n] > 0;
    if (pose.is_held[n]) pose.held_off.row(n) /= sums[n];
  }
  for (int sweep = 0; sweep < kHeldSweeps; ++sweep) SpreadHeldOff(pose);
}

void FleshSolver::SpreadHeldOff(FleshPose& pose) const {
  Nodes sums = Nodes::Zero(body_.node_count(), 3);
  std::vector<int> counts(body_.node_count(), 0);
  for (int t = 0; t < body_.tet_count(); ++t) {
    for (int k = 0; k < 12; ++k) {
      const int from = body_.tets()(t, k / 3), to = body_.tets()(t, (k / 3 + k % 3 + 1) % 4);
      if (!pose.is_held[from] || pose.is_held[to]) continue;
      sums.row(to) += pose.held_off.row(from);
      ++counts[to];
    }
  }
  for (int n = 0; n < body_.node_count(); ++n) {
    if (counts[n] == 0) continue;
    pose.held_off.row(n) = sums.row(n) / counts[n];
    pose.is_held[n] = true;
  }
}

Eigen::Affine3d FleshSolver::SkinMap(const FleshPose& pose, int vertex) const {
  const Rigid flesh = Blend(skin_.of_flesh[vertex], pose.joints).ToRigid();
  const double share = skin_.shares[vertex];
  Eigen::Affine3d map(Eigen::Translation3d(flesh.t) * flesh.R);
  if (share == 1) return map;
  Vector3d held_off = Vector3d::Zero();
  double held = 0;
  for (int k = 0; k < 4; ++k) {
    const int node = body_.tets()(lattice_.skin().tets[vertex], k);
    const double weight = lattice_.skin().weights(vertex, k);
    held_off += weight * pose.held_off.row(node).transpose();
    if (pose.is_held[node]) held += weight;
  }
  const Vector3d rest = skin_.rest.row(vertex).transpose();
  const Rigid bones = Blend(skin_.of_bones[vertex], pose.joints).ToRigid();
  map.linear() = share * flesh.R + (1 - share) * held * bones.R;
  map.translation() = share * flesh.t + (1 - share) * (bones * rest - bones.R * (held * rest + held_off));
  return map;
}

Nodes FleshSolver::PlaceSkin(const FleshPose& pose, const Nodes& z) const {
  Nodes places = Follow(lattice_.skin(), lattice_.mesh().tets, z);
  for (Eigen::Index v = 0; v < places.rows(); ++v) {
    const Vector3d place = SkinMap(pose, static_cast<int>(v)) * places.row(v).transpose();
    places.row(v) = place.transpose();
  }
  return places;
}

void FleshSolver::PoseCore(double hold, FleshPose& pose) const {
  pose.core_matrix = body_.EmptyMatrix();
  for (int n = 0; n < body_.node_count(); ++n) pose.core_matrix.diagonal[n].diagonal().array() += hold_[n];
  const std::vector<CoreBone> posed_bones = MovedBones(lattice_.bones, pose.motions);
  for (size_t i = 0; i < lattice_.core.size(); ++i) {
    const CorePoint& point = lattice_.core[i];
    const Rigid frame = Interpolate(CornersOf(pose, point.tet), point.barycentric).ToRigid();
    const Vector3d posed = Blend(point.influences, pose.joints).ToRigid() * point.rest;
    pose.core.push_back(frame.Undo(posed));
    pose.core_stiffness.push_back(hold * stiffness_[i] *
                                  CoreHold(lattice_.bones, posed_bones, point.influences, point.rest, posed));
    body_.AddSpring(point.tet, pose.core_stiffness[i] * point.barycentric * point.barycentric.transpose(),
                    pose.core_matrix);
  }
}

std::array<DualQuaternion, 4> FleshSolver::CornersOf(const FleshPose& pose, int t) const {
  std::array<DualQuaternion, 4> corners;
  for (int k = 0; k < 4; ++k) corners[k] = pose.nodes[body_.tets()(t, k)];
  return corners;
}

void FleshSolver::AddPoints(int t, FleshPose& pose) const {
  const std::array<DualQuaternion, 4> corners = CornersOf(pose, t);
  const Eigen::Vector4d shares = body_.Volume(t) * lattice_.shares[t];
  FleshPoint point{.tet = t, .volume = shares.sum(), .change = {}};
  point.change = ChangeOf(corners, body_.Gradients(t), point.barycentric);
  if (point.change.omega.norm() * lattice_.cell_size < kBend) {
    pose.points.push_back(point);
    return;
  }
  for (int k = 0; k < 4; ++k) {
    if (shares[k] == 0) continue;
    point.barycentric.setConstant(kTowardsCorner);
    point.barycentric[k] = 1 - 3 * kTowardsCorner;
    point.volume = shares[k];
    point.change = ChangeOf(corners, body_.Gradients(t), point.barycentric);
    pose.points.push_back(point);
  }
}

// Skin is farthest from the bones, so a bend inverts flesh there first, before it does at any point inside the cell.
void FleshSolver::AddSkinPoints(FleshPose& pose) const {
  for (size_t v = 0; v < skin_.areas.size(); ++v) {
    FleshPoint point{.tet = lattice_.skin().tets[v],
                     .barycentric = lattice_.skin().weights.row(static_cast<Eigen::Index>(v)).transpose(),
                     .volume = kSkinDepth * lattice_.cell_size * skin_.areas[v],
                     .change = {}};
    if (point.volume == 0) continue;
    point.change = ChangeOf(CornersOf(pose, point.tet), body_.Gradients(point.tet), point.barycentric);
    if (point.change.omega.norm() * lattice_.cell_size >= kBend) pose.points.push_back(point);
  }
}

double FleshSolver::Energy(const FleshPose& pose, const Pairs& pairs, const Nodes& z) const {
  double energy = body_.Energy(pose.points, z);
  for (size_t i = 0; i < lattice_.core.size(); ++i) {
    energy += 0.5 * pose.core_stiffness[i] * CoreOff(pose, i, z).squaredNorm();
  }
  for (Eigen::Index n = 0; n < z.rows(); ++n) {
    energy += 0.5 * hold_[n] * (z.row(n) - lattice_.mesh().positions.row(n)).squaredNorm();
  }
  energy += InertiaEnergy(pose, z);
  for (const ContactPair& pair : pairs) energy += pair.Energy(z);
  return energy;
}

void FleshSolver::Gradient(const FleshPose& pose, const Pairs& pairs, const Nodes& z, VectorXd& gradient) const {
  gradient.setZero(3 * z.rows());
  body_.AddGradient(pose.points, z, gradient);
  for (size_t i = 0; i < lattice_.core.size(); ++i) {
    const CorePoint& point = lattice_.core[i];
    const auto corners = body_.tets().row(point.tet);
    const Vector3d force = pose.core_stiffness[i] * CoreOff(pose, i, z);
    for (int k = 0; k < 4; ++k) gradient.segment<3>(3 * corners[k]) += point.barycentric[k] * force;
  }
  for (Eigen::Index n = 0; n < z.rows(); ++n) {
    gradient.segment<3>(3 * n) += hold_[n] * (z.row(n) - lattice_.mesh().positions.row(n)).transpose();
  }
  for (size_t n = 0; n < pose.inertia.stiffness.size(); ++n) {
    const auto row = static_cast<Eigen::Index>(n);
    gradient.segment<3>(3 * row) +=
        pose.inertia.stiffness[n] * (z.row(row) - pose.inertia.towards.row(row)).transpose();
  }
  for (const ContactPair& pair : pairs) {
    const double force = pair.Force(pair.Gap(z));
    if (force == 0) continue;
    for (int k = 0; k < ContactPair::kNodes; ++k) {
      gradient.segment<3>(3 * pair.nodes[k]) -= force * pair.weights[k];
    }
  }
}

void FleshSolver::AddDamping(double damping, BlockMatrix& matrix) const {
  if (damping == 0) return;
  for (int n = 0; n < body_.node_count(); ++n) matrix.diagonal[n].diagonal().array() += damping / kHold * hold_[n];
}

double FleshSolver::LineSearch(const FleshPose& pose, const Pairs& pairs, const VectorXd& gradient,
                               const VectorXd& step, Nodes& z, double& energy) const {
  const double slope = gradient.dot(step), start = energy;
  const Nodes from = z;
  const auto try_share = [&](double share) {
    Nodes moved = from + share * step.reshaped<Eigen::RowMajor>(z.rows(), 3);
    const double lower = Energy(pose, pairs, moved);
    if (!(lower <= start + kArmijo * share * slope && (lower < energy || share < 1))) return false;
    z = std::move(moved);
    energy = lower;
    return true;
  };
  double share = 1;
  while (share >= kShortestStep && !try_share(share)) share /= 2;
  if (share < kShortestStep) return 0;
  // Longer steps are tried while the energy falls nearly as its slope predicts: projecting away curvature makes a step
  // too short.
  while (share >= 1 && share < kLongestStep && start - energy > -kStraight * share * slope && try_share(2 * share)) {
    share *= 2;
  }
  return share;
}

FleshSolveReport FleshSolver::Solve(const FleshPose& pose, const FleshSolverOptions& options, Nodes& z) const {
  FleshSolveReport report;
  const elasticity::PinnedNodes all_free({});
  VectorXd gradient, step;
  Pairs pairs;
  std::optional<Touching> touching;
  if (contact_) touching.emplace(*contact_, pose, options.contact_margin, kMaxSlide * lattice_.cell_size);
  bool is_last = false;
  int renewals = 0;
  double damping = 0;
  while (report.newton_steps < options.max_newton_steps) {
    // Pairs in contact, and those of them that press.
    if (touching && options.contact) touching->Update(report.newton_steps, z, pairs);
    std::vector<Pressing> pressing;
    for (const ContactPair& pair : pairs) {
      const double curvature = pair.Curvature(pair.Gap(z));
      if (curvature > 0) pressing.push_back({&pair, curvature});
    }
    // Newton step: gradient, projected Hessian and linear solve, finer if the step before was near convergence.
    double energy = Energy(pose, pairs, z);
    const double before = energy;
    Gradient(pose, pairs, z, gradient);
    BlockMatrix matrix = pose.core_matrix;
    body_.AddHessian(pose.points, z, matrix);
    const elasticity::CgOptions cg{.tolerance = is_last ? options.last_cg_tolerance : options.cg_tolerance,
                                   .max_iterations = options.max_cg_iterations};
    AddDamping(damping, matrix);
    for (int attempt = 0;; ++attempt) {
      report.cg_iterations +=
          elasticity::SolveProjected(System(matrix, pressing), all_free, -gradient, cg, step).iterations;
      report.last_step = LongestMove(step);
      if (report.last_step <= kLongestMove * lattice_.cell_size || attempt == kDampings) break;
      const double more = std::max(kDamping, kMoreDamping * damping);
      AddDamping(more - damping, matrix);
      damping = more;
    }
    const bool is_damped = damping > 0;
    damping = damping > kDamping ? damping / kMoreDamping : 0;
    // Line search. Without an accepted step the solve ends.
    const bool is_small = report.last_step <= options.tolerance && !is_damped;
    const double share = LineSearch(pose, pairs, gradient, step, z, energy);
    if (share == 0) {
      report.status = is_small ? elasticity::SolveStatus::kConverged : elasticity::SolveStatus::kStalled;
      break;
    }
    ++report.newton_steps;
    report.energies.push_back({before, energy});
    // Converged after a coarse and then a fine step that are small or hardly lower the energy, unless a last search for
    // contact finds other pairs.
    const bool is_flat = report.newton_steps > kLookingSteps && before - energy < options.flat * std::abs(energy);
    const bool is_near = share >= 1 && (is_small || is_flat) && !is_damped;
    if (is_last && is_near) {
      if (options.is_final && touching && options.contact && renewals++ < kRenewals && touching->Renew(z, pairs)) {
        is_last = false;
        continue;
      }
      report.status = elasticity::SolveStatus::kConverged;
      break;
    }
    is_last = is_near;
  }
  // Contacts and penetration of the final shape.
  if (!touching || !options.is_final) return report;
  for (const ContactPair& pair : touching->Find(z)) {
    if (pair.triangle < 0) {
      if (pair.gap >= pair.free_gap) continue;
      ++report.collider_contacts;
      report.pressed.push_back(pair.point);
      report.worst_in_collider = std::max(report.worst_in_collider, -pair.gap);
      continue;
    }
    if (pair.gap < pair.free_gap) {
      ++report.contacts;
      report.pressed.push_back(pair.point);
      for (int k = 0; k < 3; ++k) report.pressed.push_back(contact_->surface().mesh.triangles(pair.triangle, k));
    }
    report.worst_penetration = std::max(report.worst_penetration, -pair.gap);
  }
  return report;
}

Vector3d FleshSolver::CoreOff(const FleshPose& pose, size_t i, const Nodes& z) const {
  const CorePoint& point = lattice_.core[i];
  Vector3d off = -pose.core[i];
  for (int k = 0; k < 4; ++k) off += point.barycentric[k] * z.row(body_.tets()(point.tet, k)).transpose();
  return off;
}

Matrix3d FleshSolver::DeformationAt(const FleshPose& pose, int tet, const Eigen::Vector4d& barycentric,
                                    const Nodes& z) const {
  const FleshPoint point{.tet = tet,
                         .barycentric = barycentric,
                         .change = ChangeOf(CornersOf(pose, tet), body_.Gradients(tet), barycentric)};
  return body_.DeformationGradient(point, z);
}

Matrix3d FleshSolver::TurnAtSkin(const FleshPose& pose, int vertex, const Nodes& z) const {
  const Matrix3d F = DeformationAt(pose, lattice_.skin().tets[vertex], lattice_.skin().weights.row(vertex), z);
  const double share = skin_.shares[vertex];
  return share * Blend(skin_.of_flesh[vertex], pose.joints).ToRigid().R * F +
         (1 - share) * Blend(skin_.of_bones[vertex], pose.joints).ToRigid().R;
}

double FleshSolver::InvertedCore(const FleshPose& pose, const Nodes& z) const {
  double inverted = 0, all = 0;
  for (const CorePoint& point : lattice_.core) {
    all += point.volume;
    if (DeformationAt(pose, point.tet, point.barycentric, z).determinant() < 0) inverted += point.volume;
  }
  return all > 0 ? inverted / all : 0;
}

int FleshSolver::InvertedCount(const FleshPose& pose, const Nodes& z) const {
  int count = 0, last = -1;
  for (size_t i = 0; i < pose.skin_points; ++i) {
    const FleshPoint& point = pose.points[i];
    const bool is_mostly_flesh = point.volume > 0.5 * body_.Volume(point.tet) * kTowardsCorner;
    if (point.tet == last || !is_mostly_flesh || body_.DeformationGradient(point, z).determinant() > 0) continue;
    last = point.tet;
    ++count;
  }
  return count;
}

}  // namespace sinew::flesh
