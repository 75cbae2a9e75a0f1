#include "sinew/offline/fem/simulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/offline/character/likely_unit.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/fem/flesh_solver.h"
#include "sinew/offline/mesh/measures.h"

namespace sinew::fem {
namespace {

using Eigen::Affine3d;
using Eigen::Vector3d;

constexpr QualitySettings kQualities[] = {
    {"quick", 10000, 2e-4},
    {"good", 40000, 1e-4},
    {"film", 200000, 5e-5},
};

bool IsFinite(const Pose& pose) {
  for (const Transform& t : pose) {
    for (const float value : {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y,
                              t.rotation.z, t.rotation.w, t.scale.x, t.scale.y, t.scale.z}) {
      if (!std::isfinite(value)) return false;
    }
  }
  return true;
}

void Check(const FleshSettings& settings) {
  if (!(settings.fat > 0) || !std::isfinite(settings.fat)) {
    throw UsageError(fmt::format("the fat is {} m thick; give a positive number", settings.fat));
  }
  if (settings.tets < 0) throw UsageError(fmt::format("{} tetrahedra; give a positive number", settings.tets));
  if (!(settings.unit >= 0) || !std::isfinite(settings.unit)) {
    throw UsageError(fmt::format("a unit of {} m; give a positive number, or 0 to have it guessed", settings.unit));
  }
}

double GuessMetres(const Character& character, const Points& positions) {
  return GuessUnit(MeasureRest(character.skeleton), BoundingBox(positions)).metres;
}

std::string Sentence(const SolveReport& solved) {
  switch (solved.status) {
    case SolveStatus::kConverged:
      return "";
    case SolveStatus::kStepLimit:
      return fmt::format("{} Newton steps did not reach balance", solved.newton_steps);
    case SolveStatus::kStalled:
      return fmt::format("no step lowers the energy after {} Newton steps", solved.newton_steps);
  }
  return "";
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

struct FleshModel::State {
  FleshSettings settings;
  FleshReport report;
  Skeleton skeleton;
  RestSkin skin;
  FleshSurface flesh;
  std::vector<Influences> influences;  // of the flesh's vertices
  FleshLattice lattice;
  std::unique_ptr<FleshSolver> solver;
  FleshSolverOptions options;

  void ListSkinned(const Character& character);
  // Where the flesh's vertices are.
  Points FollowFlesh(const FleshPose& pose, const Nodes& z) const;
  // All parts: the flesh's vertices from there, the others by linear blend skinning. Without flesh: all of them.
  std::vector<Points> AllParts(const std::vector<Affine3d>& motions, const Points* flesh_positions) const;
};

void FleshModel::State::ListSkinned(const Character& character) {
  for (size_t p = 0; p < character.parts.size(); ++p) {
    SkinnedPiece piece{.part = character.parts[p].name, .vertices = 0, .why = ""};
    bool moves = true;
    for (int v = skin.first_vertex[p]; v < skin.first_vertex[p + 1]; ++v) {
      piece.vertices += flesh.flesh_of[skin.welding.welded_of[v]] < 0;
      moves &= skin.influences[v].count > 0;
    }
    if (piece.vertices == 0) continue;
    piece.why = moves ? "too small to enclose flesh, or no triangle uses it" : "no skin weights, so it stays";
    report.skinned.push_back(piece);
  }
}

Points FleshModel::State::FollowFlesh(const FleshPose& pose, const Nodes& z) const {
  const Nodes inside = Follow(lattice.skin, lattice.mesh.tets, z);
  Points positions(inside.rows(), 3);
  for (Eigen::Index v = 0; v < inside.rows(); ++v) {
    const Rigid frame = Blend(influences[v], pose.joints).ToRigid();
    positions.row(v) = (frame * inside.row(v).transpose()).cast<float>().transpose();
  }
  return positions;
}

std::vector<Points> FleshModel::State::AllParts(const std::vector<Affine3d>& motions,
                                                const Points* flesh_positions) const {
  std::vector<Points> parts;
  for (size_t p = 0; p + 1 < skin.first_vertex.size(); ++p) {
    const int first = skin.first_vertex[p], end = skin.first_vertex[p + 1];
    Points& positions = parts.emplace_back(end - first, 3);
    for (int v = first; v < end; ++v) {
      const int of_flesh = flesh.flesh_of[skin.welding.welded_of[v]];
      if (flesh_positions && of_flesh >= 0) {
        positions.row(v - first) = flesh_positions->row(of_flesh);
      } else if (skin.influences[v].count == 0) {
        positions.row(v - first) = skin.mesh.positions.row(v);
      } else {
        const Vector3d x = skin.mesh.positions.row(v).cast<double>().transpose();
        positions.row(v - first) = BlendLinear(skin.influences[v], motions, x).cast<float>().transpose();
      }
    }
  }
  return parts;
}

FleshModel::FleshModel(const Character& character, const FleshSettings& settings) : state_(std::make_unique<State>()) {
  Check(settings);
  const StableNeoHookean material = StableNeoHookean::FromYoungPoisson(settings.young, settings.poisson);
  State& s = *state_;
  s.settings = settings;
  s.skeleton = character.skeleton;
  s.skin = CollectRestSkin(character);
  s.flesh = FindFlesh(character, s.skin);
  for (const int v : s.flesh.welded_of) s.influences.push_back(s.skin.influences[s.skin.welding.first_of[v]]);
  FleshReport& report = s.report;
  report.warnings = s.flesh.warnings;
  report.unit = settings.unit > 0 ? settings.unit : GuessMetres(character, s.flesh.mesh.positions);
  const QualitySettings quality = QualityOf(settings.quality);
  s.lattice =
      BuildFleshLattice(s.flesh.mesh, s.influences, s.skeleton, s.skin.joints,
                        {.tets = settings.tets > 0 ? settings.tets : quality.tets, .fat = settings.fat / report.unit});
  s.solver = std::make_unique<FleshSolver>(s.lattice, material);
  report.nodes = s.lattice.mesh.node_count();
  report.tets = s.lattice.mesh.tet_count();
  report.core_points = static_cast<int>(s.lattice.core.size());
  report.cell_size = s.lattice.cell_size;
  report.size = BoundingBox(s.flesh.mesh.positions).sizes().maxCoeff();
  report.volume = SignedVolume(s.flesh.mesh);
  s.options.tolerance = quality.tolerance * report.size;
  s.ListSkinned(character);
}

FleshModel::~FleshModel() = default;
FleshModel::FleshModel(FleshModel&&) noexcept = default;
FleshModel& FleshModel::operator=(FleshModel&&) noexcept = default;

const FleshSettings& FleshModel::settings() const { return state_->settings; }
const FleshReport& FleshModel::report() const { return state_->report; }

FrameResult FleshModel::Solve(const Pose& pose) const {
  const State& s = *state_;
  if (static_cast<int>(pose.size()) != s.skeleton.joint_count()) {
    throw UsageError(fmt::format("the pose has {} joints but the character has {}; retarget it to this skeleton first",
                                 pose.size(), s.skeleton.joint_count()));
  }
  FrameResult result;
  if (!IsFinite(pose)) {
    result.reason = "the pose has a number that is not finite";
    result.parts = s.AllParts(s.skin.Motions(s.skeleton, s.skeleton.RestPose()), nullptr);
    return result;
  }
  const std::vector<Affine3d> motions = s.skin.Motions(s.skeleton, pose);
  const FleshPose flesh_pose = s.solver->MakePose(motions);
  Nodes z = s.lattice.mesh.positions;
  const SolveReport solved = s.solver->Solve(flesh_pose, s.options, z);
  result.path_steps = 1;
  result.newton_steps = solved.newton_steps;
  result.cg_iterations = solved.cg_iterations;
  result.inverted_tets = solved.inverted_tets;
  result.converged = solved.status == SolveStatus::kConverged;
  result.reason = Sentence(solved);
  const Points positions = s.FollowFlesh(flesh_pose, z);
  result.volume_ratio = SignedVolume(TriMesh{positions, s.flesh.mesh.triangles}) / s.report.volume;
  result.parts = s.AllParts(motions, &positions);
  return result;
}

}  // namespace sinew::fem
