#include "sinew/offline/rigsurvey/rig_outcome.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <numeric>

#include "sinew/offline/character/skinned_shape.h"
#include "sinew/offline/core/error.h"
#include "sinew/offline/mesh/adjacency.h"
#include "sinew/offline/mesh/delta_mush.h"
#include "sinew/offline/mesh/measures.h"
#include "sinew/offline/retarget/retarget.h"
#include "sinew/offline/skincells/heat_weights.h"

namespace sinew::rigsurvey {
namespace {

using autorig::BipedJoints;
using autorig::kJoints;
using autorig::KnownBody;
using autorig::Rig;
using autorig::RigCharacter;
using autorig::RigNetwork;
using autorig::StanceRange;
using autorig::Stand;
using autorig::Verdict;
using autorig::WeightedBody;
using learn::RowMatrix;

constexpr int kStances = 4;  // that posed surfaces are compared in
// Every joint turns by up to 40 degrees in these.
constexpr StanceRange kTurned = {.arms_down = 0, .legs_apart = 0, .elbows = 0, .turn = 0, .wander = 40};
constexpr int kMotionFrames = 24;  // of a motion, evenly over it
constexpr double kDegrees = 180 / std::numbers::pi;

void CompareJoints(const KnownBody& body, const Rig& rig, RigOutcome& outcome) {
  const double stature = body.turn ? body.stature : rig.frame.height;
  for (int j = 0; j < kJoints; ++j) {
    if (body.known[j]) outcome.joints.push_back((rig.joints.row(j) - body.joints.row(j)).norm() / stature);
  }
  if (!outcome.joints.empty()) {
    outcome.mean =
        std::accumulate(outcome.joints.begin(), outcome.joints.end(), 0.0) / static_cast<double>(outcome.joints.size());
    outcome.largest = *std::max_element(outcome.joints.begin(), outcome.joints.end());
  }
  if (body.turn) {
    const double cosine = ((*body.turn * rig.frame.turn.transpose()).trace() - 1) / 2;
    outcome.turned = std::acos(std::clamp(cosine, -1.0, 1.0)) * kDegrees;
  }
}

// Mean over the surface of a value per vertex, over those that count.
template <class Value>
double MeanOverSurface(const std::vector<double>& areas, const std::vector<bool>& counts, const Value& value) {
  double sum = 0, total = 0;
  for (size_t v = 0; v < areas.size(); ++v) {
    if (!counts[v]) continue;
    sum += areas[v] * value(static_cast<Eigen::Index>(v));
    total += areas[v];
  }
  return total > 0 ? sum / total : -1;
}

// Compares weights, and the surface in a few stances, of two rigs of one mesh.
struct Comparison {
  double weights = -1, posed = -1;
};
Comparison CompareSkins(const WeightedBody& truth, const WeightedBody& other, const std::vector<bool>& counts,
                        double stature) {
  const std::vector<double> areas = VertexAreas(truth.surface);
  Comparison result;
  result.weights = MeanOverSurface(
      areas, counts, [&](Eigen::Index v) { return (truth.weights.row(v) - other.weights.row(v)).cwiseAbs().sum(); });
  result.posed = 0;
  for (int k = 0; k < kStances; ++k) {
    const Points a = Stand(truth, kTurned, k).surface.positions, b = Stand(other, kTurned, k).surface.positions;
    result.posed += MeanOverSurface(areas, counts, [&](Eigen::Index v) { return (a.row(v) - b.row(v)).norm(); }) /
                    stature / kStances;
  }
  return result;
}

// Mean displacement of the surface by Delta Mush in a few stances, over the stature. The less there is to smooth, the
// fewer creases weights make.
double MushOf(const WeightedBody& body, double stature) {
  const TriMesh& rest = body.surface;
  const std::vector<double> areas = VertexAreas(rest);
  const std::vector<bool> all(areas.size(), true);
  const Csr neighbors = VertexVertices(BuildEdges(rest.triangles, rest.vertex_count()), rest.vertex_count());
  const DeltaMush delta_mush(neighbors, rest.triangles, rest.positions.transpose().cast<double>());
  double sum = 0;
  for (int k = 0; k < kStances; ++k) {
    const DeltaMush::Cloud posed = Stand(body, kTurned, k).surface.positions.transpose().cast<double>();
    const DeltaMush::Cloud mushed = delta_mush.Apply(posed);
    sum += MeanOverSurface(areas, all, [&](Eigen::Index v) { return (mushed.col(v) - posed.col(v)).norm(); });
  }
  return sum / kStances / stature;
}

// The body with its true joints, without weights that mean anything.
Character WithTrueJoints(const KnownBody& body) {
  Skeleton skeleton;
  for (int j = 0; j < kJoints; ++j) {
    Joint joint;
    joint.name = BipedJoints()[j].name;
    joint.parent = BipedJoints()[j].parent;
    Eigen::Vector3d place = body.joints.row(j).transpose();
    if (joint.parent >= 0) place -= body.joints.row(joint.parent).transpose();
    joint.rest.translation = ToFloat3(place.cast<float>());
    skeleton.joints.push_back(joint);
  }
  Character character = body.mesh;
  skincells::AdoptSkeleton(skeleton, character);
  return character;
}

// Weights by bone heat, given the true joints; rows of vertices that it leaves without weights are zero.
RowMatrix Heated(const KnownBody& body) {
  const skincells::Subject subject = skincells::MakeSubject(WithTrueJoints(body), body.name);
  const SurfaceQuery query(subject.surface);
  const Eigen::MatrixXd found = skincells::HeatWeights(subject, skincells::FindBones(subject, query), query);
  RowMatrix weights = RowMatrix::Zero(body.mesh.vertex_count(), kJoints);
  for (Eigen::Index v = 0; v < weights.rows(); ++v) {
    const int at = subject.surface_of[0][v];
    for (size_t i = 0; i < subject.joints.size(); ++i) {
      weights(v, subject.joints[i]) = static_cast<float>(found(at, static_cast<Eigen::Index>(i)));
    }
  }
  return weights;
}

void CompareWeights(const KnownBody& body, const Rig& rig, bool heat, RigOutcome& outcome) {
  const TriMesh& surface = body.mesh.parts[0].mesh;
  const WeightedBody truth{surface, body.weights, body.joints};
  std::vector<bool> counts(surface.vertex_count(), true);
  if (heat) {
    const WeightedBody heated{surface, Heated(body), body.joints};
    for (int v = 0; v < surface.vertex_count(); ++v) {
      counts[v] = heated.weights.row(v).sum() > 0;
      outcome.unheated += counts[v] ? 0 : 1;
    }
    const Comparison other = CompareSkins(truth, heated, counts, body.stature);
    outcome.heat_weights = other.weights;
    outcome.heat_posed = other.posed;
  }
  const Comparison own = CompareSkins(truth, {surface, WeightsOf(rig), rig.joints}, counts, body.stature);
  outcome.weights = own.weights;
  outcome.posed = own.posed;
}

void CompareMush(const KnownBody& body, const RigNetwork& network, autorig::RigOptions options, RigOutcome& outcome) {
  const TriMesh& surface = body.mesh.parts[0].mesh;
  options.weights = autorig::RigWeights::kSkinCells;
  const Rig optimised = RigCharacter(body.mesh, network, options, body.name);
  outcome.true_mush = MushOf({surface, body.weights, body.joints}, body.stature);
  outcome.skincells_mush = MushOf({surface, WeightsOf(optimised), optimised.joints}, body.stature);
}

// Mean change of the volume of a rigged character over frames of a motion.
double VolumeInMotion(const Rig& rig, const Clip& motion) {
  const Skeleton& skeleton = rig.character.skeleton;
  const Clip own = retarget::Retarget(motion, skeleton, retarget::GuessMap(motion.skeleton, skeleton));
  const auto& frames = own.motion.frames;
  const int count = std::min(kMotionFrames, static_cast<int>(frames.size()));
  const double rest = SignedVolume(JoinMesh(rig.character, SkinnedShape(rig.character, skeleton.RestPose())));
  double change = 0;
  for (int k = 0; k < count; ++k) {
    const size_t frame = frames.size() * static_cast<size_t>(k) / static_cast<size_t>(count);
    const TriMesh posed = JoinMesh(rig.character, SkinnedShape(rig.character, frames[frame]));
    change += std::abs(SignedVolume(posed) / rest - 1) / count;
  }
  return change;
}

void ReadVerdicts(const Rig& rig, RigOutcome& outcome) {
  for (const Verdict& verdict : rig.verdicts) {
    if (!verdict.good) outcome.warnings.push_back(verdict.check);
    if (verdict.check == "joints-inside") outcome.outside = static_cast<int>(verdict.value);
    if (verdict.check == "volume") outcome.volume = verdict.value;
  }
}

std::string NumberOrNothing(double value) { return value < 0 ? "" : fmt::format("{:.6g}", value); }

}  // namespace

RowMatrix WeightsOf(const Rig& rig) {
  const SkinWeights& kept = rig.character.parts[0].weights;
  const int vertices = rig.character.parts[0].mesh.vertex_count();
  RowMatrix weights = RowMatrix::Zero(vertices, kJoints);
  for (int v = 0; v < vertices; ++v) {
    for (int k = 0; k < kept.influences; ++k) {
      const size_t slot = static_cast<size_t>(v) * kept.influences + k;
      weights(v, kept.joints[slot]) += kept.weights[slot];
    }
  }
  return weights;
}

RigOutcome RigAndCompare(const KnownBody& body, const RigNetwork& network, const OutcomeOptions& options, Rig* rig) {
  RigOutcome outcome;
  outcome.name = body.name;
  outcome.group = body.group;
  outcome.family = body.family;
  outcome.vertices = body.mesh.vertex_count();
  const auto start = std::chrono::steady_clock::now();
  const auto stop = [&] {
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  try {
    Rig found = RigCharacter(body.mesh, network, options.rig, body.name);
    stop();
    CompareJoints(body, found, outcome);
    if (body.weights.rows() > 0) CompareWeights(body, found, options.heat, outcome);
    ReadVerdicts(found, outcome);
    if (options.delta_mush && body.weights.rows() > 0) CompareMush(body, network, options.rig, outcome);
    if (options.motion != nullptr) outcome.motion_volume = VolumeInMotion(found, *options.motion);
    if (rig != nullptr) *rig = std::move(found);
  } catch (const InputError& error) {
    stop();
    outcome.refusal = error.what();
  } catch (const FailedError& error) {
    stop();
    outcome.failure = error.what();
  }
  return outcome;
}

RigOutcome Failed(const std::string& name, const std::string& group, const std::string& why) {
  RigOutcome outcome;
  outcome.name = name;
  outcome.group = group;
  outcome.failure = why;
  return outcome;
}

std::string CsvOf(const std::vector<RigOutcome>& outcomes) {
  std::string text =
      "group,family,name,vertices,refused,failed,joints_mean,joints_largest,weights,posed,heat_weights,heat_posed,"
      "unheated,true_mush,skincells_mush,"
      "turned_degrees,"
      "outside,volume,motion_volume,warnings,seconds\n";
  for (const RigOutcome& o : outcomes) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.3f}\n", o.group, o.family,
                        o.name, o.vertices, o.refused() ? 1 : 0, o.failed() ? 1 : 0, NumberOrNothing(o.mean),
                        NumberOrNothing(o.largest), NumberOrNothing(o.weights), NumberOrNothing(o.posed),
                        NumberOrNothing(o.heat_weights), NumberOrNothing(o.heat_posed), o.unheated,
                        NumberOrNothing(o.true_mush), NumberOrNothing(o.skincells_mush), NumberOrNothing(o.turned),
                        o.outside, NumberOrNothing(o.volume), NumberOrNothing(o.motion_volume),
                        fmt::join(o.warnings, " "), o.seconds);
  }
  return text;
}

}  // namespace sinew::rigsurvey
