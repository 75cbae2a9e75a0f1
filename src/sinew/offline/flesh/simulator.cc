#include "sinew/offline/flesh/simulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "sinew/offline/anatomy/likely_unit.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/flesh/flesh_state.h"
#include "sinew/offline/flesh/node_weights.h"
#include "sinew/offline/flesh/pose_scales.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew::flesh {
namespace {

// Spacing of contact points, in cells.
constexpr double kContactSpacing = 0.2;
// Pressure between skins that just touch, in shear moduli.
constexpr double kContactStiffness = 6;
// Depth, as a share of the body's size, up to which skin counts as only slightly inside other flesh.
constexpr double kHardly = 0.007;
// Depth, as a share of the body's size, beyond which the contact pressure stays constant.
constexpr double kYield = 0.017;
// Distance at rest, as a share of the body's size, up to which flesh counts as a point's own.
constexpr double kOwnFlesh = 0.014;
// FleshSolverOptions::contact_margin, as a share of the body's size.
constexpr double kContactMargin = 0.006;
// Standard deviation of the smoothing of displacements over the skin, in cells, and a limit on its steps.
constexpr double kSmoothing = 0.25, kMaxSmoothingSteps = 100;
// Depth of flesh in other flesh, as a share of the body's size, beyond which a frame has failed: what pressure cannot
// push out by then is held there by the bones.
constexpr double kBonesCross = 0.02;
// Distance of skin from where its bones put it, as a share of the body's size, beyond which a limb may be caught: on
// the path from rest it may have passed through the body and be held back on the wrong side of it. (A slender body in
// poses near the limits has 0.025 to 0.04.) The pose is then solved again without contact on the path, and the solution
// of less energy counts.
constexpr double kHungUp = 0.045;
// Share of inverted tetrahedra above which a frame has failed.
constexpr double kMaxInverted = 1e-3;
// Share of the core's volume that is inverted, and share of the skin's area that is inside out, above which a frame has
// failed. The latter is at least kMaxTrianglesInsideOut triangles, because on a coarse skin those around a bent limb
// turn over where a finer one would fold; and at least what linear blend skinning turns over in the same pose, as
// plates of armour that lie on each other fold in any case.
constexpr double kMaxCoreInverted = 1e-3, kMaxInsideOut = 2e-3;
constexpr int kMaxTrianglesInsideOut = 24;
// Factor on the attachment stiffness of the core in poses that fail otherwise.
constexpr double kSoftHold = 0.3;

constexpr QualitySettings kQualities[] = {
    {"quick", 10000, 2e-4},
    {"good", 40000, 1e-4},
    {"film", 200000, 5e-5},
};

// Throws UsageError for settings out of range.
void Check(const FleshSettings& settings) {
  if (!(settings.fat > 0) || !std::isfinite(settings.fat)) {
    throw UsageError(fmt::format("the fat is {} m thick; give a positive number", settings.fat));
  }
  if (!(settings.contact_distance > 0) || !std::isfinite(settings.contact_distance)) {
    throw UsageError(fmt::format("a contact distance of {} m; give a positive number", settings.contact_distance));
  }
  if (!settings.colliders.empty() && !settings.contact) {
    throw UsageError("colliders are given but contact is off; let skin be in contact, or leave the colliders out");
  }
  if (!(settings.tolerance >= 0) || !std::isfinite(settings.tolerance)) {
    throw UsageError(
        fmt::format("a tolerance of {}; give a positive number, or 0 for the quality's", settings.tolerance));
  }
  if (!(settings.scale > 0) || !std::isfinite(settings.scale)) {
    throw UsageError(fmt::format("lengths times {}; give a positive number", settings.scale));
  }
  if (settings.tets < 0) throw UsageError(fmt::format("{} tetrahedra; give a positive number", settings.tets));
  if (!(settings.unit >= 0) || !std::isfinite(settings.unit)) {
    throw UsageError(fmt::format("a unit of {} m; give a positive number, or 0 to have it guessed", settings.unit));
  }
}

// Sets the tolerances for the body's size. Near a minimum, energy falls with the square of what is left to move, so the
// tolerance on energy scales with the square. The number of steps that is enough at a quality's own tolerance is not
// enough at a finer one, and Newton's method makes few more where it works.
void SetTolerance(const FleshSettings& settings, double size, FleshSolverOptions& options) {
  const double usual = QualityOf(settings.quality).tolerance;
  options.tolerance = usual * size;
  if (settings.tolerance == 0) return;
  const double finer = settings.tolerance / usual;
  options.tolerance = settings.tolerance * size;
  options.flat *= finer * finer;
  options.max_newton_steps = static_cast<int>(options.max_newton_steps * std::clamp(1 / finer, 1.0, 10.0));
}

// Reason in one sentence why a solve did not converge; empty if it did.
std::string Sentence(const FleshSolveReport& solved) {
  switch (solved.status) {
    case elasticity::SolveStatus::kConverged:
      return "";
    case elasticity::SolveStatus::kStepLimit:
      return fmt::format("{} Newton steps did not reach balance", solved.newton_steps);
    case elasticity::SolveStatus::kStalled:
      return fmt::format("no step lowers the energy after {} Newton steps", solved.newton_steps);
  }
  return "";
}

std::unique_ptr<elasticity::RigidCollider> MakeCollider(const FleshCollider& collider) {
  if (const auto* mesh = std::get_if<TriMesh>(&collider.shape))
    return std::make_unique<elasticity::MeshCollider>(*mesh);
  return std::make_unique<elasticity::GridCollider>(std::get<DistanceGrid>(collider.shape));
}

// Result with the counts of steps and iterations of another.
FrameResult WithEffortOf(FrameResult result, const FrameResult& whole) {
  result.path_steps = whole.path_steps;
  result.newton_steps = whole.newton_steps;
  result.cg_iterations = whole.cg_iterations;
  return result;
}

// Whether solution a of a pose is better than solution b of the same pose.
bool IsBetter(const FrameResult& a, const FrameResult& b) {
  return a.converged != b.converged ? a.converged : a.energy < b.energy;
}

// Adds the counts of steps and iterations.
void AddEffort(const FrameResult& other, FrameResult& result) {
  result.path_steps += other.path_steps;
  result.newton_steps += other.newton_steps;
  result.cg_iterations += other.cg_iterations;
}

}  // namespace

QualitySettings QualityOf(Quality quality) { return kQualities[static_cast<int>(quality)]; }

Quality QualityNamed(std::string_view name) {
  std::string names;
  for (int q = 0; q < 3; ++q) {
    if (name == kQualities[q].name) return static_cast<Quality>(q);
    names += fmt::format("{}{}", q == 0 ? "" : ", ", kQualities[q].name);
  }
  throw UsageError(fmt::format("there is no quality '{}'; choose one of {}", name, names));
}

int FleshModel::State::PathSteps(const Pose& pose, double angle) const {
  double furthest = 0;
  const std::vector<Eigen::Quaterniond> from = articulation->Deltas(bind_pose), to = articulation->Deltas(pose);
  for (size_t j = 0; j < pose.size(); ++j) {
    if (articulation->body().parents[j] < 0) continue;
    furthest = std::max(furthest, to[j].angularDistance(from[j]));
  }
  return std::max(1, static_cast<int>(std::ceil(furthest / angle)));
}

void FleshModel::State::ListPieces(const Character& character) {
  for (size_t p = 0; p < character.parts.size(); ++p) {
    std::array<RoleOfPart, kRoles> of_part;
    std::array<int, kRoles> largest = {};
    for (int v = skin.first_vertex[p]; v < skin.first_vertex[p + 1]; ++v) {
      const int piece = skin.roles.piece_of_point[skin.welding.welded_of[v]];
      if (piece < 0) continue;  // no triangle uses it
      const Piece& of_vertex = skin.roles.pieces[piece];
      const int r = static_cast<int>(of_vertex.role);
      ++of_part[r].vertices;
      if (of_vertex.points <= largest[r]) continue;
      largest[r] = of_vertex.points;
      of_part[r].why = of_vertex.reason;
    }
    for (int r = 0; r < kRoles; ++r) {
      if (of_part[r].vertices == 0) continue;
      of_part[r].part = character.parts[p].name;
      of_part[r].role = static_cast<Role>(r);
      report.pieces.push_back(of_part[r]);
    }
  }
}

void FleshModel::State::ListThin(const FleshSkin& of_flesh) {
  std::vector<int> counts(skeleton.joint_count(), 0);
  for (size_t v = 0; v < of_flesh.shares.size(); ++v) {
    if (of_flesh.shares[v] < 0.5) ++counts[of_flesh.of_bones[v].joints[0]];
  }
  for (size_t j = 0; j < counts.size(); ++j) {
    if (counts[j] > 0) report.follows_bones.push_back({skeleton.joints[j].name, counts[j]});
  }
}

void FleshModel::State::BuildContact(const elasticity::StableNeoHookean& material) {
  const double distance = FromMetres(settings.contact_distance), cell = lattice.cell_size;
  ContactSurface surface = SpreadContactPoints(flesh.mesh, kContactSpacing * cell);
  Embedding embedding;
  embedding.weights.resize(static_cast<Eigen::Index>(surface.skin_of.size()), 4);
  for (size_t i = 0; i < surface.skin_of.size(); ++i) {
    const int v = surface.skin_of[i];
    embedding.tets.push_back(lattice.skin().tets[v]);
    embedding.weights.row(static_cast<Eigen::Index>(i)) = lattice.skin().weights.row(v);
  }
  report.contact_points = static_cast<int>(surface.skin_of.size());
  contact =
      std::make_unique<SkinContact>(std::move(surface), embedding, lattice.tets,
                                    SkinContactOptions{.distance = distance,
                                                       .hardly = kHardly * report.size,
                                                       .own_flesh = kOwnFlesh * report.size,
                                                       .yield = kYield * report.size,
                                                       .stiffness = kContactStiffness * material.mu() / distance});
  std::vector<SkinContact::Collider> colliders;
  for (const FleshCollider& collider : settings.colliders) {
    if (collider.joint >= skeleton.joint_count()) {
      throw UsageError(fmt::format("a collider moves with joint {} but the character has {}; give one of those",
                                   collider.joint, skeleton.joint_count()));
    }
    colliders.push_back({MakeCollider(collider), collider.joint, collider.given});
  }
  contact->SetColliders(std::move(colliders));
}

void FleshModel::State::ListCloseAtRest() {
  const auto joint_of = [&](int point) {
    return skeleton.joints[influences[contact->surface().skin_of[point]].joints[0]].name;
  };
  std::map<std::pair<std::string, std::string>, CloseSkin> by_joints;
  for (const CloseAtRest& close : contact->FindCloseAtRest()) {
    const auto [joint, other] =
        std::minmax({joint_of(close.point), joint_of(contact->surface().mesh.triangles(close.triangle, 0))});
    CloseSkin& entry = by_joints[{joint, other}];
    entry.gap = entry.points == 0 ? close.gap : std::min(entry.gap, close.gap);
    ++entry.points;
  }
  for (auto& [joints, entry] : by_joints) {
    std::tie(entry.joint, entry.other) = joints;
    report.close_at_rest.push_back(entry);
  }
}

std::string FleshModel::State::WhatIsWrong(const FleshPose& pose, const FleshSolveReport& solved, const Nodes& z,
                                           const FrameResult& result) const {
  if (result.in_contact && result.worst_penetration > kBonesCross) {
    return fmt::format("flesh is {:.0f}% of the body's size deep in other flesh: bones of this pose cross",
                       100 * result.worst_penetration);
  }
  if (result.worst_in_collider > kBonesCross) {
    return fmt::format("flesh is {:.0f}% of the body's size deep in a collider: bones of this pose are inside it",
                       100 * result.worst_in_collider);
  }
  if (solved.status != elasticity::SolveStatus::kConverged) return Sentence(solved);
  if (result.inverted_core > kMaxCoreInverted) {
    return fmt::format("{:.2g}% of the core around the bones is inverted", 100 * result.inverted_core);
  }
  if (result.inverted_tets > kMaxInverted * report.tets) {
    return fmt::format("{} tetrahedra are inverted", result.inverted_tets);
  }
  const double triangles = kMaxTrianglesInsideOut / static_cast<double>(flesh.mesh.triangle_count());
  if (result.inside_out > std::max(kMaxInsideOut, triangles) &&
      result.inside_out > InsideOut(pose, SkinnedFlesh(pose.motions), z)) {
    return fmt::format("{:.2g}% of the skin is inside out in folds", 100 * result.inside_out);
  }
  return "";
}

FrameResult FleshModel::State::Attempt(const Pose& pose, const Path& path, Nodes& z) const {
  FrameResult on_the_way;
  z = lattice.mesh().positions;
  FleshSolverOptions loose = options;
  loose.max_newton_steps = path.loose_steps;
  loose.is_final = false;
  loose.contact = path.way == Way::kInContact;
  const int steps = PathSteps(pose, path.angle);
  for (int step = 1; step < steps; ++step) {
    const float share = static_cast<float>(step) / static_cast<float>(steps);
    const Pose between = articulation->Between(bind_pose, pose, share);
    const FleshSolveReport solved =
        solver->Solve(solver->MakePose(skin.Motions(skeleton, between), path.hold), loose, z);
    ++on_the_way.path_steps;
    on_the_way.newton_steps += solved.newton_steps;
    on_the_way.cg_iterations += solved.cg_iterations;
  }
  FrameResult result = SolveFrom(pose, path.hold, path.way != Way::kWithoutContact, z);
  AddEffort(on_the_way, result);
  return result;
}

FrameResult FleshModel::State::SolveFrom(const Pose& pose, double hold, bool in_contact, Nodes& z) const {
  const FleshPose flesh_pose = solver->MakePose(skin.Motions(skeleton, pose), hold);
  FleshSolverOptions tight = options;
  tight.contact = in_contact;
  const FleshSolveReport solved = solver->Solve(flesh_pose, tight, z);
  FrameResult result;
  result.in_contact = in_contact;
  result.path_steps = 1;
  result.newton_steps = solved.newton_steps;
  result.cg_iterations = solved.cg_iterations;
  Judge(flesh_pose, solved, z, result);
  return result;
}

void FleshModel::State::Judge(const FleshPose& flesh_pose, const FleshSolveReport& solved, const Nodes& z,
                              FrameResult& result) const {
  result.contacts = solved.contacts;
  result.worst_penetration = solved.worst_penetration / report.size;
  result.collider_contacts = solved.collider_contacts;
  result.worst_in_collider = solved.worst_in_collider / report.size;
  result.inverted_tets = solver->InvertedCount(flesh_pose, z);
  result.inverted_core = solver->InvertedCore(flesh_pose, z);
  result.energy = solved.energies.empty() ? 0 : solved.energies.back()[1] - FleshSolver::InertiaEnergy(flesh_pose, z);
  result.farthest_skin = (Follow(lattice.skin(), lattice.mesh().tets, z) - flesh.mesh.positions.cast<double>())
                             .rowwise()
                             .norm()
                             .maxCoeff() /
                         report.size;
  const Points positions = FollowFlesh(flesh_pose, solved.pressed, z);
  result.inside_out = InsideOut(flesh_pose, positions, z);
  result.reason = WhatIsWrong(flesh_pose, solved, z, result);
  result.converged = result.reason.empty();
  result.volume_ratio = SignedVolume(TriMesh{positions, flesh.mesh.triangles}) / report.volume;
  result.parts = AllParts(flesh_pose.motions, &positions);
}

FleshModel::FleshModel(const Character& character, const FleshSettings& settings) : state_(std::make_unique<State>()) {
  // Skin at rest and the part of it that encloses flesh.
  Check(settings);
  const elasticity::StableNeoHookean material =
      elasticity::StableNeoHookean::FromYoungPoisson(settings.young, settings.poisson);
  State& s = *state_;
  s.settings = settings;
  s.skeleton = character.skeleton;
  s.bind_pose = WithoutScales(s.skeleton, MainBindPose(character));
  s.articulation = std::make_unique<Articulation>(s.skeleton);
  s.skin = CollectRestSkin(character, settings.roles);
  s.flesh = TakeFlesh(character, s.skin);
  s.ListPieces(character);
  for (const int v : s.flesh.welded_of) s.influences.push_back(s.skin.influences[s.skin.welding.first_of[v]]);
  FleshReport& report = s.report;
  report.warnings = s.flesh.warnings;
  report.unit = settings.unit > 0 ? settings.unit : GuessUnit(character).metres;
  report.size = BoundingBox(s.flesh.mesh.triangle_count() > 0 ? s.flesh.mesh.positions : s.skin.welded.positions)
                    .sizes()
                    .maxCoeff();
  if (s.flesh.mesh.triangle_count() == 0) return;
  // Tetrahedra, and what to report about the body.
  const QualitySettings quality = QualityOf(settings.quality);
  s.lattice =
      BuildFleshLattice(s.flesh.mesh, s.influences, s.skeleton, s.skin.joints,
                        {.tets = settings.tets > 0 ? settings.tets : quality.tets, .fat = s.FromMetres(settings.fat)});
  report.nodes = s.lattice.mesh().node_count();
  report.tets = s.lattice.mesh().tet_count();
  report.core_points = static_cast<int>(s.lattice.core.size());
  report.cell_size = s.lattice.cell_size;
  report.volume = SignedVolume(s.flesh.mesh);
  const EdgeTable edges = BuildEdges(s.flesh.mesh.triangles, s.flesh.mesh.vertex_count());
  s.neighbours = VertexVertices(edges, s.flesh.mesh.vertex_count());
  // Smoothing over the skin: a step at a rate of one half spreads by half an edge.
  const double spread = kSmoothing * s.lattice.cell_size / (0.5 * MeasureEdges(s.flesh.mesh, edges).mean);
  s.smoothing_steps = static_cast<int>(std::min(kMaxSmoothingSteps, std::round(spread * spread)));
  // Skin: how far it follows its flesh, and in which frames.
  const SkinFollowingOptions following = {
      .cell_size = s.lattice.cell_size, .joints = s.skeleton.joint_count(), .smoothing_steps = s.smoothing_steps};
  FleshSkin skin = {.rest = s.flesh.mesh.positions.cast<double>(),
                    .areas = {},
                    .shares = FleshShares(s.flesh.mesh, s.neighbours, following),
                    .of_flesh = FleshWeights(s.lattice.mesh(), s.flesh.mesh, s.lattice.skin(), s.lattice.influences,
                                             s.neighbours, following),
                    .of_bones = s.influences};
  s.influences = MixWeights(skin.of_flesh, skin.of_bones, skin.shares, s.skeleton.joint_count());
  s.ListThin(skin);
  // Contact and solver.
  if (settings.contact) {
    s.BuildContact(material);
    s.ListCloseAtRest();
  }
  skin.areas = s.SkinAreas();
  s.solver = std::make_unique<FleshSolver>(s.lattice, material, std::move(skin), s.contact.get());
  SetTolerance(settings, report.size, s.options);
  s.options.contact_margin = kContactMargin * report.size;
  s.followers = Followers(s.skin, s.flesh, report.size);
}

FleshModel::~FleshModel() = default;
FleshModel::FleshModel(FleshModel&&) noexcept = default;
FleshModel& FleshModel::operator=(FleshModel&&) noexcept = default;

const FleshSettings& FleshModel::settings() const { return state_->settings; }
const FleshReport& FleshModel::report() const { return state_->report; }

void FleshModel::State::CheckSize(const Pose& pose) const {
  if (static_cast<int>(pose.size()) == skeleton.joint_count()) return;
  throw UsageError(fmt::format("the pose has {} joints but the character has {}; retarget it to this skeleton first",
                               pose.size(), skeleton.joint_count()));
}

FrameResult FleshModel::State::NotFinite() const {
  FrameResult result;
  result.reason = "the pose has a number that is not finite";
  result.parts = AllParts(skin.Motions(skeleton, skeleton.RestPose()), nullptr);
  return result;
}

FrameResult FleshModel::State::Skinned(const Pose& pose) const {
  FrameResult result;
  result.converged = true;
  result.parts = AllParts(skin.Motions(skeleton, pose), nullptr);
  return result;
}

FrameResult FleshModel::State::SolveInContact(const Pose& pose, Nodes& z) const {
  FrameResult result = Attempt(pose, {}, z);
  if (result.farthest_skin > kHungUp) {
    Nodes free_z;
    FrameResult free = Attempt(pose, {.way = Way::kInTheEnd}, free_z);
    if (IsBetter(free, result)) {
      std::swap(free, result);
      std::swap(free_z, z);
    }
    AddEffort(free, result);
    // The paths of TryAgain() are left out: they hardly ever help a pose whose skin is so far off.
    return result;
  }
  // No path leads to a solution if bones cross.
  if (result.converged || result.worst_penetration > kBonesCross) return result;
  return TryAgain(pose, result, z);
}

FrameResult FleshModel::State::SolveFromRest(const Pose& pose, Nodes& z) const {
  FrameResult result = SolveInContact(pose, z);
  // Nothing but contact keeps flesh out of colliders.
  const bool collides = std::any_of(settings.colliders.begin(), settings.colliders.end(),
                                    [](const FleshCollider& collider) { return !collider.given; });
  if (result.converged || !contact || collides) return result;
  Nodes free_z;
  FrameResult free = Attempt(pose, {.way = Way::kWithoutContact}, free_z);
  AddEffort(result, free);
  if (!free.converged) {
    // Bones that give way may keep what is around them from turning over.
    const FrameResult firm = free;
    free = Attempt(pose, {.way = Way::kWithoutContact, .hold = kSoftHold}, free_z);
    AddEffort(firm, free);
  }
  if (!free.converged) return WithEffortOf(result, free);
  z = free_z;
  return free;
}

FrameResult FleshModel::State::TryAgain(const Pose& pose, const FrameResult& failed, Nodes& z) const {
  // Deep in a groin, flesh may fold into itself on the path, and bones then keep it there. Softer attachment on the
  // path lets it fold right; from there on bones hold as usual. This does not help against colliders that bones are
  // inside of.
  Nodes soft_z;
  FrameResult soft = failed;
  if (failed.worst_in_collider <= kBonesCross) {
    soft = Attempt(pose, {.hold = kSoftHold}, soft_z);
    AddEffort(failed, soft);
  }
  if (soft.converged) {
    z = soft_z;
    FrameResult firm = SolveFrom(pose, 1, true, z);
    AddEffort(soft, firm);
    if (firm.converged) return firm;
    soft = WithEffortOf(soft, firm);
  }
  // Otherwise flesh may have passed into flesh in one large step, which smaller steps avoid.
  FrameResult again = Attempt(pose, {.angle = kPathAngle / 3, .loose_steps = 2 * kLooseSteps}, z);
  AddEffort(soft, again);
  if (again.converged || !soft.converged) return again;
  z = soft_z;
  return WithEffortOf(soft, again);
}

FrameResult FleshModel::Solve(const Pose& pose) const {
  state_->CheckSize(pose);
  if (!IsFinite(pose)) return state_->NotFinite();
  if (!state_->solver) return state_->Skinned(pose);
  Nodes z;
  FrameResult result = state_->SolveFromRest(WithoutScales(state_->skeleton, pose), z);
  AddScales(state_->skin, state_->skeleton, pose, result.parts);
  return result;
}

}  // namespace sinew::flesh
